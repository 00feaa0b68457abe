"""How a crawl goes: yield per round (CZ-29), discovery beyond the seeds (XH-22), what is left to fetch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpulyzer.engine import Dataset, Engine
from corpulyzer.web.frontier.traps import PAGE_LIST

if TYPE_CHECKING:
    from corpulyzer.web.frontier.store.versions import Frontier

YIELD_SQL = """
select d.round, count(*) as pages, sum(case when d.target_bytes > 0 then 1 else 0 end) as target_pages,
       sum(case when d.verdict.kept then 1 else 0 end) as kept_pages
from documents as d where d.round > 0 group by d.round order by d.round nulls last
"""
SITES_SQL = """
select site, count(*) as documents from documents where verdict.kept group by site order by site nulls last
"""
FRONTIER_SQL = """
select refused, case when fetches > 0 then 1 else 0 end as fetched, case when due > {now} then 1 else 0 end
as waits,
       count(*) as urls
from frontier group by refused, case when fetches > 0 then 1 else 0 end, case when due > {now} then 1 else 0
end
order by refused nulls last, fetched nulls last, waits nulls last
"""


@dataclass(frozen=True, slots=True)
class RoundYield:
    """A round: pages read, those with any target text, and those that the filters keep."""

    round: int
    pages: int
    target_pages: int
    kept_pages: int

    @property
    def rate(self) -> float:
        """Corpulyzer (2021), Eq. 6, as a share: pages with target text of pages read."""
        return self.target_pages / self.pages if self.pages else 0.0

    @property
    def kept_rate(self) -> float:
        """The same for the pages that the filters left."""
        return self.kept_pages / self.pages if self.pages else 0.0


def yield_rate(engine: Engine, documents: Dataset) -> list[RoundYield]:
    """The yield of each round of a crawl (CZ-29); imported pages are of no round.

    `documents` are as the filters judged them: what left as a copy later was part of its round's yield.
    """
    rows = engine.query(YIELD_SQL, {"documents": documents}).to_pylist()
    return [RoundYield(**row) for row in rows]


@dataclass(frozen=True, slots=True)
class Discovery:
    """Sites of the corpus that no seed was on, and how many of its documents are from there."""

    sites: int
    new_sites: tuple[str, ...]
    documents: int
    new_documents: int

    @property
    def site_share(self) -> float:
        return len(self.new_sites) / self.sites if self.sites else 0.0

    @property
    def document_share(self) -> float:
        return self.new_documents / self.documents if self.documents else 0.0


def discovery(engine: Engine, documents: Dataset, seed_sites: Iterable[str]) -> Discovery:
    """What the crawl found beyond its seeds (XH-22)."""
    known = set(seed_sites)
    rows = engine.query(SITES_SQL, {"documents": documents}).to_pylist()
    new = {row["site"]: row["documents"] for row in rows if row["site"] not in known}
    total = sum(row["documents"] for row in rows)
    return Discovery(len(rows), tuple(sorted(new)), total, sum(new.values()))


@dataclass(frozen=True, slots=True)
class FrontierCount:
    """The URLs of a frontier: all, fetched, waiting to be fetched, and refused by reason."""

    known: int
    fetched: int
    waiting: int
    refused: dict[str, int]


def count_frontier(engine: Engine, frontier: Frontier, now: int) -> FrontierCount:
    """What a frontier holds; `now` is in seconds since 1970. Behind its front it goes by the counts kept."""
    rows = engine.query(FRONTIER_SQL.format(now=now), {"frontier": frontier.at_hand()}).to_pylist()
    refused: dict[str, int] = {}
    for row in rows:
        if row["refused"] not in ("", PAGE_LIST):
            refused[row["refused"]] = refused.get(row["refused"], 0) + row["urls"]
    found = FrontierCount(
        known=sum(row["urls"] for row in rows),
        fetched=sum(row["urls"] for row in rows if row["fetched"]),
        waiting=sum(row["urls"] for row in rows if row["refused"] in ("", PAGE_LIST) and not row["waits"]),
        refused=refused,
    )
    if not frontier.is_deep:
        return found
    kept = frontier.manifest
    return FrontierCount(kept.known, kept.fetched, found.waiting + kept.waiting, dict(kept.refused))
