"""The engine of one machine: guarded worker processes for maps, DuckDB for queries.

Whoever has nothing to run imports neither pyarrow nor DuckDB for it.
"""

from __future__ import annotations

import math
import os
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Self

from corpulyzer.engine import Dataset, Limits, Map, OneMachine, Outputs, Source, Unit, Work
from corpulyzer.engine.database import Database, answered, register
from corpulyzer.engine.sql import lint
from corpulyzer.records.without_pandas import without_pandas
from corpulyzer.storage import ParquetSink
from corpulyzer.storage.location import sizes_of

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from corpulyzer.engine.guarded import Guarded

Event = int | BaseException | None
Tell = Callable[[int], None]

ROWS_A_WORKER = 1_000
"""For fewer rows no worker is started beside the first of a unit: that takes as long as hundreds of pages."""


class LocalEngine(OneMachine):
    """Maps in `workers` processes side by side, queries in DuckDB within `memory_gigabytes`.

    DuckDB's own limit does not bound the process: expect a third more.
    """

    def __init__(
        self, workers: int | None = None, limits: Limits | None = None, memory_gigabytes: float = 3.0
    ) -> None:
        self.workers = workers or os.cpu_count() or 1
        self.limits = limits or Limits()
        self.memory_gigabytes = memory_gigabytes
        self._keeps = False
        self._rows = 0.0  # what was to be done so far: little for one map may be much for all of them
        self._idle: tuple[Map, list[Guarded]] | None = None
        self._database: Database | None = None
        self._opening = threading.Lock()

    @property
    def cores(self) -> int:
        return self.workers

    @property
    def here(self) -> LocalEngine:
        return self

    def map(self, step: Map, units: Sequence[Unit], progress: Tell | None = None) -> None:
        """Do the units, each wholly or not at all; an interrupt ends all workers before it is raised.

        In a `with` block workers stay for the next map: one takes half a second to start.
        """
        from corpulyzer.engine.units import run_unit

        self._rows = _rows_of(units) + (self._rows if self._keeps else 0.0)
        count = _workers_for(len(units), self._rows, self.workers)
        workers = self._take(step, count)
        crew = _Crew(workers[:count], len(units))
        try:
            self._do(step, workers, [partial(run_unit, crew, step, unit) for unit in units], progress)
        finally:
            crew.rest()

    def do(self, step: Map, works: Sequence[Work], progress: Tell | None = None) -> None:
        """Do works, each with a worker that stays with it to its end."""
        count = min(self.workers, len(works))
        workers = self._take(step, count)
        free: queue.SimpleQueue[Guarded] = queue.SimpleQueue()
        for worker in workers[:count]:
            free.put(worker)
        self._do(step, workers, [partial(_with_one, free, work) for work in works], progress)

    def _do(
        self,
        step: Map,
        workers: list[Guarded],
        works: Sequence[Callable[[Tell], None]],
        progress: Tell | None,
    ) -> None:
        """Do works in threads, as many at once as there may be workers, and keep the workers or end them."""
        todo: queue.SimpleQueue[Callable[[Tell], None]] = queue.SimpleQueue()
        for work in works:
            todo.put(work)
        events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        at_once = min(self.workers, len(works))
        threads = [threading.Thread(target=_work, args=(todo, events)) for _ in range(at_once)]
        for thread in threads:
            thread.start()
        done = False
        try:
            _attend(events, at_once, progress)
            done = self._keeps
        finally:
            if done:
                self._idle = (step, workers)
            else:
                _close(workers)  # whoever waits for one gets an error
            for thread in threads:
                thread.join()

    def map_here(self, step: Map, units: Sequence[Unit]) -> None:
        """Do the units in this process, without a guard."""
        from corpulyzer.engine.units import run_here

        without_pandas()
        run_here(step, units)

    def _take(self, step: Map, count: int) -> list[Guarded]:
        """At least so many workers for a step: those that the one before has left, and new ones."""
        from corpulyzer.engine.guarded import Guarded

        before, workers = self._idle or (step, [])
        self._idle = None
        if before != step:
            for worker in workers:
                worker.take(step)
        # A worker starts its process with its first batch.
        return workers + [Guarded(step, self.limits) for _ in range(count - len(workers))]

    def query(self, sql: str, tables: Mapping[str, Dataset], target: str | None = None) -> pa.Table:
        """The rows of a portable query, or no rows but a Parquet file at `target`."""
        lint(sql)
        without_pandas()
        return answered(tables, lambda current: self._answer(sql, current, target))

    def _answer(self, sql: str, tables: Mapping[str, Dataset], target: str | None) -> pa.Table:
        import pyarrow as pa

        from corpulyzer.engine.result import portable_batch, portable_schema

        with self._session() as session:
            for name, dataset in tables.items():
                register(session, name, dataset)
            reader: pa.RecordBatchReader = session.sql(sql).to_arrow_reader(100_000)
            schema = portable_schema(reader.schema)
            results = (portable_batch(batch) for batch in reader)
            if target is None:
                return pa.Table.from_batches(results, schema)
            with ParquetSink(target, schema) as sink:
                for batch in results:
                    sink.write(batch)
            return schema.empty_table()

    def spread(self, sql: str, tables: Mapping[str, Dataset], target: str) -> Dataset:
        """The same as a table, which is here one file."""
        schema = self.query(sql, tables, target).schema
        return Dataset((target,), schema, sizes_of([target]))

    @contextmanager
    def _session(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A session of the database, which stays for the next query in a `with` block."""
        with self._opening:
            database = self._database or Database(self.workers, self.memory_gigabytes)
            keeps = self._keeps
            self._database = database if keeps else None
        try:
            with database.session() as session:
                yield session
        finally:
            if not keeps:
                database.close()

    def close(self) -> None:
        """End the workers that wait for another map, and the database that waits for another query."""
        _, workers = self._idle or (None, [])
        database = self._database
        self._idle, self._database, self._keeps = None, None, False
        _close(workers)
        if database is not None:
            database.close()

    def __enter__(self) -> Self:
        self._keeps = True
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Crew:
    """Guarded workers that share the batches of all units.

    A unit need not wait for one worker while others are idle, and workers go on while its rows are written.
    The outputs of a unit come in the order of its batches, so its files are the same with any number of them.
    """

    def __init__(self, workers: Sequence[Guarded], units: int) -> None:
        self._ahead = 1 + -(-len(workers) // max(1, units))
        self._pool = ThreadPoolExecutor(max(1, len(workers)))
        # The last to have worked comes first: a worker is started when all others are at work.
        self._free: queue.LifoQueue[Guarded] = queue.LifoQueue()
        for worker in reversed(workers):
            self._free.put(worker)

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, list[Outputs]]]:
        """The rows and the outputs of each batch; some batches are worked on before they are asked for."""
        begun: deque[tuple[int, Future[list[Outputs]]]] = deque()
        for batch in batches:
            begun.append((batch.num_rows, self._pool.submit(self._run, batch)))
            if len(begun) == self._ahead:
                rows, outputs = begun.popleft()
                yield rows, outputs.result()
        for rows, outputs in begun:
            yield rows, outputs.result()

    def rest(self) -> None:
        """Return when no batch is under way; nothing can be asked of the crew any more."""
        self._pool.shutdown(cancel_futures=True)

    def _run(self, batch: pa.RecordBatch) -> list[Outputs]:
        worker = self._free.get()
        try:
            return worker(batch)
        finally:
            self._free.put(worker)


def _rows_of(units: Sequence[Unit]) -> float:
    """How many rows there are to work on; infinitely many where only the files would tell."""
    return sum(_rows(unit.source) for unit in units)


def _workers_for(units: int, rows: float, most: int) -> int:
    """How many workers there is work for: one for each unit, and more where there are many rows.

    >>> [_workers_for(1, rows, most=4) for rows in (20, 2_000, math.inf)]
    [1, 2, 4]
    """
    return int(min(most, max(units, rows / ROWS_A_WORKER)))


def _rows(source: Source) -> float:
    if source.table is not None:
        return float(source.table.num_rows)
    return math.inf if source.stop is None else source.stop - source.start


def _close(workers: Sequence[Guarded]) -> None:
    for worker in workers:
        worker.close()


def _with_one(free: queue.SimpleQueue[Guarded], work: Work, tell: Tell) -> None:
    """Do a work with a worker that is free."""
    worker = free.get()
    try:
        work(worker, tell)
    finally:
        free.put(worker)


def _work(todo: queue.SimpleQueue[Callable[[Tell], None]], events: queue.SimpleQueue[Event]) -> None:
    """Do works until none is left, and tell the main thread of what is done, of an error, or of the end."""
    try:
        while True:
            todo.get_nowait()(events.put)
    except queue.Empty:
        events.put(None)
    except BaseException as error:  # noqa: BLE001 - raised again in the main thread
        events.put(error)


def _attend(events: queue.SimpleQueue[Event], threads: int, progress: Tell | None) -> None:
    """Pass on progress until every thread has ended; raise the first error."""
    while threads:
        event = events.get()
        if isinstance(event, BaseException):
            raise event
        if event is None:
            threads -= 1
        elif progress is not None:
            progress(event)
