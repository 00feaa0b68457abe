"""Columns that tables did not have in earlier versions, and how old rows get them.

A file is written anew under its own name when it is whole, so whoever was killed goes on where they were.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any, NamedTuple

from corpulyzer.corpus.tables import TABLES
from corpulyzer.engine.derived.log import FOLDER as LOGS
from corpulyzer.engine.derived.table import Table
from corpulyzer.engine.progress import Progress
from corpulyzer.errors import UserError
from corpulyzer.records import Document, Fetch
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import ParquetSink, Storage
from corpulyzer.storage.content import DamagedError, open_parquet
from corpulyzer.warc.facts import facts_of
from corpulyzer.web.frontier.tables import Known, Listed

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

ROWS_AT_ONCE = 10_000
VIEW = "duplicates/view"
"""Where documents stand once more, without the copies that were dropped."""
HINT = "Delete it and run `corpulyzer upgrade` again, then `corpulyzer process`, which makes it again."
LIST_HINT = (
    "A round's list cannot be made again, and the frontier is made of it: put the file back from a copy "
    "of the corpus, then run `corpulyzer upgrade` again."
)


class Column(NamedTuple):
    """A column of a table, which is the Parquet files below a folder whose names have an ending.

    `record` is what a row of the table is; `fill` gives the values of the column for a batch of old rows.
    """

    table: str
    name: str
    record: type
    fill: Callable[[pa.RecordBatch], Iterable[Any]]
    ending: str = ".parquet"

    @property
    def arrow_type(self) -> pa.DataType:
        found: pa.DataType = schema_of(self.record).field(self.name).type
        return found


def _facts(name: str) -> Callable[[pa.RecordBatch], Iterable[Any]]:
    """Fills a column with what the detail of old fetches said in prose."""

    def fill(batch: pa.RecordBatch) -> Iterable[Any]:
        rows = batch.select(["url", "detail"]).to_pylist()
        return (getattr(facts_of({}, row["url"], row["detail"]), name) for row in rows)

    return fill


def _always(value: Any) -> Callable[[pa.RecordBatch], Iterable[Any]]:
    """Fills a column with one value, where nothing is known of old rows."""
    return lambda batch: [value] * batch.num_rows


def _with_defaults() -> Iterable[Column]:
    """The columns of the tables that have a default in their record, which is what old rows get."""
    for table, record in (*TABLES.items(), (VIEW, Document)):
        for each in fields(record):
            default = each.default if each.default_factory is MISSING else each.default_factory()
            if default is not MISSING:
                yield Column(table, each.name, record, _always(default))


SAID_IN_PROSE = ("purpose", "location", "took_ms", "retry_after")

# A column of fetches, documents or links is listed here only if its old rows get more than its default. Where
# a column is listed, `FORMAT` in `corpus.format` goes up by one.
LISTED: tuple[Column, ...] = (
    *(Column("fetches", name, Fetch, _facts(name)) for name in SAID_IN_PROSE),
    Column("frontier", "spelling", Known, _always("")),
    # Not known of old rows; `process` makes the frontier again.
    Column("frontier", "referrer_bytes", Known, _always(0)),
    Column("frontier", "fetch_round", Known, _always(0)),
    Column("rounds", "spelling", Listed, _always(""), ending="/list.parquet"),
)
_NAMES = {(column.table, column.name) for column in LISTED}
COLUMNS = (*LISTED, *(each for each in _with_defaults() if (each.table, each.name) not in _NAMES))


def add_columns(storage: Storage, progress: Progress, columns: Sequence[Column]) -> int:
    """Add to every file of the tables the columns that it lacks; return how many files lacked some.

    UserError names a file that is not whole.
    """
    wanted: dict[str, list[Column]] = {}
    for column in columns:
        for file in storage.list(column.table, column.ending):
            wanted.setdefault(file, []).append(column)
    lacking: dict[str, list[Column]] = {}
    for file, those in wanted.items():
        with _opened(storage, file) as parquet:
            names = parquet.schema_arrow.names
        if missing := [column for column in those if column.name not in names]:
            lacking[file] = missing
    with _noted(storage, wanted, lacking):
        for done, (file, missing) in enumerate(lacking.items()):
            progress("adding columns", done, len(lacking))
            _add(storage, file, missing)
    return len(lacking)


@contextmanager
def _noted(storage: Storage, there: Collection[str], changing: Collection[str]) -> Iterator[None]:
    """Files that are written anew within are noted in the logs of their tables, if these have logs yet.

    So are those of which a log says no size, because an upgrade was killed when it had written them.
    """
    with ExitStack() as noting:
        for log in storage.list(LOGS, ".jsonl"):
            table = Table(storage, log.removeprefix(f"{LOGS}/").removesuffix(".jsonl"))
            start = table.file("")
            if files := [file for file in there if file.startswith(start)]:
                known = table.entries()
                unsaid = {table.file(name) for name, entry in known.items() if not entry.bytes}
                names = [file.removeprefix(start) for file in files if file in changing or file in unsaid]
                if names:
                    noting.enter_context(table.same_rows(names))
        yield


@contextmanager
def _opened(storage: Storage, file: str) -> Iterator[pq.ParquetFile]:
    try:
        with open_parquet(storage.path(file)) as parquet:
            yield parquet
    except DamagedError as damaged:
        raise UserError(damaged.message, LIST_HINT if file.startswith("rounds/") else HINT) from None


def _add(storage: Storage, file: str, missing: Sequence[Column]) -> None:
    """Write a file anew with further columns after those it has."""
    import pyarrow as pa

    with _opened(storage, file) as parquet:
        types = [column.arrow_type for column in missing]
        schema = parquet.schema_arrow
        for column, kind in zip(missing, types, strict=True):
            schema = schema.append(pa.field(column.name, kind))
        with ParquetSink(storage.path(file), schema) as sink:
            for batch in parquet.iter_batches(ROWS_AT_ONCE, use_threads=False):
                added = [pa.array(list(c.fill(batch)), kind) for c, kind in zip(missing, types, strict=True)]
                sink.write(pa.RecordBatch.from_arrays([*batch.columns, *added], schema=schema))
