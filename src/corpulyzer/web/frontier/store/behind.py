"""What stands behind the front of a frontier: rows that are merged when they are needed, or are many.

The front has a bounded number of rows, on which each round works. Behind it stand the others: a base, and
runs of rows that rounds have put there since. A row is the whole of a URL (`total`), which takes the place of
all that runs before it say, or what a round adds to it. All of it merges by sums, minima and maxima.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corpulyzer.engine import Dataset
from corpulyzer.records.columns import schema_of
from corpulyzer.web.frontier.store.arrays import ints, piece, places_in, positions
from corpulyzer.web.frontier.tables import Known
from corpulyzer.web.frontier.traps import PAGE_LIST

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.engine import Engine
    from corpulyzer.web.frontier import Ints
    from corpulyzer.web.frontier.store.arrays import Flags

SOME_SQL = "select b.* from behind as b join wanted as w on b.id = w.id"
# The best that wait, of each site about what so many rounds would take of it: see `turns`.
WAITING_SQL = """
select id
from (select b.id, b.hops, b.round, b.place * case
             when s.good >= 24 then 1 when s.good >= 12 then 2 when s.good >= 7 then 3 when s.good >= 3 then 6
             when s.good >= 1 then 12 when s.tries >= 25 then 250 else 25 end as turn
      from (select id, site_id, hops, round,
                   row_number() over (partition by site_id order by promise desc nulls last, hops nulls last,
                                                                    round nulls last, id nulls last) as place
            from (select b.id, site_id, hops, round, <promise> as promise
                  from base as b left join standing as f on b.id = f.id
                  where f.id is null and due <= {now} and refused in ('', 'list of pages')) as p) as b
      left join (select site_id, sum(good) as good, sum(tries) as tries from sites group by site_id) as s
           on b.site_id = s.site_id) as t
order by turn nulls last, hops nulls last, round nulls last, id nulls last
limit {most}
"""
COUNT_SQL = """
select count(*) as waiting from base where due <= {now} and refused in ('', 'list of pages')
"""
SOONEST_SQL = "select min(due) as soonest from base where due > {now} and refused in ('', 'list of pages')"


@dataclass(frozen=True, slots=True)
class Run:
    """A file of rows behind the front, and how many there are."""

    file: str
    rows: int


def stored_schema() -> pa.Schema:
    """The columns of rows behind the front."""
    import pyarrow as pa

    return pa.schema([*schema_of(Known), pa.field("seq", pa.int64()), pa.field("total", pa.int64())])


def stored(rows: pa.Table, seq: int, total: int) -> pa.Table:
    """Rows of the frontier as they stand behind it."""
    import pyarrow as pa

    count = rows.num_rows
    columns = [*rows.columns, pa.array(np.full(count, seq)), pa.array(np.full(count, total))]
    return pa.Table.from_arrays(columns, schema=stored_schema())


def promise(rows: pa.Table) -> Ints:
    """How much speaks for each URL, whatever the strategy: what it and its links say of its language."""
    words, links = ints(rows, "words"), ints(rows, "links")
    share = ints(rows, "share")
    said = 3 * (ints(rows, "seed") == 1) + 2 * (words == 2) - 2 * (words == 1)
    said = said + 2 * (ints(rows, "alternates_target") > 0) - (ints(rows, "alternates_other") > 0)
    said = said + (ints(rows, "anchors_target") + ints(rows, "anchors_named") > 0)
    said = said - (ints(rows, "anchors_other") > 0) + (2 * share >= 1_000_000 * links) * (links > 0)
    found: Ints = (said - ints(rows, "sibling")).astype(np.int64)
    return found


PROMISE = """
case when seed = 1 then 3 else 0 end + case when words = 2 then 2 when words = 1 then -2 else 0 end
+ case when alternates_target > 0 then 2 else 0 end - case when alternates_other > 0 then 1 else 0 end
+ case when anchors_target + anchors_named > 0 then 1 else 0 end
- case when anchors_other > 0 then 1 else 0 end
+ case when links > 0 and 2 * share >= links * 1000000 then 1 else 0 end - sibling
"""
"""SQL for the same."""


def waiting(rows: pa.Table, now: int) -> Flags:
    """Which URLs could be fetched at `now`."""
    refused = piece(rows, "refused").dictionary_encode()
    words = refused.dictionary.to_pylist()
    free = np.array([word in ("", PAGE_LIST) for word in words] or [False])
    codes = refused.indices.to_numpy(zero_copy_only=False)
    found: Flags = free[codes] & (ints(rows, "due") <= now)
    return found


def turns(rows: pa.Table, sites: pa.Table) -> Ints:
    """After how many rounds each URL has its turn, if a site's best come first and good sites get more."""
    site = ints(rows, "site_id")
    place = places_in(site, -promise(rows), ints(rows, "hops"), ints(rows, "round"), ints(rows, "id"))
    where = positions(site, ints(sites, "site_id"))
    good, tries = (np.append(ints(sites, name), 0)[where] for name in ("good", "tries"))
    steps = [good >= 24, good >= 12, good >= 7, good >= 3, good >= 1, tries >= 25]
    found: Ints = place * np.select(steps, [1, 2, 3, 6, 12, 250], 25)
    return found


def best_waiting(engine: Engine, tables: Mapping[str, Dataset], now: int, most: int) -> Ints:
    """The ids of the best URLs of the base that wait and are not `standing` in front, part by part."""
    base = tables["base"]
    each = -(-most // max(1, len(base.files)))
    sql = WAITING_SQL.replace("<promise>", PROMISE).format(now=now, most=each)
    found = [
        engine.query(sql, {**tables, "base": Dataset((file,), base.schema)}).column("id").to_numpy()
        for file in base.files
    ]
    return np.concatenate([*found, np.zeros(0, np.int64)])
