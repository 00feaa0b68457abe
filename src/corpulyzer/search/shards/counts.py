"""How often each value comes, in SQLite, so that one value is looked up at once: kept with every change."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from corpulyzer.search.shards.shard import STREAMS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TABLE = """
create table lexicon (
    stream text, value text, count integer, documents integer, primary key (stream, value)
) without rowid;
"""
_COUNT = """
insert into lexicon values (?, ?, ?, ?) on conflict (stream, value) do update
set count = count + excluded.count, documents = documents + excluded.documents
"""


def put_in(connection: sqlite3.Connection, arrays: Mapping[str, NDArray[np.generic]]) -> None:
    """Count the documents of a new shard."""
    import numpy as np

    for stream in STREAMS:
        ends: list[int] = arrays[f"{stream}.ends"].tolist()
        letters = arrays[f"{stream}.letters"].tobytes()
        counts: list[int] = arrays[f"{stream}.counts"].tolist()
        first: Any = arrays[f"{stream}.first"]
        values = (letters[begin:end].decode("utf-8", "surrogatepass") for begin, end in pairwise(ends))
        rows = zip(values, counts, np.diff(first).tolist(), strict=True)
        connection.executemany(_COUNT, ((stream, *row) for row in rows))


def take_off(connection: sqlite3.Connection, documents: Iterable[Mapping[str, Sequence[str]]]) -> None:
    """Count no longer what documents hold."""
    counts: Counter[tuple[str, str]] = Counter()
    holders: Counter[tuple[str, str]] = Counter()
    for columns in documents:
        for stream in STREAMS:
            counts.update((stream, value) for value in columns[stream])
            holders.update((stream, value) for value in set(columns[stream]))
    connection.executemany(_COUNT, ((*key, -count, -holders[key]) for key, count in sorted(counts.items())))
    connection.executemany(
        "delete from lexicon where stream = ? and value = ? and count <= 0", sorted(counts)
    )
