"""How often words, lemmas and tags come: one by one, or all of them by rank.

Counts of all documents are kept in SQLite with every change. Two more views are made when someone asks: the
ranks, in a file beside the index, and the counts of the documents to which a search is limited, in memory.
"""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from corpulyzer.search.finding.only import Only
from corpulyzer.search.finding.sequences import documents_of
from corpulyzer.search.shards import arrays
from corpulyzer.search.shards.column import encoded
from corpulyzer.search.shards.merge import ranges
from corpulyzer.storage import AtomicFile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.search.index import Index
    from corpulyzer.search.shards.store import Store

LISTED = ("words", "lemmas", "tags", "xtags")
LAST_CHARACTER = "\U0010ffff"
LIMITS_KEPT = 4
RANKS_OPEN = 8


def values_in(connection: sqlite3.Connection, stream: str, begins: str) -> Iterator[str]:
    """The values of a stream that begin with a string, marks and parts of words among the words."""
    sql = "select value from lexicon where stream = ? and value >= ? and value < ? order by value"
    for name in ("words", "tokens") if stream == "words" else (stream,):
        yield from (value for (value,) in connection.execute(sql, (name, begins, begins + LAST_CHARACTER)))


def count_of(connection: sqlite3.Connection, word: str) -> tuple[int, int]:
    """How often a word comes, and in how many documents."""
    sql = "select count, documents from lexicon where stream = 'words' and value = ?"
    count, documents = connection.execute(sql, (word,)).fetchone() or (0, 0)
    return count, documents


def counts_of(index: Index, only: Only, stream: str, values: Iterable[str]) -> tuple[dict[str, int], int]:
    """How often some values of a stream come in what a search is limited to, and how many words that has."""
    with index.reading() as connection:
        if not only.everything:
            counts, total = _limited(index, connection, only, stream)
            return {value: counts[value] for value in values if value in counts}, total
        total = connection.execute("select coalesce(sum(words), 0) from sites").fetchone()[0]
        sql = "select count from lexicon where stream = ? and value = ?"
        rows = ((value, connection.execute(sql, (stream, value)).fetchone()) for value in values)
        return {value: row[0] for value, row in rows if row}, total


_limits: dict[tuple[str, str, Only, str], tuple[dict[str, int], int]] = {}
_one_at_a_time = Lock()


def _limited(
    index: Index, connection: sqlite3.Connection, only: Only, stream: str
) -> tuple[dict[str, int], int]:
    """The counts of the documents to which a search is limited; those of the last limits are kept."""
    asked = (str(index.path), state_of(connection), only, stream)
    with _one_at_a_time:
        found = _limits.pop(asked, None) or _counted(index.shards(connection), only, stream)
        _limits[asked] = found
        while len(_limits) > LIMITS_KEPT:
            del _limits[next(iter(_limits))]
    return found


def _counted(store: Store, only: Only, stream: str) -> tuple[dict[str, int], int]:
    import numpy as np

    counts: Counter[str] = Counter()
    total = 0
    for part in documents_of(store, only).parts:
        column = part.shard.columns[stream]
        begins = column.starts[part.documents]
        places = ranges(begins, column.starts[part.documents + 1] - begins)
        often = np.bincount(column.numbers(places), minlength=len(column))
        used = np.flatnonzero(often)
        counts.update(dict(zip(column.names(used), often[used].tolist(), strict=True)))
        total += int(part.sizes().sum())
    return counts, total


def state_of(connection: sqlite3.Connection) -> str:
    """What is another after every change of the index."""
    return str(connection.execute("select value from meta where name = 'state'").fetchone()[0])


@dataclass(frozen=True, slots=True)
class Ranks:
    """The values of a stream by how often they come, then by their letters."""

    ends: NDArray[np.int32]
    letters: NDArray[np.uint8]
    counts: NDArray[np.int64]
    documents: NDArray[np.int64]

    def at_least(self, count: int) -> int:
        """How many values come at least so often."""
        import numpy as np

        return int(np.searchsorted(-self.counts, -count, "right"))

    def value(self, rank: int) -> str:
        """The value of a rank."""
        return self.letters[self.ends[rank] : self.ends[rank + 1]].tobytes().decode("utf-8", "surrogatepass")

    def values(self, most: int) -> Any:
        """The bytes of the first values, as an array of Arrow."""
        import pyarrow as pa

        buffers: Any = [None, pa.py_buffer(self.ends.data), pa.py_buffer(self.letters.data)]
        return pa.Array.from_buffers(pa.binary(), most, buffers)


def ranks_of(index: Index, connection: sqlite3.Connection, stream: str) -> Ranks:
    """The ranks in the index as it is, made if they are not there; where nobody may write, each time."""
    state = state_of(connection)
    try:
        return _read(index.ranks, state, stream)
    except (OSError, ValueError, KeyError):
        made = _ranked(connection, state)
    if os.access(index.ranks.parent, os.W_OK):
        with _one_at_a_time:
            _keep(index, made, state)
    return _ranks(made, stream)


def _keep(index: Index, made: dict[str, NDArray[np.generic]], state: str) -> None:
    """Keep the ranks, unless the index has changed meanwhile: something may have been removed from it."""
    file = AtomicFile(str(index.ranks))
    try:
        arrays.write(Path(file.temporary), made)
        with index.reading() as connection:
            if state_of(connection) == state:
                file.commit()
    finally:
        file.discard()


@lru_cache(RANKS_OPEN)
def _read(path: Path, state: str, stream: str) -> Ranks:
    found = arrays.read(path)
    if found["state"].tobytes().decode() != state:
        raise ValueError("The ranks are of another state.")
    return _ranks(found, stream)


def _ranks(found: dict[str, Any], stream: str) -> Ranks:
    return Ranks(*(found[f"{stream}.{name}"] for name in Ranks.__slots__))


def _ranked(connection: sqlite3.Connection, state: str) -> dict[str, NDArray[np.generic]]:
    import numpy as np

    made: dict[str, NDArray[np.generic]] = {"state": np.frombuffer(state.encode(), dtype=np.uint8)}
    for stream in LISTED:
        sql = "select value, count, documents from lexicon where stream = ? order by count desc, value"
        rows = connection.execute(sql, (stream,)).fetchall()
        values = [encoded(value) for value, _, _ in rows]
        made[f"{stream}.ends"] = np.cumsum([0, *map(len, values)], dtype=np.int32)
        made[f"{stream}.letters"] = np.frombuffer(b"".join(values), dtype=np.uint8)
        made[f"{stream}.counts"] = np.array([count for _, count, _ in rows], dtype=np.int64)
        made[f"{stream}.documents"] = np.array([documents for _, _, documents in rows], dtype=np.int64)
    return made
