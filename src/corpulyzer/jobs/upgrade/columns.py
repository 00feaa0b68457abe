"""Columns that tables did not have in earlier versions, and how old rows get them.

A file is written anew under its own name when it is whole, so whoever was killed goes on where they were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from corpulyzer.engine.progress import Progress
from corpulyzer.storage import ParquetSink, Storage
from corpulyzer.warc.facts import facts_of

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_AT_ONCE = 10_000


class Column(NamedTuple):
    """A column of a table, which is the Parquet files below a folder whose names have an ending.

    `type` is Arrow's name for its type; `fill` gives its values for a batch of old rows.
    """

    table: str
    name: str
    type: Literal["string", "int64"]
    fill: Callable[[pa.RecordBatch], Iterable[Any]]
    ending: str = ".parquet"


def _facts(name: str) -> Callable[[pa.RecordBatch], Iterable[Any]]:
    """Fills a column with what the detail of old fetches said in prose."""

    def fill(batch: pa.RecordBatch) -> Iterable[Any]:
        rows = batch.select(["url", "detail"]).to_pylist()
        return (getattr(facts_of({}, row["url"], row["detail"]), name) for row in rows)

    return fill


def _empty(batch: pa.RecordBatch) -> Iterable[Any]:
    """Fills a column of which nothing is known of old rows."""
    return [""] * batch.num_rows


def _unknown(batch: pa.RecordBatch) -> Iterable[Any]:
    """Fills a column of numbers that old rows do not have; `process` makes the table again with them."""
    return [0] * batch.num_rows


# A new column is one line here, and `FORMAT` in `corpus.format` goes up by one.
COLUMNS: tuple[Column, ...] = (
    Column("fetches", "purpose", "string", _facts("purpose")),
    Column("fetches", "location", "string", _facts("location")),
    Column("fetches", "took_ms", "int64", _facts("took_ms")),
    Column("fetches", "retry_after", "int64", _facts("retry_after")),
    Column("links", "spelling", "string", _empty),
    Column("frontier", "spelling", "string", _empty),
    Column("frontier", "referrer_bytes", "int64", _unknown),
    Column("rounds", "spelling", "string", _empty, ending="/list.parquet"),
)


def add_columns(storage: Storage, progress: Progress, columns: Sequence[Column]) -> int:
    """Add to every file of the tables the columns that it lacks; return how many files lacked some."""
    import pyarrow.parquet as pq

    wanted: dict[str, list[Column]] = {}
    for column in columns:
        for file in storage.list(column.table, column.ending):
            wanted.setdefault(file, []).append(column)
    lacking: dict[str, list[Column]] = {}
    for file, those in wanted.items():
        with storage.open_input(file) as stored:
            names = pq.read_schema(stored).names
        if missing := [column for column in those if column.name not in names]:
            lacking[file] = missing
    for done, (file, missing) in enumerate(lacking.items()):
        progress("adding columns", done, len(lacking))
        _add(storage, file, missing)
    return len(lacking)


def _add(storage: Storage, file: str, missing: Sequence[Column]) -> None:
    """Write a file anew with further columns after those it has."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with storage.open_input(file) as stored, pq.ParquetFile(stored) as parquet:
        types = [pa.type_for_alias(column.type) for column in missing]
        schema = parquet.schema_arrow
        for column, kind in zip(missing, types, strict=True):
            schema = schema.append(pa.field(column.name, kind))
        with ParquetSink(storage.path(file), schema) as sink:
            for batch in parquet.iter_batches(ROWS_AT_ONCE, use_threads=False):
                added = [pa.array(list(c.fill(batch)), kind) for c, kind in zip(missing, types, strict=True)]
                sink.write(pa.RecordBatch.from_arrays([*batch.columns, *added], schema=schema))
