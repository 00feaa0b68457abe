"""What stands beside matches, counted from numbers; no text is read for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.search.conditions import Stream
    from corpulyzer.search.finding.layer import Layer
    from corpulyzer.search.finding.looking import Matches
    from corpulyzer.search.finding.streams import Streams

Side = Literal["before", "after"]
SIDES: tuple[Side, ...] = ("before", "after")


class Sides(NamedTuple):
    """The matches of one layer: their first units, the ones after their last, and those of paragraphs."""

    layer: Layer
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]

    def at(self, side: Side, distance: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """The units so far from matches, and which of them are in their paragraphs."""
        units = self.starts - distance if side == "before" else self.ends - 1 + distance
        return units, (units >= self.first) & (units < self.last)

    def some(self, chosen: NDArray[np.bool_]) -> Sides:
        """Some of the matches."""
        return Sides(self.layer, *(each[chosen] for each in self[1:]))

    def counted(self, stream: Stream, at: Sequence[NDArray[np.int64]]) -> dict[str, int]:
        """How often each value of a stream stands at some units."""
        import numpy as np

        numbers, counts = np.unique(self.layer.numbers(stream, np.concatenate(at)), return_counts=True)
        names = self.layer.column(stream).names(numbers)
        return dict(zip(names, counts.tolist(), strict=True))


def sides_of(places: Iterable[tuple[Streams, Matches]]) -> Iterator[Sides]:
    """The matches of documents, layer by layer."""
    import numpy as np

    layers: dict[int, tuple[Layer, list[int], list[int]]] = {}
    for streams, matches in places:
        _, starts, ends = layers.setdefault(id(streams.layer), (streams.layer, [], []))
        starts += [streams.begin + start for start, _ in matches]
        ends += [streams.begin + end for _, end in matches]
    for layer, starts, ends in layers.values():
        both = np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64)
        yield Sides(layer, *both, *layer.around(*both))


def company(places: Iterable[tuple[Streams, Matches]], window: int) -> Counter[str]:
    """How often each word stands within so many places of the matches, in their paragraphs."""
    found: Counter[str] = Counter()
    for sides in sides_of(places):
        pairs = (sides.at(side, distance) for side in SIDES for distance in range(1, window + 1))
        found.update(sides.counted("words", [units[inside] for units, inside in pairs]))
    return found
