"""Words and the white space between them: quick, and enough for rules of thumb."""

from __future__ import annotations

import regex

# No script with spaces has words that long on average, so a longer run has no spaces between its words.
_MAX_MEAN_CHARACTERS = 20
_CHARACTERS_PER_WORD = 2
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")


def word_count(text: str) -> int:
    """The number of words, estimated from the letters in scripts that put no space between words.

    >>> word_count("یہ ایک جملہ ہے"), word_count("これは文章であり、言葉の間に空白がありません")
    (4, 10)
    """
    count = text.count(" ") + 1
    if len(text) > _MAX_MEAN_CHARACTERS * count and not text.isascii():
        count = max(count, len(_UNSPACED.findall(text)) // _CHARACTERS_PER_WORD)
    return count


_LONG = 1 << 16
_UNEVEN_SPACE = regex.compile(r"\s{2,}|[^\S ]")


def collapsed(text: str) -> str:
    """The text with single spaces for white space of any kind.

    Megabytes of it are not split, since the words would take ten times the room.
    """
    return " ".join(text.split()) if len(text) < _LONG else _UNEVEN_SPACE.sub(" ", text).strip()
