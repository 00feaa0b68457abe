"""Takedown: an address or a site gone from archives, tables, index and all exports to come, and kept out.

What is to go, and how much there is of it, is written to `removing.json` before anything is touched, so a
removal that was killed is finished by the next; `removed.jsonl` says for ever after that it was.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.living import FOLDER as DEAD
from corpulyzer.corpus.living import living_parts
from corpulyzer.corpus.takedowns import FILE, OUTCOME, PENDING, Removed, entries, name_of
from corpulyzer.corpus.without_copies import STATE
from corpulyzer.errors import UserError
from corpulyzer.records import Fetch
from corpulyzer.records.annotation import TABLE as ANNOTATIONS
from corpulyzer.records.columns import batch_of, record_of
from corpulyzer.storage import ParquetSink, Storage, is_remote
from corpulyzer.storage.lock import changing, editing

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.engine.progress import Progress

DERIVED = ("analysis", "report", "duplicates")
"""Folders of what was made of the documents, parts of their texts included: thrown away, and made again."""


@dataclass(frozen=True, slots=True)
class Removal:
    """What was removed, when, why, and how much of it there was. Nothing of its content.

    `outside` are archives beyond the corpus folder, which belong to others and are not touched: the corpus
    no longer reads these records. `exports` were made before and still have the documents.
    """

    name: str
    when: str
    why: str
    counts: Mapping[str, int] = field(default_factory=dict)
    outside: Mapping[str, int] = field(default_factory=dict)
    exports: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)


def remove(
    corpus: CorpusFolder, engine: Engine, what: str, why: str = "", progress: Progress | None = None
) -> Removal:
    """Take an address or a site out of a corpus for good; done again, it changes nothing."""
    with changing(corpus.storage, "remove"), editing(corpus.storage, "remove"):
        return _remove(corpus, engine, name_of(what), why, progress)


def _remove(corpus: CorpusFolder, engine: Engine, name: str, why: str, progress: Progress | None) -> Removal:
    storage = corpus.storage
    _no_crawl(storage)
    if storage.exists(PENDING):
        left = json.loads(storage.read(PENDING))
        done = _carried_out(corpus, engine, left, progress)
        if left["name"] == name:
            return done
    plan = _plan(corpus, name, why)
    before = [entry for entry in entries(storage) if entry["name"] == name]
    if before and not any(plan["counts"].values()):
        return _noted(before[-1])
    storage.write(PENDING, json.dumps(plan, ensure_ascii=False).encode())
    return _carried_out(corpus, engine, plan, progress)


def planned(corpus: CorpusFolder, what: str) -> Removal:
    """What `remove` would take out; nothing is touched."""
    return _noted(_plan(corpus, name_of(what), ""))


def _plan(corpus: CorpusFolder, name: str, why: str) -> dict[str, Any]:
    """Everything to be done, found before any of it is."""
    from corpulyzer.corpus.without_copies import levels_asked, read_state
    from corpulyzer.export import versions
    from corpulyzer.warc.erase import matching

    storage, wanted = corpus.storage, Removed((name,))
    inside: dict[str, int] = {}
    outside: dict[str, int] = {}
    for path, relative in _archives(storage, wanted):
        found = len(matching(path, wanted))
        if found:
            (inside if relative else outside)[relative or path] = found
    ids = [row["id"] for row in _rows(storage, "documents", ["id", "url"]) if wanted(row["url"])]
    gone, kept = set(ids), 0
    for row in _rows_of(storage, living_parts(storage).values(), ["id", "verdict"]):
        kept += row["id"] in gone and row["verdict"]["kept"]
    links = sum(row["source_id"] in gone for row in _rows(storage, "links", ["source_id"]))
    counts = {"records": sum(inside.values()), "documents": len(ids), "kept": kept, "links": links}
    return {
        "name": name,
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "why": why,
        "counts": counts,
        "outside": outside,
        "exports": [version.name for version in versions(storage)] if ids else [],
        "archives": list(inside),
        "ids": ids,
        "levels": levels_asked(read_state(storage)),
    }


def _carried_out(
    corpus: CorpusFolder, engine: Engine, plan: dict[str, Any], progress: Progress | None
) -> Removal:
    """Do all that a plan says; every step may have been done before."""
    from corpulyzer.warc.erase import erase

    storage, wanted, ids = corpus.storage, Removed((plan["name"],)), set(plan["ids"])
    for number, relative in enumerate(plan["archives"], 1):
        erase(storage.path(relative), wanted)
        if progress is not None:
            progress("rewriting archives", number, len(plan["archives"]))
    _blank_fetches(storage, wanted)
    for table, column in (("documents", "id"), (DEAD, "id"), ("links", "source_id"), (ANNOTATIONS, "id")):
        _filter_table(storage, table, column, ids)
    _refuse(storage, wanted)
    _blank_samples(storage, wanted)
    _forget_index(corpus, ids)
    if ids:
        _forget_derived(corpus, engine, plan["levels"])
    return _finished(storage, plan)


def _finished(storage: Storage, plan: dict[str, Any]) -> Removal:
    """Note the removal, once for each name and time, and forget the plan."""
    done = _noted(plan)
    before = entries(storage)
    if not any((entry["name"], entry["when"]) == (done.name, done.when) for entry in before):
        lines = [*before, done.to_json()]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        storage.write(FILE, text.encode())
    storage.delete(PENDING)
    return done


def _noted(plan: Mapping[str, Any]) -> Removal:
    return Removal(
        plan["name"], plan["when"], plan["why"], plan["counts"], plan["outside"], tuple(plan["exports"])
    )


def _no_crawl(storage: Storage) -> None:
    """Guarantee that nobody writes to the archives."""
    from corpulyzer.corpus.archives import left_open

    for archive in [] if is_remote(storage.root) else left_open(storage):
        with open(archive.path, "rb") as opened:
            try:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                hint = "Stop it, then run this again."
                raise UserError(f"A crawl is writing {archive.path}.", hint) from None


def _archives(storage: Storage, wanted: Removed) -> Iterator[tuple[str, str]]:
    """The archives that may hold something wanted: path, and the place in the corpus folder if it is there.

    Archives that are indexed are looked up in the table of fetches; the others must be read.
    """
    from corpulyzer.corpus.archives import archives, left_open

    rows = _rows(storage, "fetches", ["archive", "url", "outcome"])
    known = {file.rpartition("/")[2].rsplit(".", 2)[0] for file in storage.list("fetches", ".parquet")}
    hit = {row["archive"] for row in rows if row["outcome"] != OUTCOME and wanted(row["url"])}
    root = f"{storage.root.partition('?')[0].rstrip('/')}/"
    closed = [each for each in archives(storage) if each.name in hit or each.name not in known]
    for archive in [*closed, *left_open(storage)]:
        path = archive.path.partition("?")[0] if is_remote(archive.path) else archive.path
        yield archive.path, path.removeprefix(root) if path.startswith(root) else ""


def _rows(storage: Storage, table: str, columns: list[str]) -> Iterator[dict[str, Any]]:
    """Some columns of a table, row by row."""
    return _rows_of(storage, storage.list(table, ".parquet"), columns)


def _rows_of(storage: Storage, files: Iterable[str], columns: list[str]) -> Iterator[dict[str, Any]]:
    import pyarrow.parquet as pq

    for file in files:
        with storage.open_input(file) as stored, pq.ParquetFile(stored) as parquet:
            for batch in parquet.iter_batches(5_000, columns=columns, use_threads=False):
                yield from batch.to_pylist()


def _blank_fetches(storage: Storage, wanted: Removed) -> None:
    """Leave of fetches what an index of the rewritten archives would find."""

    def changed(batch: pa.RecordBatch) -> pa.RecordBatch:
        fetches: list[Fetch] = [record_of(Fetch, row) for row in batch.to_pylist()]
        return batch_of(map(wanted.blank, fetches), Fetch)

    for file in storage.list("fetches", ".parquet"):
        if any(map(wanted, _column(storage, file, "url"))):
            _rewrite(storage, file, changed)


def _filter_table(storage: Storage, table: str, column: str, gone: set[int]) -> None:
    """Take the rows of documents out of every file of a table that has some."""
    import pyarrow as pa

    def changed(batch: pa.RecordBatch) -> pa.RecordBatch:
        keys: list[Any] = batch.column(column).to_pylist()
        return batch.filter(pa.array([key not in gone for key in keys], pa.bool_()))

    for file in storage.list(table, ".parquet") if gone else []:
        if not gone.isdisjoint(_column(storage, file, column)):
            _rewrite(storage, file, changed)


def _refuse(storage: Storage, wanted: Removed) -> None:
    """Mark the frontier, and shorten the list of a round that is under way."""
    import pyarrow as pa

    from corpulyzer.corpus import rounds

    def refused(batch: pa.RecordBatch) -> pa.RecordBatch:
        rows = [{**row, "refused": OUTCOME} if wanted(row["url"]) else row for row in batch.to_pylist()]
        return pa.RecordBatch.from_pylist(rows, schema=batch.schema)

    def shortened(batch: pa.RecordBatch) -> pa.RecordBatch:
        urls: list[Any] = batch.column("url").to_pylist()
        return batch.filter(pa.array([not wanted(url) for url in urls], pa.bool_()))

    now = rounds.current(storage)
    changes: list[tuple[str, Callable[[pa.RecordBatch], pa.RecordBatch]]] = [
        (file, refused) for file in rounds.frontier(storage).files("frontier")
    ]
    changes += [(f"{now.folder}/list.parquet", shortened)] if now.done("list") else []
    for file, change in changes:
        if any(map(wanted, _column(storage, file, "url"))):
            _rewrite(storage, file, change)


def _blank_samples(storage: Storage, wanted: Removed) -> None:
    """Take texts out of samples that were drawn for an audit; labels and weights stay."""
    for file in storage.list("audit", "/sample.jsonl"):
        lines = [json.loads(line) for line in storage.read(file).decode("utf-8").splitlines()]
        hit = [line for line in lines if line.get("text") and wanted(line.get("url", ""))]
        for line in hit:
            line |= {"text": "", "title": ""}
        if hit:
            text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
            storage.write(file, text.encode())


def _forget_index(corpus: CorpusFolder, ids: set[int]) -> None:
    from corpulyzer.jobs.search.refresh import index_of

    if ids:
        index_of(corpus).remove(sorted(ids))


def _forget_derived(corpus: CorpusFolder, engine: Engine, levels: list[str]) -> None:
    """Throw away what was derived from the documents, and label duplicates again where they were labelled."""
    from corpulyzer.corpus.kept_documents import write_kept
    from corpulyzer.jobs.dedup.current_labels import as_asked
    from corpulyzer.jobs.dedup.run import deduplicate

    corpus = as_asked(corpus)
    corpus.storage.delete(STATE)
    for folder in DERIVED:
        for file in corpus.storage.list(folder):
            corpus.storage.delete(file)
    if levels:
        deduplicate(corpus, engine, levels)
    write_kept(corpus.storage, engine)


def _column(storage: Storage, file: str, name: str) -> list[Any]:
    import pyarrow.parquet as pq

    with storage.open_input(file) as stored:
        found: list[Any] = pq.read_table(stored, columns=[name], partitioning=None).column(name).to_pylist()
        return found


def _rewrite(storage: Storage, file: str, change: Callable[[pa.RecordBatch], pa.RecordBatch]) -> None:
    """Replace a file of a table by what a change makes of it, under the marks that it had."""
    import pyarrow.parquet as pq

    with storage.open_input(file) as stored, pq.ParquetFile(stored) as parquet:
        schema = parquet.schema_arrow
        with ParquetSink(storage.path(file), schema) as sink:
            for batch in parquet.iter_batches(1_000, use_threads=False):
                sink.write(change(batch).cast(schema))
