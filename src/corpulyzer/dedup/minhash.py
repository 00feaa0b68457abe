"""MinHash over character 5-grams: the default, since it estimates the Jaccard index and knows no script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import xxhash
from annotated_types import Ge, Gt, Le

from corpulyzer.dedup.near import Grouping, Signature
from corpulyzer.dedup.shingles import mixed, shingle_hashes

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
        import numpy as np

        minima = None
        for hashes in shingle_hashes(text, self.characters):
            found = self._minima(hashes)
            minima = found if minima is None else np.minimum(minima, found)
        if minima is None:
            return None
        bands = minima[: self.bands * self.rows].astype(np.uint64).reshape(self.bands, self.rows)
        keys = np.arange(1, self.bands + 1, dtype=np.uint64)
        for row in range(self.rows):
            keys = mixed(keys ^ bands[:, row]) + np.uint64(row)
        key = np.uint64(xxhash.xxh3_64_intdigest(minima.tobytes())).astype(np.int64)
        return Signature(int(key), minima.astype(np.uint8).tobytes(), tuple(keys.astype(np.int64).tolist()))

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

    def _minima(self, hashes: NDArray[np.uint64]) -> NDArray[np.uint32]:
        import numpy as np
        from rensa import RMinHash

        offsets = np.array([0, len(hashes)], np.uint64)
        matrix = RMinHash.digest_matrix_from_flat_token_hashes(
            hashes, offsets, num_perm=self.permutations, seed=SEED
        )
        return np.array(matrix.to_rows()[0], np.uint32)
