"""What a removal takes out of tables, of the frontier and of samples, file by file."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.takedowns import OUTCOME, Removed
from corpulyzer.engine.derived import made_of
from corpulyzer.engine.derived.table import Table
from corpulyzer.errors import UserError
from corpulyzer.records import Fetch
from corpulyzer.records.columns import batch_of, record_of
from corpulyzer.storage import ParquetSink, Storage, is_remote

if TYPE_CHECKING:
    import pyarrow as pa


def no_crawl(storage: Storage) -> None:
    """Guarantee that nobody writes to the archives."""
    from corpulyzer.corpus.archives import left_open

    for archive in [] if is_remote(storage.root) else left_open(storage):
        with open(archive.path, "rb") as opened:
            try:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                hint = "Stop it, then run this again."
                raise UserError(f"A crawl is writing {archive.path}.", hint) from None


def archives_with(storage: Storage, wanted: Removed) -> Iterator[tuple[str, str]]:
    """The archives that may hold something wanted: path, and the place in the corpus folder if it is there.

    Archives that are indexed are looked up in the table of fetches; the others must be read.
    """
    from corpulyzer.corpus.archives import archives, left_open, not_noted

    fetched = rows(storage, "fetches", ["archive", "url", "outcome"])
    known = {file.rpartition("/")[2].rsplit(".", 2)[0] for file in storage.list("fetches", ".parquet")}
    hit = {row["archive"] for row in fetched if row["outcome"] != OUTCOME and wanted(row["url"])}
    root = f"{storage.root.partition('?')[0].rstrip('/')}/"
    closed = [each for each in archives(storage) if each.name in hit or each.name not in known]
    for archive in [*closed, *left_open(storage), *not_noted(storage)]:
        path = archive.path.partition("?")[0] if is_remote(archive.path) else archive.path
        yield archive.path, path.removeprefix(root) if path.startswith(root) else ""


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

    Its log forgets between which values columns of the part were. Returns the new version of each part that
    was changed, by the version that it had.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    known = pa.array(sorted(gone), pa.int64())

    def changed(batch: pa.RecordBatch) -> pa.RecordBatch:
        return batch.filter(pc.invert(pc.is_in(batch.column(column), known)))

    before = {}
    for part in table.parts() if gone else []:
        if pc.any(pc.is_in(_values(table.storage, part.file, column), known)).as_py():
            table.rewrite(part.name, changed)
            before[part.name] = part.version
    if gone:  # always: whoever was killed before this finds no rows to take out
        table.log.forget_past()
    entries = table.entries() if before else {}
    return {old: entries[name].version for name, old in before.items()}


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
    found: list[Any] = _values(storage, file, name).to_pylist()
    return found


def _values(storage: Storage, file: str, name: str) -> pa.ChunkedArray[Any]:
    import pyarrow.parquet as pq

    with storage.open_input(file) as stored, pq.ParquetFile(stored) as parquet:
        return parquet.read([name], use_threads=False).column(name)


def _rewrite(storage: Storage, file: str, change: Callable[[pa.RecordBatch], pa.RecordBatch]) -> None:
    """Replace a file of the frontier or of a round by what a change makes of it."""
    import pyarrow.parquet as pq

    with storage.open_input(file) as stored, pq.ParquetFile(stored) as parquet:
        schema = parquet.schema_arrow
        with ParquetSink(storage.path(file), schema) as sink:
            for batch in parquet.iter_batches(1_000, use_threads=False):
                sink.write(change(batch).cast(schema))
