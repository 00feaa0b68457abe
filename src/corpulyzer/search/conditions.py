"""Conditions: what may stand at one place of a text.

A condition is asked in two ways. `clauses` is what an index can be asked: it holds of every document with
such a unit, and of few others. `fits` is the closer look at some units.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

import regex

from corpulyzer.errors import UserError
from corpulyzer.search.finding.wider import Wider, widened
from corpulyzer.search.units import without_marks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.search.finding.layer import Layer

Stream = Literal["words", "forms", "lemmas", "tags", "xtags"]
"""`words` are folded; `forms` are the same as they are written."""

MOST_VALUES = 500
"""The most values that one clause names; a regular expression that fits more has none."""
SECONDS_FOR_A_VALUE = 2.0
"""A regular expression that takes longer for one word than this is given up."""
SECONDS_FOR_ALL = 10.0
"""So is one that takes longer for all words together."""
MOST_KNOWN = 100_000
"""The most values of which it is remembered whether an expression fits them."""


class Lexicon(Protocol):
    """The values of an index."""

    def fitting(self, asked: Like) -> tuple[str, ...] | None:
        """The values that an expression may fit, those that it fits among them; None if there are many."""


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

    def fits(self, layer: Layer, at: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether some units of a layer fit."""

    def clauses(self, lexicon: Lexicon) -> list[Clause]:
        """What an index can be asked for."""


@dataclass(frozen=True, slots=True)
class Anything:
    """Any unit."""

    streams: frozenset[Stream] = frozenset()

    def fits(self, layer: Layer, at: NDArray[np.int64]) -> NDArray[np.bool_]:
        import numpy as np

        return np.ones(len(at), dtype=np.bool_)

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

    def fits(self, layer: Layer, at: NDArray[np.int64]) -> NDArray[np.bool_]:
        folded = layer.has(self._clause(), at)
        if self.stream != "forms":
            return folded
        if self.prefix:
            return _as_written(layer, at, folded, lambda form: form.startswith(self.values))
        wanted = frozenset(self.values)
        return _as_written(layer, at, folded, lambda form: form in wanted)

    def clauses(self, lexicon: Lexicon) -> list[Clause]:
        return [self._clause()]

    def _clause(self) -> Clause:
        stream: Stream = "words" if self.stream == "forms" else self.stream
        return Clause(stream, self.found_as or self.values, self.prefix)


@dataclass(frozen=True, slots=True)
class Like:
    """A unit that an expression fits as a whole; `begins` is what all such units begin with, folded."""

    stream: Stream
    expression: regex.Pattern[str]
    begins: str = ""
    marks: bool = True
    _known: dict[str, bool] = field(default_factory=dict, compare=False, repr=False)
    _spent: list[float] = field(default_factory=lambda: [0.0], compare=False, repr=False)

    @property
    def streams(self) -> frozenset[Stream]:
        return frozenset({self.stream})

    def fits(self, layer: Layer, at: NDArray[np.int64]) -> NDArray[np.bool_]:
        import numpy as np

        if self.stream != "forms":
            return layer.fits(self.stream, at, id(self), lambda values: map(self.suits, values))
        folded = np.ones(len(at), dtype=np.bool_)
        for clause in self._by_beginning("words"):
            folded = layer.has(clause, at)
        folded[folded] = layer.fits("words", at[folded], id(self), self.may_be)
        return _as_written(layer, at, folded, self.suits)

    @property
    def wider(self) -> Wider | None:
        """What fits all values that it fits, as they are folded; None if nothing is known that does."""
        return widened(self.expression.pattern) if self.marks else None

    def may_be(self, values: Sequence[str]) -> Iterable[bool]:
        """Whether it may fit what words are written like that are folded to these."""
        import pyarrow as pa

        fits = self.wider.among(pa.array(values, pa.string())) if self.wider else None
        return [True] * len(values) if fits is None else fits.tolist()

    def suits(self, value: str) -> bool:
        """Whether it fits a value."""
        known = self._known.get(value)
        if known is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            known = self._known[value] = self._asked(value)
        return known

    def _asked(self, value: str) -> bool:
        begun = time.monotonic()
        try:
            bare = value if self.marks else without_marks(value)
            if self._spent[0] > SECONDS_FOR_ALL:
                raise TimeoutError
            found = self.expression.fullmatch(bare, timeout=SECONDS_FOR_A_VALUE) is not None
        except (TimeoutError, MemoryError, RecursionError):
            raise UserError(
                f"The expression {self.expression.pattern!r} takes too long, at {value[:40]!r}.",
                "Write it without a repetition inside of a repetition.",
            ) from None
        self._spent[0] += time.monotonic() - begun
        return found

    def clauses(self, lexicon: Lexicon) -> list[Clause]:
        stream: Stream = "words" if self.stream == "forms" else self.stream  # an index knows words folded
        values = lexicon.fitting(self)
        return self._by_beginning(stream) if values is None else [Clause(stream, values)]

    def _by_beginning(self, stream: Stream) -> list[Clause]:
        return [Clause(stream, (self.begins,), prefix=True)] if self.marks and self.begins else []


@dataclass(frozen=True, slots=True)
class Not:
    """A unit that does not fit."""

    condition: Condition

    @property
    def streams(self) -> frozenset[Stream]:
        return self.condition.streams

    def fits(self, layer: Layer, at: NDArray[np.int64]) -> NDArray[np.bool_]:
        return ~self.condition.fits(layer, at)

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

    def fits(self, layer: Layer, at: NDArray[np.int64]) -> NDArray[np.bool_]:
        found = self.first.fits(layer, at)
        found[found] = self.second.fits(layer, at[found])
        return found

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

    def fits(self, layer: Layer, at: NDArray[np.int64]) -> NDArray[np.bool_]:
        found = self.first.fits(layer, at)
        found[~found] = self.second.fits(layer, at[~found])
        return found

    def clauses(self, lexicon: Lexicon) -> list[Clause]:
        return one_of(self.first.clauses(lexicon), self.second.clauses(lexicon))


def _as_written(
    layer: Layer, at: NDArray[np.int64], folded: NDArray[np.bool_], asked: Callable[[str], bool]
) -> NDArray[np.bool_]:
    """Whether those units that may fit as they are folded do so as they are written."""
    found = folded.copy()
    found[folded] = [asked(form) for form in layer.forms(at[folded])]
    return found


def one_of(first: Iterable[Clause], second: Iterable[Clause]) -> list[Clause]:
    """What holds where all of the first clauses do, or all of the second."""
    second = list(second)
    pairs = (one.or_else(other) for one in first for other in second)
    return [clause for clause in pairs if clause is not None]
