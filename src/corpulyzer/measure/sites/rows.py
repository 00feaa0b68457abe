"""A row for each site: its pages, how many the corpus keeps, and how much of the language is on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from corpulyzer.measure.bench import Bench
from corpulyzer.measure.pages.rows import MICRO, described
from corpulyzer.url import site_of

Level = Literal["site", "domain"]

SITES_SQL = """
select site, count(*) as pages, sum(kept) as kept, sum(share) as shares,
       sum(case when kept = 1 then share else 0 end) as kept_shares,
       sum(content_bytes) as content_bytes, sum(target_bytes) as target_bytes,
       sum(case when kept = 1 then content_bytes else 0 end) as kept_content_bytes,
       sum(case when kept = 1 then target_bytes else 0 end) as kept_target_bytes,
       sum(case when target_bytes > 0 then 1 else 0 end) as target_pages,
       sum(case when text_bytes > 0 or content_bytes > 0 then 1 else 0 end) as text_pages,
       sum(case when kept = 1 then token_share else 0 end) as kept_token_shares
from pages group by site order by site nulls last
"""
DOMAINS_SQL = """
select domain as site, count(*) as pages, sum(kept) as kept, sum(share) as shares,
       sum(case when kept = 1 then share else 0 end) as kept_shares,
       sum(content_bytes) as content_bytes, sum(target_bytes) as target_bytes,
       sum(case when kept = 1 then content_bytes else 0 end) as kept_content_bytes,
       sum(case when kept = 1 then target_bytes else 0 end) as kept_target_bytes,
       sum(case when target_bytes > 0 then 1 else 0 end) as target_pages,
       sum(case when text_bytes > 0 or content_bytes > 0 then 1 else 0 end) as text_pages,
       sum(case when kept = 1 then token_share else 0 end) as kept_token_shares
from pages group by domain order by domain nulls last
"""


@dataclass(frozen=True, slots=True)
class SiteRow:
    """Sums over the pages of a site, all of them and those that are kept; `shares` are in millionths."""

    site: str
    pages: int
    kept: int
    shares: int
    kept_shares: int
    content_bytes: int
    target_bytes: int
    kept_content_bytes: int
    kept_target_bytes: int
    target_pages: int
    text_pages: int
    kept_token_shares: int

    @property
    def richness(self) -> float:
        """Eq. 5 of Corpulyzer (2021) over the kept pages: the mean of their language shares (CZ-28)."""
        return self.kept_shares / (MICRO * self.kept) if self.kept else 0.0

    @property
    def raw_richness(self) -> float:
        """The same over all pages that were read and have text; without text there is no share."""
        return self.shares / (MICRO * self.text_pages) if self.text_pages else 0.0

    @property
    def token_richness(self) -> float:
        """The mean of the language shares by tokens over the kept pages."""
        return self.kept_token_shares / (MICRO * self.kept) if self.kept else 0.0

    @property
    def weighted_richness(self) -> float:
        """Target bytes of all bytes of the kept pages: the mean weighted by size."""
        return self.kept_target_bytes / self.kept_content_bytes if self.kept_content_bytes else 0.0


def site_rows(bench: Bench, level: Level = "site") -> list[SiteRow]:
    """The sites of a corpus in the order of their names, or its registered domains."""
    sql = SITES_SQL if level == "site" else DOMAINS_SQL
    rows = bench.engine.query(sql, {"pages": described(bench)["pages"]}).to_pylist()
    return [SiteRow(**row) for row in rows]


def by_richness(sites: Sequence[SiteRow]) -> list[SiteRow]:
    """Sites with kept pages, the richest first; ties go to more bytes, then to the name (CZ-44)."""
    kept = (site for site in sites if site.kept)
    return sorted(kept, key=lambda s: (-s.richness, -s.kept_target_bytes, s.site))


def label_of(labels: Mapping[str, Mapping[str, str]], site: str, name: str) -> str:
    """What people noted of a site, or of the domain above it (XH-27).

    >>> label_of({"a.example": {"category": "news"}}, "www.ur.a.example", "category")
    'news'
    """
    parts = site.split(".")
    above = (".".join(parts[number:]) for number in range(len(parts)))
    known = next((labels[host] for host in above if host in labels), None)
    if known is None:
        known = labels.get(site_of(f"http://{site}/", "registered"), {})
    return str(known.get(name, ""))
