"""What a removal takes out of tables, of the frontier and of samples, file by file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.takedowns import OUTCOME, Removed
from corpulyzer.engine.derived import made_of
from corpulyzer.engine.derived.table import Table
from corpulyzer.records import Fetch
from corpulyzer.records.columns import batch_of, record_of
from corpulyzer.storage import ParquetSink, Storage

if TYPE_CHECKING:
    import pyarrow as pa


def rows(storage: Storage, table: str, columns: list[str]) -> Iterator[dict[str, Any]]:
    """Some columns of a table, row by row."""
    return rows_of(storage, storage.list(table, ".parquet"), columns)


def rows_of(storage: Storage, files: Iterable[str], columns: list[str]) -> Iterator[dict[str, Any]]:
    """The same of some files."""
    import pyarrow.parquet as pq

    for file in files:
        with storage.open_input(file) as stored, pq.ParquetFile(stored) as parquet:
            for batch in parquet.iter_batches(5_000, columns=columns, use_threads=False):
                yield from batch.to_pylist()


def forget_unlogged(table: Table) -> None:
    """Remove files that the table's log does not know: those of a command that was killed before it said so.

    They can be made again, and would otherwise come back with what is taken out now.
    """
    known = table.log.read()
    table.forget([name for name in table.files() if known is not None and name not in known])


def blank_fetches(storage: Storage, wanted: Removed) -> None:
    """Leave of fetches what an index of the rewritten archives would find."""

    def changed(batch: pa.RecordBatch) -> pa.RecordBatch:
        fetches: list[Fetch] = [record_of(Fetch, row) for row in batch.to_pylist()]
        return batch_of(map(wanted.blank, fetches), Fetch)

    table = Table(storage, "fetches")
    for part in table.parts():
        if any(map(wanted, _column(storage, part.file, "url"))):
            table.rewrite(part.name, changed)


def filter_table(table: Table, column: str, gone: set[int]) -> dict[str, str]:
    """Take the rows of documents out of every part of a table that has some.

    Returns the new version of each part that was changed, by the version that it had.
    """
    import pyarrow as pa

    storage = table.storage

    def changed(batch: pa.RecordBatch) -> pa.RecordBatch:
        keys: list[Any] = batch.column(column).to_pylist()
        return batch.filter(pa.array([key not in gone for key in keys], pa.bool_()))

    before = {}
    for part in table.parts() if gone else []:
        if not gone.isdisjoint(_column(storage, part.file, column)):
            table.rewrite(part.name, changed)
            before[part.name] = part.version
    return {old: table.entries()[name].version for name, old in before.items()}


def follow_fetches(storage: Storage, before: Mapping[str, str]) -> None:
    """Note of documents and links that they follow from the fetches as they are now.

    `before` are the versions that the fetches had.
    """
    now = {part.name: part.version for part in Table(storage, "fetches").parts()}
    new = {old: now[name] for name, old in before.items() if name in now and now[name] != old}
    for table in ("documents", "links"):
        follow(Table(storage, table), new)


def follow(table: Table, new: Mapping[str, str]) -> None:
    """Note of the parts of a table that they follow from inputs that have other versions now.

    Both have lost the same rows, so the parts are what the inputs would give and need not be made again.
    `new` has the versions of the inputs by those that they had.
    """
    follows = []
    for entry in table.entries().values():
        version, _, stages = entry.made_of.partition(".")
        if version in new:
            follows.append(entry._replace(made_of=made_of([new[version]], stages)))
    table.restate(follows)


def refuse(storage: Storage, wanted: Removed) -> None:
    """Mark the frontier, and shorten the lists of rounds that are under way."""
    import pyarrow as pa

    from corpulyzer.corpus import rounds
    from corpulyzer.web.frontier.store.versions import WHOLE

    def refused(batch: pa.RecordBatch) -> pa.RecordBatch:
        marked = [{**row, "refused": OUTCOME} if wanted(row["url"]) else row for row in batch.to_pylist()]
        return pa.RecordBatch.from_pylist(marked, schema=batch.schema)

    def shortened(batch: pa.RecordBatch) -> pa.RecordBatch:
        urls: list[Any] = batch.column("url").to_pylist()
        return batch.filter(pa.array([not wanted(url) for url in urls], pa.bool_()))

    for merged in storage.list(WHOLE):
        storage.delete(merged)
    changes: list[tuple[str, Callable[[pa.RecordBatch], pa.RecordBatch]]] = [
        (file, refused) for file in rounds.frontier(storage).files()
    ]
    changes += [
        (f"{each.folder}/list.parquet", shortened) for each in rounds.opened(storage) if each.done("list")
    ]
    for file, change in changes:
        if any(map(wanted, _column(storage, file, "url"))):
            _rewrite(storage, file, change)


def blank_samples(storage: Storage, wanted: Removed) -> None:
    """Take texts out of samples that were drawn for an audit; labels and weights stay."""
    for file in storage.list("audit", "/sample.jsonl"):
        lines = list(map(json.loads, storage.read_lines(file)))
        hit = [line for line in lines if line.get("text") and wanted(line.get("url", ""))]
        for line in hit:
            line |= {"text": "", "title": ""}
        if hit:
            text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
            storage.write(file, text.encode())


def _column(storage: Storage, file: str, name: str) -> list[Any]:
    import pyarrow.parquet as pq

    with storage.open_input(file) as stored:
        found: list[Any] = pq.read_table(stored, columns=[name], partitioning=None).column(name).to_pylist()
        return found


def _rewrite(storage: Storage, file: str, change: Callable[[pa.RecordBatch], pa.RecordBatch]) -> None:
    """Replace a file of the frontier or of a round by what a change makes of it."""
    import pyarrow.parquet as pq

    with storage.open_input(file) as stored, pq.ParquetFile(stored) as parquet:
        schema = parquet.schema_arrow
        with ParquetSink(storage.path(file), schema) as sink:
            for batch in parquet.iter_batches(1_000, use_threads=False):
                sink.write(change(batch).cast(schema))
