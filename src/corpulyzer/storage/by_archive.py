"""Tables in the order of the hash of an archive's name, of which a worker reads one archive at a time.

What is known of documents by all of them together (copies, scores) reaches a worker so: it works on one
archive after the other, and no table of all documents ever has to fit into its memory.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from corpulyzer.storage.content import open_parquet

if TYPE_CHECKING:
    import pyarrow as pa

ARCHIVE = "archive_id"


def rows_of_archive(paths: tuple[str, ...], archive_id: int, of: str = "") -> pa.Table:
    """The rows of an archive, in their order; the files follow each other in the order of `archive_id`.

    Of many files some are opened: the first one that reaches the archive is found by halves. What they say of
    their rows is remembered; `of` tells a table from another one that had the same paths.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    found = []
    start = bisect_left(range(len(paths)), archive_id, key=lambda number: _last(paths[number:], of))
    for path in takewhile(lambda path: _begins_by(path, archive_id, of), paths[start:]):
        ranges = _ranges(path, of)
        groups = [number for number, (first, last) in enumerate(ranges) if first <= archive_id <= last]
        with open_parquet(path) as parquet:
            rows = parquet.read_row_groups(groups, use_threads=False)
        found.append(rows.filter(pc.equal(rows.column(ARCHIVE), pa.scalar(archive_id))))
    if found:
        return pa.concat_tables(found)
    with open_parquet(paths[0]) as parquet:
        return parquet.schema_arrow.empty_table()


def _last(paths: tuple[str, ...], of: str) -> int:
    """The last archive of the first of these files that has rows."""
    return next((ranges[-1][1] for path in paths if (ranges := _ranges(path, of))), sys.maxsize)


def _begins_by(path: str, archive_id: int, of: str) -> bool:
    """Whether a file begins with this archive or one before it, or has no rows."""
    ranges = _ranges(path, of)
    return not ranges or ranges[0][0] <= archive_id


@lru_cache(maxsize=1 << 14)
def _ranges(path: str, of: str) -> list[tuple[int, int]]:
    """The first and the last archive of each row group of a file; nothing for a file without rows."""
    with open_parquet(path) as parquet:
        if not parquet.metadata.num_rows:
            return []
        place = parquet.schema_arrow.get_field_index(ARCHIVE)
        groups = map(parquet.metadata.row_group, range(parquet.metadata.num_row_groups))
        said: list[Any] = [group.column(place).statistics for group in groups]
        return [(each.min, each.max) for each in said]
