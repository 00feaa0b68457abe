"""The words of some documents as numbers of one list, whatever shards they stand in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpulyzer.search.shards.merge import ranges

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.search.finding.sequences import Candidates


@dataclass(frozen=True, slots=True)
class Numbered:
    """Words in the order of reading: which of the `values`, of which document and of which paragraph."""

    values: list[str]
    numbers: NDArray[np.int64]
    documents: NDArray[np.int64]
    paragraphs: NDArray[np.int64]


def numbered(some: Candidates) -> Numbered:
    """The words of some documents."""
    import numpy as np

    known: dict[str, int] = {}
    none = np.zeros(0, np.int64)
    numbers, documents, paragraphs, before = [none], [none], [none], 0
    for part in some.parts:
        column = part.shard.words
        sizes = part.sizes()
        places = ranges(column.starts[part.documents], sizes)
        own = column.numbers(places)
        used = np.flatnonzero(np.bincount(own, minlength=1))
        moved = np.zeros(len(column), dtype=np.int64)
        moved[used] = [known.setdefault(name, len(known)) for name in column.names(used)]
        numbers.append(moved[own])
        documents.append(np.repeat(part.numbers, sizes))
        paragraphs.append(before + np.searchsorted(part.shard.breaks, places, "right"))
        before += len(part.shard.breaks)
    return Numbered(list(known), *(np.concatenate(each) for each in (numbers, documents, paragraphs)))
