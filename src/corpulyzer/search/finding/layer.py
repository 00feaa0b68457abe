"""The units of some documents of a shard, in the order of reading, and what stands at each of them.

Units are words, or the tokens of an annotation. A unit is named by its place in the shard's stream of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from corpulyzer.search.finding.streams import Streams, Texts
from corpulyzer.search.shards.merge import ranges

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.search.conditions import Clause, Stream
    from corpulyzer.search.finding.candidates import Asked, Part
    from corpulyzer.search.pattern import Query
    from corpulyzer.search.shards.column import Column
    from corpulyzer.search.shards.shard import Shard

Base = Literal["words", "tokens"]
DENSE = 8
"""Where one of so many documents is asked, all between the first and the last are gone through."""
TEXTS_AT_ONCE = 1_000
BREAKS: dict[str, str] = {"words": "breaks", "tokens": "token_breaks"}


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """Documents of a shard by their places in it, in order; `base` is the stream of their units."""

    shard: Shard
    documents: NDArray[np.int64]
    base: Base
    texts: Texts
    known: Asked = field(repr=False)
    _fitting: dict[int, NDArray[np.int8]] = field(default_factory=dict, repr=False)
    _streams: dict[int, Streams] = field(default_factory=dict, repr=False)

    @property
    def units(self) -> Column:
        return self.shard.columns[self.base]

    def column(self, stream: Stream) -> Column:
        """The column of a stream; forms are found as they are folded."""
        return self.units if stream in ("words", "forms") else self.shard.columns[stream]

    def everywhere(self) -> NDArray[np.int64]:
        """All units of the documents."""
        return ranges(self.units.begins(self.documents), self.units.sizes(self.documents))

    def numbers(self, stream: Stream, at: NDArray[np.int64]) -> NDArray[np.uint32]:
        """The numbers of what a stream has at some units, of documents that have it."""
        column = self.column(stream)
        if column is self.units:
            return column.numbers(at)
        owners = self.units.owners(at)
        return column.numbers(column.begins(owners) + at - self.units.begins(owners))

    def asked(self, clause: Clause) -> NDArray[np.int64]:
        """The numbers of the values that a clause names."""
        return self.known.numbers(self.column(clause.stream), clause)

    def count(self, clause: Clause) -> int:
        """How often these values come in the shard."""
        return int(self.column(clause.stream).counts[self.asked(clause)].sum(dtype="int64"))

    def has(self, clause: Clause, at: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether units have one of the values that a clause names."""
        return _among(self.column(clause.stream), self.numbers(clause.stream, at), self.asked(clause))

    def fits(
        self,
        stream: Stream,
        at: NDArray[np.int64],
        key: int,
        asked: Callable[[Sequence[str]], Iterable[bool]],
    ) -> NDArray[np.bool_]:
        """Whether what a stream has at units is as asked; `key` names the question.

        It is asked once of each value, of some at once.
        """
        import numpy as np

        column, numbers = self.column(stream), self.numbers(stream, at)
        known = self._fitting.setdefault(key, np.full(len(column), -1, dtype=np.int8))
        unknown = np.unique(numbers[known[numbers] < 0])
        known[unknown] = list(asked(column.names(unknown)))
        return known[numbers] > 0

    def places(self, clause: Clause) -> NDArray[np.int64]:
        """The units of the documents that have one of the values of a clause, in order."""
        column = self.column(clause.stream)
        found = _places_of(column, self.documents, self.asked(clause))
        if column is self.units:
            return found
        owners = column.owners(found)
        return found - column.begins(owners) + self.units.begins(owners)

    def forms(self, at: NDArray[np.int64]) -> list[str]:
        """Units as they are written."""
        import numpy as np

        owners = self.units.owners(at)
        found = np.empty(len(at), dtype=object)
        order = np.argsort(owners, kind="stable")
        documents, first = np.unique(owners[order], return_index=True)
        bounds = [*first.tolist(), len(at)]
        for number, streams in enumerate(self.read(documents.tolist())):
            own = order[bounds[number] : bounds[number + 1]]
            text, spans = streams.text, streams.spans
            found[own] = [text[slice(*spans[unit])] for unit in (at[own] - streams.begin).tolist()]
        return found.tolist()

    def read(self, documents: Sequence[int]) -> Iterator[Streams]:
        """The streams of documents whose texts are wanted; these are read some at once."""
        for start in range(0, len(documents), TEXTS_AT_ONCE):
            if len(self._streams) > TEXTS_AT_ONCE:
                self._streams.clear()  # they hold texts
            some = documents[start : start + TEXTS_AT_ONCE]
            unread = [document for document in some if not self.streams(document).is_read]
            self.texts.fetch(self.shard.numbers[unread].tolist() if unread else [])
            yield from map(self.streams, some)

    def streams(self, document: int) -> Streams:
        """The streams of a document, by its place in the shard."""
        found = self._streams.get(document)
        if found is None:
            found = self._streams[document] = Streams(self, document, self.texts)
        return found

    def paragraphs(self, at: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the paragraphs of some units begin, and before which unit they end."""
        return self.shard.stretches(BREAKS[self.base], at)

    def around(
        self, starts: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first and the last unit, and one, of the paragraphs in which matches begin and end."""
        return self.paragraphs(starts)[0], self.paragraphs(ends - 1)[1]


def layers_of(part: Part, query: Query, texts: Texts, asked: Asked) -> list[Layer]:
    """The layers in which a query is looked for, of documents that have what it asks for."""
    if not query.tokens:
        return [Layer(part.shard, part.documents, "words", texts, asked)]
    told = part.shard.columns["tokens"].sizes(part.documents) > 0
    both: tuple[tuple[Base, NDArray[np.int64]], ...]
    both = (("words", part.documents[~told]), ("tokens", part.documents[told]))
    layers = (Layer(part.shard, _having(part, base, own, query), base, texts, asked) for base, own in both)
    return [layer for layer in layers if len(layer.documents)]


def _having(part: Part, base: str, documents: NDArray[np.int64], query: Query) -> NDArray[np.int64]:
    """The documents that have a lemma or a tag at each unit, if the query asks for them."""
    sizes = part.shard.columns[base].sizes(documents)
    for stream in query.streams - {"words", "forms"}:
        same = part.shard.columns[stream].sizes(documents) == sizes
        documents, sizes = documents[same], sizes[same]
    return documents


def _places_of(column: Column, documents: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where some values stand in documents."""
    import numpy as np

    if not len(documents) or not len(numbers):
        return np.zeros(0, np.int64)
    begins, sizes = column.begins(documents), column.sizes(documents)
    first, last = int(begins[0]), int(begins[-1] + sizes[-1])
    if (last - first) <= DENSE * int(sizes.sum()):
        found = first + _standing(column, numbers, [slice(first, last)])
        if len(documents) < documents[-1] - documents[0] + 1:
            own = np.searchsorted(begins, found, "right") - 1
            found = found[found < begins[own] + sizes[own]]
    else:
        ends = begins + sizes
        at = _standing(column, numbers, list(map(slice, begins.tolist(), ends.tolist())))
        before = np.cumsum(sizes) - sizes
        found = at + (begins - before)[np.searchsorted(before + sizes, at, "right")]
    high = int(numbers[0]) >> 16
    return found[column.high[found] == high] if len(numbers) == 1 and len(column.high) else found


def _standing(column: Column, numbers: NDArray[np.int64], stretches: Sequence[slice]) -> NDArray[np.int64]:
    """Where values stand in stretches that are put together; of one value only the low bytes are asked."""
    import numpy as np

    # Stretches are copied faster than places are gathered one by one.
    low = np.concatenate([column.low[each] for each in stretches])
    if len(numbers) == 1:
        return np.flatnonzero(low == int(numbers[0]) & 0xFFFF)
    found = low.astype(np.uint32)
    if len(column.high):
        found |= np.concatenate([column.high[each] for each in stretches]).astype(np.uint32) << 16
    return np.flatnonzero(_among(column, found, numbers))


def _among(column: Column, found: NDArray[np.uint32], numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether values are some of those with certain numbers, which are in order."""
    import numpy as np

    if not len(numbers):
        return np.zeros(len(found), dtype=np.bool_)
    if int(numbers[-1]) - int(numbers[0]) == len(numbers) - 1:
        inside: NDArray[np.bool_] = (found >= int(numbers[0])) & (found <= int(numbers[-1]))
        return inside
    wanted = np.zeros(len(column), dtype=np.bool_)
    wanted[numbers] = True
    fits: NDArray[np.bool_] = wanted[found]
    return fits
