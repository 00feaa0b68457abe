"""How often words, lemmas and tags come: one by one, or all of them by rank.

Counts of all documents are kept in SQLite with every change. Two more views are made when someone asks: the
ranks, in a file beside the index, and the counts of the documents to which a search is limited, in memory.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from corpulyzer.search.finding.candidates import documents_of
from corpulyzer.search.finding.only import Only
from corpulyzer.search.finding.sampling import spread
from corpulyzer.search.finding.wider import DOTLESS
from corpulyzer.search.shards import arrays
from corpulyzer.search.shards.column import encoded
from corpulyzer.search.shards.merge import ranges
from corpulyzer.storage import AtomicFile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.search.finding.wider import Wider
    from corpulyzer.search.index import Index
    from corpulyzer.search.shards.store import Store

RANKED = ("words", "tokens", "lemmas", "tags", "xtags")
LAST_CHARACTER = "\U0010ffff"
NOTHING_TOLD = "_"
"""What stands for a lemma or tag where the annotation has none, as in a paragraph of another language."""
LETTERS_AT_ONCE = 250_000
"""Bytes of values on which an expression is tried between two looks at the clock."""
MOST_DOCUMENTS = 5_000
"""The most documents of a limit in which values are counted; of more, an evenly spread sample is."""
RANKS_OPEN = 8
_COUNT = "select count from lexicon where stream = ? and value = ?"
_COUNTS = """
select lexicon.value, lexicon.count from json_each(?2) as asked cross join lexicon
where lexicon.stream = ?1 and lexicon.value = asked.value
"""
_BY_RANK = """
select value, count, documents from lexicon where stream = ? and value <> ? order by count desc, value
"""
_one_at_a_time = Lock()
_held: dict[Path, tuple[str, dict[str, NDArray[np.generic]]]] = {}
"""The ranks of the last index beside which nobody may write, and their state."""


def values_in(connection: sqlite3.Connection, stream: str, begins: str) -> Iterator[str]:
    """The values of a stream that begin with a string, marks and parts of words among the words."""
    sql = "select value from lexicon where stream = ? and value >= ? and value < ?"
    between = (begins, begins + LAST_CHARACTER)
    rows = connection.execute(f"{sql} order by value", (stream, *between))
    if stream == "words":
        both = f"{sql} union {sql} order by value"
        rows = connection.execute(both, ("words", *between, "tokens", *between))
    yield from (value for (value,) in rows)


def has_values(connection: sqlite3.Connection, stream: str) -> bool:
    """Whether a stream has a value at all."""
    sql = "select 1 from lexicon where stream = ? limit 1"
    return connection.execute(sql, (stream,)).fetchone() is not None


def count_of(connection: sqlite3.Connection, word: str) -> tuple[int, int]:
    """How often a word comes, and in how many documents."""
    sql = "select count, documents from lexicon where stream = 'words' and value = ?"
    count, documents = connection.execute(sql, (word,)).fetchone() or (0, 0)
    return count, documents


def counts_of(index: Index, only: Only, stream: str, values: Iterable[str]) -> tuple[dict[str, int], int]:
    """How often some values of a stream come in what a search is limited to, and how many words that has.

    A limit that leaves very many documents is counted in a sample of them.
    """
    wanted = list(values)
    with index.reading() as connection:
        known = _known(connection, stream, wanted)
        if not only.everything:
            return _limited(index.shards(connection), only, stream, list(known))
        return known, connection.execute("select coalesce(sum(words), 0) from sites").fetchone()[0]


def sampled_of(index: Index, only: Only) -> int:
    """In how many documents values are counted, where that is a sample of those of a limit; else 0."""
    if only.everything:
        return 0
    with index.reading() as connection:
        return MOST_DOCUMENTS if len(documents_of(index.shards(connection), only)) > MOST_DOCUMENTS else 0


def _known(connection: sqlite3.Connection, stream: str, values: Sequence[str]) -> dict[str, int]:
    """How often each of some values comes in all documents; one question for all is the quickest."""
    found: dict[str, int] = {}
    asked = json.dumps([value for value in values if value.isprintable()], ensure_ascii=False)
    found.update(connection.execute(_COUNTS, (stream, asked)))
    for value in values:  # JSON and SQLite do not agree on lone surrogates and zeros
        if not value.isprintable():
            row = connection.execute(_COUNT, (stream, value)).fetchone()
            found |= {value: row[0]} if row else {}
    return found


def _limited(store: Store, only: Only, stream: str, values: Sequence[str]) -> tuple[dict[str, int], int]:
    """The same in the documents to which a search is limited; each value comes in some of them."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    every = documents_of(store, only)
    some = every.chosen(spread(range(len(every)), MOST_DOCUMENTS))
    wanted = pa.array(map(encoded, values), pa.binary())
    counts = np.zeros(len(values) + 1, dtype=np.int64)  # the last is of all other values
    for part in some.parts:
        column = part.shard.columns[stream]
        places = ranges(column.begins(part.documents), column.sizes(part.documents))
        used, often = np.unique(column.numbers(places), return_counts=True)
        at = pc.fill_null(pc.index_in(column.values(used), value_set=wanted), len(values))
        np.add.at(counts, at.to_numpy(zero_copy_only=False), often)
    total = int(every.sizes().sum())
    if len(some) == len(every):
        return {value: n for value, n in zip(values, counts.tolist(), strict=False) if n}, total
    scale = total / max(1, int(some.sizes().sum()))
    # What the sample lacks is rare, and comes no more often than once in it.
    return {value: round(scale * max(1, n)) for value, n in zip(values, counts.tolist(), strict=False)}, total


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
    folded: NDArray[np.bool_]
    """Whether all values are as they are folded."""
    dotless: NDArray[np.bool_]
    """Whether some have the letter ı."""

    def __len__(self) -> int:
        return len(self.counts)

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

        return self._array(pa.binary()).slice(0, most)

    def names(self, ranks: NDArray[np.int64]) -> list[str]:
        """The values of some ranks."""
        import pyarrow as pa

        found = self._array(pa.binary()).take(ranks).to_pylist()
        return [value.decode("utf-8", "surrogatepass") for value in found]

    def windows(self, most: int) -> Iterator[tuple[int, int]]:
        """The first ranks in stretches of `LETTERS_AT_ONCE` at most, or of a single longer value."""
        import numpy as np

        first = 0
        while first < most:
            enough = int(np.searchsorted(self.ends, self.ends[first] + LETTERS_AT_ONCE, "right")) - 1
            last = min(most, max(first + 1, enough))
            yield first, last
            first = last

    def like(self, wider: Wider, first: int, last: int) -> NDArray[np.int64]:
        """The ranks of values in a window that a wider expression may fit, in order."""
        import numpy as np
        import pyarrow as pa

        window = self._array(pa.string()).slice(first, last - first)
        fits = wider.among(window) if self.folded.all() else None
        return first + (np.arange(len(window)) if fits is None else np.flatnonzero(fits))

    def decided_by(self, wider: Wider) -> bool:
        """Whether a wider expression fits no other value than the narrower one, without capitals."""
        return wider.exact and bool(self.folded.all()) and not self.dotless.any()

    def _array(self, kind: Any) -> Any:
        import pyarrow as pa

        buffers: Any = [None, pa.py_buffer(self.ends.data), pa.py_buffer(self.letters.data)]
        return pa.Array.from_buffers(kind, len(self), buffers)


def ranks_of(index: Index, connection: sqlite3.Connection, stream: str) -> Ranks:
    """The ranks in the index as it is, made if they are not there; where nobody may write, held in memory."""
    state = state_of(connection)
    try:
        return _read(index.ranks, state, stream)
    except (OSError, ValueError, KeyError):
        known, made = _held.get(index.ranks, ("", {}))
    if known != state:
        made = _ranked(connection, state)
        with _one_at_a_time:
            if os.access(index.ranks.parent, os.W_OK):
                _keep(index, made, state)
            else:
                _held.clear()
                _held[index.ranks] = (state, made)
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
    for stream in RANKED:
        none = "" if stream in ("words", "tokens") else NOTHING_TOLD
        rows = connection.execute(_BY_RANK, (stream, none)).fetchall()
        values = [encoded(value) for value, _, _ in rows]
        made[f"{stream}.ends"] = np.cumsum([0, *map(len, values)], dtype=np.int32)
        made[f"{stream}.letters"] = np.frombuffer(b"".join(values), dtype=np.uint8)
        made[f"{stream}.dotless"] = np.array([any(encoded(DOTLESS) in value for value in values)])
        made[f"{stream}.folded"] = np.array([all(value == value.casefold() for value, _, _ in rows)])
        made[f"{stream}.counts"] = np.array([count for _, count, _ in rows], dtype=np.int64)
        made[f"{stream}.documents"] = np.array([documents for _, _, documents in rows], dtype=np.int64)
    return made
