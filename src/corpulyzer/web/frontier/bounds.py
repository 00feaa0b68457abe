"""Limits for every strategy: what brought next to no new text, and lists that lead to no page that is new.

Lists of pages, sitemaps and feeds hold no text of their own: what speaks for them is what they lead to. A
site has many that lead to the same pages: by day, by month, by tag, by author, and a feed for each page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corpulyzer.web.frontier.clues import SIBLING

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from corpulyzer.engine import Dataset, Engine
    from corpulyzer.web.frontier import Columns, Ints
    from corpulyzer.web.frontier.traps import Traps


LAST = 4
"""So many in a row that lead to nothing new are enough to leave the others of their kind alone."""

# Of the lists of a site (`traps.PAGE_LIST`), and of the maps of a pattern: the last four (`LAST`) that were
# read, and pages first seen there.
LED_SQL = """
select kind, is_list, count(distinct id) as seen, count(leads_to) as led
from (select h.id, h.kind, h.is_list, u.id as leads_to
      from (select id, kind, is_list,
                   row_number() over (partition by kind, is_list
                                      order by fetched desc nulls last, id nulls last) as place
            from (select id, fetched,
                         case when refused = 'list of pages' then site_id else prefix_id end as kind,
                         case when refused = 'list of pages' then 1 else 0 end as is_list
                  from frontier where fetches > 0 and (maps > 0 or refused = 'list of pages')) as r) as h
      left join (select id, referrer from frontier where refused = '' and maps = 0) as u on u.referrer = h.id
      where h.place <= 4) as l
group by kind, is_list
order by kind nulls last, is_list nulls last
"""
# How many pages of a site are known, how many of them its sitemaps and feeds name, and how many of its lists
# and maps were read.
SITES_SQL = """
select site_id,
       sum(case when refused = '' and maps = 0 then 1 else 0 end) as pages,
       sum(case when refused = '' and maps = 0 and listed > 0 then 1 else 0 end) as named,
       sum(case when fetches > 0 and (maps > 0 or refused = 'list of pages') then 1 else 0 end) as hubs
from frontier group by site_id order by site_id nulls last
"""


def barren_patterns(traps: Traps, past: Columns) -> Ints:
    """The ids of patterns of which all pages, or the last ones, brought next to no new text."""
    return _barren(traps, past["prefix_id"], past)


def mirrored_sites(traps: Traps, past: Columns) -> Ints:
    """The ids of sites whose second views of pages (another session, frame, order) were nearly all copies.

    Sites where such URLs turn out to be other languages, or other pages with the same number, are not among
    them, since those bring new text.
    """
    views = past["evidence"] >= SIBLING
    seen = {name: column[views] for name, column in past.items()}
    return _barren(traps, seen["site_id"], seen)


def copying_sites(past: Columns) -> Ints:
    """The ids of sites of which more than a tenth of the pages were copies."""
    keys, where = np.unique(past["site_id"], return_inverse=True)
    copies, pages = (np.bincount(where, past[name], len(keys)) for name in ("copies", "pages"))
    return keys[copies * 10 > pages]


@dataclass(frozen=True, slots=True)
class Hubs:
    """The ids of sites whose lists are no longer wanted, and of patterns whose maps are not."""

    sites: Ints
    patterns: Ints


def spent_hubs(engine: Engine, frontier: Dataset) -> Hubs:
    """What leads nowhere: where the last ones brought nothing new, and lists where maps name most pages."""
    sites = engine.query(SITES_SQL, {"frontier": frontier})
    site, pages, named, hubs = (
        sites.column(name).to_numpy() for name in ("site_id", "pages", "named", "hubs")
    )
    well_named = site[4 * named > 3 * pages]
    if not (hubs >= LAST).any():  # no site can have so many that led to nothing
        return Hubs(well_named, np.empty(0, np.int64))
    led = engine.query(LED_SQL, {"frontier": frontier})
    kind, is_list, seen, found = (led.column(name).to_numpy() for name in ("kind", "is_list", "seen", "led"))
    spent = (seen >= LAST) & (found == 0)
    return Hubs(np.union1d(kind[spent & (is_list == 1)], well_named), kind[spent & (is_list == 0)])


def _barren(traps: Traps, groups: Ints, past: Columns) -> Ints:
    keys, where = np.unique(groups, return_inverse=True)
    pages, fresh = past["pages"] + past["errors"], past["pages"] - past["copies"] - past["thin"]
    last = _last_rows(where, past["round"], pages, traps.barren_pages)
    found = np.zeros(len(keys), np.bool_)
    for rows in (np.ones(len(where), np.bool_), last):
        seen = np.bincount(where, pages * rows, len(keys)).astype(np.int64)
        new = np.bincount(where, fresh * rows, len(keys)).astype(np.int64)
        found |= traps.barren(seen, new)
    return keys[found]


def _last_rows(where: Ints, rounds: Ints, pages: Ints, enough: int) -> NDArray[np.bool_]:
    """The rows of each group's last rounds, as few of them as hold `enough` pages."""
    order = np.lexsort((-rounds, where))
    before = np.cumsum(pages[order]) - pages[order]
    group = where[order]
    first = np.searchsorted(group, group)  # where the row's group begins
    rows = np.zeros(len(where), np.bool_)
    rows[order] = before - before[first] < enough
    return rows
