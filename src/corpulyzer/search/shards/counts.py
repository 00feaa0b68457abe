"""How often each value comes, in SQLite, so that one value is looked up at once: kept with every change."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from itertools import pairwise, repeat
from typing import TYPE_CHECKING, Any

from corpulyzer.search.shards.merge import ranges
from corpulyzer.search.shards.shard import STREAMS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.search.shards.shard import Shard

TABLE = """
create table lexicon (
    stream text, value text, count integer, documents integer, primary key (stream, value)
) without rowid;
"""
_COUNT = """
insert into lexicon values (?, ?, ?, ?) on conflict (stream, value) do update
set count = count + excluded.count, documents = documents + excluded.documents
"""
_FORGET = "delete from lexicon where stream = ? and value = ? and count <= 0"


def put_in(connection: sqlite3.Connection, arrays: Mapping[str, NDArray[np.generic]]) -> None:
    """Count the documents of a new shard."""
    import numpy as np

    for stream in STREAMS:
        ends: list[int] = arrays[f"{stream}.ends"].tolist()
        letters = arrays[f"{stream}.letters"].tobytes()
        counts: list[int] = arrays[f"{stream}.counts"].tolist()
        first: Any = arrays[f"{stream}.first"]
        values = [letters[begin:end].decode("utf-8", "surrogatepass") for begin, end in pairwise(ends)]
        rows = zip(repeat(stream), values, counts, np.diff(first).tolist(), strict=False)
        connection.executemany(_COUNT, rows)


def take_off(connection: sqlite3.Connection, shard: Shard, documents: NDArray[np.int64]) -> None:
    """Count no longer what some documents of a shard hold."""
    import numpy as np

    for stream in STREAMS:
        column = shard.columns[stream]
        sizes = column.sizes(documents)
        numbers = column.numbers(ranges(column.begins(documents), sizes)).astype(np.int64)
        values, counts = np.unique(numbers, return_counts=True)
        holders = np.repeat(np.arange(len(documents)), sizes)
        held = np.unique(numbers * len(documents) + holders) // max(1, len(documents))
        names = column.names(values)
        rows = zip(names, (-counts).tolist(), (-np.unique(held, return_counts=True)[1]).tolist(), strict=True)
        connection.executemany(_COUNT, ((stream, *row) for row in rows))
        connection.executemany(_FORGET, ((stream, name) for name in names))
