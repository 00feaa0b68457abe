"""An engine without guards: everything in this process, for steps that read only what we made ourselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

import pyarrow as pa
import pyarrow.parquet as pq

from corpulyzer.engine import Dataset, Map, OneMachine, Unit, Work
from corpulyzer.engine.database import Database, register
from corpulyzer.engine.result import portable_batch, portable_schema
from corpulyzer.engine.units import run_here


class InProcessEngine(OneMachine):
    """Runs maps and queries in this process. Starting workers would take longer than a small round's work."""

    def __init__(self) -> None:
        self._database = Database(threads=1, memory_gigabytes=3.0)

    @property
    def cores(self) -> int:
        return 1

    @property
    def here(self) -> InProcessEngine:
        return self

    def do(self, step: Map, works: Sequence[Work], progress: Callable[[int], None] | None = None) -> None:
        """Do the works one after the other."""
        for work in works:
            work(lambda batch: [step(batch, _nowhere)], progress or _nowhere)

    def map(self, step: Map, units: Sequence[Unit], progress: Callable[[int], None] | None = None) -> None:
        """Do the units; a row that fails fails the whole."""
        for unit in units:
            source = unit.source
            table = (
                source.table if source.table is not None else pq.read_table(source.path, partitioning=None)
            )
            parts = [step(batch, _nowhere) for batch in table.combine_chunks().to_batches()]
            for name, path in unit.targets.items():
                schema = step.outputs[name]
                made = [part[name].select(schema.names).cast(schema) for part in parts]
                _write(pa.Table.from_batches(made, schema), path)
            if progress:
                progress(table.num_rows)

    def map_here(self, step: Map, units: Sequence[Unit]) -> None:
        """Do the units as any engine does small ones."""
        run_here(step, units)

    def query(self, sql: str, tables: Mapping[str, Dataset], target: str | None = None) -> pa.Table:
        """The rows of a query, or none but a Parquet file at `target`."""
        with self._database.session() as session:
            for name, dataset in tables.items():
                register(session, name, dataset)
            found: pa.Table = session.sql(sql).to_arrow_table()
        schema = portable_schema(found.schema)
        result = pa.Table.from_batches([portable_batch(batch) for batch in found.to_batches()], schema)
        if target is None:
            return result
        _write(result, target)
        return schema.empty_table()

    def spread(self, sql: str, tables: Mapping[str, Dataset], target: str) -> Dataset:
        """The same as a table of one file."""
        return Dataset((target,), self.query(sql, tables, target).schema)

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _write(table: pa.Table, path: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path, compression="none")


def _nowhere(_row: int) -> None:
    """Ignores the number of the row, which a guard would need."""
