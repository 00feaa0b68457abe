"""Joins and sums over columns of integers: what a round needs of small tables, without a query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from corpulyzer.engine import Dataset
    from corpulyzer.web.frontier import Ints

    Column = pa.Array[Any]
    Flags = NDArray[np.bool_]
    Indices = NDArray[np.intp]


ARROW = ".arrow"
"""What the names of files end with that are looked at in place."""


def read(dataset: Dataset, columns: Iterable[str]) -> pa.Table:
    """Some columns of a table that fits in memory, each in one piece."""
    import pyarrow as pa

    names = list(columns)
    tables = [read_file(file, names) for file in dataset.files]
    schema = pa.schema([dataset.schema.field(name) for name in names])
    return pa.concat_tables(tables).combine_chunks() if tables else schema.empty_table()


def read_file(path: str, columns: list[str] | None = None) -> pa.Table:
    """A Parquet file, or some of its columns; an Arrow file, of which only what is looked at is read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from corpulyzer.storage import is_remote, open_input

    if path.endswith(ARROW):
        table = pa.ipc.open_file(open_input(path) if is_remote(path) else pa.memory_map(path)).read_all()
        return table if columns is None else table.select(columns)
    with open_input(path) as file, pq.ParquetFile(file) as parquet:
        return parquet.read(columns, use_threads=False).combine_chunks()


def write_file(path: str, table: pa.Table, compression: Literal["none", "snappy"] = "none") -> None:
    """Write a table as a Parquet or Arrow file as fast as can be: what is made each round is not packed."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from corpulyzer.storage import AtomicFile

    with AtomicFile(path) as temporary:
        if path.endswith(ARROW):
            with pa.ipc.new_file(temporary, table.schema) as writer:
                writer.write_table(table.combine_chunks())
            return
        pq.write_table(
            table, temporary, compression=compression, use_dictionary=False, write_statistics=False
        )


def ints(table: pa.Table, name: str) -> Ints:
    """A column of integers without nulls."""
    found: Ints = table.column(name).to_numpy()
    return found


def piece(table: pa.Table, name: str) -> Column:
    """A column in one piece."""
    import pyarrow as pa

    column = table.column(name)
    found = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    return pa.concat_arrays(found.chunks) if isinstance(found, pa.ChunkedArray) else found


def distinct(values: Ints) -> Ints:
    """The values in order, each once."""
    by = np.sort(values)
    return by[starts_of(by)]


def positions(wanted: Ints, keys: Ints) -> Indices:
    """Where each value stands in the sorted `keys`; -1 where it does not."""
    if not len(keys):
        return np.full(len(wanted), -1, np.intp)
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, place, -1)


def joined(wanted: Ints, keys: Ints) -> Indices:
    """The same for keys in any order, each of them once."""
    order = np.argsort(keys, kind="stable")
    place = positions(wanted, keys[order])
    return np.where(place >= 0, np.append(order, -1)[place], -1)


def at(values: Ints, place: Indices, default: int = 0) -> Ints:
    """The values at these places, a default where the place is -1."""
    return np.append(values, np.int64(default))[place]


def starts_of(*keys: Ints) -> Indices:
    """Where the runs of equal keys begin, in columns that are sorted."""
    if not len(keys[0]):
        return np.zeros(0, np.intp)
    differs = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    return np.flatnonzero(np.append(True, differs))


def places_in(groups: Ints, *order: Ints) -> Ints:
    """The place of each row among those of its group, from 1, by sort keys of which the first counts most."""
    by = np.lexsort((*reversed(order), groups))
    starts = starts_of(groups[by])
    sizes = np.diff(np.append(starts, len(by)))
    place = np.empty(len(by), np.int64)
    place[by] = np.arange(len(by)) - np.repeat(starts, sizes) + 1
    return place


def summed_by(columns: Mapping[str, Ints], keys: Iterable[str], constant: Iterable[str]) -> dict[str, Ints]:
    """One row for each combination of keys, in their order: other columns are summed, constant ones kept."""
    keys, constant = list(keys), set(constant)
    by = np.lexsort([columns[name] for name in reversed(keys)])
    starts = starts_of(*(columns[name][by] for name in keys))
    kept = constant.union(keys)
    return {
        name: column[by][starts] if name in kept else _sums(column[by], starts)
        for name, column in columns.items()
    }


def _sums(values: Ints, starts: Indices) -> Ints:
    found: Ints = np.add.reduceat(values, starts) if len(starts) else values
    return found


def ranks(strings: Column) -> tuple[Ints, Column]:
    """For each string a number in the order of the strings, and the string of each number."""
    import pyarrow as pa

    encoded = strings.dictionary_encode()
    words = [str(word) for word in encoded.dictionary.to_pylist()]
    order = np.array(sorted(range(len(words)), key=lambda place: words[place]), np.int64)
    rank = np.empty(len(words), np.int64)
    rank[order] = np.arange(len(words))
    codes = encoded.indices.to_numpy(zero_copy_only=False)
    return (rank[codes] if len(words) else codes.astype(np.int64)), pa.array(
        [words[place] for place in order], pa.string()
    )


def as_table(columns: Mapping[str, Any], schema: pa.Schema) -> pa.Table:
    """Columns as a table of a schema, in its order."""
    import pyarrow as pa

    return pa.Table.from_arrays(
        [
            column if isinstance(column, pa.Array) else pa.array(column, kind)
            for column, kind in ((columns[field.name], field.type) for field in schema)
        ],
        schema=schema,
    )
