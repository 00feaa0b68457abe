"""What a stream has in some documents, as numbers of one list, whatever shards they stand in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpulyzer.search.finding.layer import BREAKS
from corpulyzer.search.shards.merge import ranges

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.search.conditions import Stream
    from corpulyzer.search.finding.candidates import Candidates
    from corpulyzer.search.shards.shard import Shard


@dataclass(frozen=True, slots=True)
class Numbered:
    """Units in the order of reading: which of the `values`, of which document and of which paragraph."""

    values: list[str]
    numbers: NDArray[np.int64]
    documents: NDArray[np.int64]
    paragraphs: NDArray[np.int64]


def numbered(some: Candidates, stream: Stream = "words") -> Numbered:
    """The words of some documents, or what an annotation says of each of their units."""
    import numpy as np

    known: dict[str, int] = {}
    none = np.zeros(0, np.int64)
    numbers, documents, paragraphs, before = [none], [none], [none], 0
    for part in some.parts:
        column = part.shard.columns[stream]
        sizes = column.sizes(part.documents)
        own = column.numbers(ranges(column.begins(part.documents), sizes))
        used = np.flatnonzero(np.bincount(own, minlength=1))
        moved = np.zeros(len(column) + 1, dtype=np.int64)
        moved[used] = [known.setdefault(name, len(known)) for name in column.names(used)]
        numbers.append(moved[own])
        documents.append(np.repeat(part.numbers, sizes))
        paragraphs.append(before + _paragraphs(part.shard, part.documents, stream))
        before += sum(len(marks) for marks in part.shard.marks.values())
    return Numbered(list(known), *(np.concatenate(each) for each in (numbers, documents, paragraphs)))


def _paragraphs(shard: Shard, documents: NDArray[np.int64], stream: Stream) -> NDArray[np.int64]:
    """A number for the paragraph of each unit; tokens have other ones than words."""
    import numpy as np

    sizes = shard.columns[stream].sizes(documents)
    tokens = (shard.columns["tokens"].sizes(documents) > 0) & (stream != "words")
    found = np.zeros(int(sizes.sum()), dtype=np.int64)
    of_tokens, before = np.repeat(tokens, sizes), 0
    for base, own in (("words", ~tokens), ("tokens", tokens)):
        marks, begins = shard.marks[BREAKS[base]], shard.columns[base].begins(documents[own])
        places = ranges(begins, sizes[own]).astype(np.uint32)
        found[of_tokens == (base == "tokens")] = before + np.searchsorted(marks, places, "right")
        before += len(marks) + 1
    return found
