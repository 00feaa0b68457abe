"""What has to be read of an index: its row groups, without those that statistics rule out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from corpulyzer.engine import Source, Unit
from corpulyzer.storage import Storage, open_input
from corpulyzer.web.commoncrawl.mirror import denied
from corpulyzer.web.commoncrawl.wanted import Wanted

if TYPE_CHECKING:
    import pyarrow as pa

# Rows of the index in one part: even if all of them are wanted, they must fit in memory.
PART_ROWS = 4_000_000
FOOTERS_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Group:
    """A row group of an index file: its number, its rows, and the packed bytes of what is read of it."""

    id: int
    rows: int
    bytes: int


def plan(files: Sequence[str], wanted: Wanted, storage: Storage, columns: Sequence[str] = ()) -> list[Unit]:
    """The parts of an index that have not been read yet, row groups that statistics rule out left out.

    Each row group comes with the packed bytes of `columns`, so that the size of the download is known before.
    """
    with ThreadPoolExecutor(FOOTERS_AT_ONCE) as pool:
        footers = list(pool.map(partial(_groups_of, wanted=wanted, columns=frozenset(columns)), files))
    units = []
    for path, groups in zip(files, footers, strict=True):
        for number, part in enumerate(_parts(groups)):
            stem = os.path.basename(path).partition(".")[0]
            target = f"{stem}-{number:03d}.parquet"
            if not storage.exists(target):
                units.append(Unit(Source(table=_groups(path, part)), {"index": storage.path(target)}))
    return units


def planned(units: Sequence[Unit]) -> tuple[int, int]:
    """The row groups of all units, and the packed bytes that will be read of them at most."""
    tables = [unit.source.table for unit in units if unit.source.table is not None]
    sizes: list[int] = [size for table in tables for size in table.column("bytes").to_pylist() if size]
    return sum(table.num_rows for table in tables), sum(sizes)


def _groups_of(path: str, wanted: Wanted, columns: frozenset[str]) -> list[Group]:
    """The row groups of an index file that may have wanted rows."""
    import pyarrow.dataset as ds

    try:
        with open_input(path) as file:
            fragment: Any = ds.ParquetFileFormat().make_fragment(file)  # type: ignore[arg-type]
            bounds = wanted.bounds()
            if bounds is not None:
                fragment = fragment.subset(filter=bounds)
            return [
                _group(fragment.metadata.row_group(each.id), each.id, columns) for each in fragment.row_groups
            ]
    except (OSError, ValueError) as error:
        raise denied(path, OSError(str(error))) from None


def _group(about: Any, number: int, columns: frozenset[str]) -> Group:
    read = (about.column(place) for place in range(about.num_columns))
    size = sum(column.total_compressed_size for column in read if column.path_in_schema in columns)
    return Group(number, about.num_rows, size)


def _parts(groups: Sequence[Group]) -> Iterator[list[Group]]:
    """Row groups in parts of `PART_ROWS`; without any, one empty part, which marks the file as read."""
    part: list[Group] = []
    for group in groups:
        if part and sum(each.rows for each in part) + group.rows > PART_ROWS:
            yield part
            part = []
        part.append(group)
    yield part


def _groups(path: str, part: Sequence[Group]) -> pa.Table:
    """Row groups as the rows of a step."""
    import pyarrow as pa

    columns = {"row_group": [group.id for group in part], "bytes": [group.bytes for group in part]}
    numbers = {name: pa.array(values, pa.int64()) for name, values in columns.items()}
    return pa.table({"path": pa.array([path] * len(part), pa.string()), **numbers})
