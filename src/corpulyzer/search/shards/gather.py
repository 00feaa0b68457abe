"""Documents gathered until they are enough for a shard."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corpulyzer.search.shards.column import MOST_DOCUMENTS, column_of, encoded
from corpulyzer.search.shards.shard import COLUMNS, MARKS, named

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ENOUGH_PLACES = 4_000_000
"""Words after which documents become a shard, so that memory stays flat."""


@dataclass(slots=True)
class _Stream:
    """Values by the order in which they came first."""

    known: defaultdict[str, int] = field(default_factory=defaultdict)
    numbers: array[int] = field(default_factory=lambda: array("I"))
    starts: list[int] = field(default_factory=lambda: [0])

    def __post_init__(self) -> None:
        self.known.default_factory = self.known.__len__  # a new value has the next number

    def add(self, values: Sequence[str]) -> None:
        self.numbers.extend(map(self.known.__getitem__, values))
        self.starts.append(len(self.numbers))

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        import numpy as np

        raw = list(map(encoded, self.known))
        order = sorted(range(len(raw)), key=raw.__getitem__)
        values, sorted_at = [raw[number] for number in order], np.zeros(len(raw), np.uint32)
        sorted_at[order] = np.arange(len(raw), dtype=np.uint32)
        numbers = np.frombuffer(self.numbers, dtype=np.uint32) if self.numbers else np.zeros(0, np.uint32)
        return column_of(values, sorted_at[numbers], np.array(self.starts, dtype=np.int64))


@dataclass(slots=True)
class Gathered:
    """Documents that wait to be written."""

    numbers: list[int] = field(default_factory=list)
    dates: list[int] = field(default_factory=list)
    marks: dict[str, array[int]] = field(default_factory=lambda: {mark: array("I") for mark in MARKS})
    streams: dict[str, _Stream] = field(default_factory=lambda: {name: _Stream() for name in COLUMNS})

    def add(
        self,
        number: int,
        date: int,
        columns: Mapping[str, Sequence[str]],
        marks: Mapping[str, Sequence[int]],
    ) -> None:
        """Take in a document: its columns, and where its paragraphs and sentences begin."""
        self.numbers.append(number)
        self.dates.append(date)
        for mark, stream in MARKS.items():
            before = len(self.streams[stream].numbers)
            self.marks[mark].extend([before + place for place in marks[mark]])
        for name, own in self.streams.items():
            own.add(columns[name])

    @property
    def enough(self) -> bool:
        """Whether it is time to write them."""
        places = sum(len(stream.numbers) for stream in self.streams.values())
        return places >= ENOUGH_PLACES or len(self.numbers) >= MOST_DOCUMENTS

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """The arrays of a shard of them."""
        import numpy as np

        return {
            "numbers": np.array(self.numbers, dtype=np.int64),
            "dates": np.array(self.dates, dtype=np.int64),
            **{mark: np.array(places, dtype=np.uint32) for mark, places in self.marks.items()},
            **named((name, stream.arrays()) for name, stream in self.streams.items()),
        }
