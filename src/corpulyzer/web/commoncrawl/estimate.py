"""What a filter lets through, counted and chosen before anything is fetched."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from corpulyzer.engine import Dataset, Engine
from corpulyzer.engine.sql_rules import LARGEST_LIMIT
from corpulyzer.engine.workbench import Workbench
from corpulyzer.web.commoncrawl.wanted import Rank

ADDRESS = "address"

RELEASES_SQL = """
    select p.release, count(*) as pages, count(distinct p.url) as urls, count(distinct p.site) as sites,
        sum(p.length) as bytes, sum(case when p.truncated <> '' then 1 else 0 end) as truncated
    from pages as p group by p.release order by p.release nulls last
"""
TOTAL_SQL = """
    select count(*) as pages, count(distinct p.url) as urls, count(distinct p.site) as sites,
        coalesce(sum(p.length), 0) as bytes,
        coalesce(sum(case when p.truncated <> '' then 1 else 0 end), 0) as truncated
    from pages as p
"""
SITES_SQL = """
    select p.site, count(distinct p.url) as urls from pages as p where p.url <> ''
    group by p.site order by p.site nulls last
"""
COUNTS_SQL = """
    select sum(c.pages) as pages, sum(c.bytes) as bytes,
        sum(case when {test} then c.pages else 0 end) as of_the_language
    from counts as c
"""
# The newest capture of each URL; the sites that have most pages first, and of a site its shortest addresses.
CHOSEN_SQL = """
    with captures as (
        select p.url, p.site, p.release, p.languages, p.filename, p.offset as place, p.length as size, p.time,
            row_number() over (partition by p.url order by p.release desc nulls last, p.filename nulls last,
                p.offset nulls last) as copy
        from pages as p
    ), sites as (
        select c.site, count(*) as pages from captures as c where c.copy = 1 group by c.site
    ), ordered as (
        select c.url, c.site, c.release, c.languages, c.filename, c.place, c.size, c.time, s.pages,
            {number} as number
        from captures as c join sites as s on c.site = s.site where c.copy = 1
    )
    select o.url, o.release, o.languages, o.filename, o.place, o.size, o.time
    from ordered as o where o.number <= {per_site}
    order by o.pages desc nulls last, o.site nulls last, length(o.url) nulls last, o.url nulls last
"""
# One task of a cluster numbers all pages of a site, so they have no numbers unless they are asked for.
OF_SITE = "row_number() over (partition by c.site order by length(c.url) nulls last, c.url nulls last)"
IN_ARCHIVES_SQL = """
    select o.url, o.time, o.filename, o.place, o.size from pages as o
    order by o.filename nulls last, o.place nulls last, o.url nulls last
"""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Pages, distinct URLs, sites, packed bytes and truncated pages: by release, and in all (CZ-33).

    `tlds` are distinct URLs by top-level domain, those with most first (HR-12).
    """

    releases: tuple[dict[str, Any], ...]
    total: dict[str, Any]
    tlds: tuple[dict[str, Any], ...] = ()


def estimate(engine: Engine, pages: Dataset) -> Estimate:
    """The size of what a filter lets through."""
    (total,) = engine.query(TOTAL_SQL, {"pages": pages}).to_pylist()
    releases = tuple(engine.query(RELEASES_SQL, {"pages": pages}).to_pylist())
    return Estimate(releases, total, tuple(by_tld(engine, pages)))


def by_tld(engine: Engine, pages: Dataset) -> list[dict[str, Any]]:
    """Distinct URLs by top-level domain, those with most first; sites without one are under `address`."""
    counts: Counter[str] = Counter()
    for row in engine.query(SITES_SQL, {"pages": pages}).to_pylist():
        last = row["site"].rpartition(".")[2]
        counts[last if last and not last.rstrip("]").isdigit() else ADDRESS] += row["urls"]
    total = counts.total()
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [{"tld": tld, "urls": urls, "share": urls / total} for tld, urls in ranked]


def share(engine: Engine, counts: Dataset, codes: tuple[str, ...], rank: Rank = "any") -> dict[str, Any]:
    """Pages and bytes of a whole release, and how many of the pages have the language at that rank."""
    patterns = {"any": "like '%{}%'", "first": "like '{}%'", "only": "= '{}'"}
    test = " or ".join(f"c.languages {patterns[rank].format(code)}" for code in codes) or "c.pages > 0"
    (row,) = engine.query(COUNTS_SQL.format(test=test), {"counts": counts}).to_pylist()
    return dict(row)


def chosen(bench: Workbench, pages: Dataset, per_site: int = 0, limit: int = 0) -> Dataset:
    """The newest capture of each URL, largest sites first; 0 is no limit, of a site or in all."""
    sql = CHOSEN_SQL.format(number=OF_SITE if per_site else "1", per_site=per_site or 1)
    if limit:
        sql += f"limit {min(limit, LARGEST_LIMIT)}"
    return bench.spread("chosen", sql, pages=pages)


def in_archives(bench: Workbench, chosen: Dataset) -> Dataset:
    """Chosen pages in the order in which they stand in the archives of a release."""
    return bench.spread("in-archives", IN_ARCHIVES_SQL, pages=chosen)
