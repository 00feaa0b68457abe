"""The engine of one machine: guarded worker processes for maps, DuckDB for queries."""

from __future__ import annotations

import os
import queue
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

import pyarrow as pa

from corpulyzer.engine import Dataset, Limits, Map, Unit
from corpulyzer.engine.guarded import Guarded
from corpulyzer.engine.result import portable_batch, portable_schema
from corpulyzer.engine.sql import lint
from corpulyzer.engine.units import run_here, run_unit
from corpulyzer.storage import ParquetSink, filesystem_of, is_remote

if TYPE_CHECKING:
    import duckdb

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
        run_here(step, units)

    def _take(self, step: Map, count: int) -> list[Guarded]:
        """So many workers for a step: those that the one before has left, and new ones."""
        before, lanes = self._idle or (step, [])
        self._idle = None
        _close(lanes[count:])
        if before != step:
            for lane in lanes[:count]:
                lane.take(step)
        return lanes[:count] + [Guarded(step, self.limits) for _ in range(count - len(lanes))]

    def query(self, sql: str, tables: Mapping[str, Dataset], target: str | None = None) -> pa.Table:
        """The rows of a portable query, or no rows but a Parquet file at `target`."""
        import duckdb

        lint(sql)
        with tempfile.TemporaryDirectory(prefix="corpulyzer-") as folder, duckdb.connect() as connection:
            connection.execute(f"SET threads = {self.workers}")
            connection.execute(f"SET memory_limit = '{int(self.memory_gigabytes * 1000)}MB'")
            connection.execute(f"SET temp_directory = '{folder}'")
            connection.execute("SET TimeZone = 'UTC'")
            for name, dataset in tables.items():
                _register(connection, name, dataset)
            reader: pa.RecordBatchReader = connection.sql(sql).to_arrow_reader(100_000)
            schema = portable_schema(reader.schema)
            results = (portable_batch(batch) for batch in reader)
            if target is None:
                return pa.Table.from_batches(results, schema)
            with ParquetSink(target, schema) as sink:
                for batch in results:
                    sink.write(batch)
            return schema.empty_table()

    def close(self) -> None:
        """End the workers that wait for another map."""
        _, lanes = self._idle or (None, [])
        self._idle, self._keeps = None, False
        _close(lanes)

    def __enter__(self) -> Self:
        self._keeps = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _close(lanes: Sequence[Guarded]) -> None:
    for lane in lanes:
        lane.close()


def _work(
    guarded: Guarded, step: Map, todo: queue.SimpleQueue[Unit], events: queue.SimpleQueue[Event]
) -> None:
    """Do units until none is left, and tell the main thread of rows done, of an error, or of the end."""
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


def _register(connection: duckdb.DuckDBPyConnection, name: str, dataset: Dataset) -> None:
    """Make a table visible to a query under its name, in the columns of its schema."""
    import pyarrow.dataset as ds

    if not dataset.files:
        connection.register(name, dataset.schema.empty_table())
    elif any(map(is_remote, dataset.files)):  # DuckDB's own way to S3 is an extension to be downloaded
        found = [filesystem_of(file) for file in dataset.files]
        paths = [path for _, path in found]
        connection.register(name, ds.dataset(paths, dataset.schema, format="parquet", filesystem=found[0][0]))
    else:
        files = ", ".join("'" + file.replace("'", "''") + "'" for file in dataset.files)
        columns = ", ".join(f'"{column}"' for column in dataset.schema.names)
        connection.execute(
            f'CREATE VIEW "{name}" AS SELECT {columns} '
            f"FROM read_parquet([{files}], hive_partitioning = false, union_by_name = false)"
        )
