"""One stream of a shard: its values in order, the number of the value at each place, and who holds a value.

Values are sorted, so that those which begin with a prefix are neighbours. A number takes two bytes, or three
where there are more values than that; a document two, for a shard has no more documents. A stream that none
of the documents has takes nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_DOCUMENTS = 1 << 16
"""The most documents of a shard."""
MOST_NARROW = 1 << 16
"""The most values whose numbers take two bytes."""
FEW_NUMBERS = 200_000
"""Up to so many numbers are sorted by NumPy: to import SciPy, whose sort is quicker, takes .08 s."""
AFTER_ALL = b"\xff"
"""No value begins with this byte, and all values with a prefix come before the prefix with it."""


def high_bytes(values: int) -> type[np.uint8] | type[np.uint16]:
    """How the numbers of so many values are kept, above their two lowest bytes.

    >>> high_bytes(1 << 24).__name__, high_bytes((1 << 24) + 1).__name__
    ('uint8', 'uint16')
    """
    import numpy as np

    return np.uint8 if values <= 1 << 24 else np.uint16


@dataclass(frozen=True, slots=True)
class Column:
    """A stream. `ends` are where values end in `letters`, `low` and `high` the bytes of their numbers.

    Documents take `starts[d]` to `starts[d + 1]` of the places; `holders[first[v]:first[v + 1]]` are the
    documents with value `v`, in order, and `counts[v]` is how often it comes.
    """

    ends: NDArray[np.int32]
    letters: NDArray[np.uint8]
    low: NDArray[np.uint16]
    high: NDArray[np.uint8] | NDArray[np.uint16]
    starts: NDArray[np.uint32]
    first: NDArray[np.uint32]
    holders: NDArray[np.uint16]
    counts: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.ends) - 1

    @property
    def documents(self) -> int:
        return len(self.starts) - 1

    def raw(self, number: int) -> bytes:
        """The bytes of a value."""
        return self.letters[self.ends[number] : self.ends[number + 1]].tobytes()

    def value(self, number: int) -> str:
        """The value of a number."""
        return self.raw(number).decode("utf-8", "surrogatepass")

    def values(self, numbers: NDArray[np.integer[Any]]) -> Any:
        """The bytes of many values, as an array of Arrow."""
        import pyarrow as pa

        buffers: Any = [None, pa.py_buffer(self.ends.data), pa.py_buffer(self.letters.data)]
        return pa.Array.from_buffers(pa.binary(), len(self), buffers).take(numbers)

    def names(self, numbers: NDArray[np.integer[Any]]) -> list[str]:
        """The values of many numbers."""
        return [value.decode("utf-8", "surrogatepass") for value in self.values(numbers).to_pylist()]

    def number(self, value: str) -> int | None:
        """The number of a value; None if it does not occur."""
        wanted = encoded(value)
        place = self._place(wanted)
        return place if place < len(self) and self.raw(place) == wanted else None

    def beginning(self, prefix: str) -> range:
        """The numbers of the values that begin with a prefix."""
        wanted = encoded(prefix)
        return range(self._place(wanted), self._place(wanted + AFTER_ALL))

    def _place(self, wanted: bytes) -> int:
        ends, letters = memoryview(self.ends.data), memoryview(self.letters.data)
        raw = lambda number: letters[ends[number] : ends[number + 1]].tobytes()  # noqa: E731 - much quicker
        return bisect_left(range(len(self)), wanted, key=raw)

    def asked(self, values: Sequence[str], prefix: bool = False) -> NDArray[np.int64]:
        """The numbers of values, or of all that begin with one of them, in order."""
        import numpy as np

        if prefix:
            every = (np.arange(numbers.start, numbers.stop) for numbers in map(self.beginning, values))
            return np.unique(np.concatenate([np.zeros(0, np.int64), *every]))
        found = {number for value in values if (number := self.number(value)) is not None}
        return np.array(sorted(found), dtype=np.int64)

    def numbers(self, places: NDArray[np.int64] | slice) -> NDArray[np.uint32]:
        """The numbers of the values at some places."""
        import numpy as np

        found: NDArray[np.uint32] = self.low[places].astype(np.uint32)
        if len(self.high):
            found |= self.high[places].astype(np.uint32) << 16
        return found

    def held_by(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """The documents that hold one of some values, in order."""
        import numpy as np

        if len(numbers) == 1:
            (only,) = numbers.tolist()
            return self.holders[self.first[only] : self.first[only + 1]].astype(np.int64)
        holds = np.zeros(self.documents, dtype=bool)
        for begin, end in _runs(numbers):
            holds[self.holders[self.first[begin] : self.first[end]]] = True
        return np.flatnonzero(holds)

    def begins(self, documents: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """The first place of each of some documents."""
        import numpy as np

        found: NDArray[np.int64] = self.starts[documents].astype(np.int64)
        return found

    def sizes(self, documents: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """How many places each of some documents has."""
        import numpy as np

        found: NDArray[np.int64] = (self.starts[documents + 1] - self.starts[documents]).astype(np.int64)
        return found

    def owners(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The documents in which some places are."""
        import numpy as np

        return np.searchsorted(self.starts, places.astype(np.uint32), "right") - 1


def _runs(numbers: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Begin and end of runs of numbers that follow each other."""
    import numpy as np

    if not len(numbers):
        return []
    breaks = np.flatnonzero(np.diff(numbers) != 1) + 1
    begins = numbers[np.concatenate([[0], breaks])]
    ends = numbers[np.concatenate([breaks - 1, [len(numbers) - 1]])] + 1
    return list(zip(begins.tolist(), ends.tolist(), strict=True))


def encoded(value: str) -> bytes:
    """A value as a shard has it; the order of the bytes is that of the characters."""
    return value.encode("utf-8", "surrogatepass")


def column_of(
    values: Sequence[bytes], numbers: NDArray[np.uint32], starts: NDArray[np.int64]
) -> dict[str, NDArray[np.generic]]:
    """The arrays of a column, from its values in order and the number of the value at each place."""
    import numpy as np

    ends = np.zeros(len(values) + 1, dtype=np.int32)
    np.cumsum([len(value) for value in values], out=ends[1:])
    holders, first = _holders(numbers, starts, len(values))
    wide = len(values) > MOST_NARROW
    return {
        "ends": ends,
        "letters": np.frombuffer(b"".join(values), dtype=np.uint8),
        "low": (numbers & 0xFFFF).astype(np.uint16),
        "high": (numbers >> 16).astype(high_bytes(len(values))) if wide else np.zeros(0, np.uint8),
        "starts": starts.astype(np.uint32) if len(numbers) else np.zeros(0, np.uint32),
        "first": first,
        "holders": holders,
        "counts": np.bincount(numbers, minlength=len(values)).astype(np.uint32),
    }


def _holders(
    numbers: NDArray[np.uint32], starts: NDArray[np.int64], values: int
) -> tuple[NDArray[np.uint16], NDArray[np.uint32]]:
    """The documents that hold each value, once each, and where those of a value begin."""
    import numpy as np

    documents = len(starts) - 1
    at = np.repeat(np.arange(documents, dtype=np.int32), np.diff(starts))
    if len(numbers) <= FEW_NUMBERS:
        held, holders = np.divmod(np.unique(numbers.astype(np.int64) * documents + at), max(1, documents))
        first = np.searchsorted(held, np.arange(values + 1))
        return holders.astype(np.uint16), first.astype(np.uint32)
    from scipy.sparse import coo_matrix

    cells = (np.zeros(len(numbers), np.int8), (numbers.astype(np.int32), at))
    table = coo_matrix(cells, (values, documents)).tocsr()  # a counting sort, and each cell once
    return table.indices.astype(np.uint16), table.indptr.astype(np.uint32)
