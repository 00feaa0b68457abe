"""How rich the very large sites are in the language (CZ-52)."""

from __future__ import annotations

from collections.abc import Sequence

from corpulyzer.measure.result import Result
from corpulyzer.measure.sites.rows import SiteRow, by_richness
from corpulyzer.measure.typed_rows import table_of

LARGE_PAGES = 10_000
SHOWN = 100
KINDS = {"site": "string", "pages": "int64", "richness": "double", "richness_rank": "int64"}


def large_sites(sites: Sequence[SiteRow], over: int = LARGE_PAGES) -> Result | None:
    """The sites with more than `over` pages in the corpus and their ranks by richness; None without any."""
    ranks = {site.site: rank for rank, site in enumerate(by_richness(sites), 1)}
    large = sorted((site for site in sites if site.kept > over), key=lambda site: (-site.kept, site.site))
    if not large:
        return None
    rows = [
        {"site": site.site, "pages": site.kept, "richness": site.richness, "richness_rank": ranks[site.site]}
        for site in large
    ]
    middle = sorted(ranks[site.site] for site in large)[len(large) // 2]
    return Result(
        name="large_sites",
        title="Richness of the very large sites",
        definition=f"Sites with more than {over:,} pages in the corpus, and their places among all sites by "
        "the mean share of the language on their pages; 1 is the richest.",
        citation="Tahir & Mehmood 2021 (CZ-52)",
        rows=table_of(rows[:SHOWN], KINDS),
        summary=f"{len(large):,} of {len(ranks):,} sites have more than {over:,} pages; by richness the "
        f"middle one of them is number {middle:,}.",
        parameters={"over": over, "shown": SHOWN},
        facts={"sites": len(large), "middle_rank": middle},
    )
