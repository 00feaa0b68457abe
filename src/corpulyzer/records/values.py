"""Columns of a batch as numbers, and the different values of those that repeat themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Different:
    """The different values of a column, the row in which each is first, and which of them each row has."""

    values: list[str]
    first: list[int]
    places: NDArray[np.int64]

    @staticmethod
    def of(batch: pa.RecordBatch, name: str) -> Different:
        import numpy as np

        coded = batch.column(name).fill_null("").dictionary_encode()
        places = coded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        _, first = np.unique(places, return_index=True)
        return Different(list(map(str, coded.dictionary.to_pylist())), first.tolist(), places)

    def flags(self, of_values: Iterable[bool]) -> NDArray[np.bool_]:
        """What is so of each value, for each row."""
        import numpy as np

        return np.fromiter(of_values, np.bool_, len(self.values))[self.places]


def are_equal(batch: pa.RecordBatch, one: str, other: str) -> NDArray[np.bool_]:
    """In which rows two columns are equal."""
    import pyarrow.compute as pc

    same = pc.equal(batch.column(one), batch.column(other)).fill_null(False)
    found: NDArray[np.bool_] = same.to_numpy(zero_copy_only=False)
    return found


def numbers(batch: pa.RecordBatch, name: str) -> NDArray[np.int64]:
    """A column of integers."""
    found: NDArray[np.int64] = batch.column(name).to_numpy(zero_copy_only=False)
    return found
