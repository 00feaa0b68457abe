"""Where maps and queries run: the same code on a laptop and on a cluster.

A step is one of two things. A map takes Arrow batches to Arrow batches, row by row, in guarded worker
processes. A query is portable SQL, which DuckDB and Spark run verbatim with equal rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Limits:
    """What one row may cost: seconds of CPU (and ten times that by the clock), megabytes of memory."""

    page_seconds: float = 10.0
    page_megabytes: int = 1024


class StepError(RuntimeError):
    """A step that cannot run at all: the step is at fault, not a row."""


class Map(Protocol):
    """A step over rows: a picklable callable, defined in a module that workers can import.

    What becomes of a row may depend on that row alone, because after a failure the rest of its batch
    is run again in parts.
    """

    @property
    def outputs(self) -> Mapping[str, pa.Schema]:
        """The schema of each output; each becomes one Parquet file per unit."""
        ...

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> Mapping[str, pa.RecordBatch]:
        """The outputs of a batch, rows in order of their input.

        `at(i)` must be called before row i is touched, so that the guard knows which row failed. A row that
        stands for much work (a whole archive) calls it again as it gets on: each call starts the clock anew.
        """
        ...

    def failed(self, batch: pa.RecordBatch, why: str) -> Mapping[str, pa.RecordBatch]:
        """The outputs of a batch of one row that could not be worked on, with the reason in words."""
        ...


@runtime_checkable
class Prepares(Protocol):
    """A step with something large to load (a model): done once per guard and shared by its workers."""

    def prepare(self) -> None: ...


@runtime_checkable
class TakesMore(Protocol):
    """A step of which a row may take more time and memory than a page may."""

    def limits(self, usual: Limits) -> Limits: ...


@runtime_checkable
class TakesMany(Protocol):
    """A step that is given more rows at once than is usual, since it works on whole columns of small rows."""

    @property
    def batch_rows(self) -> int: ...


@runtime_checkable
class IsQuick(Protocol):
    """A step that takes so little for a row that fewer rows than `piece_rows` are no work for a task."""

    @property
    def piece_rows(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Source:
    """The rows of a unit: a table in memory, or rows `start` to `stop` of a Parquet file.

    All rows of the files in `more` follow on those of a file that is read as a whole. With
    `by`, the rows of a file come in the order of that column.
    """

    table: pa.Table | None = None
    path: str = ""
    start: int = 0
    stop: int | None = None
    columns: tuple[str, ...] | None = None
    more: tuple[str, ...] = ()
    by: str = ""


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of work, done wholly or not at all: rows, and the path or URI of each output's file.

    The files become visible in the order of `targets`, when all are complete. The unit is done when the
    last one is there. A unit may replace the file that it reads. `made_of` says of outputs what their files
    are made of, which these then carry in their footers.
    """

    source: Source
    targets: Mapping[str, str]
    made_of: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Dataset:
    """The Parquet files of a table, and its schema, which is known even if there are no files.

    `sizes` are the bytes of the files, where they are known without asking for each. A table of a few rows
    may be `rows` in the place of files.
    """

    files: Sequence[str]
    schema: pa.Schema = field(repr=False)
    sizes: Sequence[int] | None = field(default=None, repr=False, compare=False)
    rows: pa.Table | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.sizes is not None and len(self.sizes) != len(self.files):
            raise ValueError(f"a table of {len(self.files)} files has {len(self.sizes)} sizes")

    def some(self, files: Sequence[str]) -> Dataset:
        """The table with these of its files alone, in this order."""
        if self.sizes is None:
            return replace(self, files=files)
        size_of = dict(zip(self.files, self.sizes, strict=True))
        return replace(self, files=files, sizes=[size_of[file] for file in files])

    @property
    def bytes(self) -> int | None:
        """What the files take together, where it is known."""
        return None if self.sizes is None else sum(self.sizes)


Outputs = Mapping[str, "pa.RecordBatch"]
"""What a step makes of a batch, by the names of its outputs."""

Run = Callable[["pa.RecordBatch"], "list[Outputs]"]
"""Runs a step on a batch, behind a guard or not; the outputs come in the order of the rows."""


class Work(Protocol):
    """Work that asks a step for batch after batch, each depending on the one before; it can be pickled."""

    def __call__(self, run: Run, tell: Callable[[int], None]) -> None:
        """Do it, and `tell` how much more of it is done."""
        ...


class Engine(Protocol):
    """Runs maps and queries. A context manager: leaving it ends what it started."""

    @property
    def cores(self) -> int:
        """How much of a map is worked on side by side."""
        ...

    @property
    def here(self) -> Engine:
        """The engine of this process, for those who look at a corpus and need no cluster to be there."""
        ...

    def map(self, step: Map, units: Sequence[Unit], progress: Callable[[int], None] | None = None) -> None:
        """Do the units, those that are done already too; `progress` is told how many more rows are done.

        A row that hangs, crashes, raises or eats memory becomes what `step.failed` says of it.
        """
        ...

    def do(self, step: Map, works: Sequence[Work], progress: Callable[[int], None] | None = None) -> None:
        """Do works side by side, each with a worker that stays with it; `progress` is told what they tell."""
        ...

    def map_here(self, step: Map, units: Sequence[Unit]) -> None:
        """Do units in this process and without a guard: for little work, because workers take long to start.

        The rows must be our own making: one that fails ends the map, and nothing bounds what it costs.
        """
        ...

    def query(self, sql: str, tables: Mapping[str, Dataset], target: str | None = None) -> pa.Table:
        """The rows that a portable query gives: integers as int64, other numbers as double.

        With a `target` they go to that Parquet file, and the table returned has the columns alone.
        """
        ...

    def spread(self, sql: str, tables: Mapping[str, Dataset], target: str) -> Dataset:
        """The rows that a portable query gives as a table: the file `target`, or on a cluster many files.

        The names of many begin like that of the one; each task writes its own, in the order of the rows.
        """
        ...

    def shares(self, table: Dataset) -> list[slice]:
        """The files of a table in runs, each for one process to read; all are one run but on a cluster."""
        ...

    def call(self, tasks: Sequence[Callable[[], None]]) -> None:
        """Call tasks that write files, without a guard.

        On a cluster that is side by side, and again where one is lost.
        """
        ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


class OneMachine:
    """What engines without a cluster have in common: they do in turn what tasks would do side by side."""

    def shares(self, table: Dataset) -> list[slice]:
        """All files of a table as one run."""
        return [slice(None)]

    def call(self, tasks: Sequence[Callable[[], None]]) -> None:
        """Call tasks one after the other."""
        for task in tasks:
            task()
