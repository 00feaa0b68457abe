"""Annotations follow single documents: of a part in which few have changed, only these are annotated again.

What of a document an annotation depends on is remembered as a digest, in a table of its own (`annotated/`).
Where it is missing, nothing is lost but time: the next change of a part has all of the part annotated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from corpulyzer.annotate.parts import COLUMNS
from corpulyzer.engine import Source, Unit
from corpulyzer.engine.derived import FOLLOWED_ROWS, Part
from corpulyzer.engine.derived.table import Table, bring_up_to_date
from corpulyzer.engine.workbench import run_copies
from corpulyzer.records.annotation import FAILED, TABLE, Annotation
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.records.without_pandas import without_pandas
from corpulyzer.storage import ParquetSink, Storage, open_input
from corpulyzer.storage.row_digests import digests_of_rows

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.engine import Engine

FOLDER, TEXTS = "annotated", "texts"
REMEMBERED = ("id", "text_digest", "paragraphs", "verdict")
WORK = "work"
MOST_CHANGED = 0.5
"""Where more than this share of the documents of a part has changed, all of them are annotated."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """A document that was annotated: the digest of its text and of the languages of its paragraphs."""

    id: int
    content: str


def memory_of(storage: Storage) -> Table:
    """The table of what was annotated; it has a log of its own, so that it can be thrown away as a folder."""
    return Table(Storage(storage.path(FOLDER)), TEXTS)


def take_over(
    storage: Storage, documents: Sequence[Part], wanted: Mapping[str, str], run: Callable[[list[Unit]], None]
) -> None:
    """Make parts of which few documents have changed, with the annotations that there are of the others."""
    without_pandas()
    annotations, memory = Table(storage, TABLE), memory_of(storage)
    made, known = annotations.mend(wanted), memory.made()
    changes = {}
    for part in documents:
        before, now = made.get(part.name, ""), wanted[part.name]
        same_annotator = before.partition(".")[2] == now.partition(".")[2]
        followed = same_annotator and known.get(part.name) == before and part.rows <= FOLLOWED_ROWS
        if before and before != now and followed:
            old = _rows(annotations.path(part.name))
            rows = _kept(storage.path(part.file))
            changed = _changed(rows, _rows(memory.path(part.name)), old)
            if changed.num_rows <= MOST_CHANGED * rows.num_rows:
                changes[part.name] = (_ids(rows), old, changed)
    work = Storage(storage.path(f"{FOLDER}/{WORK}"))
    units = {
        name: Unit(Source(table=changed), {TABLE: work.path(name)})
        for name, (_, _, changed) in changes.items()
        if changed.num_rows
    }
    if units:
        run(list(units.values()))
    annotations.set_aside(changes)
    for name, (ids, old, _) in changes.items():
        new = _rows(work.path(name)) if name in units else old.slice(0, 0)
        _write(annotations.path(name), ids, old, new, wanted[name])
    annotations.note(changes)
    for file in work.list():
        work.delete(file)


def remember(storage: Storage, engine: Engine, documents: Iterable[Part], wanted: Mapping[str, str]) -> None:
    """Note what the annotations of documents, which are up to date, depend on."""
    files = {part.name: storage.path(part.file) for part in documents}

    def source_of(name: str) -> Source:
        return Source(path=files[name], columns=REMEMBERED)

    tables = {TEXTS: memory_of(storage)}
    bring_up_to_date(tables, wanted, source_of, partial(run_copies, engine, RememberTexts()))


@dataclass(frozen=True, slots=True)
class RememberTexts:
    """Map: documents in; the kept ones out as they are remembered."""

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {TEXTS: schema_of(Remembered)}

    @property
    def batch_rows(self) -> int:
        return 2_000

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        import pyarrow as pa

        at(0)
        kept = _only_kept(pa.Table.from_batches([batch]))
        return {TEXTS: batch_of([Remembered(*each) for each in _contents(kept).items()], Remembered)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """Nothing: what is not remembered is annotated again with the next change of its part."""
        return {TEXTS: batch_of([], Remembered)}


def _changed(rows: pa.Table, memory: pa.Table, old: pa.Table) -> pa.Table:
    """The documents that have no annotation, or one of another text or of other languages."""
    import pyarrow as pa

    known = dict(zip(*(memory.column(name).to_pylist() for name in ("id", "content")), strict=True))
    methods = zip(*(old.column(name).to_pylist() for name in ("id", "method")), strict=True)
    done = {key for key, method in methods if not method.startswith(FAILED)}
    again = [key not in done or known.get(key) != content for key, content in _contents(rows).items()]
    return rows.filter(pa.array(again, pa.bool_()))


def _contents(rows: pa.Table) -> dict[int, str]:
    """The digest of each document, by id."""
    batches = rows.select(["text_digest", "paragraphs"]).combine_chunks().to_batches()
    found = (digest.hex() for batch in batches for digest in digests_of_rows(batch))
    return dict(zip(_ids(rows), found, strict=True))


def _ids(rows: pa.Table) -> list[int]:
    return list(map(int, rows.column("id").to_numpy()))


def _write(path: str, ids: Sequence[int], old: pa.Table, new: pa.Table, made_of: str) -> None:
    """Write the annotations of documents in their order, the new ones where there are some."""
    import pyarrow as pa

    places = {key: place for place, key in enumerate(old.column("id").to_pylist())}
    places |= {key: old.num_rows + place for place, key in enumerate(new.column("id").to_pylist())}
    order = pa.array([places[key] for key in ids], pa.int64())
    rows = pa.concat_tables([old, new]).take(order).combine_chunks()
    with ParquetSink(path, schema_of(Annotation), made_of) as sink:
        for batch in rows.cast(schema_of(Annotation)).to_batches():
            sink.write(batch)


def _kept(path: str) -> pa.Table:
    """The kept documents of a part, as far as annotations depend on them."""
    return _only_kept(_rows(path, COLUMNS))


def _only_kept(rows: pa.Table) -> pa.Table:
    import pyarrow.compute as pc

    return rows.filter(pc.struct_field(rows.column("verdict").combine_chunks(), "kept"))


def _rows(path: str, columns: Sequence[str] | None = None) -> pa.Table:
    import pyarrow.parquet as pq

    with open_input(path) as file, pq.ParquetFile(file) as parquet:
        return parquet.read(list(columns) if columns else None, use_threads=False).replace_schema_metadata()
