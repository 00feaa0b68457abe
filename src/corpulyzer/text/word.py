"""The one tokeniser, and two others that published counts were made with."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from corpulyzer.language import Language

# A word starts with a letter or digit; a joiner or underscore at its end does not belong to it.
_FIRST = r"[^\W_\p{M}\u200c\u200d]"
_LAST = r"(?<![_\u200c])"
_C4_NO_WORD = str.maketrans(dict.fromkeys("_|$#<>^=[]*/\\,;.-:()?!\"`'{}", " "))


def tokens(text: str, language: Language | None = None) -> list[str]:
    """The words and numbers of a text, with their combining marks and joiners.

    The language adds the characters that stand inside its words. Scripts without spaces give runs of
    text, not words: see `spaceless`. Soft hyphens are dropped.

    >>> tokens("Ng'ombe 3, हिन्दी")
    ['Ng', 'ombe', '3', 'हिन्दी']
    """
    if "\xad" in text:
        text = text.replace("\xad", "")
    found: list[str] = word_pattern(language.word_internal if language else "").findall(text)
    return found


def word_spans(text: str, language: Language | None = None) -> list[tuple[int, int]]:
    """Where the words of `tokens` begin and end in a text that holds no soft hyphen.

    >>> word_spans("Ng'ombe 3")
    [(0, 2), (3, 7), (8, 9)]
    """
    return [found.span() for found in word_pattern(language.word_internal if language else "").finditer(text)]


@cache
def word_pattern(internal: str) -> regex.Pattern[str]:
    """What a word looks like; `internal` are characters that may stand inside one."""
    inside = rf"(?:[{regex.escape(internal)}](?={_FIRST})\w+)*" if internal else ""
    return regex.compile(rf"{_FIRST}\w*{inside}{_LAST}")


def whitespace_token_count(text: str) -> int:
    """One more than the runs of white space: C4Corpus' count (C4-13), for reproduction only."""
    return 1 + len(regex.findall(r"\s+", text))


def c4_tokens(text: str) -> list[str]:
    """Lower-case strings between spaces and punctuation: C4Corpus' words (C4-15), for reproduction only."""
    return text.lower().translate(_C4_NO_WORD).split()
