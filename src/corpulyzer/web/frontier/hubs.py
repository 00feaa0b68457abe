"""Whether lists of pages, sitemaps and feeds still lead to pages that are not known, for every strategy.

They hold no text of their own, so nothing speaks for them but what they lead to. A site has many that lead to
the same pages: by day, by month, by tag, by author, and a feed for each page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corpulyzer.web.frontier.traps import PAGE_LIST

if TYPE_CHECKING:
    from corpulyzer.engine import Dataset, Engine
    from corpulyzer.web.frontier import Ints

LAST = 4
"""So many in a row that lead to nothing new are enough to leave the others of their kind alone."""

# Of the lists of a site, and of the maps of a pattern: the last that were read, and pages first seen there.
LED_SQL = f"""
select kind, is_list, count(distinct id) as seen, count(leads_to) as led
from (select h.id, h.kind, h.is_list, u.id as leads_to
      from (select id, kind, is_list,
                   row_number() over (partition by kind, is_list
                                      order by fetched desc nulls last, id nulls last) as place
            from (select id, fetched,
                         case when refused = '{PAGE_LIST}' then site_id else prefix_id end as kind,
                         case when refused = '{PAGE_LIST}' then 1 else 0 end as is_list
                  from frontier where fetches > 0 and (maps > 0 or refused = '{PAGE_LIST}')) as r) as h
      left join (select id, referrer from frontier where refused = '' and maps = 0) as u on u.referrer = h.id
      where h.place <= {LAST}) as l
group by kind, is_list
order by kind nulls last, is_list nulls last
"""
# How many pages of a site are known, and how many of them its sitemaps and feeds name.
NAMED_SQL = """
select site_id, count(*) as pages, sum(case when listed > 0 then 1 else 0 end) as named
from frontier where refused = '' and maps = 0 group by site_id order by site_id nulls last
"""


@dataclass(frozen=True, slots=True)
class Hubs:
    """The ids of sites whose lists are no longer wanted, and of patterns whose maps are not."""

    sites: Ints
    patterns: Ints


def spent_hubs(engine: Engine, frontier: Dataset) -> Hubs:
    """What leads nowhere: where the last ones brought nothing new, and lists where maps name most pages."""
    led = engine.query(LED_SQL, {"frontier": frontier})
    kind, is_list, seen, found = (led.column(name).to_numpy() for name in ("kind", "is_list", "seen", "led"))
    spent = (seen >= LAST) & (found == 0)
    named = engine.query(NAMED_SQL, {"frontier": frontier})
    site, pages, known = (named.column(name).to_numpy() for name in ("site_id", "pages", "named"))
    return Hubs(
        np.union1d(kind[spent & (is_list == 1)], site[4 * known > 3 * pages]), kind[spent & (is_list == 0)]
    )
