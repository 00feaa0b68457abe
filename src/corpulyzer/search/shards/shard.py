"""A shard: some documents in one file of arrays, which is memory-mapped."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from corpulyzer.search.shards import arrays
from corpulyzer.search.shards.column import Column

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STREAMS = ("words", "tokens", "lemmas", "tags", "xtags")
"""`tokens` are those of an annotation, folded, with marks; its lemmas and tags stand beside them, or beside
words where it has cut none of its own."""
COLUMNS = (*STREAMS, "sites", "licenses")
"""A document has one site and one license."""
SUFFIX = ".shard"
MARKS = {"breaks": "words", "token_breaks": "tokens", "sentences": "tokens"}
"""Places of a stream at which something begins: paragraphs, and sentences of an annotation."""
FOLDERS_OPEN = 16


@dataclass(frozen=True, slots=True)
class Shard:
    """Documents by their `numbers` in the index, in order, with the seconds of their `dates`."""

    name: str
    numbers: NDArray[np.int64]
    dates: NDArray[np.int64]
    marks: Mapping[str, NDArray[np.uint32]]
    columns: Mapping[str, Column]

    @property
    def words(self) -> Column:
        return self.columns["words"]

    @property
    def documents(self) -> int:
        return len(self.numbers)

    def stretches(self, marks: str, places: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the paragraphs or sentences of some places begin, and before which place they end."""
        import numpy as np

        begins = self.marks[marks]
        found = np.searchsorted(begins, places.astype(np.uint32), "right")
        ends = np.full(len(places), len(self.columns[MARKS[marks]].low), dtype=np.int64)
        inside = found < len(begins)
        ends[inside] = begins[found[inside]]
        return begins[found - 1].astype(np.int64), ends

    def places_of(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """The documents of this shard among some numbers that are in order: their places in it."""
        import numpy as np

        begin, end = np.searchsorted(numbers, [self.numbers[0], self.numbers[-1] + 1])
        wanted = numbers[begin:end]
        places = np.searchsorted(self.numbers, wanted)
        found: NDArray[np.int64] = places[self.numbers[places] == wanted]
        return found


def write(folder: Path, found: Mapping[str, NDArray[np.generic]]) -> str:
    """Write a shard's arrays to a new file, and return its name; nothing refers to it yet."""
    folder.mkdir(parents=True, exist_ok=True)
    name = secrets.token_hex(8)
    arrays.write(folder / f"{name}{SUFFIX}", found)
    return name


_open: dict[Path, dict[str, Shard]] = {}
_one_at_a_time = Lock()


def opened(folder: Path, names: Sequence[str]) -> list[Shard]:
    """The shards of a folder that are in its list; they stay open for the next question, and no others do.

    OSError or ValueError if one is not there or damaged.
    """
    with _one_at_a_time:
        before = _open.pop(folder, {})
        shards = {name: before.get(name) or read(folder, name) for name in names}
        _open[folder] = shards
        while len(_open) > FOLDERS_OPEN:
            del _open[next(iter(_open))]
    return list(shards.values())


def forget() -> None:
    """Close the shards that were opened."""
    _open.clear()


def read(folder: Path, name: str) -> Shard:
    """A shard of a folder."""
    import numpy as np

    found: dict[str, Any] = arrays.read(folder / f"{name}{SUFFIX}")
    nowhere = np.broadcast_to(np.uint32(0), len(found["numbers"]) + 1)
    for stream in COLUMNS:
        if not len(found[f"{stream}.starts"]):
            found[f"{stream}.starts"] = nowhere
    columns = {
        stream: Column(*(found[f"{stream}.{part}"] for part in Column.__slots__)) for stream in COLUMNS
    }
    marks = {mark: found[mark] for mark in MARKS}
    return Shard(name, found["numbers"], found["dates"], marks, columns)


def named(columns: Iterable[tuple[str, Mapping[str, NDArray[np.generic]]]]) -> dict[str, NDArray[np.generic]]:
    """The arrays of columns by the names that they have in a file."""
    return {f"{stream}.{part}": array for stream, parts in columns for part, array in parts.items()}
