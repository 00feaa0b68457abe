"""The words of documents in shards, as they stand there and beside matches; no text is read for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from corpulyzer.search.finding.streams import Streams

if TYPE_CHECKING:
    from corpulyzer.search.finding.sequences import Matches, TextOf
    from corpulyzer.search.shards.column import Column
    from corpulyzer.search.shards.shard import Shard

Side = Literal["before", "after"]


class Reader:
    """Reads the words of documents in one shard."""

    def __init__(self, shard: Shard, text_of: TextOf) -> None:
        self.shard, self._text_of = shard, text_of
        self._names = _Names(shard.words)

    def streams(self, document: int) -> Streams:
        """The streams of a document, by its place in the shard."""
        import numpy as np

        begin, end = (int(at) for at in self.shard.words.starts[document : document + 2])
        first, last = np.searchsorted(self.shard.breaks, [begin, end])
        breaks = (self.shard.breaks[first:last] - begin).tolist()
        load = partial(self._text_of, int(self.shard.numbers[document]))
        return Streams(Words(self.shard, begin, end, self._names), load, breaks=breaks)


class _Names(dict[int, str]):
    """The values of a column that were asked for, by number."""

    def __init__(self, column: Column) -> None:
        super().__init__()
        self.column = column

    def __missing__(self, number: int) -> str:
        found = self[number] = self.column.value(number)
        return found


class Words(Sequence[str]):
    """The words of a document, read as they are asked for."""

    __slots__ = ("_end", "_names", "begin", "shard")

    def __init__(self, shard: Shard, begin: int, end: int, names: dict[int, str]) -> None:
        self.shard, self.begin, self._end, self._names = shard, begin, end, names

    def __len__(self) -> int:
        return self._end - self.begin

    def __iter__(self) -> Iterator[str]:
        return iter(self[:])

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, int):
            return self[at : at + 1][0]
        begin, end, _ = at.indices(len(self))
        places = slice(self.begin + begin, self.begin + max(begin, end))
        return list(map(self._names.__getitem__, self.shard.words.numbers(places).tolist()))


def beside(
    places: Iterable[tuple[Streams, Matches]], window: int
) -> Iterator[tuple[Side, int, dict[str, int]]]:
    """What stands so many places before and after matches, in their paragraphs, and how often.

    The streams are those of a reader. Of each side and distance there may be several answers.
    """
    import numpy as np

    shards: dict[str, Shard] = {}
    firsts: defaultdict[str, list[int]] = defaultdict(list)
    length = 0
    for streams, matches in places:
        words = streams.words
        assert isinstance(words, Words)
        shards[words.shard.name] = words.shard
        firsts[words.shard.name] += [words.begin + start for start, _ in matches]
        length = matches[0][1] - matches[0][0]
    for name, shard in shards.items():
        column, first = shard.words, np.array(firsts[name], dtype=np.int64)
        begins, ends = shard.paragraphs(first)
        for distance in range(1, window + 1):
            before, after = first - distance, first + length - 1 + distance
            inside = before[before >= begins], after[after < ends]
            sides: tuple[Side, Side] = ("before", "after")
            for side, at in zip(sides, inside, strict=True):
                numbers, counts = np.unique(column.numbers(at), return_counts=True)
                yield side, distance, dict(zip(column.names(numbers), counts.tolist(), strict=True))
