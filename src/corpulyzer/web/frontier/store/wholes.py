"""Rows that say something of the same URLs, merged into one row for each: a base and the runs after it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from corpulyzer.records.columns import schema_of
from corpulyzer.storage import Storage, open_input
from corpulyzer.web.frontier.store.arrays import (
    as_table,
    distinct,
    ints,
    piece,
    positions,
    ranks,
    starts_of,
    write_file,
)
from corpulyzer.web.frontier.store.behind import Run, stored, stored_schema
from corpulyzer.web.frontier.store.merge import HIGHEST, PLACE, STATE, SUMS
from corpulyzer.web.frontier.tables import Known

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.web.frontier import Ints
    from corpulyzer.web.frontier.store.arrays import Indices

PART_ROWS = 500_000
"""Rows of one part of the base at most, nearly: parts are merged one by one, within bounded memory."""

SECTIONS = 32
"""A run has so many row groups at most, by sites, so that a part reads no more of it than it needs."""


SECTIONED = "sections"
"""Under this name a run says which they are, and how many rows each has: one written anew has others."""


def parts_of(rows: int, before: int = 1) -> int:
    """How many parts a base of so many rows has: a power of two, and never fewer than it had."""
    return max(before, 1 << max(0, -(-rows // PART_ROWS) - 1).bit_length())


def write_run(path: str, rows: pa.Table) -> None:
    """Write rows behind the front as a run."""
    import pyarrow.parquet as pq

    from corpulyzer.storage import AtomicFile

    section = ints(rows, "site_id") % SECTIONS
    rows = rows.take(np.argsort(section, kind="stable")).combine_chunks()
    numbers, sizes = np.unique(section, return_counts=True)
    sections = [numbers.tolist(), sizes.tolist()]
    schema = rows.schema.with_metadata({SECTIONED: json.dumps(sections)})
    with AtomicFile(path) as temporary:
        writer = pq.ParquetWriter(temporary, schema, compression="snappy", use_dictionary=False)
        start = 0
        for size in sections[1]:
            writer.write_table(rows.slice(start, size).cast(schema), row_group_size=size)
            start += size
        writer.close()


def write_parts(
    storage: Storage, base: Sequence[Run], runs: Sequence[Run], files: Sequence[str]
) -> list[Run]:
    """Write the whole of each URL, by parts of sites: the parts of the base with all that runs say.

    Rows of the base of which no run says anything, nearly all of them, are copied as they are.
    """
    import pyarrow as pa

    made, schema = [], stored_schema()
    for part, file in enumerate(files):
        new = [_of_part(storage.path(run.file), part, len(files)) for run in runs]
        said = pa.concat_tables([*new, schema.empty_table()])
        old = schema.empty_table()
        if base:
            old = _of_part(storage.path(base[part % len(base)].file), part, len(files))
        changed = positions(ints(old, "id"), distinct(ints(said, "id"))) >= 0
        rows = stored(whole(pa.concat_tables([old.filter(changed), said]).combine_chunks()), 0, 1)
        write_file(storage.path(file), pa.concat_tables([old.filter(~changed), rows]), "snappy")
        made.append(Run(file, old.num_rows - int(changed.sum()) + rows.num_rows))
    return made


def _of_part(path: str, part: int, parts: int) -> pa.Table:
    """The rows of a file whose sites are of a part."""
    import pyarrow.parquet as pq

    with open_input(path) as file, pq.ParquetFile(file) as parquet:
        groups = list(range(parquet.num_row_groups))
        numbers, sizes = json.loads(
            (parquet.schema_arrow.metadata or {}).get(SECTIONED.encode(), b"[[], []]")
        )
        if sizes == [parquet.metadata.row_group(group).num_rows for group in groups]:
            step = min(parts, SECTIONS)
            groups = [group for group in groups if numbers[group] % step == part % step]
        table = parquet.read_row_groups(groups, columns=stored_schema().names, use_threads=False)
    return table.filter(ints(table, "site_id") % parts == part) if parts > 1 else table


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
    column = {name: ints(rows, name) for name in (*PLACE, *SUMS, *STATE)}
    seq, cash, fetches = ints(rows, "seq"), ints(rows, "cash"), column["fetches"]
    fetched_in = np.maximum.reduceat(np.where(fetches > 0, seq, -1), starts)
    is_state = (seq == np.repeat(fetched_in, sizes)) & (fetches > 0)
    state = np.full(len(starts), -1)
    state[np.repeat(np.arange(len(starts)), sizes)[is_state]] = np.flatnonzero(is_state)
    found: dict[str, Any] = {name: column[name][starts] for name in PLACE}
    found |= {name: ints(rows, name)[starts] for name in ("id", "round", "referrer")}
    found |= {name: np.add.reduceat(column[name], starts) for name in SUMS}
    found |= {name: np.append(column[name], 0)[state] for name in STATE}
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
