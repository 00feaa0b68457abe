"""Where the sentences and tokens of a text stand, punctuation included, for annotation and vertical files.

The words are those of `tokens`, the sentences those of `sentences`: nothing is cut a second way.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import regex

from corpulyzer.text.sentence import sentences
from corpulyzer.text.word import word_pattern

if TYPE_CHECKING:
    from corpulyzer.language import Language
    from corpulyzer.text.abbreviations import Learned

Span = tuple[int, int]

_SOFT_HYPHEN = "\xad"


def sentence_spans(text: str, language: Language | None = None, learned: Learned | None = None) -> list[Span]:
    """Start and end of each sentence, in code points.

    >>> sentence_spans("Da.  Ne!")
    [(0, 3), (5, 8)]
    """
    spans, at = [], 0
    for sentence in sentences(text, language, learned):
        start = text.index(sentence, at)
        at = start + len(sentence)
        spans.append((start, at))
    return spans


def token_spans(text: str, language: Language | None = None) -> list[Span]:
    """Start and end of each word, and of each run of one punctuation mark; invisible characters are left out.

    >>> [(a, b) for a, b in token_spans("Da... ne!")]
    [(0, 2), (2, 5), (6, 8), (8, 9)]
    """
    pattern = _pattern(language.word_internal if language else "")
    if _SOFT_HYPHEN not in text:
        return [match.span() for match in pattern.finditer(text)]
    places = [place for place, character in enumerate(text) if character != _SOFT_HYPHEN]
    bare = text.replace(_SOFT_HYPHEN, "")
    return [(places[match.start()], places[match.end() - 1] + 1) for match in pattern.finditer(bare)]


def form_of(text: str, span: Span) -> str:
    """The characters of a span, without soft hyphens."""
    return text[span[0] : span[1]].replace(_SOFT_HYPHEN, "")


@cache
def _pattern(internal: str) -> regex.Pattern[str]:
    return regex.compile(rf"{word_pattern(internal).pattern}|(?P<mark>[^\s\p{{Cf}}\p{{Cc}}])(?P=mark)*+")
