"""Patterns over the units of a text: conditions one after the other, in choices and repetitions.

Like a condition, a pattern is asked in two ways: `clauses` by an index, `reach` by the closer look, of all
the places at once from which it is looked for. `anchor` says of which units it is best to begin with.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from corpulyzer.errors import UserError
from corpulyzer.search.conditions import Anything, Clause, Condition, Lexicon, OneOf, Stream, one_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.search.finding.layer import Layer

Within = Literal["s", "p", "doc"]
"""What a match must not go beyond: its sentence, its paragraph, its document."""
SECONDS_FOR_A_QUERY = 20.0
"""A pattern that is looked for longer than this is given up."""


class Reached(NamedTuple):
    """How far matches have come: which of the starts, and the unit after what has fitted; each pair once."""

    start: NDArray[np.int64]
    at: NDArray[np.int64]

    def also(self, other: Reached) -> Reached:
        """These and others."""
        import numpy as np

        return _pairs(np.union1d(_keys(self), _keys(other)))

    def without(self, other: Reached) -> Reached:
        """Those that are none of the others."""
        import numpy as np

        return _pairs(np.setdiff1d(_keys(self), _keys(other), assume_unique=True))


_WIDTH = 1 << 32
"""More than a shard has units."""


def _keys(reached: Reached) -> NDArray[np.int64]:
    return reached.start * _WIDTH + reached.at


def _pairs(keys: NDArray[np.int64]) -> Reached:
    return Reached(keys // _WIDTH, keys % _WIDTH)


@dataclass(frozen=True, slots=True)
class Walk:
    """Where a pattern is looked for: before which unit each start's matches end; and until when."""

    layer: Layer
    limits: NDArray[np.int64]
    expires: float

    def spend(self) -> None:
        """Return if there is time left; UserError if not."""
        must_be_before(self.expires)


def must_be_before(expires: float) -> None:
    """Return if there is time left; UserError if not."""
    if time.monotonic() > expires:
        raise UserError(
            f"The query was given up after {SECONDS_FOR_A_QUERY:g} seconds.",
            "Repeat less inside of what is repeated, or ask for a rarer unit.",
        )


class Sought(NamedTuple):
    """A clause of which every match has a unit, so many units after its first."""

    clause: Clause
    least: int
    most: int


class Anchor(NamedTuple):
    """Units of which every match has one; `cost` is how many starts they make."""

    cost: int
    sought: tuple[Sought, ...]


Asked = Callable[["Place"], "list[tuple[int, Clause]]"]
"""The clauses of a place, with how often units have them."""


class Pattern(Protocol):
    """What may stand from a place on."""

    @property
    def least(self) -> int:
        """The fewest units that it takes."""

    @property
    def most(self) -> int:
        """The most units that it takes."""

    def places(self) -> Iterator[Place]:
        """Its places, in order."""

    def reach(self, walk: Walk, reached: Reached) -> Reached:
        """How far matches come that have come so far before it."""

    def anchor(self, asked: Asked) -> Anchor | None:
        """The units to begin with; None if all have to be tried."""

    def clauses(self, lexicon: Lexicon) -> list[Clause]:
        """What an index can be asked for."""


@dataclass(frozen=True, slots=True)
class Place:
    """One unit."""

    condition: Condition
    number: int = 0

    least = most = 1

    def places(self) -> Iterator[Place]:
        yield self

    def reach(self, walk: Walk, reached: Reached) -> Reached:
        inside = reached.at < walk.limits[reached.start]
        start, at = reached.start[inside], reached.at[inside]
        fits = self.condition.fits(walk.layer, at)
        return Reached(start[fits], at[fits] + 1)

    def anchor(self, asked: Asked) -> Anchor | None:
        found = min(asked(self), key=lambda pair: pair[0], default=None)
        return Anchor(found[0], (Sought(found[1], 0, 0),)) if found else None

    def clauses(self, lexicon: Lexicon) -> list[Clause]:
        return self.condition.clauses(lexicon)


@dataclass(frozen=True, slots=True)
class Sequence:
    """Patterns one after the other."""

    parts: tuple[Pattern, ...]

    @property
    def least(self) -> int:
        return sum(part.least for part in self.parts)

    @property
    def most(self) -> int:
        return sum(part.most for part in self.parts)

    def places(self) -> Iterator[Place]:
        for part in self.parts:
            yield from part.places()

    def reach(self, walk: Walk, reached: Reached) -> Reached:
        return reduce(lambda so_far, part: part.reach(walk, so_far), self.parts, reached)

    def anchor(self, asked: Asked) -> Anchor | None:
        found, least, most = list[Anchor](), 0, 0
        for part in self.parts:
            own = part.anchor(asked)
            if own is not None:
                sought = tuple(Sought(each, least + low, most + high) for each, low, high in own.sought)
                found.append(Anchor(own.cost * (most - least + 1), sought))
            least, most = least + part.least, most + part.most
        return min(found, key=lambda anchor: anchor.cost, default=None)

    def clauses(self, lexicon: Lexicon) -> list[Clause]:
        return [clause for part in self.parts for clause in part.clauses(lexicon)]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of two patterns."""

    first: Pattern
    second: Pattern

    @property
    def least(self) -> int:
        return min(self.first.least, self.second.least)

    @property
    def most(self) -> int:
        return max(self.first.most, self.second.most)

    def places(self) -> Iterator[Place]:
        yield from self.first.places()
        yield from self.second.places()

    def reach(self, walk: Walk, reached: Reached) -> Reached:
        return self.first.reach(walk, reached).also(self.second.reach(walk, reached))

    def anchor(self, asked: Asked) -> Anchor | None:
        one, other = self.first.anchor(asked), self.second.anchor(asked)
        return Anchor(one.cost + other.cost, one.sought + other.sought) if one and other else None

    def clauses(self, lexicon: Lexicon) -> list[Clause]:
        return one_of(self.first.clauses(lexicon), self.second.clauses(lexicon))


@dataclass(frozen=True, slots=True)
class Repeated:
    """A pattern so many times."""

    part: Pattern
    fewest: int
    times: int

    @property
    def least(self) -> int:
        return self.fewest * self.part.least

    @property
    def most(self) -> int:
        return self.times * self.part.most

    def places(self) -> Iterator[Place]:
        return self.part.places()

    def reach(self, walk: Walk, reached: Reached) -> Reached:
        if isinstance(self.part, Place) and isinstance(self.part.condition, Anything):
            return self._leap(walk, reached)
        new = reached
        for _ in range(self.fewest):
            walk.spend()
            new = self.part.reach(walk, new)
        found = new
        for _ in range(self.fewest, self.times):
            walk.spend()
            new = self.part.reach(walk, new).without(found)
            if not len(new.at):
                break
            found = found.also(new)
        return found

    def _leap(self, walk: Walk, reached: Reached) -> Reached:
        """The same over any units: none of them needs to be looked at, and none is reached twice.

        From each unit a span of units is reached; what the span before has reached is left out of it.
        """
        import numpy as np

        walk.spend()
        begun = _pairs(np.unique(_keys(reached)))
        first = begun.at + self.fewest
        last = np.minimum(begun.at + self.times, walk.limits[begun.start])
        again = np.flatnonzero(begun.start[1:] == begun.start[:-1]) + 1
        first[again] = np.maximum(first[again], last[again - 1] + 1)
        sizes = np.maximum(last - first + 1, 0)
        before = np.repeat(np.cumsum(sizes) - sizes, sizes)
        at = np.repeat(first, sizes) + np.arange(len(before)) - before
        return Reached(np.repeat(begun.start, sizes), at)

    def anchor(self, asked: Asked) -> Anchor | None:
        return self.part.anchor(asked) if self.fewest else None

    def clauses(self, lexicon: Lexicon) -> list[Clause]:
        return self.part.clauses(lexicon) if self.fewest else []


@dataclass(frozen=True, slots=True)
class Near:
    """A word that must stand within so many units of a match, in its paragraph."""

    word: str
    window: int


@dataclass(frozen=True, slots=True)
class Query:
    """A pattern, and where it is looked for.

    With `tokens` it is answered by the tokens of annotations where documents have one, marks and all; else
    by words.
    """

    text: str
    pattern: Pattern
    within: Within = "p"
    tokens: bool = False
    near: Near | None = None

    @property
    def streams(self) -> frozenset[Stream]:
        """The streams that it asks."""
        return frozenset(name for place in self.pattern.places() for name in place.condition.streams)

    @property
    def word(self) -> str:
        """The one word that is asked for; empty if it is more than that."""
        places = list(self.pattern.places())
        simple = len(places) == 1 and not self.tokens and not self.near
        return _only_word(places[0]) if simple else ""

    def clauses(self, lexicon: Lexicon) -> list[Clause]:
        """What an index is asked: all of these hold of every document with a match."""
        own = self.pattern.clauses(lexicon)
        return own if self.near is None else [*own, Clause("words", (self.near.word,))]


def _only_word(place: Place) -> str:
    """The one word that may stand at a place; empty if several may."""
    asked = place.condition
    single = isinstance(asked, OneOf) and asked.stream == "words" and len(asked.values) == 1
    return asked.values[0] if isinstance(asked, OneOf) and single and not asked.prefix else ""
