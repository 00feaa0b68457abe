"""Conditions: what may stand at one place of a text.

A condition is asked in two ways. `clauses` is what an index can be asked: it holds of every document with
such a unit, and of few others. `flags` is the closer look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

import regex

from corpulyzer.errors import UserError
from corpulyzer.search.units import without_marks

if TYPE_CHECKING:
    from corpulyzer.search.finding.streams import Streams

Stream = Literal["words", "forms", "lemmas", "tags", "xtags"]
"""`words` are folded; `forms` are the same as they are written."""

MOST_VALUES = 500
"""The most values that one clause names; a regular expression that fits more has none."""
SECONDS_FOR_A_VALUE = 2.0
"""A regular expression that takes longer for one word than this is given up."""
Lexicon = Callable[[Stream, str], Iterable[str]]
"""The values of an index' stream that begin with a string."""


@dataclass(frozen=True, slots=True)
class Clause:
    """What a document must hold: one of these values; with `prefix`, one that begins so."""

    stream: Stream
    values: tuple[str, ...]
    prefix: bool = False

    def or_else(self, other: Clause) -> Clause | None:
        """The clause that holds where one of two does; None if it cannot be said in one."""
        if (self.stream, self.prefix) != (other.stream, other.prefix):
            return None
        values = tuple(dict.fromkeys((*self.values, *other.values)))
        return Clause(self.stream, values, self.prefix) if len(values) <= MOST_VALUES else None


class Condition(Protocol):
    """What may stand at one place."""

    @property
    def streams(self) -> frozenset[Stream]:
        """The streams that it asks."""

    def flags(self, streams: Streams) -> list[bool]:
        """Whether each unit of a text fits."""

    def clauses(self, lexicon: Lexicon) -> list[Clause]:
        """What an index can be asked for."""


@dataclass(frozen=True, slots=True)
class Anything:
    """Any unit."""

    streams: frozenset[Stream] = frozenset()

    def flags(self, streams: Streams) -> list[bool]:
        return [True] * len(streams.words)

    def clauses(self, lexicon: Lexicon) -> list[Clause]:
        return []


@dataclass(frozen=True, slots=True)
class OneOf:
    """A unit that is one of some values, or begins with one; an index has them as `found_as`."""

    stream: Stream
    values: tuple[str, ...]
    prefix: bool = False
    found_as: tuple[str, ...] = ()

    @property
    def streams(self) -> frozenset[Stream]:
        return frozenset({self.stream})

    def flags(self, streams: Streams) -> list[bool]:
        column, values = streams.column(self.stream), self.values
        if self.prefix:
            return [value.startswith(values) for value in column]
        if len(values) == 1:
            (only,) = values
            return [value == only for value in column]
        wanted = frozenset(values)
        return [value in wanted for value in column]

    def clauses(self, lexicon: Lexicon) -> list[Clause]:
        stream: Stream = "words" if self.stream == "forms" else self.stream
        return [Clause(stream, self.found_as or self.values, self.prefix)]


@dataclass(frozen=True, slots=True)
class Like:
    """A unit that an expression fits as a whole; `begins` is what all such units begin with, folded."""

    stream: Stream
    expression: regex.Pattern[str]
    begins: str = ""
    marks: bool = True
    _known: dict[str, bool] = field(default_factory=dict, compare=False, repr=False)

    @property
    def streams(self) -> frozenset[Stream]:
        return frozenset({self.stream})

    def flags(self, streams: Streams) -> list[bool]:
        return [self.fits(value) for value in streams.column(self.stream)]

    def fits(self, value: str) -> bool:
        """Whether it fits a value."""
        known = self._known.get(value)
        if known is None:
            known = self._known[value] = self._asked(value)
        return known

    def _asked(self, value: str) -> bool:
        try:
            bare = value if self.marks else without_marks(value)
            return self.expression.fullmatch(bare, timeout=SECONDS_FOR_A_VALUE) is not None
        except (TimeoutError, MemoryError, RecursionError):
            raise UserError(
                f"The expression {self.expression.pattern!r} takes too long, at {value[:40]!r}.",
                "Write it without a repetition inside of a repetition.",
            ) from None

    def clauses(self, lexicon: Lexicon) -> list[Clause]:
        if self.stream == "forms":  # an index knows them folded, and does not know what they fit
            return self._by_beginning("words")
        values: list[str] = []
        for value in lexicon(self.stream, self.begins if self.marks else ""):
            if self.fits(value):
                values.append(value)
                if len(values) > MOST_VALUES:
                    return self._by_beginning(self.stream)
        return [Clause(self.stream, tuple(values))]

    def _by_beginning(self, stream: Stream) -> list[Clause]:
        return [Clause(stream, (self.begins,), prefix=True)] if self.marks and self.begins else []


@dataclass(frozen=True, slots=True)
class Not:
    """A unit that does not fit."""

    condition: Condition

    @property
    def streams(self) -> frozenset[Stream]:
        return self.condition.streams

    def flags(self, streams: Streams) -> list[bool]:
        return [not flag for flag in self.condition.flags(streams)]

    def clauses(self, lexicon: Lexicon) -> list[Clause]:
        return []


@dataclass(frozen=True, slots=True)
class Both:
    """A unit that fits two conditions."""

    first: Condition
    second: Condition

    @property
    def streams(self) -> frozenset[Stream]:
        return self.first.streams | self.second.streams

    def flags(self, streams: Streams) -> list[bool]:
        pairs = zip(self.first.flags(streams), self.second.flags(streams), strict=True)
        return [one and other for one, other in pairs]

    def clauses(self, lexicon: Lexicon) -> list[Clause]:
        return [*self.first.clauses(lexicon), *self.second.clauses(lexicon)]


@dataclass(frozen=True, slots=True)
class Either:
    """A unit that fits one of two conditions."""

    first: Condition
    second: Condition

    @property
    def streams(self) -> frozenset[Stream]:
        return self.first.streams | self.second.streams

    def flags(self, streams: Streams) -> list[bool]:
        pairs = zip(self.first.flags(streams), self.second.flags(streams), strict=True)
        return [one or other for one, other in pairs]

    def clauses(self, lexicon: Lexicon) -> list[Clause]:
        return one_of(self.first.clauses(lexicon), self.second.clauses(lexicon))


def one_of(first: Iterable[Clause], second: Iterable[Clause]) -> list[Clause]:
    """What holds where all of the first clauses do, or all of the second."""
    second = list(second)
    pairs = (one.or_else(other) for one in first for other in second)
    return [clause for clause in pairs if clause is not None]
