"""What a stream has in some documents, as numbers of one list, whatever shards they stand in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.search.finding.layer import BREAKS
from corpulyzer.search.shards.column import encoded
from corpulyzer.search.shards.merge import ranges

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.search.conditions import Stream
    from corpulyzer.search.finding.candidates import Candidates
    from corpulyzer.search.shards.shard import Shard


@dataclass(frozen=True, slots=True)
class Numbered:
    """Units in the order of reading: which of the values, of which document and of which paragraph.

    `raw` are the bytes of the values, as an array of Arrow.
    """

    raw: Any
    numbers: NDArray[np.int64]
    documents: NDArray[np.int64]
    paragraphs: NDArray[np.int64]

    def values(self) -> list[str]:
        """All values."""
        return [value.decode("utf-8", "surrogatepass") for value in self.raw.to_pylist()]

    def value(self, number: int) -> str:
        """The value of a number."""
        value: bytes = self.raw[number].as_py()
        return value.decode("utf-8", "surrogatepass")

    def number(self, value: str) -> int:
        """The number of a value; -1 if it does not occur."""
        import pyarrow.compute as pc

        return int(pc.index(self.raw, encoded(value)).as_py())


def numbered(some: Candidates, stream: Stream = "words") -> Numbered:
    """The words of some documents, or what an annotation says of each of their units."""
    import numpy as np

    none = np.zeros(0, np.int64)
    numbers, documents, paragraphs, before = [none], [none], [none], 0
    values = list[Any]()
    for part in some.parts:
        column = part.shard.columns[stream]
        sizes = column.sizes(part.documents)
        used, own = np.unique(
            column.numbers(ranges(column.begins(part.documents), sizes)), return_inverse=True
        )
        numbers.append(sum(map(len, values)) + own)
        values.append(column.values(used))
        documents.append(np.repeat(part.numbers, sizes))
        paragraphs.append(before + _paragraphs(part.shard, part.documents, stream))
        before += sum(len(marks) for marks in part.shard.marks.values())
    raw, moved = _one_list(values)
    return Numbered(
        raw, moved[np.concatenate(numbers)], *(np.concatenate(each) for each in (documents, paragraphs))
    )


def _one_list(values: list[Any]) -> tuple[Any, NDArray[np.int64]]:
    """Values of several shards, each once, and which of these each of them is."""
    import numpy as np
    import pyarrow as pa

    both = pa.chunked_array(values, pa.binary()).combine_chunks().dictionary_encode()
    return both.dictionary, np.asarray(both.indices).astype(np.int64)


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
