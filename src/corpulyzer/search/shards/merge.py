"""Several shards made one, without the documents that were taken out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corpulyzer.search.shards.column import MOST_NARROW, Column, high_bytes
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
    """The arrays of one column. Who holds a value is known of each shard, so nothing is sorted but values."""
    import numpy as np

    held = [_held(column, kept) for column, kept in zip(columns, staying, strict=True)]
    used = [np.flatnonzero(sizes) for _, sizes in held]
    ends, letters, moved = _one_list(
        [column.values(some) for column, some in zip(columns, used, strict=True)]
    )
    new = np.split(moved, np.cumsum([len(some) for some in used])[:-1])
    sizes = [sizes[some] for (_, sizes), some in zip(held, used, strict=True)]
    holders, first = _holders(new, [own for own, _ in held], sizes, staying)
    every = np.concatenate([column.sizes(kept) for column, kept in zip(columns, staying, strict=True)])
    starts = np.concatenate([[0], np.cumsum(every)])
    numbers = _Numbers(len(ends) - 1, int(starts[-1]))
    for column, kept, some, to in zip(columns, staying, used, new, strict=True):
        numbers.add(column, kept, some, to)
    return {
        "ends": ends,
        "letters": letters,
        "low": numbers.low,
        "high": numbers.high,
        "starts": starts.astype(np.uint32) if len(numbers.low) else np.zeros(0, np.uint32),
        "first": first,
        "holders": holders,
        "counts": numbers.counts.astype(np.uint32),
    }


class _Numbers:
    """The numbers of values at places, shard after shard, and how often each comes."""

    def __init__(self, values: int, places: int) -> None:
        import numpy as np

        self.low = np.zeros(places, np.uint16)
        self.high = np.zeros(places if values > MOST_NARROW else 0, high_bytes(values))
        self.counts = np.zeros(values, np.int64)
        self._at = 0

    def add(
        self, column: Column, kept: NDArray[np.int64], used: NDArray[np.int64], new: NDArray[np.int64]
    ) -> None:
        """Add the documents of a shard that stay; the values that they use get new numbers."""
        import numpy as np

        moved = np.zeros(len(column), dtype=np.uint32)
        moved[used] = new
        whole = len(kept) == column.documents
        places = slice(None) if whole else ranges(column.begins(kept), column.sizes(kept))
        numbers = moved[column.numbers(places)]
        own = slice(self._at, self._at + len(numbers))
        self.low[own] = numbers & 0xFFFF
        if len(self.high):
            self.high[own] = numbers >> 16
        if whole:
            self.counts[new] += column.counts[used]
        else:
            self.counts += np.bincount(numbers, minlength=len(self.counts))
        self._at = own.stop


def _held(column: Column, kept: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The documents that hold each value, by their places among those that stay; and how many these are."""
    import numpy as np

    if len(kept) == column.documents:
        return column.holders, (column.first[1:] - column.first[:-1]).astype(np.int64)
    place = np.full(column.documents, -1)
    place[kept] = np.arange(len(kept))
    holders = place[column.holders]
    before = np.concatenate([[0], np.cumsum(holders >= 0)])
    return holders[holders >= 0], np.diff(before[column.first])


def _holders(
    values: Sequence[NDArray[np.int64]],
    held_by: Sequence[NDArray[Any]],
    sizes: Sequence[NDArray[np.int64]],
    staying: Sequence[NDArray[np.int64]],
) -> tuple[NDArray[np.uint16], NDArray[np.uint32]]:
    """The documents of several shards that hold each value, and where those of a value begin.

    Of each shard are given its values, who holds them, and how many these are.
    """
    import numpy as np

    every = np.zeros(max(int(own.max(initial=-1)) for own in values) + 1, dtype=np.int64)
    for own, many in zip(values, sizes, strict=True):
        every[own] += many
    first = np.concatenate([[0], np.cumsum(every)])
    found, at, before = np.zeros(int(first[-1]), dtype=np.uint16), first[:-1].copy(), 0
    for own, holders, many, kept in zip(values, held_by, sizes, staying, strict=True):
        found[ranges(at[own], many)] = holders.astype(np.int64) + before
        at[own] += many
        before += len(kept)
    return found, first.astype(np.uint32)


def _one_list(values: list[Any]) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.int64]]:
    """Values of shards, each once and sorted: their ends and letters, and which of these each of them is."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    both: Any = pa.chunked_array(values, pa.binary()).combine_chunks().dictionary_encode()
    order = pc.array_sort_indices(both.dictionary)
    every = both.dictionary.take(order)
    moved = np.zeros(len(order), dtype=np.int64)
    moved[np.asarray(order)] = np.arange(len(order))
    _, ends, letters = every.buffers()
    return (
        np.frombuffer(ends, np.int32)[: len(every) + 1],
        np.frombuffer(letters, np.uint8)[: int(np.frombuffer(ends, np.int32)[len(every)])],
        moved[np.asarray(both.indices)],
    )
