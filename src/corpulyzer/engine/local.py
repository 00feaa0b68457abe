"""The engine of one machine: guarded worker processes for maps, DuckDB for queries.

Whoever has nothing to run imports neither pyarrow nor DuckDB for it.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from corpulyzer.engine import Dataset, Limits, Map, Unit
from corpulyzer.engine.database import Database, naming_damaged, register
from corpulyzer.engine.sql import lint
from corpulyzer.storage import ParquetSink

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from corpulyzer.engine.guarded import Guarded

Event = int | BaseException | None


class LocalEngine:
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
        self._idle: tuple[Map, list[Guarded]] | None = None
        self._database: Database | None = None
        self._opening = threading.Lock()

    def map(self, step: Map, units: Sequence[Unit], progress: Callable[[int], None] | None = None) -> None:
        """Do the units, each wholly or not at all; an interrupt ends all workers before it is raised.

        In a `with` block workers stay for the next map: one takes half a second to start.
        """
        lanes = self._take(step, min(self.workers, len(units)))
        todo: queue.SimpleQueue[Unit] = queue.SimpleQueue()
        for unit in units:
            todo.put(unit)
        events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        threads = [threading.Thread(target=_work, args=(lane, step, todo, events)) for lane in lanes]
        for thread in threads:
            thread.start()
        done = False
        try:
            _attend(events, len(lanes), progress)
            done = self._keeps
        finally:
            if done:
                self._idle = (step, lanes)
            else:
                _close(lanes)
            for thread in threads:
                thread.join()

    def map_here(self, step: Map, units: Sequence[Unit]) -> None:
        """Do the units in this process, without a guard."""
        from corpulyzer.engine.units import run_here

        run_here(step, units)

    def _take(self, step: Map, count: int) -> list[Guarded]:
        """So many workers for a step: those that the one before has left, and new ones."""
        from corpulyzer.engine.guarded import Guarded

        before, lanes = self._idle or (step, [])
        self._idle = None
        _close(lanes[count:])
        if before != step:
            for lane in lanes[:count]:
                lane.take(step)
        return lanes[:count] + [Guarded(step, self.limits) for _ in range(count - len(lanes))]

    def query(self, sql: str, tables: Mapping[str, Dataset], target: str | None = None) -> pa.Table:
        """The rows of a portable query, or no rows but a Parquet file at `target`."""
        import pyarrow as pa

        from corpulyzer.engine.result import portable_batch, portable_schema

        lint(sql)
        with self._session() as session, naming_damaged(tables):
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
        _, lanes = self._idle or (None, [])
        database = self._database
        self._idle, self._database, self._keeps = None, None, False
        _close(lanes)
        if database is not None:
            database.close()

    def __enter__(self) -> Self:
        self._keeps = True
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _close(lanes: Sequence[Guarded]) -> None:
    for lane in lanes:
        lane.close()


def _work(
    guarded: Guarded, step: Map, todo: queue.SimpleQueue[Unit], events: queue.SimpleQueue[Event]
) -> None:
    """Do units until none is left, and tell the main thread of rows done, of an error, or of the end."""
    from corpulyzer.engine.units import run_unit

    try:
        while True:
            run_unit(guarded, step, todo.get_nowait(), events.put)
    except queue.Empty:
        events.put(None)
    except BaseException as error:  # noqa: BLE001 - raised again in the main thread
        events.put(error)


def _attend(events: queue.SimpleQueue[Event], lanes: int, progress: Callable[[int], None] | None) -> None:
    """Pass on progress until every lane has ended; raise the first error."""
    while lanes:
        event = events.get()
        if isinstance(event, BaseException):
            raise event
        if event is None:
            lanes -= 1
        elif progress is not None:
            progress(event)
