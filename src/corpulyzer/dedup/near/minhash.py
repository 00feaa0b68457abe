"""MinHash over character 5-grams: the default, since it estimates the Jaccard index and knows no script."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import xxhash
from annotated_types import Ge, Gt, Le

from corpulyzer.dedup.near.method import Grouping, Signature
from corpulyzer.dedup.near.shingles import shingle_hashes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SEED = 42


@dataclass(frozen=True, slots=True)
class MinHash:
    """Documents whose estimated Jaccard index of character n-grams is at least `similarity`.

    A pair of Jaccard j becomes a candidate with the chance 1 − (1 − j^rows)^bands: .991 at .8 for 20 bands of
    7 rows. Candidates are compared by all `permutations`, one byte of each: the standard error of the
    estimate is .03 at .7, and bytes that are equal by chance (1 in 256) are taken off.
    """

    similarity: Annotated[float, "Estimated Jaccard index from which two texts are one.", Gt(0), Le(1)] = 0.7
    characters: Annotated[int, "Length of the character n-grams.", Ge(1)] = 5
    permutations: Annotated[int, "Hash functions; more make the estimate better.", Ge(1)] = 256
    bands: Annotated[int, "Buckets that a text falls into; bands × rows ≤ permutations.", Ge(1)] = 20
    rows: Annotated[int, "Minima that two texts must share to be compared.", Ge(1)] = 7

    @property
    def name(self) -> str:
        return "minhash"

    @property
    def grouping(self) -> Grouping:
        return "linked"

    def sign(self, text: str) -> Signature | None:
        """The minima of a text's n-grams under each hash function; None where there is no text."""
        minima: list[int] | None = None
        for hashes in shingle_hashes(text, self.characters):
            found = self._minima(hashes)
            minima = found if minima is None else list(map(min, minima, found))
        if minima is None:
            return None
        packed = struct.pack(f"<{self.permutations}I", *minima)
        width = 4 * self.rows
        bands = (packed[start : start + width] for start in range(0, self.bands * width, width))
        buckets = tuple(_signed_hash(band, number) for number, band in enumerate(bands, 1))
        return Signature(_signed_hash(packed), packed[::4], buckets)

    def similar(self, left: Sequence[bytes], right: Sequence[bytes]) -> list[bool]:
        """Whether the share of equal minima reaches `similarity`, pair by pair."""
        return [found >= self.similarity for found in self.estimates(left, right)]

    def estimates(self, left: Sequence[bytes], right: Sequence[bytes]) -> list[float]:
        """The estimated Jaccard index of each pair."""
        import numpy as np

        a, b = (
            np.frombuffer(b"".join(side), np.uint8).reshape(-1, self.permutations) for side in (left, right)
        )
        equal = (a == b).mean(axis=1)
        return [max(0.0, float(share)) for share in (equal - 1 / 256) / (1 - 1 / 256)]

    def _minima(self, hashes: NDArray[np.uint64]) -> list[int]:
        import numpy as np
        from rensa import RMinHash

        offsets = np.array([0, len(hashes)], np.uint64)
        matrix = RMinHash.digest_matrix_from_flat_token_hashes(
            hashes, offsets, num_perm=self.permutations, seed=SEED
        )
        found: list[int] = matrix.to_rows()[0]
        return found


def _signed_hash(data: bytes, seed: int = 0) -> int:
    value: int = xxhash.xxh3_64_intdigest(data, seed)
    return value - (1 << 64) if value >= 1 << 63 else value
