"""Patterns over the units of a text: conditions one after the other, in choices and repetitions.

Like a condition, a pattern is asked in two ways: `clauses` by an index, `ends` by the closer look.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Literal, Protocol

from corpulyzer.errors import UserError
from corpulyzer.search.conditions import Clause, Condition, Lexicon, OneOf, Stream, one_of

if TYPE_CHECKING:
    from corpulyzer.search.finding.streams import Streams

Within = Literal["s", "p", "doc"]
"""What a match must not go beyond: its sentence, its paragraph, its document."""
SECONDS_FOR_A_QUERY = 20.0
"""A pattern that is looked for longer than this is given up."""


@dataclass(frozen=True, slots=True)
class Flags:
    """Where the places of a pattern fit in a text, by the place's number; and until when it is looked for."""

    at: Mapping[int, list[bool]]
    expires: float

    def spend(self) -> None:
        """Return if there is time left; UserError if not."""
        if time.monotonic() > self.expires:
            raise UserError(
                f"The query was given up after {SECONDS_FOR_A_QUERY:g} seconds.",
                "Repeat less inside of what is repeated, or ask for a rarer unit.",
            )


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

    def opening(self) -> Iterator[Place]:
        """The places that a match may begin with."""

    def ends(self, starts: frozenset[int], limit: int, flags: Flags) -> frozenset[int]:
        """Where a match ends that begins at one of the starts, none after the limit."""

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

    def opening(self) -> Iterator[Place]:
        yield self

    def ends(self, starts: frozenset[int], limit: int, flags: Flags) -> frozenset[int]:
        here = flags.at[self.number]
        return frozenset(start + 1 for start in starts if start < limit and here[start])

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

    def opening(self) -> Iterator[Place]:
        for part in self.parts:
            yield from part.opening()
            if part.least:
                return

    def ends(self, starts: frozenset[int], limit: int, flags: Flags) -> frozenset[int]:
        return reduce(lambda at, part: part.ends(at, limit, flags) if at else at, self.parts, starts)

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

    def opening(self) -> Iterator[Place]:
        yield from self.first.opening()
        yield from self.second.opening()

    def ends(self, starts: frozenset[int], limit: int, flags: Flags) -> frozenset[int]:
        return self.first.ends(starts, limit, flags) | self.second.ends(starts, limit, flags)

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

    def opening(self) -> Iterator[Place]:
        return self.part.opening()

    def ends(self, starts: frozenset[int], limit: int, flags: Flags) -> frozenset[int]:
        found = starts if not self.fewest else frozenset()
        at = starts
        for turn in range(1, self.times + 1):
            flags.spend()
            at = self.part.ends(at, limit, flags)
            if turn < self.fewest:
                continue
            if at <= found:
                break
            found |= at
        return found

    def clauses(self, lexicon: Lexicon) -> list[Clause]:
        return self.part.clauses(lexicon) if self.fewest else []


def spans_of(
    pattern: Pattern, streams: Streams, until: Callable[[int], int], expires: float = math.inf
) -> Iterator[tuple[int, int]]:
    """The first unit of each match and the one after its last.

    From every start it is the longest, and none lies inside of another. `until` tells of a unit before which
    one a match that begins there has to end.
    """
    flags = Flags({place.number: place.condition.flags(streams) for place in pattern.places()}, expires)
    begins = [flags.at[place.number] for place in pattern.opening()]
    last = 0
    for start, fits in enumerate(map(any, zip(*begins, strict=True)) if len(begins) > 1 else begins[0]):
        if not fits:
            continue
        flags.spend()
        ends = pattern.ends(frozenset({start}), until(start), flags)
        longest = max(ends, default=start)
        if longest > max(start, last):
            last = longest
            yield start, longest


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
