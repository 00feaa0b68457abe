"""The fetch list of a round: the URLs with the best scores, at most so many of a site.

URLs that a strategy cannot tell apart are scored together, as a cell. There are far fewer cells than URLs, so
the strategy itself is plain Python over a small table, and the millions are left to three queries.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from corpulyzer.engine import Dataset, Engine
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import ParquetSink
from corpulyzer.web.frontier import UNWANTED, Scorer, Scores, Situation
from corpulyzer.web.frontier.bounds import Hubs, barren_patterns, copying_sites, mirrored_sites, spent_hubs
from corpulyzer.web.frontier.clues import EVIDENCE
from corpulyzer.web.frontier.tables import Listed
from corpulyzer.web.frontier.traps import PAGE_LIST, Traps
from corpulyzer.web.frontier.update import Frontier

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from corpulyzer.web.frontier import Columns, Ints

    Flags = NDArray[np.bool_]

KEY = f"""
4 * (<own>) + case when sibling = 1 and fetches = 0 then 1 else 0 end
+ case when refused = '{PAGE_LIST}' and fetches = 0 then 2 else 0 end
"""
"""The strategy's own key, whether the URL is unread and another view of a page that was read, and whether it
is unread and a list of pages. What was read falls due again as pages do."""

CELLS = """
select prefix_id, evidence, max(section_id) as section_id, max(site_id) as site_id, count(*) as supply,
       max(referrer_bytes) as referrer_bytes
from (select prefix_id, section_id, site_id, referrer_bytes, <key> as evidence
      from frontier where due <= {now} and refused in ('', '<list>') <pages>) as f
group by prefix_id, evidence
order by prefix_id nulls last, evidence nulls last
"""
RANKED = """
select id, score
from (select u.*, row_number() over (partition by site_id order by score desc nulls last, <order>,
                                     id nulls last) as in_site,
             row_number() over (partition by stem order by score desc nulls last, <order>, id nulls last) as
             in_stem
      from (select f.*, c.score, c.quota, c.site_quota, c.stem_quota,
                   row_number() over (partition by f.prefix_id, f.evidence order by <order>,
                                      id nulls last) as in_cell
            from (select id, prefix_id, site_id, stem, <ordered>, <key> as evidence from frontier
                  where due <= {now} and refused in ('', '<list>') <pages>) as f
            join chosen as c on f.prefix_id = c.prefix_id and f.evidence = c.evidence) as u
      where in_cell <= quota) as s
where in_site <= site_quota and in_stem <= stem_quota
order by score desc nulls last, <order>, id nulls last
limit {size}
"""
LIST = """
select r.place, f.id, f.url, f.spelling, f.site_id, f.section_id, f.prefix_id, f.stem,
       <evidence> as evidence, r.score, f.hops, f.seed, f.cash, f.fetches, f.failures, f.pause, f.digest
from frontier as f
join ranked as r on f.id = r.id
order by r.place nulls last
"""


@dataclass(frozen=True, slots=True)
class Generate:
    """Makes fetch lists (CZ-1). `work` is a folder of the corpus for intermediate results.

    `shut` are the ids of sites that must be left alone for now.
    """

    scorer: Scorer
    engine: Engine
    work: str
    per_site: int = 100
    traps: Traps = field(default_factory=Traps)
    shut: tuple[int, ...] = ()

    def __call__(self, frontier: Frontier, size: int, now: int, situation: Situation) -> pa.Table:
        """The list of at most `size` URLs that are due at `now`, seconds since 1970; best first."""
        import pyarrow as pa

        known = {"frontier": frontier.table("frontier")}
        cells, scores, _ = self._scored(frontier, now, situation)
        chosen = _chosen(scores, cells, size)
        if not len(chosen):
            return schema_of(Listed).empty_table()
        names = ("prefix_id", "evidence")
        rows = {name: cells[name][chosen] for name in names} | {
            name: getattr(scores, name)[chosen] for name in ("score", "quota", "site_quota", "stem_quota")
        }
        table = self._write(frontier, "chosen", pa.table(rows))
        ranked = self.engine.query(self.ranked_sql(now, size), known | {"chosen": table})
        places = pa.array(np.arange(ranked.num_rows, dtype=np.int64))
        table = self._write(frontier, "ranked", ranked.append_column("place", places))
        return self.engine.query(LIST.replace("<evidence>", EVIDENCE), known | {"ranked": table}).cast(
            schema_of(Listed)
        )

    def held_back(self, frontier: Frontier, now: int, situation: Situation) -> dict[str, int]:
        """How many URLs are due at `now` and yet not wanted, by reason."""
        cells, scores, reasons = self._scored(frontier, now, situation)
        left = scores.score <= UNWANTED
        found = {}
        for reason, cause in {**reasons, "that the strategy does not want": left}.items():
            if count := int(cells["supply"][left & cause].sum()):
                found[reason] = count
            left = left & ~cause
        return found

    def cells_sql(self, now: int) -> str:
        """The query that counts the URLs of each cell."""
        return self._filled(CELLS).format(now=now)

    def ranked_sql(self, now: int, size: int) -> str:
        """The query that takes the best URLs out of the chosen cells."""
        return self._filled(RANKED).format(now=now, size=size)

    def _filled(self, sql: str) -> str:
        order = self.scorer.order
        parts = {
            "<key>": KEY.replace("<own>", self.scorer.key),
            "<list>": PAGE_LIST,
            "<order>": order,
            "<ordered>": ", ".join(key.split()[0] for key in order.split(",")),
            "<pages>": "" if self.scorer.reads_maps else "and maps = 0",
        }
        for name, part in parts.items():
            sql = sql.replace(name, part)
        return sql

    def _scored(
        self, frontier: Frontier, now: int, situation: Situation
    ) -> tuple[Columns, Scores, dict[str, Flags]]:
        """The cells of what is due, their scores, and where each limit that all strategies have held."""
        known = {"frontier": frontier.table("frontier")}
        cells = _columns(self.engine.query(self.cells_sql(now), known))
        past = _columns(self.engine.query(PAST_SQL, {"prefixes": frontier.table("prefixes")}))
        reasons = self._limits(cells, past, spent_hubs(self.engine, known["frontier"]))
        held = np.logical_or.reduce(list(reasons.values()))
        own = {**cells, "evidence": cells["evidence"] // 4, "lists": cells["evidence"] // 2 % 2, "held": held}
        return cells, self._bounded(self.scorer(own, past, situation), cells, past, held), reasons

    def _limits(self, cells: Columns, past: Columns, hubs: Hubs) -> dict[str, Flags]:
        """Why cells are not to be fetched, in words that follow a number of URLs."""
        site, pattern = cells["site_id"], cells["prefix_id"]
        views = np.isin(site, mirrored_sites(self.traps, past)) & (cells["evidence"] % 2 == 1)
        lists = np.isin(site, hubs.sites) & (cells["evidence"] // 2 % 2 == 1)
        return {
            "of sites that want to be left alone for now": np.isin(site, np.array(self.shut, np.int64)),
            "of patterns that brought no new text": np.isin(pattern, barren_patterns(self.traps, past)),
            "that are other views of pages which are there": views,
            "that list pages which are known": lists | np.isin(pattern, hubs.patterns),
        }

    def _bounded(self, scores: Scores, cells: Columns, past: Columns, held: Flags) -> Scores:
        """The scores under the limits of all strategies: URLs of a site, and what is held back."""
        return replace(
            scores,
            score=np.where(held, UNWANTED, scores.score),
            site_quota=np.minimum(scores.site_quota, self.per_site),
            stem_quota=np.where(np.isin(cells["site_id"], copying_sites(past)), 1, scores.stem_quota),
        )

    def _write(self, frontier: Frontier, name: str, table: pa.Table) -> Dataset:
        path = frontier.storage.path(f"{self.work}/{name}.parquet")
        with ParquetSink(path, table.schema) as sink:
            for batch in table.to_batches():
                sink.write(batch)
        return Dataset((path,), table.schema)


PAST_SQL = """
select prefix_id, evidence, round, site_id, section_id, tries, pages, good, errors, copies, thin, target_bytes
from prefixes order by prefix_id nulls last, evidence nulls last, round nulls last
"""


def _chosen(scores: Scores, cells: Columns, size: int) -> Ints:
    """The cells that can reach the list: the best, until they hold `size` URLs, and all equal to the last."""
    order = np.lexsort((cells["evidence"], cells["prefix_id"], -scores.score))
    order = order[scores.score[order] > UNWANTED]
    room = np.minimum(cells["supply"], scores.quota)
    left: dict[int, int] = {}
    taken, last = 0, len(order)
    for place, cell in enumerate(order):
        site = int(cells["site_id"][cell])
        quota = left.get(site, int(scores.site_quota[cell]))
        take = min(int(room[cell]), quota)
        left[site] = quota - take
        taken += take
        if taken >= size:
            last = place + 1
            break
    while last < len(order) and scores.score[order[last]] == scores.score[order[last - 1]]:
        last += 1
    return np.sort(order[:last])


def _columns(table: pa.Table) -> Columns:
    return {name: table.column(name).to_numpy() for name in table.column_names}
