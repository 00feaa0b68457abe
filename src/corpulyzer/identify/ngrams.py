"""Character n-grams of words, hashed: what every model of ours is made of.

An n-gram never crosses a word's border, so that the score of a text is the sum of the scores of its words,
and a word seen before costs one look-up. New words are hashed together, a page's at once.
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

# Scripts without spaces give tokens of any length; pieces keep the n-grams of one countable in a byte.
MAX_TOKEN = 40
# Planes beyond hold ideographs, and nothing else that matters here.
_PLANES = 0x20000
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
    # The capital I with a dot becomes two characters in lower case; a token must not grow.
    text = "\n" + "\n".join(tokens).replace("İ", "i").lower() + "\n"
    raw = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    points = np.where(_is_letter()[np.minimum(raw, _PLANES)], raw, _SPACE)
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


def weights_of(order: int) -> tuple[int, ...]:
    """What each letter of an n-gram, or of a whole word, is multiplied with before they are summed up."""
    if order:
        return tuple(int(_SPREAD) * pow(int(_BASE), order - 1 - place, 1 << 32) for place in range(order))
    return tuple(int(_SPREAD) * int(power) for power in _POWERS[1:])


def bucket_of(total: int, order: int, bits: int) -> int:
    """The bucket of one n-gram from the sum of its letters, as `hashed` gives it."""
    mixed = total + order * 0x5BD1E995 & 0xFFFFFFFF
    mixed ^= mixed >> 15
    mixed = mixed * 0x85EBCA6B & 0xFFFFFFFF
    mixed ^= mixed >> 13
    return mixed >> (32 - bits)


@cache
def _is_letter() -> Flags:
    """Which code points are letters or their marks; the last entry stands for all beyond the table."""
    every = "".join(chr(point) if not 0xD800 <= point < 0xE000 else " " for point in range(_PLANES))
    flags = np.zeros(_PLANES + 1, bool)
    for match in regex.finditer(r"[\p{L}\p{M}]+", every):
        flags[match.start() : match.end()] = True
    flags[_PLANES] = True
    return flags
