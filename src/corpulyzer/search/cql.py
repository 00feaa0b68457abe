r"""The query language of corpus managers (CQL), as far as an annotation of tokens can answer it.

A unit is `[word="leto" & tag="N.*"]`, with `!`, `&`, `|`, `!=` and parentheses; `"leto"` is short for
`[word="leto"]`, and `[]` is any unit. Values are regular expressions that fit a whole value; `%c` after one
ignores capitals, `%d` diacritics, `%l` takes it letter by letter. Units stand side by side; `(… | …)` is a
choice, `?`, `*`, `+`, `{2}`, `{1,3}` repeat what stands before them, and `within s`, `within p` or
`within doc` at the end says what a match must not go beyond.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Never

import regex

from corpulyzer.errors import UserError
from corpulyzer.search.conditions import Anything, Both, Condition, Either, Like, Not, OneOf, Stream
from corpulyzer.search.pattern import Choice, Pattern, Place, Query, Repeated, Sequence, Within
from corpulyzer.search.units import fold, without_marks

if TYPE_CHECKING:
    from corpulyzer.language import Language

ATTRIBUTES: dict[str, Stream] = {
    "word": "forms",
    "lc": "words",
    "lemma": "lemmas",
    "tag": "tags",
    "upos": "tags",
    "pos": "tags",
    "xpos": "xtags",
    "msd": "xtags",
}
NARROW: dict[str, Within] = {"s": "s", "p": "p", "doc": "doc", "<s/>": "s", "<p/>": "p", "<doc/>": "doc"}
FAR = 100
"""The most units that `*`, `+` and `{2,}` take."""
DEEP = 50
"""The most parentheses inside of each other."""
LONG = 1_000
"""The most characters of a query."""
_NAME = regex.compile(r"\p{L}+")
_QUOTED = regex.compile(r'"((?:[^"\\]|\\.)*)"', regex.DOTALL)
_OPTIONS = regex.compile(r"%([a-z]+)")
_TIMES = regex.compile(r"\{\s*(\d{0,3})\s*(,?)\s*(\d{0,3})\s*\}")
_WITHIN = regex.compile(r"within\s+(<?\w+(?:/>)?)")
_SPECIAL = regex.compile(r"[\\.+*?()|\[\]{}^$]")
_QUOTE = regex.compile(r'\\(["\\])')
_CALLS = regex.compile(r"\(\?(?:R|[0-9+-]|&|P>)")
_COUNTS = regex.compile(r"\{(\d*),?(\d*)\}")
MOST_TIMES = 1_000
ANYTHING = ".*"
_ESCAPED = regex.compile(r"\\(\W)")


def parse(text: str, language: Language | None = None) -> Query:
    """The query of a text; UserError with the place of what is not understood.

    >>> parse('[lemma="leto"] []{0,2} "dni"').pattern.least
    2
    """
    reader = _Reader(text, language)
    pattern = reader.choice(0)
    within = reader.within()
    if reader.rest():
        reader.refuse("a unit `[…]`, `within s` or the end")
    if not pattern.least:
        raise UserError(
            f"{text!r} fits places without a word.", "Ask for at least one unit: `[…]` or `[…]+`."
        )
    return Query(text, pattern, within, tokens=True)


@dataclass(slots=True)
class _Reader:
    """Reads a query from left to right."""

    text: str
    language: Language | None
    at: int = 0
    numbers: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        if len(self.text) > LONG:
            raise UserError(f"The query has {len(self.text):,} characters.", f"Ask with at most {LONG:,}.")

    def rest(self) -> str:
        """What was not read yet."""
        left = self.text[self.at :].lstrip()
        self.at = len(self.text) - len(left)
        return left

    def refuse(self, wanted: str) -> Never:
        """Say where the query is not understood."""
        here = f"at its end, after {self.text[-20:]!r}" if not self.rest() else f"at {self.rest()[:20]!r}"
        raise UserError(
            f"The query is not understood {here} (character {self.at + 1}): there should be {wanted}.",
            'Write it like `[lemma="umntu" & tag="N.*"] []{0,3} [tag="VERB"] within s`.',
        )

    def took(self, piece: str) -> bool:
        """Read a piece, if it is the next."""
        found = self.rest().startswith(piece)
        self.at += len(piece) if found else 0
        return found

    def took_like(self, expression: regex.Pattern[str]) -> regex.Match[str] | None:
        """Read what an expression fits, if that is next."""
        self.rest()
        found = expression.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found

    def choice(self, depth: int) -> Pattern:
        """Sequences of which one may stand."""
        if depth > DEEP:
            self.refuse(f"at most {DEEP} parentheses inside of each other")
        found = self._sequence(depth)
        while self.took("|"):
            found = Choice(found, self._sequence(depth))
        return found

    def _sequence(self, depth: int) -> Pattern:
        parts = [self._repeated(depth)]
        while self.rest().startswith(("[", '"', "(")):
            parts.append(self._repeated(depth))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _repeated(self, depth: int) -> Pattern:
        found = self._unit(depth)
        while (times := self._times()) is not None:
            found = Repeated(found, *times)
        return found

    def _unit(self, depth: int) -> Pattern:
        if self.took("("):
            found = self.choice(depth + 1)
            if not self.took(")"):
                self.refuse("`)`")
            return found
        if self.rest().startswith('"'):
            return Place(self._value("forms"), next(self.numbers))
        if not self.took("["):
            self.refuse('a unit: `[word="…"]`, `"…"` or `[]`')
        condition: Condition = Anything() if self.rest().startswith("]") else self._either(depth + 1)
        if not self.took("]"):
            self.refuse("`&`, `|` or `]`")
        return Place(condition, next(self.numbers))

    def _times(self) -> tuple[int, int] | None:
        for mark, times in (("?", (0, 1)), ("*", (0, FAR)), ("+", (1, FAR))):
            if self.took(mark):
                return times
        if not self.rest().startswith("{"):
            return None
        found = _TIMES.match(self.text, self.at)
        if found is None or not (found[1] or found[3]):
            self.refuse("how often: `{2}`, `{1,3}` or `{2,}`")
        fewest = int(found[1] or 0)
        most = fewest if not found[2] else int(found[3] or FAR)
        if not 1 <= most <= FAR or fewest > most:
            self.refuse(f"how often, at most {FAR} times, the smaller number first")
        self.at = found.end()
        return fewest, most

    def within(self) -> Within:
        """What a match must not go beyond; a paragraph where nothing is said."""
        if not self.rest().startswith("within"):
            return "p"
        found = _WITHIN.match(self.text, self.at)
        if found is None or found[1] not in NARROW:
            self.refuse("`within s`, `within p` or `within doc`")
        self.at = found.end()
        return NARROW[found[1]]

    def _either(self, depth: int) -> Condition:
        if depth > DEEP:
            self.refuse(f"at most {DEEP} parentheses inside of each other")
        found = self._both(depth)
        while self.took("|"):
            found = Either(found, self._both(depth))
        return found

    def _both(self, depth: int) -> Condition:
        found = self._single(depth)
        while self.took("&"):
            found = Both(found, self._single(depth))
        return found

    def _single(self, depth: int) -> Condition:
        if self.took("!"):
            return Not(self._single(depth + 1)) if depth <= DEEP else self.refuse("fewer `!`")
        if self.took("("):
            found = self._either(depth + 1)
            if not self.took(")"):
                self.refuse("`)`")
            return found
        if self.rest().startswith('"'):
            return self._value("forms")
        return self._compared()

    def _compared(self) -> Condition:
        self.rest()
        begun, name = self.at, self.took_like(_NAME)
        if name is None or name[0] not in ATTRIBUTES:
            self.at = begun
            self.refuse(f"one of {', '.join(ATTRIBUTES)}")
        differs = self.took("!=")
        if not differs and not self.took("="):
            self.refuse("`=` or `!=`")
        found = self._value(ATTRIBUTES[name[0]])
        return Not(found) if differs else found

    def _value(self, stream: Stream) -> Condition:
        self.rest()
        begun, quoted = self.at, self.took_like(_QUOTED)
        if quoted is None:
            self.refuse('a value in quotation marks: `"…"`')
        options = self.took_like(_OPTIONS)
        letters = set(options[1]) if options else set()
        if not letters <= set("cdl"):
            self.refuse("`%c` (capitals), `%d` (diacritics) or `%l` (letter by letter)")
        try:
            return condition(stream, quoted[1], letters, self.language)
        except (regex.error, ValueError, OverflowError, RecursionError) as error:
            self.at = begun
            self.refuse(f"a regular expression ({error})")


def condition(stream: Stream, value: str, letters: set[str], language: Language | None) -> Condition:
    """A unit whose value an expression fits; `letters` are the options of the value."""
    expression = regex.escape(_QUOTE.sub(r"\1", value)) if "l" in letters else value
    must_be_small(expression)
    capitals = "c" not in letters and stream != "lemmas"
    marks = "d" not in letters
    if stream == "forms" and not capitals:
        stream = "words"
    prefix = expression.endswith(ANYTHING) and not expression.endswith("\\" + ANYTHING)
    values = literals(expression.removesuffix(ANYTHING) if prefix else expression)
    if prefix and len(values) > 1:  # the end belongs to the last of them alone
        values = ()
    if values and marks and (capitals or stream in ("words", "lemmas")):
        return _one_of(stream, values, language, prefix)
    either_case = not capitals and stream in ("tags", "xtags")
    begins = "" if "|" in expression or either_case else beginning(expression)
    if stream in ("words", "lemmas"):
        begins = fold(begins, language)
    bare = expression if marks else without_marks(expression)
    folds = stream in ("words", "lemmas") or not capitals
    compiled = regex.compile(bare, regex.IGNORECASE | regex.FULLCASE if folds else 0)
    return Like(stream, compiled, fold(begins, language) if stream == "forms" else begins, marks)


def must_be_small(expression: str) -> None:
    """Return if an expression cannot grow without bounds; ValueError if it can."""
    if _CALLS.search(expression):
        raise ValueError("an expression cannot call itself")
    times = [max(int(least or 0), int(most or 0)) for least, most in _COUNTS.findall(expression)]
    if math.prod(max(1, n) for n in times) > MOST_TIMES:
        raise ValueError(f"something is repeated more than {MOST_TIMES:,} times")


def _one_of(stream: Stream, values: tuple[str, ...], language: Language | None, prefix: bool) -> OneOf:
    folded = tuple(dict.fromkeys(fold(value, language) for value in values))
    if stream == "forms":
        return OneOf("forms", values, prefix, found_as=folded)
    return OneOf(stream, folded if stream in ("words", "lemmas") else values, prefix)


def literals(expression: str) -> tuple[str, ...]:
    """The values that an expression fits, where it is plain letters, or several of these; else none.

    >>> literals("leto|dan"), literals("a\\\\.b"), literals("le.o")
    (('leto', 'dan'), ('a.b',), ())
    """
    pieces = expression.split("|")
    bare = [_ESCAPED.sub("", piece) for piece in pieces]
    if any(_SPECIAL.search(piece) for piece in bare) or not all(pieces) or "\\|" in expression:
        return ()
    return tuple(dict.fromkeys(_ESCAPED.sub(r"\1", piece) for piece in pieces))


def beginning(expression: str) -> str:
    """Letters with which every value begins that an expression fits."""
    found = _SPECIAL.search(expression)
    if found is None:
        return expression
    begins = expression[: found.start()]
    return begins[:-1] if found[0] in "*?{" else begins
