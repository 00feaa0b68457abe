"""Character n-grams of words, hashed: what every model of ours is made of.

An n-gram never crosses a word's border, so that the score of a text is the sum of the scores of its words.
Words are hashed together, a page's at once; `_score.c` does the same one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import regex

Ids = npt.NDArray[np.int64]
Points = npt.NDArray[np.uint32]
Flags = npt.NDArray[np.bool_]

# Tokens of scripts without spaces may be very long; they are cut, so that the n-grams of one fit in a byte.
MAX_TOKEN = 40
# Only the first two planes are looked up: beyond are ideographs.
PLANES = 0x20000
_BASE = np.uint32(0x01000193)
_SPREAD = np.uint32(0x9E3779B1)
_STIR = np.uint32(0x85EBCA6B)
_SPACE, _NEWLINE = np.uint32(32), np.uint32(10)
_POWERS = np.multiply.accumulate(np.array([1, *[0x2C1B3C6D] * (2 * MAX_TOKEN)], np.uint32))


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters of some tokens in a row, lower case, a space before and after each word.

    `owners` is the number of the token that each letter, or the word after a space, belongs to.
    """

    points: Points
    spaces: Flags
    owners: Ids

    @property
    def starts(self) -> Ids:
        """Where words begin."""
        return np.flatnonzero(~self.spaces[1:] & self.spaces[:-1]) + 1

    def first_words(self) -> dict[int, str]:
        """The first word of each token that has one, by the token's number."""
        words = self.points.tobytes().decode("utf-32-le").split()
        return dict(zip(self.owners[self.starts].tolist()[::-1], words[::-1], strict=True))


def tokens_of(text: str, limit: int) -> list[str]:
    """At most `limit` stretches of a text between spaces; long ones in pieces.

    >>> tokens_of("Dobar dan, svijete", 2)
    ['Dobar', 'dan,']
    """
    found = text.split(None, limit)[:limit]
    if not found or max(map(len, found)) <= MAX_TOKEN:
        return found
    return [token[i : i + MAX_TOKEN] for token in found for i in range(0, len(token), MAX_TOKEN)][:limit]


def letters_of(tokens: Sequence[str]) -> Letters:
    """What tokens are made of: letters with their marks; all else parts words."""
    text = "\n" + "\n".join(tokens) + "\n"
    raw = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    points = np.where(raw < PLANES, lower_letters()[np.minimum(raw, PLANES - 1)], raw)
    return Letters(points, points == _SPACE, np.cumsum(raw == _NEWLINE) - 1)


def hashed(letters: Letters, orders: Sequence[int], bits: int) -> Iterator[tuple[Ids, Ids]]:
    """For each order the bucket of every n-gram, and the number of the token it lies in, ascending.

    A word begins and ends with a space. Order 0 is the whole word.
    """
    points, spaces, owners = letters.points, letters.spaces, letters.owners
    if 0 in orders:
        starts = letters.starts
        yield _bucket(_whole(letters, starts), 0, bits), owners[starts]
    spread = points * _SPREAD
    for order in orders:
        count = len(points) - order + 1
        if order and count > 0:
            hashes = spread[:count]
            # A word of one letter has a space on both sides; two spaces side by side are no word.
            crossing = spaces[:count] & spaces[order - 1 :] if order < 3 else spaces[1 : 1 + count]
            for place in range(1, order):
                hashes = hashes * _BASE + spread[place : place + count]
                if 1 < place < order - 1:
                    crossing = crossing | spaces[place : place + count]
            inside = np.flatnonzero(~crossing)
            yield _bucket(hashes.take(inside), order, bits), owners.take(inside)


def buckets_of(grams: Sequence[str], order: int, bits: int) -> Ids:
    """The buckets of n-grams of one order, as `hashed` gives them; a space is the border of a word."""
    points = np.frombuffer("".join(grams).encode("utf-32-le", "surrogatepass"), np.uint32).reshape(-1, order)
    rolling: Points = np.zeros(len(points), np.uint32)
    for column in range(order):
        rolling = (rolling * _BASE + points[:, column] * _SPREAD).astype(np.uint32, copy=False)
    return _bucket(rolling, order, bits)


def _whole(letters: Letters, starts: Ids) -> Points:
    """A hash of each word as a whole."""
    if not len(starts):
        return np.zeros(0, np.uint32)
    places = np.arange(len(letters.points))
    last_space = np.maximum.accumulate(np.where(letters.spaces, places, 0))
    inside = np.minimum(places - last_space, len(_POWERS) - 1)
    terms = np.where(letters.spaces, np.uint32(0), letters.points * _SPREAD * _POWERS[inside])
    return np.add.reduceat(terms, starts).astype(np.uint32)


def _bucket(hashes: Points, order: int, bits: int) -> Ids:
    mixed = hashes + np.uint32(order * 0x5BD1E995 & 0xFFFFFFFF)
    mixed ^= mixed >> np.uint32(15)
    mixed *= _STIR
    mixed ^= mixed >> np.uint32(13)
    return (mixed >> np.uint32(32 - bits)).astype(np.int64)


@cache
def lower_letters() -> Points:
    """By code point the letter or mark in lower case, a space for all else; those beyond it are letters."""
    codes = np.arange(PLANES, dtype="<u4")
    codes[0xD800:0xE000] = ord(" ")  # surrogates
    every = codes.tobytes().decode("utf-32-le")
    # The capital I with a dot becomes two characters in lower case; a token must not grow.
    lower = np.frombuffer(every.replace("İ", "i").lower().encode("utf-32-le"), np.uint32)
    points = np.full(PLANES, _SPACE)
    for match in regex.finditer(r"[\p{L}\p{M}]+", every):
        points[match.start() : match.end()] = lower[match.start() : match.end()]
    return points
