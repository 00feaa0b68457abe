"""What the index holds of a text: its words, or its characters where a script writes no spaces."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import regex

from corpulyzer.text import word_spans

if TYPE_CHECKING:
    from corpulyzer.language import Language

# Scripts whose words no space or mark divides. Tibetan marks its syllables, and so is not among them.
_SCRIPTS = (
    *("Thai", "Lao", "Khmer", "Myanmar", "Han", "Hiragana", "Katakana", "Bopomofo", "Yi"),
    *("Tai_Tham", "New_Tai_Lue", "Tai_Le", "Tai_Viet", "Javanese", "Balinese"),
)
_CHARACTER = "[" + "".join(rf"\p{{{script}}}" for script in _SCRIPTS) + "ー々]"
_SPACELESS = regex.compile(_CHARACTER)
# A character with the marks on it, or a run of what stands between such characters.
_PIECE = regex.compile(rf"{_CHARACTER}[\p{{M}}\u200c\u200d]*|(?:(?!{_CHARACTER}).)+", regex.DOTALL)
# Languages in which small i and small dotless ı are two letters, and so are their capitals.
_DOTTED = frozenset({"tur", "aze", "azj", "crh", "tat", "gag"})
_DOTTED_CAPITALS = str.maketrans("İI", "iı")


@dataclass(frozen=True, slots=True)
class Units:
    """The units of a text in order: where each stands, and its folded form."""

    spans: list[tuple[int, int]]
    words: list[str]


def units_of(text: str, language: Language | None = None, near: tuple[str, ...] = ()) -> Units:
    """The units of a text without soft hyphens (`plain`); with `near`, of the lines that hold one of these.

    >>> units_of("Abantu ภาษาไทย").words
    ['abantu', 'ภ', 'า', 'ษ', 'า', 'ไ', 'ท', 'ย']
    """
    folded = fold(text, language)
    if len(folded) != len(text):
        spans = _spans(text, language)
        return Units(spans, [fold(text[start:end], language) for start, end in spans])
    if not near:
        spans = _spans(text, language)
    else:
        spans = [
            (first + start, first + end)
            for first, last in _lines_with(folded, near)
            for start, end in _spans(text[first:last], language)
        ]
    return Units(spans, [folded[start:end] for start, end in spans])


def breaks_of(text: str, spans: Sequence[tuple[int, int]]) -> list[int]:
    """The units with which paragraphs begin.

    >>> breaks_of("a b\\nc", [(0, 1), (2, 3), (4, 5)])
    [0, 2]
    """
    found, at = [0] if spans else [], text.find("\n")
    while at >= 0:
        unit = bisect_left(spans, (at,))
        if unit == len(spans):
            break
        if unit > found[-1]:
            found.append(unit)
        at = text.find("\n", max(at + 1, spans[unit][0]))
    return found


def _spans(text: str, language: Language | None) -> list[tuple[int, int]]:
    spans = word_spans(text, language)
    if not text.isascii() and _SPACELESS.search(text):
        return [piece for start, end in spans for piece in _pieces(text, start, end)]
    return spans


def _lines_with(text: str, wanted: tuple[str, ...]) -> list[tuple[int, int]]:
    """Begin and end of each line that holds one of the strings."""
    lines = set()
    for needle in wanted:
        place = text.find(needle)
        while place >= 0:
            end = text.find("\n", place)
            end = len(text) if end < 0 else end
            lines.add((text.rfind("\n", 0, place) + 1, end))
            place = text.find(needle, end)
    return sorted(lines)


def plain(text: str) -> str:
    """The text as the index holds it: without soft hyphens, which divide no word."""
    return text.replace("\xad", "")


def is_spaceless(text: str) -> bool:
    """Whether units of the text are characters instead of words.

    >>> is_spaceless("ไทย"), is_spaceless("isiXhosa")
    (True, False)
    """
    return _SPACELESS.search(text) is not None


def fold(word: str, language: Language | None = None) -> str:
    """The form of a word under which all its spellings in capitals and small letters are found."""
    if language is not None and language.code in _DOTTED:
        word = word.translate(_DOTTED_CAPITALS)
    return word.casefold()


def without_marks(word: str) -> str:
    """A word without its diacritics.

    >>> without_marks("Yorùbá šuma")
    'Yoruba suma'
    """
    if word.isascii():
        return word
    bare = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    return unicodedata.normalize("NFC", bare)


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    if not _SPACELESS.search(text, start, end):
        return [(start, end)]
    return [found.span() for found in _PIECE.finditer(text, start, end)]
