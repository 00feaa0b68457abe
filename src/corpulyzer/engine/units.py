"""One unit of a map: rows read in batches, run behind the guard, written to files that appear together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pyarrow as pa
import pyarrow.parquet as pq

from corpulyzer.engine import Map, Outputs, Run, Source, TakesMany, Unit
from corpulyzer.engine.child import return_free_memory
from corpulyzer.engine.in_order import rows_in_order
from corpulyzer.storage import ParquetSink
from corpulyzer.storage.content import open_parquet

BATCH_ROWS = 100
BATCH_BYTES = 16 << 20

RunAll = Callable[[Iterable[pa.RecordBatch]], Iterator[tuple[int, list[Outputs]]]]
"""Runs a step on batches; gives the rows and the outputs of each, in the order of the batches."""


def one_by_one(run: Run) -> RunAll:
    """Runs batches one after the other."""
    return lambda batches: ((batch.num_rows, run(batch)) for batch in batches)


def run_unit(run: RunAll, step: Map, unit: Unit, progress: Callable[[int], None]) -> None:
    """Do a unit; its files become visible when all of them are complete, or none does."""
    schemas = step.outputs
    if unit.targets.keys() != schemas.keys():
        raise ValueError(
            f"{type(step).__name__} makes {sorted(schemas)}, the unit asks for {sorted(unit.targets)}"
        )
    sinks: dict[str, ParquetSink] = {}
    try:
        for name, target in unit.targets.items():
            sinks[name] = ParquetSink(target, schemas[name], unit.made_of.get(name, ""))
        batch_rows = step.batch_rows if isinstance(step, TakesMany) else BATCH_ROWS
        for rows, parts in run(batches(unit.source, batch_rows)):
            for outputs in parts:
                for name, output in outputs.items():
                    sinks[name].write(output)
            progress(rows)
        for sink in sinks.values():
            sink.finish()
        for sink in sinks.values():
            sink.commit()
    finally:
        for sink in sinks.values():
            sink.discard()
        return_free_memory()  # a unit leaves tens of megabytes


def run_here(step: Map, units: Iterable[Unit]) -> None:
    """Do units in this process, one after the other and without a guard."""
    for unit in units:
        run_unit(one_by_one(lambda batch: [step(batch, _unwatched)]), step, unit, _unwatched)


def _unwatched(_rows: int) -> None:
    """Progress that nobody watches."""


def batches(source: Source, most: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
    """The rows of a source in batches of at most `most` rows, fewer where rows are large."""
    for batch in _read(source, most):
        rows = most
        if batch.nbytes > BATCH_BYTES:
            rows = max(1, most * BATCH_BYTES // batch.nbytes)
        for start in range(0, batch.num_rows, rows):
            yield batch.slice(start, rows)


def _read(source: Source, most: int) -> Iterator[pa.RecordBatch]:
    if source.table is not None:
        table = source.table.slice(source.start, None if source.stop is None else source.stop - source.start)
        yield from table.to_batches(max_chunksize=most)
        return
    if source.by:
        with open_parquet(source.path) as parquet:
            yield from rows_in_order(parquet, source.by, most)
        return
    with open_parquet(source.path) as parquet:
        stop = parquet.metadata.num_rows if source.stop is None else source.stop
        groups, first = _row_groups(parquet.metadata, source.start, stop)
        columns = list(source.columns) if source.columns is not None else None
        for batch in parquet.iter_batches(most, row_groups=groups, columns=columns, use_threads=False):
            wanted = batch.slice(max(0, source.start - first), max(0, stop - max(first, source.start)))
            first += batch.num_rows
            if wanted.num_rows:
                yield wanted
    for path in source.more:
        yield from _read(Source(path=path, columns=source.columns), most)


def _row_groups(metadata: pq.FileMetaData, start: int, stop: int) -> tuple[list[int], int]:
    """The row groups that hold rows `start` to `stop`, and the first row of the first of them."""
    groups: list[int] = []
    origin = first = 0
    for number in range(metadata.num_row_groups):
        end = first + metadata.row_group(number).num_rows
        if first < stop and end > start:
            origin = origin if groups else first
            groups.append(number)
        first = end
    return groups, origin
