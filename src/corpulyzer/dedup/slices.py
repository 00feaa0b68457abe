"""Groups that are too large for one task are cut into slices: a million copies of a page, a footer of a site.

A query that joins rows with what is known of their group, or puts the rows of a group in order, brings all
of them to one task of a cluster. So rows of a group of more than `MANY` get the number of a slice too, by
their id, and what is known of such a group is repeated for each slice: both then meet slice by slice. `large`
is the table of these groups with their slices, 64 rows for each; all other groups have the one slice 0. The
first of a large group is the first among the first of its slices.
"""

from __future__ import annotations

from corpulyzer.engine import Dataset

MANY, SLICES = 10_000, 64
"""A group of more rows is cut into so many slices."""


def in_slices(sql: str, **more: object) -> str:
    """A query that tells large groups from others, with what is large; it is given the table `slices`."""
    return sql.format(**{"many": MANY, "slices": SLICES, **more})


def slices() -> Dataset:
    """The numbers of slices as a table."""
    import pyarrow as pa

    numbers = pa.table({"slice": pa.array(range(SLICES), pa.int64())})
    return Dataset((), numbers.schema, (), numbers)
