"""What a person asks for: a sequence of words, beginnings of words, lemmas and tags.

`abantu` is a word, `abantu base` a phrase, `aba*` every word that begins so, `*` any one word, `abantu|umntu`
one or the other; `lemma:umntu`, `tag:NOUN` and `xpos:Ncm*` ask the annotation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from corpulyzer.errors import UserError
from corpulyzer.search.units import fold, plain, units_of
from corpulyzer.text import clean

if TYPE_CHECKING:
    from corpulyzer.language import Language

Stream = Literal["words", "lemmas", "tags", "xtags"]
_STREAMS: dict[str, Stream] = {
    "word": "words",
    "lemma": "lemmas",
    "tag": "tags",
    "upos": "tags",
    "xpos": "xtags",
}
HOW = "Ask for words: `abantu`, `abantu base`, `aba*`, `abantu|umntu`, `lemma:umntu`, `tag:NOUN`."


@dataclass(frozen=True, slots=True)
class Term:
    """One place of a query: what may stand there. Without values, anything may."""

    values: tuple[str, ...] = ()
    stream: Stream = "words"
    prefix: bool = False

    def fits(self, value: str) -> bool:
        """Whether a unit of its stream may stand here."""
        if not self.values:
            return True
        return value.startswith(self.values) if self.prefix else value in self.values


@dataclass(frozen=True, slots=True)
class Clause:
    """What a document must hold: one of these phrases; with `prefix`, the last word of each is a prefix."""

    stream: Stream
    phrases: tuple[tuple[str, ...], ...]
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """The places of a query, side by side."""

    text: str
    terms: tuple[Term, ...]

    @property
    def word(self) -> str:
        """The one word that is asked for; empty if it is more than that."""
        only = self.terms[0]
        plain_word = len(self.terms) == 1 and only.stream == "words" and not only.prefix
        return only.values[0] if plain_word and len(only.values) == 1 else ""

    @property
    def annotated(self) -> bool:
        """Whether it asks for what an annotation says: its tokens are then the units."""
        return any(term.stream != "words" for term in self.terms)

    @property
    def needles(self) -> tuple[str, ...]:
        """Strings of which every paragraph with a match holds one; none where an annotation is asked."""
        if self.annotated:
            return ()
        return max((term.values for term in self.terms if term.values), key=lambda vs: min(map(len, vs)))

    def clauses(self) -> list[Clause]:
        """What an index is asked: all of these hold of every document with a match, and of few others."""
        parts, phrase = list[Clause](), list[str]()
        for term in (*self.terms, Term()):
            simple = term.stream == "words" and len(term.values) == 1
            if simple:
                phrase.append(term.values[0])
            if phrase and (not simple or term.prefix):
                parts.append(Clause("words", (tuple(phrase),), prefix=simple))
                phrase = []
            if term.values and not simple:
                parts.append(Clause(term.stream, tuple((value,) for value in term.values), term.prefix))
        return parts


def parse(text: str, language: Language | None = None) -> Query:
    """The query that a person has written; UserError where there is nothing to look for.

    >>> [term.values for term in parse("aba* Base|bakhe").terms]
    [('aba',), ('base', 'bakhe')]
    """
    terms: list[Term] = []
    for piece in plain(clean(text)).split():
        terms += _terms(piece, language)
    while terms and not terms[-1].values:
        terms.pop()
    while terms and not terms[0].values:
        terms.pop(0)
    if not terms:
        raise UserError(f"There is no word to look for in {text!r}.", HOW)
    return Query(text.strip(), tuple(terms))


def _terms(piece: str, language: Language | None) -> list[Term]:
    name, colon, rest = piece.partition(":")
    stream = _STREAMS.get(name.lower()) if colon and rest else None
    if stream is not None and stream != "words":
        return [_annotated(rest, stream, language)]
    piece = rest if stream else piece
    if piece == "*":
        return [Term()]
    alternatives = [each for each in piece.split("|") if each]
    prefix = _begins(piece, alternatives)
    found = [units_of(each.rstrip("*"), language).words for each in alternatives]
    return _of_alternatives(piece, [words for words in found if words], prefix)


def _begins(piece: str, alternatives: Sequence[str]) -> bool:
    """Whether words are asked for by their beginnings: all that may stand here, or none."""
    stars = [each.endswith("*") for each in alternatives]
    if any("*" in each.rstrip("*") for each in alternatives):
        raise UserError(f"{piece!r} has a star inside of a word.", "A star stands at the end: `aba*`.")
    if any(stars) and not all(stars):
        raise UserError(f"{piece!r} has a star at some words only.", "Write `aba*|umn*`, or ask one by one.")
    return bool(stars) and all(stars)


def _of_alternatives(piece: str, found: Sequence[list[str]], prefix: bool) -> list[Term]:
    if len(found) > 1:
        if any(len(words) > 1 for words in found):
            raise UserError(f"{piece!r} has an alternative of several words.", "Ask for them one by one.")
        return [Term(tuple(dict.fromkeys(words[0] for words in found)), prefix=prefix)]
    words = found[0] if found else []
    return [Term((word,), prefix=prefix and word is words[-1]) for word in words]


def _annotated(value: str, stream: Stream, language: Language | None) -> Term:
    values = [each for each in value.split("|") if each]
    prefix = value != "*" and _begins(value, values)
    values = [bare for each in values if (bare := each.rstrip("*"))]
    folded = (fold(each, language) if stream == "lemmas" else each for each in values)
    return Term(tuple(dict.fromkeys(folded)), stream, prefix)
