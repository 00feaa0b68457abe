"""A shard: some documents in one file of arrays, which is memory-mapped."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpulyzer.search.shards import arrays
from corpulyzer.search.shards.column import Column

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STREAMS = ("words", "tokens", "lemmas", "tags", "xtags")
"""`tokens` are those of an annotation that are none of the words, once each and in no order."""
COLUMNS = (*STREAMS, "sites", "licenses")
"""A document has one site and one license."""
SUFFIX = ".shard"
OPEN_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Shard:
    """Documents by their `numbers` in the index, in order, with the seconds of their `dates`.

    `breaks` are the words that begin a paragraph.
    """

    name: str
    numbers: NDArray[np.int64]
    dates: NDArray[np.int64]
    breaks: NDArray[np.int64]
    columns: Mapping[str, Column]

    @property
    def words(self) -> Column:
        return self.columns["words"]

    @property
    def documents(self) -> int:
        return len(self.numbers)

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


def opened(folder: Path, name: str) -> Shard:
    """A shard of a folder; OSError or ValueError if it is not there or damaged."""
    return _opened(str(folder / f"{name}{SUFFIX}"), name)


def forget() -> None:
    """Close the shards that were opened."""
    _opened.cache_clear()


@lru_cache(OPEN_AT_ONCE)
def _opened(path: str, name: str) -> Shard:
    found: dict[str, Any] = arrays.read(Path(path))
    columns = {
        stream: Column(*(found[f"{stream}.{part}"] for part in Column.__slots__)) for stream in COLUMNS
    }
    return Shard(name, found["numbers"], found["dates"], found["breaks"], columns)


def named(columns: Iterable[tuple[str, Mapping[str, NDArray[np.generic]]]]) -> dict[str, NDArray[np.generic]]:
    """The arrays of columns by the names that they have in a file."""
    return {f"{stream}.{part}": array for stream, parts in columns for part, array in parts.items()}
