"""The index of a corpus for its concordance: where it stands, and how it follows the documents."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.annotate import table_of
from corpulyzer.corpus.kept_documents import count_kept, kept_parts
from corpulyzer.engine.derived import made_of
from corpulyzer.engine.derived.table import Table
from corpulyzer.errors import UserError
from corpulyzer.jobs.search.annotated import IndexedAnnotations
from corpulyzer.records.annotation import TABLE as ANNOTATIONS
from corpulyzer.records.fingerprint import digest
from corpulyzer.search.index import Index
from corpulyzer.search.rows import Entry, Offer
from corpulyzer.storage import Storage, is_remote
from corpulyzer.storage.location import user_cache
from corpulyzer.storage.lock import HeldError, changing
from corpulyzer.storage.row_digests import digests_of_rows

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine.progress import Progress

FILE = "index/concordance.sqlite"
SCORES = "index/quality"
COLUMNS = ("id", "url", "site", "title", "license", "date", "text", "archive", "text_digest")
ROWS_AT_ONCE = 500
TIDY_FROM_SHARE = 0.2
"""The index is merged, which takes long, when so much of it has changed."""


def index_of(corpus: CorpusFolder) -> Index:
    """The index of a corpus, which may be stale or not there yet.

    SQLite and shards need a disk: the index of a corpus in an object store is in the user's cache folder.
    """
    root = corpus.storage.root
    if not is_remote(root):
        return Index(Path(corpus.storage.path(FILE)), corpus.targets.together)
    place = user_cache() / hashlib.sha256(root.encode()).hexdigest()[:16] / Path(FILE).name
    return Index(place, corpus.targets.together)


def refresh(corpus: CorpusFolder, progress: Progress | None = None) -> Index:
    """The index, brought up to date: only parts whose documents have changed are read.

    While another command changes the corpus, the index stays as it is.
    """
    corpus.one_at_a_time("`corpulyzer search`")
    index = index_of(corpus)
    index.must_be_current()
    index.mend()
    changed, gone = index.stale(wanted_index(corpus))
    if index.path.exists() and not changed and not gone:
        return index
    must_fit(corpus)
    try:
        with changing(corpus.storage, "search"):
            _renew(corpus, index, progress)
    except HeldError:
        if not index.path.exists():
            raise
    return index


def fits(corpus: CorpusFolder) -> bool:
    """Whether the documents are few enough for one machine to index and hold."""
    return not _too_many(corpus)


def must_fit(corpus: CorpusFolder) -> None:
    """UserError where there are too many documents."""
    if documents := _too_many(corpus):
        most = corpus.config.search.most_documents
        hint = "Set search.most_documents higher if this machine has room for most of the text once more."
        raise UserError(
            f"{documents:,} documents are too many for a concordance, which takes {most:,}.", hint
        )


def _too_many(corpus: CorpusFolder) -> int:
    """How many documents there are, if they are too many; else 0.

    Files are read only where there may be too many, and no log says how many of them are kept.
    """
    most = corpus.config.search.most_documents
    if sum(part.rows for part in kept_parts(corpus.storage)) <= most:
        return 0
    known = count_kept(corpus.storage)
    documents = len(corpus.documents.kept()) if known is None else known
    return documents if documents > most else 0


def _renew(corpus: CorpusFolder, index: Index, progress: Progress | None) -> None:
    """Take in what has changed."""
    wanted, files = wanted_index(corpus), {part.name: part.file for part in kept_parts(corpus.storage)}
    changed, gone = index.stale(wanted)
    if not index.path.exists():
        with index.writing():  # a corpus without documents has an index, too: an empty one
            pass
    for name in gone:
        index.forget(name)
    annotations = IndexedAnnotations(table_of(corpus.annotated).files, corpus.language)
    moved = 0
    for done, name in enumerate(changed):
        if progress:
            progress("indexing documents", done, len(changed))
        moved += index.follow(name, wanted[name], _offers(corpus.storage, files[name], annotations))
    if progress and changed:
        progress("indexing documents", len(changed), len(changed))
    if moved >= TIDY_FROM_SHARE * index.size():
        index.tidy()


@dataclass(frozen=True, slots=True)
class Stale:
    """The parts that the index does not have as they are, and how large they are."""

    parts: int
    bytes: int


def stale(corpus: CorpusFolder) -> Stale:
    """How much of the documents has changed since the index was made."""
    wanted, index = wanted_index(corpus), index_of(corpus)
    changed, gone = index.stale(wanted)
    return Stale(len(changed) + len(gone), _bytes(corpus.storage, set(changed)) if changed else 0)


def _bytes(storage: Storage, names: set[str]) -> int:
    """How large the files of some parts are."""
    filesystem, _ = storage.filesystem()
    files = [storage.inner_path(part.file) for part in kept_parts(storage) if part.name in names]
    return sum(info.size or 0 for info in filesystem.get_file_info(files))


def is_scored(corpus: CorpusFolder) -> bool:
    """Whether the documents of the index have the quality of the documents as they are."""
    return index_of(corpus).scored_for() == _state(corpus)


def score(corpus: CorpusFolder) -> Index:
    """The index, up to date, in which each document has the quality that exports have.

    The score depends on all documents, so it is made when a search asks for it, and not with every part.
    """
    from corpulyzer.engine.workbench import Workbench
    from corpulyzer.jobs.analyze.document_quality import qualities, scores_in

    index = refresh(corpus)
    if is_scored(corpus):
        return index
    with changing(corpus.storage, "search"), corpus.engine() as engine:
        work = Workbench(engine, corpus.storage, SCORES)
        work.clear()
        index.put_scores(_state(corpus), scores_in(qualities(corpus, engine, work)))
        work.clear()
    return index


def _state(corpus: CorpusFolder) -> str:
    return digest(wanted_index(corpus))


def wanted_index(corpus: CorpusFolder) -> dict[str, str]:
    """What the index is made of, by part."""
    return {name: made_of(versions) for name, versions in index_versions(corpus).items()}


def index_versions(corpus: CorpusFolder) -> dict[str, list[str]]:
    """The inputs of the index, by part: the kept documents, and their annotations where there are some."""
    annotated = {part.name: part.version for part in Table(corpus.annotated, ANNOTATIONS).parts()}
    return {part.name: [part.version, annotated.get(part.name, "")] for part in kept_parts(corpus.storage)}


def _offers(storage: Storage, file: str, annotations: IndexedAnnotations) -> Iterator[Offer]:
    """The kept documents of a part. They are told by their bytes; only those that are new become entries."""
    for batch in _kept(storage, file):
        keys = batch.select(["archive", "id"]).to_pylist()
        for place, (key, own) in enumerate(zip(keys, digests_of_rows(batch), strict=True)):
            content = own + annotations.digest(key["archive"], key["id"])
            yield Offer(key["id"], content, partial(_entry, batch.slice(place, 1), annotations))


def _kept(storage: Storage, file: str) -> Iterator[pa.RecordBatch]:
    """The columns of kept documents that the index is made of."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    with storage.open_input(file) as stored, pq.ParquetFile(stored) as parquet:
        for batch in parquet.iter_batches(ROWS_AT_ONCE, columns=[*COLUMNS, "verdict"], use_threads=False):
            kept = pc.struct_field(batch.column("verdict"), "kept")
            yield batch.filter(kept).select(list(COLUMNS))


def _entry(batch: pa.RecordBatch, annotations: IndexedAnnotations) -> Entry:
    """A document as the index takes it, of a batch of one row."""
    (row,) = batch.to_pylist()
    return Entry(
        id=row["id"],
        url=row["url"],
        site=row["site"],
        title=row["title"],
        license=row["license"],
        date=int(row["date"].timestamp()),
        quality=None,
        text=row["text"],
        **annotations.of(row),
    )
