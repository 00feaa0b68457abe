"""Rows that say something of the same URLs, merged into one row for each: a base and the runs after it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from corpulyzer.records.columns import schema_of
from corpulyzer.storage import AtomicFile, Storage, open_input
from corpulyzer.web.frontier.store.arrays import (
    as_table,
    distinct,
    ints,
    piece,
    positions,
    ranks,
    starts_of,
)
from corpulyzer.web.frontier.store.behind import Run, stored, stored_schema
from corpulyzer.web.frontier.store.merge import HIGHEST, LAST_FETCH, PLACE, SUMS
from corpulyzer.web.frontier.tables import Known

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from corpulyzer.web.frontier import Ints
    from corpulyzer.web.frontier.store.arrays import Indices

PART_ROWS = 500_000
"""Rows of one part of the base at most, nearly: parts are merged one by one, within bounded memory."""

SECTIONS, SECTION_ROWS = 32, 8_192
"""A run has so many row groups at most, by sites, so that a part reads no more of it than it needs; fewer
where they would have few rows."""

DIVIDED = "divided"
"""Under this name a file says how its row groups are divided: by a column, its remainders, and their rows."""


@dataclass(frozen=True, slots=True)
class Share:
    """Rows that are merged at a time: of a part of the sites, and a slice of their ids."""

    part: int
    parts: int
    slice: int = 0
    slices: int = 1

    def of(self, rows: pa.Table) -> pa.Table:
        """Those of the rows that belong to it."""
        here = ints(rows, "site_id") % self.parts == self.part
        here &= ints(rows, "id") % self.slices == self.slice
        return rows if here.all() else rows.filter(here)


def parts_of(rows: int, before: int = 1) -> int:
    """How many parts a base of so many rows has: a power of two, and never fewer than it had."""
    return max(before, 1 << max(0, -(-rows // PART_ROWS) - 1).bit_length())


def write_run(path: str, *tables: pa.Table) -> None:
    """Write rows behind the front as a run."""
    import pyarrow as pa

    count = sum(rows.num_rows for rows in tables)
    divisor = min(SECTIONS, 1 << (count // SECTION_ROWS).bit_length())
    divided = [_sections(rows, divisor) for rows in tables if rows.num_rows]
    _write_divided(path, "site_id", divisor, map(pa.concat_tables, zip(*divided, strict=True)))


def _sections(rows: pa.Table, divisor: int) -> Iterator[pa.Table]:
    """The rows with each remainder of their sites."""
    section = (ints(rows, "site_id") % divisor).astype(np.uint8)  # small numbers are sorted faster
    rows = rows.take(np.argsort(section, kind="stable"))
    end = 0
    for count in np.bincount(section, minlength=divisor).tolist():
        yield rows.slice(end, count)
        end += count


def write_parts(
    storage: Storage, base: Sequence[Run], runs: Sequence[Run], files: Sequence[str]
) -> list[Run]:
    """Write the whole of each URL, by parts of sites: the parts of the base with all that runs say.

    A part with a huge site is made in slices by id, so that memory does not grow with it. Rows of the base of
    which no run says anything, nearly all of them, are copied as they are.
    """
    made, new = [], [storage.path(run.file) for run in runs]
    for part, file in enumerate(files):
        old = [storage.path(base[part % len(base)].file)] if base else []
        rows = sum(_rows_about(path, Share(part, len(files))) for path in (*old, *new))
        slices = parts_of(rows // 2)
        shares = [Share(part, len(files), number, slices) for number in range(slices)]
        pieces = (_merged(_read(old, share), _read(new, share)) for share in shares)
        made.append(Run(file, _write_divided(storage.path(file), "id", slices, pieces)))
    return made


def _merged(old: pa.Table, new: pa.Table) -> pa.Table:
    """Whole rows of a base, with what runs say."""
    import pyarrow as pa

    changed = positions(ints(old, "id"), distinct(ints(new, "id"))) >= 0
    rows = stored(whole(pa.concat_tables([old.filter(changed), new]).combine_chunks()), 0, 1)
    return pa.concat_tables([old.filter(~changed), rows])


def _write_divided(path: str, column: str, divisor: int, pieces: Iterable[pa.Table]) -> int:
    """Write rows with each remainder of a column as a row group; return how many there were."""
    import pyarrow.parquet as pq

    sizes: dict[int, int] = {}
    with AtomicFile(path) as temporary:
        writer = pq.ParquetWriter(
            temporary, stored_schema(), compression="snappy", use_dictionary=False, write_statistics=False
        )
        for number, rows in enumerate(pieces):
            if rows.num_rows:
                sizes[number] = rows.num_rows
                writer.write_table(rows, row_group_size=rows.num_rows)
        noted = json.dumps([column, divisor, list(sizes), list(sizes.values())])
        writer.add_key_value_metadata({DIVIDED: noted})
        writer.close()
    return sum(sizes.values())


def _read(paths: Sequence[str], share: Share) -> pa.Table:
    """The rows of a share in some files."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = stored_schema()
    tables = [schema.empty_table()]
    for path in paths:
        with open_input(path) as file, pq.ParquetFile(file) as parquet:
            found = (parquet.read_row_group(each, schema.names) for each in _groups_of(parquet, share))
            tables += [share.of(table).cast(schema) for table in found]
    return pa.concat_tables(tables)


def _rows_about(path: str, share: Share) -> int:
    """About how many rows of a part a file has."""
    import pyarrow.parquet as pq

    with open_input(path) as file, pq.ParquetFile(file) as parquet:
        groups = _groups_of(parquet, share)
        rows = sum(parquet.metadata.row_group(group).num_rows for group in groups)
        column, divisor, *_ = _division(parquet)
    return rows * min(share.parts, divisor) // share.parts if column == "site_id" else rows


def _groups_of(parquet: pq.ParquetFile, share: Share) -> list[int]:
    """The row groups of a file in which rows of a share may be."""
    column, divisor, numbers = _division(parquet)
    number, of = (share.part, share.parts) if column == "site_id" else (share.slice, share.slices)
    step = min(of, divisor)
    return [group for group, each in enumerate(numbers) if each % step == number % step]


def _division(parquet: pq.ParquetFile) -> tuple[str, int, list[int]]:
    """By which column and divisor the row groups of a file are divided, and the remainder of each.

    A file that was written anew by others is not divided.
    """
    sizes = [parquet.metadata.row_group(group).num_rows for group in range(parquet.num_row_groups)]
    noted = (parquet.metadata.metadata or {}).get(DIVIDED.encode())
    if noted:
        column, divisor, numbers, rows = json.loads(noted)
        if rows == sizes:
            return column, divisor, numbers
    return "id", 1, [0] * len(sizes)


def whole(rows: pa.Table) -> pa.Table:
    """One row for each URL: its last total row, and what was added to that since."""
    import pyarrow as pa

    seq, ids = ints(rows, "seq"), ints(rows, "id")
    by = np.lexsort((seq, ints(rows, "round"), ids))
    starts, sizes = _groups(ids[by])
    totals = np.where(ints(rows, "total")[by] == 1, seq[by], -1)
    since = np.repeat(np.maximum.reduceat(totals, starts), sizes) if len(by) else seq
    by = by[seq[by] >= since]
    starts, sizes = _groups(ids[by])
    alone = by[starts[sizes == 1]]
    several = by[np.repeat(sizes > 1, sizes)]
    names = schema_of(Known).names
    merged = [rows.select(names).take(alone), _added_up(rows.take(several).combine_chunks())]
    return pa.concat_tables(merged).combine_chunks()


def _groups(ids: Ints) -> tuple[Indices, Ints]:
    """Where the rows of each URL begin, and how many there are."""
    starts = starts_of(ids)
    return starts, np.diff(np.append(starts, len(ids)))


def _added_up(rows: pa.Table) -> pa.Table:
    """Rows of which each URL has several, in the order of ids, rounds and runs, added up."""
    starts, sizes = _groups(ints(rows, "id"))
    if not len(starts):
        return schema_of(Known).empty_table()
    column = {name: ints(rows, name) for name in (*PLACE, *SUMS, *LAST_FETCH)}
    seq, cash, fetches = ints(rows, "seq"), ints(rows, "cash"), column["fetches"]
    fetched_in = np.maximum.reduceat(np.where(fetches > 0, seq, -1), starts)
    is_state = (seq == np.repeat(fetched_in, sizes)) & (fetches > 0)
    state = np.full(len(starts), -1)
    state[np.repeat(np.arange(len(starts)), sizes)[is_state]] = np.flatnonzero(is_state)
    found: dict[str, Any] = {name: column[name][starts] for name in PLACE}
    found |= {name: ints(rows, name)[starts] for name in ("id", "round", "referrer")}
    found |= {name: np.add.reduceat(column[name], starts) for name in SUMS}
    found |= {name: np.append(column[name], 0)[state] for name in LAST_FETCH}
    found |= {
        name: np.maximum.reduceat(ints(rows, name), starts) for name in ("sibling", "seed", "referrer_bytes")
    }
    found["hops"] = np.minimum.reduceat(ints(rows, "hops"), starts)
    found["cash"] = np.add.reduceat(np.where(seq >= np.repeat(fetched_in, sizes), cash, 0), starts)
    found["url"] = piece(rows, "url").take(starts)
    code, words = ranks(piece(rows, "refused"))
    found["refused"] = words.take(np.minimum.reduceat(code, starts))
    found["spelling"] = _spellings(rows, starts, sizes)
    return as_table(found, schema_of(Known))


def _spellings(rows: pa.Table, starts: Indices, sizes: Ints) -> Any:
    """Of the rows of the first round the spelling nearest to a seed, then the lowest."""
    code, words = ranks(piece(rows, "spelling"))
    hops, round = ints(rows, "hops"), ints(rows, "round")
    first = round == np.repeat(round[starts], sizes)
    nearest = np.minimum.reduceat(np.where(first, hops, HIGHEST), starts)
    those = first & (hops == np.repeat(nearest, sizes))
    return words.take(np.minimum.reduceat(np.where(those, code, HIGHEST), starts))
