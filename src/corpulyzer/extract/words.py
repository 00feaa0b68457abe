"""How many words a block has, by the white space in it: enough for rules of thumb, and quick."""

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
