"""Character n-grams of a text as hashes: a set that every script has, with or without spaces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PIECE = 1 << 20
_BASE = 0x9E3779B97F4A7C15
_MIX = 0xD6E8FEB86659FD93


def normal(text: str) -> str:
    """The text with every run of white space as one space: layout makes no difference."""
    return " ".join(text.split())


def shingles(text: str, size: int) -> set[str]:
    """The set of character n-grams whose Jaccard index is meant; a shorter text is its own n-gram.

    >>> sorted(shingles("a  bcd", 4))
    [' bcd', 'a bc']
    """
    text = normal(text)
    return {text[i : i + size] for i in range(max(1, len(text) - size + 1))} if text else set()


def shingle_hashes(text: str, size: int) -> Iterator[NDArray[np.uint64]]:
    """A 64-bit hash for each n-gram, repeated ones too, in pieces of a megabyte of characters.

    Twenty microseconds for a page: the hash of an n-gram is a polynomial of its code points, then mixed.
    """
    import numpy as np

    text = normal(text)
    for start in range(0, max(1, len(text) - size + 1) if text else 0, PIECE):
        points = np.frombuffer(
            text[start : start + PIECE + size - 1].encode("utf-32-le", "surrogatepass"), np.uint32
        )
        length = max(1, len(points) - size + 1)
        hashes = np.zeros(length, np.uint64)
        for offset in range(min(size, len(points))):
            hashes *= np.uint64(_BASE)
            hashes += points[offset : offset + length]
        yield mixed(hashes)


def mixed(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The hashes with every bit spread over all bits."""
    import numpy as np

    for _ in range(2):
        hashes = (hashes ^ (hashes >> np.uint64(32))) * np.uint64(_MIX)
    return hashes ^ (hashes >> np.uint64(32))
