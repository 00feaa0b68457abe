"""Tables as Spark reads and writes them: by tasks in Python, through pyarrow, which needs no further jar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import regex

from corpulyzer.engine import Dataset
from corpulyzer.engine.result import portable_batch, portable_schema
from corpulyzer.storage import ParquetSink, is_remote, open_input

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

MAX_TASKS = 10_000
BATCH_ROWS = 1_000
TO_THE_END = -1
WRITTEN = pa.schema([("number", pa.int64()), ("bytes", pa.int64())])


class Read:
    """What a task does for a table in an object store: reads row groups, in the columns of the schema."""

    def __init__(self, schema: pa.Schema) -> None:
        self._schema = schema
        self._columns = [path for field in schema for path in _paths(field)]

    def __call__(self, paths: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in paths:
            for piece in batch.to_pylist():
                with open_input(piece["path"]) as file, pq.ParquetFile(file) as parquet:
                    last = parquet.num_row_groups if piece["stop"] == TO_THE_END else piece["stop"]
                    for rows in parquet.iter_batches(
                        BATCH_ROWS,
                        row_groups=list(range(piece["start"], last)),
                        columns=self._columns,
                        use_threads=False,
                    ):
                        # By name: mapInArrow binds columns by position.
                        yield rows.select(self._schema.names).cast(self._schema)


def _paths(field: pa.Field[Any]) -> list[str]:
    """The names by which Parquet knows a column, or those fields of a struct that are wanted."""
    if not pa.types.is_struct(field.type):
        return [field.name]
    return [f"{field.name}.{own.name}" for own in field.type]


class Write:
    """What a task does that writes rows of a result: a file that appears as a whole.

    Where there are many, they are `numbered` by the tasks: the same task has the same rows and writes the
    same file, however often it is done. A task without rows writes none.
    """

    def __init__(self, target: str, schema: pa.Schema, *, numbered: bool = False) -> None:
        self.target, self.schema, self._numbered = target, schema, numbered

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        number = self._number()
        filled = (portable_batch(batch) for batch in batches if batch.num_rows)
        first = next(filled, None)
        if first is None:
            return
        with ParquetSink(self.file(number), self.schema) as sink:
            for batch in chain((first,), filled):
                sink.write(batch)
        yield pa.RecordBatch.from_pylist([{"number": number, "bytes": sink.bytes}], schema=WRITTEN)

    def file(self, number: int) -> str:
        """Where the task of a number writes."""
        if not self._numbered:
            return self.target
        base, mark, query = self.target.partition("?") if is_remote(self.target) else (self.target, "", "")
        return f"{base.removesuffix('.parquet')}.part-{number:05d}.parquet{mark}{query}"

    def _number(self) -> int:
        from pyspark import TaskContext

        context = TaskContext.get()
        return context.partitionId() if context is not None else 0


def collected(result: DataFrame) -> pa.Table:
    """All rows of a result, on the driver: for answers that are small."""
    table = result.toArrow()
    return table.cast(portable_schema(table.schema))


def result_schema(result: DataFrame) -> pa.Schema:
    """The columns of a result, in the types that both engines give."""
    from pyspark.sql.pandas.types import to_arrow_schema

    return portable_schema(to_arrow_schema(result.schema, timezone="UTC"))


def written(result: DataFrame, write: Write) -> Dataset:
    """The files that tasks write of a result, in its order; at least one, which may be without rows."""
    rows = result.mapInArrow(write, "number bigint, bytes bigint").collect()
    sizes = {row["number"]: row["bytes"] for row in sorted(rows)}
    if not sizes:
        with ParquetSink(write.file(0), write.schema) as sink:
            pass
        sizes = {0: sink.bytes}
    return Dataset(tuple(map(write.file, sizes)), write.schema, list(sizes.values()))


def frame_of(spark: SparkSession, dataset: Dataset, used: pa.Schema) -> DataFrame:
    """A table as Spark sees it, with the columns of its schema and none guessed from paths (`round=…`).

    Of files that it reads itself Spark takes what is `used`, but it cannot look into a Python task.
    """
    from pyspark.sql.pandas.types import from_arrow_schema

    remote = any(map(is_remote, dataset.files))
    arrow = used if remote else dataset.schema
    schema = from_arrow_schema(arrow, prefer_timestamp_ntz=False)
    if dataset.rows is not None:
        return spark.createDataFrame(dataset.rows)
    if not dataset.files:
        return spark.createDataFrame([], schema)
    if remote:
        context = spark.sparkContext
        pieces = pieces_of(dataset.files, context.defaultParallelism)
        if not pieces:
            return spark.createDataFrame([], schema)
        tasks = context.parallelize(pieces, min(len(pieces), MAX_TASKS))
        columns_of_pieces = "path string, start bigint, stop bigint"
        return spark.createDataFrame(tasks, columns_of_pieces).mapInArrow(Read(arrow), schema)
    files = (literal(file) for file in dataset.files)
    return spark.read.schema(schema).option("recursiveFileLookup", "true").parquet(*files)


def literal(file: str) -> str:
    """A path of which Spark takes no part for a pattern: it would read files that match, or find none.

    >>> print(literal("/data/c[1]*/a.parquet"))
    /data/c\\[1\\]\\*/a.parquet
    """
    return regex.sub(r"([\\*?\[\]{}])", r"\\\1", file)


def pieces_of(files: Sequence[str], cores: int) -> list[tuple[str, int, int]]:
    """What tasks read: files, each with its first row group and where to stop.

    Files that are fewer than the cores are cut up, so that all cores read; only then are their footers asked.
    """
    if len(files) >= cores:
        return [(file, 0, TO_THE_END) for file in files]
    groups = {}
    for path in files:
        with open_input(path) as file, pq.ParquetFile(file) as parquet:
            groups[path] = parquet.num_row_groups
    step = max(1, -(-sum(groups.values()) // cores))
    return [
        (path, start, min(start + step, count))
        for path, count in groups.items()
        for start in range(0, count, step)
    ]
