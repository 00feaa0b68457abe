"""Runs of sums of what was fetched: a round adds one, and runs are folded together. Those of sites."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from corpulyzer.records.columns import schema_of
from corpulyzer.storage import Storage
from corpulyzer.web.frontier.store.arrays import (
    as_table,
    ints,
    piece,
    read_file,
    starts_of,
    summed_by,
    write_file,
)
from corpulyzer.web.frontier.store.behind import Run
from corpulyzer.web.frontier.store.judge import SUMS
from corpulyzer.web.frontier.tables import Site, Spoken

if TYPE_CHECKING:
    import pyarrow as pa


def sites_of(states: pa.Table, round: int) -> pa.Table:
    """The sums of a round's URLs by site."""
    columns = {name: ints(states, name) for name in ("site_id", *SUMS)}
    site = piece(states, "site")
    return as_table(columns | {"round": np.full(states.num_rows, round), "site": site}, schema_of(Site))


def fold_sites(tables: Sequence[pa.Table]) -> pa.Table:
    """Folds rows of sites into one for each: sums, and the round in which it was first seen."""
    import pyarrow as pa

    table = pa.concat_tables(tables).combine_chunks()
    by = np.argsort(ints(table, "site_id"), kind="stable")
    starts = starts_of(ints(table, "site_id")[by])
    sums = {name: np.add.reduceat(ints(table, name)[by], starts) for name in SUMS}
    first = {"round": np.minimum.reduceat(ints(table, "round")[by], starts)}
    site = {"site_id": ints(table, "site_id")[by][starts]}
    words = {"site": piece(table, "site").take(by[starts])}
    return as_table({**sums, **first, **site, **words}, schema_of(Site))


def spoken_in(states: pa.Table) -> pa.Table:
    """The requests of a round by pattern and language."""
    names = schema_of(Spoken).names
    return as_table({name: ints(states, name) for name in names}, schema_of(Spoken))


def fold_spoken(tables: Sequence[pa.Table]) -> pa.Table:
    """Folds rows of languages into one for each pattern and language."""
    import pyarrow as pa

    table = pa.concat_tables(tables).combine_chunks()
    columns = {name: ints(table, name) for name in schema_of(Spoken).names}
    return as_table(
        summed_by(columns, ("prefix_id", "language"), ("site_id", "section_id")), schema_of(Spoken)
    )


def with_run(
    storage: Storage,
    runs: Sequence[Run],
    new: pa.Table,
    file: str,
    fold: Callable[[Sequence[pa.Table]], pa.Table],
) -> tuple[Run, ...]:
    """The runs and a further one, folded with those before it that are at most twice as long."""
    if not new.num_rows:
        return tuple(runs)
    kept, table = list(runs), fold([new])
    while kept and kept[-1].rows <= 2 * table.num_rows:
        table = fold([read_file(storage.path(kept.pop().file)), table])
    write_file(storage.path(file), table)
    return (*kept, Run(file, table.num_rows))
