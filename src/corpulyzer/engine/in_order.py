"""The rows of a Parquet file in the order of a column, without the whole file in memory.

The values of the column are read first, and shared out among passes over the file of so many rows each as may
be held. A value with more rows than that has a pass of its own, in which nothing needs to be held.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    import pyarrow.parquet as pq

HELD_BYTES = 256 << 20


def rows_in_order(parquet: pq.ParquetFile, by: str, most: int) -> Iterator[pa.RecordBatch]:
    """The rows in batches of at most `most`; rows of equal values are in the order of the file.

    ValueError if a row has no value: no pass would find it.
    """
    column = parquet.read([by], use_threads=False).column(by)
    if column.null_count:
        raise ValueError(f"{column.null_count} rows have no {by}, so they cannot be put in order by it.")
    counts = Counter(map(str, column.to_pylist()))
    for values in _passes(counts, _rows_held(parquet)):
        yield from _pass(parquet, by, most, values, alone=len(counts) == 1)


def _pass(
    parquet: pq.ParquetFile, by: str, most: int, values: list[str], *, alone: bool
) -> Iterator[pa.RecordBatch]:
    wanted, held = pa.array(values, pa.string()), []
    for batch in parquet.iter_batches(most, use_threads=False):
        rows = batch if alone else batch.filter(pc.is_in(batch.column(by), wanted))
        if len(values) == 1:
            yield rows
        else:
            held.append(rows)
    if held:
        table = pa.Table.from_batches(held)
        yield from table.take(pc.sort_indices(table, [(by, "ascending")])).to_batches(max_chunksize=most)


def _passes(counts: Mapping[str, int], most: int) -> Iterator[list[str]]:
    """The values in their order, together as long as they have no more than `most` rows.

    >>> list(_passes({"b": 9, "a": 2, "d": 1, "c": 3}, 4))
    [['a'], ['b'], ['c', 'd']]
    """
    some: list[str] = []
    rows = 0
    for value in sorted(counts):
        if some and rows + counts[value] > most:
            yield some
            some, rows = [], 0
        some.append(value)
        rows += counts[value]
    if some:
        yield some


def _rows_held(parquet: pq.ParquetFile) -> int:
    """How many rows of a file may be held."""
    metadata = parquet.metadata
    size = sum(metadata.row_group(number).total_byte_size for number in range(metadata.num_row_groups))
    return max(1, int(metadata.num_rows * HELD_BYTES / max(1, size)))
