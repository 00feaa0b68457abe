"""Words side by side, found in shards: which documents may have them, and where they stand.

A question of words alone is answered from numbers, without a look at any text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpulyzer.search.conditions import OneOf
from corpulyzer.search.finding.only import Only, good_enough
from corpulyzer.search.finding.words import Reader
from corpulyzer.search.shards.merge import ranges

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.search.conditions import Clause
    from corpulyzer.search.finding.streams import Spans, Streams
    from corpulyzer.search.pattern import Query
    from corpulyzer.search.shards.column import Column
    from corpulyzer.search.shards.shard import Shard
    from corpulyzer.search.shards.store import Store

TextOf = Callable[[int], "tuple[str, Spans]"]
"""The text of a document by its number, and where its units stand."""
Matches = tuple[tuple[int, int], ...]
DENSE = 8
"""Where one of so many documents is asked, all between the first and the last are gone through."""


@dataclass(frozen=True, slots=True)
class Part:
    """The documents of one shard that may have a match, by their places in it, in order."""

    shard: Shard
    documents: NDArray[np.int64]

    @property
    def numbers(self) -> NDArray[np.int64]:
        return self.shard.numbers[self.documents]

    def sizes(self) -> NDArray[np.int64]:
        """How many words each of them has."""
        starts = self.shard.words.starts
        found: NDArray[np.int64] = starts[self.documents + 1] - starts[self.documents]
        return found


@dataclass(frozen=True, slots=True)
class Candidates:
    """All documents that may have a match, shard by shard, in the order in which they came in."""

    parts: Sequence[Part]

    def __len__(self) -> int:
        return sum(len(part.documents) for part in self.parts)

    def numbers(self) -> NDArray[np.int64]:
        """Their numbers."""
        import numpy as np

        return np.concatenate([np.zeros(0, np.int64), *(part.numbers for part in self.parts)])

    def numbers_at(self, places: Sequence[int]) -> list[int]:
        """The numbers of some of them, by their places among all."""
        import numpy as np

        asked = np.array(places, dtype=np.int64)
        found, before = np.zeros(len(asked), np.int64), 0
        for part in self.parts:
            own = (asked >= before) & (asked < before + len(part.documents))
            found[own] = part.shard.numbers[part.documents[asked[own] - before]]
            before += len(part.documents)
        return found.tolist()

    def sizes(self) -> NDArray[np.int64]:
        """How many words each has."""
        import numpy as np

        return np.concatenate([np.zeros(0, np.int64), *(part.sizes() for part in self.parts)])

    def at(self, place: int) -> tuple[Shard, int]:
        """The shard of one of them, and its place there."""
        for part in self.parts:
            if place < len(part.documents):
                return part.shard, int(part.documents[place])
            place -= len(part.documents)
        raise IndexError(place)

    def chosen(self, places: Sequence[int]) -> Candidates:
        """Some of them, by their places among all."""
        import numpy as np

        wanted, before, parts = np.unique(np.array(places, dtype=np.int64)), 0, []
        for part in self.parts:
            own = wanted[(wanted >= before) & (wanted < before + len(part.documents))] - before
            parts.append(Part(part.shard, part.documents[own]))
            before += len(part.documents)
        return Candidates(parts)


def documents_of(store: Store, only: Only) -> Candidates:
    """All documents to which a search is limited."""
    return candidates_of(store, [], only)


def candidates_of(store: Store, clauses: Sequence[Clause], only: Only, tokens: bool = False) -> Candidates:
    """The documents of which all clauses hold, of those to which a search is limited.

    With `tokens`, those of an annotation count as words.
    """
    gone, good = store.gone(), good_enough(store.connection, only)
    parts = list[Part]()
    for shard in store.shards():
        documents = _holding(shard, clauses, only.places_in(shard, good), tokens)
        left_out = shard.places_of(gone)
        parts.append(Part(shard, _without(documents, left_out) if len(left_out) else documents))
    return Candidates([part for part in parts if len(part.documents)])


def _without(documents: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
    import numpy as np

    return np.setdiff1d(documents, others, assume_unique=True)


def _holding(
    shard: Shard, clauses: Sequence[Clause], allowed: NDArray[np.int64] | None, tokens: bool
) -> NDArray[np.int64]:
    import numpy as np

    found = allowed
    for clause in clauses:
        held = _held(shard, clause, tokens)
        found = held if found is None else np.intersect1d(found, held, assume_unique=True)
        if not len(found):
            return found
    return np.arange(shard.documents) if found is None else found


def _held(shard: Shard, clause: Clause, tokens: bool) -> NDArray[np.int64]:
    """The documents of which a clause holds."""
    import numpy as np

    names = ("words", "tokens") if tokens and clause.stream == "words" else (clause.stream,)
    columns = [shard.columns[name] for name in names]
    held = [column.held_by(column.asked(clause.values, clause.prefix)) for column in columns]
    return held[0] if len(held) == 1 or not len(held[1]) else np.union1d(*held)


def starts_in(part: Part, query: Query) -> NDArray[np.int64]:
    """The words of a shard with which matches of a query of words begin, in some of its documents."""
    import numpy as np

    column = part.shard.words
    places = [place.condition for place in query.pattern.places()]
    asked = [column.asked(one.values, one.prefix) if isinstance(one, OneOf) else None for one in places]
    if any(numbers is not None and not len(numbers) for numbers in asked):
        return np.zeros(0, np.int64)
    counted = [(int(column.counts[n].sum()), at) for at, n in enumerate(asked) if n is not None]
    anchor = min(counted)[1]
    found = _places_of(part, asked[anchor])
    first, last = part.shard.paragraphs(found)
    found = found - anchor
    keep = (found >= first) & (found + len(asked) <= last)
    found, first, last = found[keep], first[keep], last[keep]
    for place, numbers in enumerate(asked):
        if place != anchor and numbers is not None:
            keep = _fits(column, column.numbers(found + place), numbers)
            found, first, last = found[keep], first[keep], last[keep]
    if query.near is not None:
        word = column.asked([query.near.word])
        keep = np.zeros(len(found), dtype=bool)
        for distance in range(1, query.near.window + 1):
            for at in (found - distance, found + len(asked) - 1 + distance):
                inside = (at >= first) & (at < last)
                keep[inside] |= _fits(column, column.numbers(at[inside]), word)
        found = found[keep]
    return found


def _places_of(part: Part, numbers: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """Where some values stand in the documents of a part."""
    import numpy as np

    assert numbers is not None
    column, documents = part.shard.words, part.documents
    if not len(documents):
        return np.zeros(0, np.int64)
    begins, sizes = column.starts[documents], part.sizes()
    first, last = int(begins[0]), int(begins[-1] + sizes[-1])
    if (last - first) > DENSE * int(sizes.sum()):
        places = ranges(begins, sizes)
        return places[_fits(column, column.numbers(places), numbers)]
    if len(numbers) == 1:
        low, high = int(numbers[0]) & 0xFFFF, int(numbers[0]) >> 16
        found = first + np.flatnonzero(column.low[first:last] == low)
        if len(column.high):
            found = found[column.high[found] == high]
    else:
        found = first + np.flatnonzero(_fits(column, column.numbers(slice(first, last)), numbers))
    if len(documents) == documents[-1] - documents[0] + 1:
        return found
    own = np.searchsorted(begins, found, "right") - 1
    return found[found < begins[own] + sizes[own]]


def _fits(column: Column, found: NDArray[np.uint32], numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether values are some of those with certain numbers, which are in order."""
    import numpy as np

    if len(numbers) and int(numbers[-1]) - int(numbers[0]) == len(numbers) - 1:
        inside: NDArray[np.bool_] = (found >= numbers[0]) & (found <= numbers[-1])
        return inside
    wanted = np.zeros(len(column), dtype=np.bool_)
    wanted[numbers] = True
    fits: NDArray[np.bool_] = wanted[found]
    return fits


def hopeful_in(part: Part, clauses: Sequence[Clause], most: int) -> list[int]:
    """The numbers of those documents of a part in which words of all clauses stand within so many places.

    The tokens of an annotation may be cut otherwise, so documents with one are all hopeful.
    """
    import numpy as np

    shard, documents = part.shard, part.documents
    told = sum(shard.columns[name].sizes()[documents] for name in ("tokens", "lemmas", "tags", "xtags")) > 0
    plain = Part(shard, documents[~told])
    places = [_places_of(plain, shard.words.asked(clause.values, clause.prefix)) for clause in clauses]
    places.sort(key=len)
    found = places[0]
    for others in places[1:]:
        next_one = np.append(others, 2 * len(shard.words.low) + most)[
            np.searchsorted(others, found - most + 1)
        ]
        found = found[next_one < found + most]
    owners = np.searchsorted(shard.words.starts, found, "right") - 1
    numbers: list[int] = shard.numbers[np.union1d(owners, documents[told])].tolist()
    return numbers


def documents_in(part: Part, query: Query) -> list[int]:
    """The numbers of the documents of a part that have a match."""
    import numpy as np

    owners = np.searchsorted(part.shard.words.starts, starts_in(part, query), "right") - 1
    numbers: list[int] = part.shard.numbers[np.unique(owners)].tolist()
    return numbers


def in_part(part: Part, query: Query, text_of: TextOf) -> Iterator[tuple[int, Streams, Matches]]:
    """The documents of a part that have a match: their numbers, streams and matches, in order."""
    import numpy as np

    found, starts = starts_in(part, query), part.shard.words.starts
    length = query.pattern.least
    owners = np.searchsorted(starts, found, "right") - 1
    documents, first = np.unique(owners, return_index=True)
    bounds, reader = [*first.tolist(), len(found)], Reader(part.shard, text_of)
    for at, document in enumerate(documents.tolist()):
        own = (found[bounds[at] : bounds[at + 1]] - starts[document]).tolist()
        matches = tuple((start, start + length) for start in own)
        yield int(part.shard.numbers[document]), reader.streams(document), matches
