"""SimHash as C4Corpus describes it, done right (C4-9): 64 bits, character 7-grams, distance at most 3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le

from corpulyzer.dedup.near.method import Grouping, Signature
from corpulyzer.dedup.near.shingles import shingle_hashes

BANDS, BAND_BITS = 4, 16
PARTS, PART_BITS = 4, 12


@dataclass(frozen=True, slots=True)
class SimHash:
    """Documents whose 64-bit fingerprints differ in at most `distance` bits.

    If at most three bits differ, one of four bands of 16 bits is equal, and so is one of four parts of the
    other 48 bits. Buckets are the sixteen pairs of band and part: they miss no pair up to distance 3, and
    unrelated texts meet by chance in one of 2^28 buckets instead of 2^16.
    """

    distance: Annotated[int, "Most bits in which two fingerprints may differ.", Ge(0), Le(3)] = 3
    characters: Annotated[int, "Length of the character n-grams.", Ge(1)] = 7

    @property
    def name(self) -> str:
        return "simhash"

    @property
    def grouping(self) -> Grouping:
        return "greedy"

    def sign(self, text: str) -> Signature | None:
        """The fingerprint of a text's set of n-grams; None where there is no text."""
        value = self.fingerprint(text)
        if value is None:
            return None
        signed = value - (1 << 64) if value >= 1 << 63 else value
        return Signature(signed, value.to_bytes(8, "little"), tuple(buckets(value)))

    def fingerprint(self, text: str) -> int | None:
        """64 bits; each is 1 if it is 1 in more than half of the n-grams' hashes. None for an empty text."""
        import numpy as np

        pieces = [np.unique(hashes) for hashes in shingle_hashes(text, self.characters)]
        if not pieces:
            return None
        found = pieces[0] if len(pieces) == 1 else np.unique(np.concatenate(pieces))
        votes = np.zeros(64, np.int64)
        for start in range(0, len(found), 1 << 18):
            octets = found[start : start + (1 << 18)].astype("<u8").view(np.uint8).reshape(-1, 8)
            votes += np.unpackbits(octets, axis=1, bitorder="little").sum(axis=0, dtype=np.int64)
        packed = np.packbits(votes * 2 > len(found), bitorder="little").tobytes()
        return int.from_bytes(packed, "little")

    def similar(self, left: Sequence[bytes], right: Sequence[bytes]) -> list[bool]:
        """Whether two fingerprints are at most `distance` bits apart, pair by pair."""
        import numpy as np

        a, b = (np.frombuffer(b"".join(side), np.uint8).reshape(-1, 8) for side in (left, right))
        apart = np.unpackbits(a ^ b, axis=1).sum(axis=1)
        return [bool(bits <= self.distance) for bits in apart]


def buckets(fingerprint: int) -> list[int]:
    """The sixteen buckets of a fingerprint: each band with each part of the bits outside it."""
    found = []
    for band in range(BANDS):
        low = band * BAND_BITS
        inside = fingerprint >> low & 0xFFFF
        outside = fingerprint & ((1 << low) - 1) | fingerprint >> (low + BAND_BITS) << low
        for part in range(PARTS):
            bits = outside >> (part * PART_BITS) & 0xFFF
            found.append((band * PARTS + part) << 28 | inside << PART_BITS | bits)
    return found
