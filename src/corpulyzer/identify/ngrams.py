"""Character n-grams of words, hashed: what every model of ours is made of.

An n-gram never crosses a word's border, so that the score of a text is the sum of the scores of its words,
and a word seen before costs one look-up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import regex

Ids = npt.NDArray[np.int64]
Points = npt.NDArray[np.uint32]

# Scripts without spaces give tokens of any length; pieces keep the n-grams of one countable in a byte.
MAX_TOKEN = 40
_NO_LETTERS = regex.compile(r"[^\p{L}\p{M}\n]+")
_BASE = np.uint32(0x01000193)
_SPREAD = np.uint32(0x9E3779B1)
_STIR = np.uint32(0x85EBCA6B)
_SPACE, _NEWLINE = np.uint32(32), np.uint32(10)
_POWERS = np.multiply.accumulate(np.array([1, *[0x2C1B3C6D] * (2 * MAX_TOKEN)], np.uint32))


def tokens_of(text: str, limit: int) -> list[str]:
    """At most `limit` stretches of a text between spaces; long ones in pieces."""
    found = text.split(None, limit)[:limit]
    if len(text) <= MAX_TOKEN or not any(len(token) > MAX_TOKEN for token in found):
        return found
    return [token[i : i + MAX_TOKEN] for token in found for i in range(0, len(token), MAX_TOKEN)][:limit]


def letters_of(tokens: Sequence[str]) -> str:
    """The tokens a line each, in lower case, with nothing but letters, their marks, and spaces between.

    >>> letters_of(["I-Afrika,", "12", "ng'ombe"])
    'i afrika \\n \\nng ombe'
    """
    # Two letters of the Turkic alphabets become two characters each in lower case; the count must not grow.
    return _NO_LETTERS.sub(" ", "\n".join(tokens).replace("İ", "i").lower())


def hashed(tokens: Sequence[str], orders: Sequence[int], bits: int) -> Iterator[tuple[Ids, Ids]]:
    """For each order the bucket of every n-gram, and the number of the token it lies in, ascending.

    A word begins and ends with a space. Order 0 is the whole word.
    """
    text = f"\n{letters_of(tokens)}\n"
    raw = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    owners = np.cumsum(raw == _NEWLINE) - 1
    points = np.where(raw == _NEWLINE, _SPACE, raw)
    spaces = points == _SPACE
    if 0 in orders:
        yield _whole(points, spaces, owners, bits)
    rolling: Points = np.zeros(len(points) + 1, np.uint32)
    crossing = np.zeros(len(points) + 1, bool)
    for order in range(1, max(orders) + 1):
        count = len(points) - order + 1
        if count <= 0:
            return
        rolling = (rolling[:count] * _BASE + points[order - 1 :] * _SPREAD).astype(np.uint32, copy=False)
        crossing = crossing[:count] | spaces[order - 2 : order - 2 + count] if order > 2 else crossing[:count]
        if order in orders:
            valid = ~crossing if order > 2 else ~(spaces[:count] & spaces[order - 1 :])
            yield _bucket(rolling[valid], order, bits), owners[:count][valid]


def _whole(points: Points, spaces: npt.NDArray[np.bool_], owners: Ids, bits: int) -> tuple[Ids, Ids]:
    """The bucket of each word as a whole, and its token."""
    starts = np.flatnonzero(~spaces[1:] & spaces[:-1]) + 1
    if not len(starts):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    letters = np.flatnonzero(~spaces)
    word = np.searchsorted(starts, letters, "right") - 1
    place = np.minimum(letters - starts[word], len(_POWERS) - 1)
    sums = np.add.reduceat(points[letters] * _SPREAD * _POWERS[place], np.searchsorted(letters, starts))
    return _bucket(sums.astype(np.uint32), 0, bits), owners[starts]


def _bucket(hashes: Points, order: int, bits: int) -> Ids:
    mixed = hashes + np.uint32(order * 0x5BD1E995 & 0xFFFFFFFF)
    mixed ^= mixed >> np.uint32(15)
    mixed *= _STIR
    mixed ^= mixed >> np.uint32(13)
    return (mixed >> np.uint32(32 - bits)).astype(np.int64)
