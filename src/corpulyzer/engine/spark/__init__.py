"""The engine of a cluster: Spark tasks for maps, with the same guard inside, and Spark SQL for queries."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

import pyarrow as pa
import regex

from corpulyzer.engine import Dataset, Limits, Map, StepError, Unit, Work
from corpulyzer.engine.guarded import Guarded
from corpulyzer.engine.local import LocalEngine
from corpulyzer.engine.spark.pieces import clear, divided
from corpulyzer.engine.spark.session import Session
from corpulyzer.engine.spark.tables import MAX_TASKS, Write, collected, frame_of, result_schema, written
from corpulyzer.engine.sql import columns_used, lint
from corpulyzer.engine.units import one_by_one, run_here, run_unit
from corpulyzer.errors import UserError
from corpulyzer.storage.location import sizes_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

POLL_SECONDS = 0.2
FILES_ASKED = 64
"""Up to so many files of a table are asked for their sizes, where these are not known."""
BYTES_A_TASK = 16 << 20
"""Of packed tables, which are several times as large in a shuffle: some million rows of numbers."""
SHARE_BYTES = 128 << 20
"""Of packed rows, for one task that writes files of them: what it writes is of about that size too."""
USER_ERROR = "user error: "
"""What a task's error begins with if it is the user's to mend: Spark hands on nothing but its words."""


class SparkEngine:
    """Maps and queries on the cluster at `master`, whose workers must see the corpus under the same paths.

    Spark starts at the first step. `settings` are Spark's own (`{"spark.executor.memory": "4g"}`). A query
    over tables of `few_bytes` or less is done by the driver itself, as on one machine: to plan it for a
    cluster and to start tasks takes hundreds of times what such a query does.
    """

    def __init__(
        self,
        master: str = "local[*]",
        limits: Limits | None = None,
        settings: Mapping[str, str] | None = None,
        few_bytes: int = 0,
        memory_gigabytes: float = 1.0,
    ) -> None:
        self.master = master
        self.limits = limits or Limits()
        self.few_bytes = few_bytes
        self._driver = LocalEngine(1, memory_gigabytes=memory_gigabytes)
        self.settings = dict(settings or {})
        self._session: Session | None = None
        self._partitions = 0

    @property
    def spark(self) -> SparkSession:
        """The session, started if need be."""
        if self._session is None:
            self._session = Session(self.master, self.settings)
        return self._session.spark

    @property
    def cores(self) -> int:
        return int(self.spark.sparkContext.defaultParallelism)

    @property
    def here(self) -> LocalEngine:
        """The engine of the driver, which starts no Spark."""
        return self._driver

    def map(self, step: Map, units: Sequence[Unit], progress: Callable[[int], None] | None = None) -> None:
        """Do the units, each wholly or not at all; a task that is lost is done again to the same end."""
        if not units:
            return
        pieces, joined = divided(step, units, self.cores)
        try:
            self._do(step, pieces, progress)
            if joined:
                self._call([file.make for file in joined], type(step).__name__)
        finally:
            clear(joined)

    def do(self, step: Map, works: Sequence[Work], progress: Callable[[int], None] | None = None) -> None:
        """Do works in tasks, each with the guard of its Python worker."""
        self._do(step, works, progress)

    def _do(
        self, step: Map, works: Sequence[Unit | Work], progress: Callable[[int], None] | None = None
    ) -> None:
        context = self.spark.sparkContext
        done = context.accumulator(0)
        tasks = min(len(works), MAX_TASKS)
        task = _Task(step, self.limits, done)
        job = _Job(context, lambda: context.parallelize(works, tasks).foreachPartition(task))
        told = 0
        while job.goes_on():
            if progress is not None and done.value > told:
                progress(done.value - told)
                told = done.value
        job.finish(type(step).__name__)
        if progress is not None and done.value > told:
            progress(done.value - told)

    def map_here(self, step: Map, units: Sequence[Unit]) -> None:
        """Do the units in this process, the driver, without a guard."""
        run_here(step, units)

    def query(self, sql: str, tables: Mapping[str, Dataset], target: str | None = None) -> pa.Table:
        """The rows of a portable query, or no rows but a Parquet file at `target`."""
        if self._are_few(tables):
            return self._driver.query(sql, tables, target)
        with self._result(sql, tables) as result:
            if target is None:
                return collected(result)
            write = Write(target, result_schema(result))
            return written(result.coalesce(1), write).schema.empty_table()

    def spread(self, sql: str, tables: Mapping[str, Dataset], target: str) -> Dataset:
        """The rows of a portable query as a table, of which each task writes a file."""
        if self._are_few(tables):
            return self._driver.spread(sql, tables, target)
        with self._result(sql, tables) as result:
            return written(result, Write(target, result_schema(result), numbered=True))

    def shares(self, table: Dataset) -> list[slice]:
        """The files of a table in runs of about `SHARE_BYTES`."""
        count = len(table.files)
        whole = sum(sizes_of(table.files)) if table.bytes is None else table.bytes
        runs = min(MAX_TASKS, max(1, min(count, whole // SHARE_BYTES)))
        return [slice(count * run // runs, count * (run + 1) // runs) for run in range(runs)]

    def call(self, tasks: Sequence[Callable[[], None]]) -> None:
        """Call tasks as those of a job, each again where its executor is lost."""
        if tasks:
            self._call(tasks, type(tasks[0]).__name__)

    def _call(self, tasks: Sequence[Callable[[], None]], step: str) -> None:
        context, number = self.spark.sparkContext, min(len(tasks), MAX_TASKS)
        job = _Job(context, lambda: context.parallelize(tasks, number).foreachPartition(_call))
        job.finish(step)

    def _are_few(self, tables: Mapping[str, Dataset]) -> bool:
        """Whether tables are small enough for the driver; many files of unknown size are not."""
        left = self.few_bytes
        for dataset in tables.values():
            if left <= 0 or (dataset.bytes is None and len(dataset.files) > FILES_ASKED):
                return False
            left -= sum(sizes_of(dataset.files)) if dataset.bytes is None else dataset.bytes
        return left > 0

    @contextmanager
    def _result(self, sql: str, tables: Mapping[str, Dataset]) -> Iterator[DataFrame]:
        lint(sql)
        self._spread_out(tables)
        for name, dataset in tables.items():
            frame = frame_of(self.spark, dataset, columns_used(sql, dataset.schema))
            frame.createOrReplaceTempView(name)
        try:
            yield self.spark.sql(sql)
        finally:
            for name in tables:  # a later query must not find a table that it was not given
                self.spark.catalog.dropTempView(name)

    def _spread_out(self, tables: Mapping[str, Dataset]) -> None:
        """Have joins and groups over large tables done by so many tasks that none gets too much."""
        conf = self.spark.conf
        if not self._partitions:
            said = conf.get("spark.sql.shuffle.partitions") or ""
            if not said.isdecimal():  # a platform that decides by itself says so
                return
            self._partitions = int(said)
        known = sum(dataset.bytes or 0 for dataset in tables.values())
        wanted = min(MAX_TASKS, -(-known // BYTES_A_TASK))
        conf.set("spark.sql.shuffle.partitions", str(max(self._partitions, wanted)))

    def close(self) -> None:
        """Stop Spark if this engine has started it."""
        self._driver.close()
        if self._session is not None:
            self._session.close()
            self._session = None

    def __enter__(self) -> Self:
        self._driver.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _call(tasks: Iterable[Callable[[], None]]) -> None:
    with _told():
        for task in tasks:
            task()


@contextmanager
def _told() -> Iterator[None]:
    """Have an error that is the user's to mend end a task with words that tell the driver so."""
    try:
        yield
    except UserError as error:
        raise RuntimeError(f"{USER_ERROR}{json.dumps([error.message, error.hint])}") from None


class _Job:
    """A Spark job in a thread of its own, so that the main one can tell of progress and be interrupted."""

    def __init__(self, context: Any, action: Callable[[], None]) -> None:
        self._context = context
        self._action = action
        self._group = uuid.uuid4().hex
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def goes_on(self) -> bool:
        """Wait a moment and say whether the job is still running; an interrupt cancels it."""
        try:
            self._thread.join(POLL_SECONDS)
        except BaseException:
            self._context.cancelJobGroup(self._group)
            self._thread.join()
            raise
        return self._thread.is_alive()

    def finish(self, step: str) -> None:
        """Wait for the end; raise what went wrong in the words of the Python task, not of the scheduler."""
        while self.goes_on():
            pass
        if self._error is not None:
            if told := regex.search(rf"(?m)^RuntimeError: {USER_ERROR}(\[.*\])$", str(self._error)):
                raise UserError(*json.loads(told[1])) from self._error
            words = regex.findall(r"(?m)^(?:[\w.]+\.)?(\w+(?:Error|Exception): .+)$", str(self._error))
            raise StepError(f"{step} failed on Spark: {words[0] if words else self._error}") from self._error

    def _run(self) -> None:
        try:
            self._context.setJobGroup(self._group, "corpulyzer", interruptOnCancel=True)
            self._action()
        except BaseException as error:  # noqa: BLE001 - raised again in the main thread
            self._error = error


# Spark keeps its Python workers for later tasks (a minute if there are none), and they their guard.
_RESIDENT: dict[Limits, Guarded] = {}


class _Task:
    """What a task does: its units or works, behind the guard of its Python worker."""

    def __init__(self, step: Map, limits: Limits, done: Any) -> None:
        self._step, self._limits, self._done = step, limits, done

    def __call__(self, works: Iterable[Unit | Work]) -> None:
        try:
            with _told():
                self._work(works)
        except BaseException:
            self._dismiss()  # an answer may be pending, which the next unit would get
            raise

    def _work(self, works: Iterable[Unit | Work]) -> None:
        guarded = self._guarded()
        for work in works:
            if isinstance(work, Unit):
                run_unit(one_by_one(guarded), self._step, work, self._done.add)
            else:
                work(guarded, self._done.add)

    def _guarded(self) -> Guarded:
        """The guard of this worker, whichever step it had before: to start one takes long."""
        if self._limits not in _RESIDENT:
            self._dismiss()
            _RESIDENT[self._limits] = Guarded(self._step, self._limits)
        _RESIDENT[self._limits].take(self._step)
        return _RESIDENT[self._limits]

    def _dismiss(self) -> None:
        while _RESIDENT:
            _RESIDENT.popitem()[1].close()
