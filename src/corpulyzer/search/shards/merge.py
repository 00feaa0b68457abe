"""Several shards made one, without the documents that were taken out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corpulyzer.search.shards.column import Column, column_of
from corpulyzer.search.shards.shard import COLUMNS, MARKS, Shard, named

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def merged(shards: Sequence[Shard], gone: NDArray[np.int64]) -> dict[str, NDArray[np.generic]]:
    """The arrays of one shard with the documents of several, in order, but for those that are gone."""
    import numpy as np

    staying = [np.flatnonzero(~np.isin(shard.numbers, gone)) for shard in shards]
    pairs = list(zip(shards, staying, strict=True))
    return {
        "numbers": np.concatenate([shard.numbers[kept] for shard, kept in pairs]),
        "dates": np.concatenate([shard.dates[kept] for shard, kept in pairs]),
        **{mark: _marks(shards, staying, mark) for mark in MARKS},
        **named((name, _column([shard.columns[name] for shard in shards], staying)) for name in COLUMNS),
    }


def ranges(begins: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """All numbers of ranges that begin somewhere and have a size.

    >>> import numpy as np
    >>> ranges(np.array([3, 10]), np.array([2, 3])).tolist()
    [3, 4, 10, 11, 12]
    """
    import numpy as np

    before = np.cumsum(sizes) - sizes
    return np.repeat(begins - before, sizes) + np.arange(int(sizes.sum()), dtype=np.int64)


def _marks(shards: Sequence[Shard], staying: Sequence[NDArray[np.int64]], mark: str) -> NDArray[np.uint32]:
    import numpy as np

    found, before = [], 0
    for shard, kept in zip(shards, staying, strict=True):
        column, places = shard.columns[MARKS[mark]], shard.marks[mark]
        begins, sizes = column.begins(kept), column.sizes(kept)
        first, last = (np.searchsorted(places, at.astype(np.uint32)) for at in (begins, begins + sizes))
        shift = before + np.cumsum(sizes) - sizes - begins
        found.append(places[ranges(first, last - first)] + np.repeat(shift, last - first))
        before += int(sizes.sum())
    return np.concatenate(found).astype(np.uint32)


def _column(
    columns: Sequence[Column], staying: Sequence[NDArray[np.int64]]
) -> dict[str, NDArray[np.generic]]:
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    sizes = [column.sizes(kept) for column, kept in zip(columns, staying, strict=True)]
    numbers = [
        column.numbers(ranges(column.begins(kept), size))
        for column, kept, size in zip(columns, staying, sizes, strict=True)
    ]
    used = [np.flatnonzero(np.bincount(own, minlength=1)) for own in numbers]
    values: list[Any] = [column.values(some) for column, some in zip(columns, used, strict=True)]
    every: Any = pa.chunked_array(values, pa.binary()).unique()
    every = every.take(pc.array_sort_indices(every))
    moved = []
    for column, some, own, each in zip(columns, used, numbers, values, strict=True):
        places = np.zeros(len(column), dtype=np.uint32)
        places[some] = pc.index_in(each, value_set=every).to_numpy(zero_copy_only=False)
        moved.append(places[own])
    starts = np.concatenate([[0], np.cumsum(np.concatenate(sizes))]).astype(np.int64)
    return column_of(every.to_pylist(), np.concatenate(moved), starts)
