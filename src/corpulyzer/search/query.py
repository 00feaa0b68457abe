"""What a person asks for: words side by side, or a pattern in the query language of corpora (`cql.py`).

`abantu` is a word, `abantu base` a phrase, `aba*` every word that begins so, `*` any one word, `abantu|umntu`
one or the other; `lemma:umntu`, `tag:NOUN` and `xpos:Ncm*` ask the annotation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corpulyzer.errors import UserError
from corpulyzer.search import cql, pattern
from corpulyzer.search.conditions import Anything, OneOf, Stream
from corpulyzer.search.pattern import Place, Query
from corpulyzer.search.units import fold, plain, units_of
from corpulyzer.text import clean

if TYPE_CHECKING:
    from corpulyzer.language import Language

_STREAMS: dict[str, Stream] = {
    "word": "words",
    "lemma": "lemmas",
    "tag": "tags",
    "upos": "tags",
    "xpos": "xtags",
}
HOW = (
    "Ask for words: `abantu`, `abantu base`, `aba*`, `abantu|umntu`, `lemma:umntu`, `tag:NOUN`; or for a"
    ' pattern: `[lemma="umntu"] []{0,3} [tag="VERB"]`.'
)


def parse(text: str, language: Language | None = None) -> Query:
    """The query that a person has written; UserError where there is nothing to look for.

    >>> [place.condition.values for place in parse("aba* Base|bakhe").pattern.places()]
    [('aba',), ('base', 'bakhe')]
    """
    text = plain(clean(text)).strip()
    if "[" in text:
        return cql.parse(text, language)
    found: list[OneOf | Anything] = []
    for piece in text.split():
        found += _conditions(piece, language)
    while found and isinstance(found[-1], Anything):
        found.pop()
    while found and isinstance(found[0], Anything):
        found.pop(0)
    if not found:
        raise UserError(f"There is no word to look for in {text!r}.", HOW)
    places = (Place(condition, number) for number, condition in enumerate(found))
    tokens = any(isinstance(each, OneOf) and each.stream != "words" for each in found)
    return Query(text, pattern.Sequence(tuple(places)), tokens=tokens)


def _conditions(piece: str, language: Language | None) -> list[OneOf | Anything]:
    name, colon, rest = piece.partition(":")
    stream = _STREAMS.get(name.lower()) if colon and rest else None
    if stream is not None and stream != "words":
        return [_annotated(rest, stream, language)]
    piece = rest if stream else piece
    if piece == "*":
        return [Anything()]
    alternatives = [each for each in piece.split("|") if each]
    prefix = _begins(piece, alternatives)
    found = [units_of(each.rstrip("*"), language).words for each in alternatives]
    return _of_alternatives(piece, [words for words in found if words], prefix)


def _begins(piece: str, alternatives: Sequence[str]) -> bool:
    """Whether words are asked for by their beginnings: all that may stand here, or none."""
    stars = [each.endswith("*") for each in alternatives]
    if any("*" in each.rstrip("*") for each in alternatives):
        hint = 'A star stands at the end: `aba*`. An expression stands in brackets: `[word="a.*u"]`.'
        raise UserError(f"{piece!r} has a star inside of a word.", hint)
    if any(stars) and not all(stars):
        raise UserError(f"{piece!r} has a star at some words only.", "Write `aba*|umn*`, or ask one by one.")
    return bool(stars) and all(stars)


def _of_alternatives(piece: str, found: Sequence[list[str]], prefix: bool) -> list[OneOf | Anything]:
    if len(found) > 1:
        if any(len(words) > 1 for words in found):
            raise UserError(f"{piece!r} has an alternative of several words.", "Ask for them one by one.")
        return [OneOf("words", tuple(dict.fromkeys(words[0] for words in found)), prefix)]
    words = found[0] if found else []
    return [OneOf("words", (word,), prefix and word is words[-1]) for word in words]


def _annotated(value: str, stream: Stream, language: Language | None) -> OneOf | Anything:
    values = [each for each in value.split("|") if each]
    prefix = value != "*" and _begins(value, values)
    values = [bare for each in values if (bare := each.rstrip("*"))]
    folded = (fold(each, language) if stream == "lemmas" else each for each in values)
    return OneOf(stream, tuple(dict.fromkeys(folded)), prefix) if values else Anything()
