"""The documents that may have a match, as shards know it from who holds which value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corpulyzer.search.finding.only import Only, good_enough

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.search.conditions import Clause
    from corpulyzer.search.shards.column import Column
    from corpulyzer.search.shards.shard import Shard
    from corpulyzer.search.shards.store import Store


@dataclass(frozen=True, slots=True)
class Asked:
    """The numbers that clauses stand for in columns, each found once for a query."""

    known: dict[tuple[int, Clause], NDArray[np.int64]] = field(default_factory=dict)

    def numbers(self, column: Column, clause: Clause) -> NDArray[np.int64]:
        """The numbers of the values of a column that a clause names, in order."""
        key = (id(column), clause)
        if key not in self.known:
            self.known[key] = column.asked(clause.values, clause.prefix)
        return self.known[key]


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
        return self.shard.words.sizes(self.documents)


@dataclass(frozen=True, slots=True)
class Candidates:
    """All documents that may have a match, shard by shard, in the order in which they came in."""

    parts: Sequence[Part]
    asked: Asked = field(default_factory=Asked, repr=False)

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

    def chosen(self, places: Sequence[int]) -> Candidates:
        """Some of them, by their places among all."""
        import numpy as np

        wanted, before, parts = np.unique(np.array(places, dtype=np.int64)), 0, []
        for part in self.parts:
            first, last = np.searchsorted(wanted, [before, before + len(part.documents)])
            if last > first:
                parts.append(Part(part.shard, part.documents[wanted[first:last] - before]))
            before += len(part.documents)
        return Candidates(parts, self.asked)


def documents_of(store: Store, only: Only) -> Candidates:
    """All documents to which a search is limited."""
    return candidates_of(store, [], only)


def candidates_of(store: Store, clauses: Sequence[Clause], only: Only, tokens: bool = False) -> Candidates:
    """The documents of which all clauses hold, of those to which a search is limited.

    With `tokens`, those of an annotation count as words.
    """
    gone, good = store.gone(), good_enough(store.connection, only)
    parts, asked = list[Part](), Asked()
    for shard in store.shards():
        held = (_held(shard, clause, tokens, asked) for clause in clauses)
        documents = _holding(shard, held, only.places_in(shard, good))
        left_out = shard.places_of(gone)
        parts.append(Part(shard, _without(documents, left_out) if len(left_out) else documents))
    return Candidates([part for part in parts if len(part.documents)], asked)


def _without(documents: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
    import numpy as np

    return np.setdiff1d(documents, others, assume_unique=True)


def _holding(
    shard: Shard, every: Iterable[NDArray[np.int64]], allowed: NDArray[np.int64] | None
) -> NDArray[np.int64]:
    """The documents that are in every list, and allowed."""
    import numpy as np

    found = allowed
    for held in every:
        found = held if found is None else _both(shard, found, held)
        if not len(found):
            return found
    return np.arange(shard.documents) if found is None else found


def _both(shard: Shard, some: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
    """The documents that are in two lists; to mark them is quicker than to sort them."""
    import numpy as np

    there = np.zeros(shard.documents, dtype=np.bool_)
    there[others] = True
    return some[there[some]]


def _held(shard: Shard, clause: Clause, tokens: bool, asked: Asked) -> NDArray[np.int64]:
    """The documents of which a clause holds."""
    import numpy as np

    names = ("words", "tokens") if tokens and clause.stream == "words" else (clause.stream,)
    columns = [shard.columns[name] for name in names]
    held = [column.held_by(asked.numbers(column, clause)) for column in columns]
    return held[0] if len(held) == 1 or not len(held[1]) else np.union1d(*held)
