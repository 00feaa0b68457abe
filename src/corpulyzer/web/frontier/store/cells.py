"""Sums of what was fetched by cell, in files that add up: of sites that are asked for, and of all others.

A file is sorted by site. Beside the cells it has their totals by evidence and round, under the keys 0. So the
sums of all sites that are not in front need not be made for each list: they are what the totals have more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np

from corpulyzer.records.columns import schema_of
from corpulyzer.web.frontier.store.arrays import as_table, ints, summed_by
from corpulyzer.web.frontier.store.judge import SUMS
from corpulyzer.web.frontier.tables import Cell

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.web.frontier import Columns, Ints

ROUNDS_APART = 8
"""A cell's sums are kept by round for so many rounds, so that what it gave lately can be told."""

CELL = [column.name for column in fields(Cell)]
KEYS = ("prefix_id", "section_id", "site_id")


def cells_of(states: pa.Table, round: int) -> pa.Table:
    """The sums of a round's URLs by cell, and their totals."""
    names = ("prefix_id", "evidence", "site_id", "section_id", *SUMS)
    columns = {name: ints(states, name) for name in names} | {"round": np.full(states.num_rows, round)}
    return as_table(_joined([columns, _totals(columns)]), schema_of(Cell))


def folded(tables: Sequence[pa.Table], round: int) -> pa.Table:
    """One row for each cell and round, by site; what is more than `ROUNDS_APART` rounds ago has round 0."""
    columns = _recent(_joined(list(map(_columns, tables))), round)
    return as_table(summed_by(columns, ["site_id", *CELL[:3]], KEYS), schema_of(Cell))


def past_of(tables: Sequence[pa.Table], sites: Ints, round: int) -> dict[str, Ints]:
    """One row for each cell and round of these sites, which are sorted; all others together are as of one.

    That has 0 for its keys: it teaches what is general.
    """
    cells, totals = [dict.fromkeys(CELL, np.zeros(0, np.int64))], []
    for table in tables:
        columns = _columns(table)
        site = columns["site_id"]
        starts, ends = (np.searchsorted(site, sites, side) for side in ("left", "right"))
        cells.append(_at(columns, _ranges(starts, ends)))
        totals.append(_at(columns, np.arange(*np.searchsorted(site, [0, 1]))))
    own = summed_by(_recent(_joined(cells), round), CELL[:3], KEYS)
    if not totals:
        return own
    without = {name: -column if name in SUMS else column for name, column in _totals(own).items()}
    others = summed_by(_joined([_recent(_joined(totals), round), without]), CELL[1:3], KEYS)
    left = np.logical_or.reduce([others[name] != 0 for name in SUMS])
    return _joined([own, _at(others, np.flatnonzero(left))])


def _totals(columns: Columns) -> dict[str, Ints]:
    """The sums of cells by evidence and round, under the keys 0."""
    nothing = np.zeros_like(columns["round"])
    return summed_by({**columns, **dict.fromkeys(KEYS, nothing)}, CELL[1:3], KEYS)


def _columns(table: pa.Table) -> Columns:
    """The columns of a file; one without totals, as there were, gets them, and the order of sites."""
    columns = {name: ints(table, name) for name in CELL}
    if not len(columns["site_id"]) or (columns["site_id"] == 0).any():
        return columns
    both = _joined([columns, _totals(columns)])
    return _at(both, np.argsort(both["site_id"], kind="stable"))


def _recent(columns: Columns, round: int) -> dict[str, Ints]:
    """The columns of cells, with 0 for rounds that are long ago."""
    kept = columns["round"] > round - ROUNDS_APART
    return {**columns, "round": np.where(kept, columns["round"], 0)}


def _joined(tables: Sequence[Columns]) -> dict[str, Ints]:
    return {name: np.concatenate([columns[name] for columns in tables]) for name in CELL}


def _at(columns: Columns, rows: Ints) -> dict[str, Ints]:
    return {name: column[rows] for name, column in columns.items()}


def _ranges(starts: Ints, ends: Ints) -> Ints:
    """The numbers from each start up to its end, one range after the other."""
    sizes = ends - starts
    return np.repeat(starts - np.cumsum(sizes) + sizes, sizes) + np.arange(int(sizes.sum()))
