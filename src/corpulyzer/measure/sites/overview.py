"""Which sites a corpus is made of: the largest, how uneven they are, and how many have no kept page.

CZ-39, CZ-46, CZ-52; C4-16; XH-13, XH-27.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from corpulyzer.measure.bench import Bench
from corpulyzer.measure.figures import bars, columns
from corpulyzer.measure.pages.funnel import percent
from corpulyzer.measure.result import Result
from corpulyzer.measure.sites.labels import Labels, categories, labelled_sites
from corpulyzer.measure.sites.rows import SiteRow, by_richness, label_of, site_rows
from corpulyzer.measure.sites.very_large import large_sites
from corpulyzer.measure.typed_rows import table_of

TOP = 20
TOP_K = (1, 5, 10, 50, 100)
BINS = ((1, 1, "1"), (2, 9, "2–9"), (10, 99, "10–99"), (100, 999, "100–999"), (1_000, 10_000, "1k–10k"))
LAST_BIN = "over 10k"


def measure(bench: Bench) -> list[Result]:
    """Top sites and domains, their concentration, pages per site, noise by site, what people said."""
    sites, domains = site_rows(bench), site_rows(bench, "domain")
    results = [
        top_sites(sites, bench.site_labels),
        top_sites_by_bytes(sites, bench.site_labels),
        top_domains(domains, bench.site_labels),
        concentration(sites),
        pages_per_site(sites),
        noise_by_site(sites),
    ]
    by_hand = [labelled_sites(sites, bench.site_labels), categories(sites, bench.site_labels)]
    large = large_sites(sites)
    return [*results, *([large] if large else []), *(by_hand if bench.site_labels else [])]


def top_sites(sites: Sequence[SiteRow], labels: Labels, top: int = TOP) -> Result:
    """The sites with most pages in the corpus (CZ-46, XH-13)."""
    return _top("top_sites", "Sites with most pages", sites, labels, top, "kept")


def top_sites_by_bytes(sites: Sequence[SiteRow], labels: Labels, top: int = TOP) -> Result:
    """The sites with most text of the language (CZ-46)."""
    name, title = "top_sites_by_bytes", "Sites with most text"
    return _top(name, title, sites, labels, top, "kept_target_bytes")


def top_domains(domains: Sequence[SiteRow], labels: Labels, top: int = TOP) -> Result:
    """The registered domains with most pages in the corpus (C4-16)."""
    return _top("top_domains", "Registered domains with most pages", domains, labels, top, "kept")


def _top(name: str, title: str, sites: Sequence[SiteRow], labels: Labels, top: int, by: str) -> Result:
    ranked = sorted((s for s in sites if s.kept), key=lambda s: (-getattr(s, by), -s.kept, s.site))
    ranks = {site.site: number for number, site in enumerate(by_richness(sites), 1)}
    pages, size = sum(s.kept for s in ranked), sum(s.kept_target_bytes for s in ranked)
    rows = [
        {
            "site": site.site,
            "pages": site.kept,
            "pages_share": site.kept / pages,
            "target_bytes": site.kept_target_bytes,
            "bytes_share": site.kept_target_bytes / size if size else 0.0,
            "richness": site.richness,
            "richness_rank": ranks[site.site],
            "category": label_of(labels, site.site, "category"),
            "machine_translated": label_of(labels, site.site, "machine_translated"),
        }
        for site in ranked[:top]
    ]
    held = sum(getattr(site, by) for site in ranked[:top]) / max(1, sum(getattr(s, by) for s in ranked))
    unit = "pages" if by == "kept" else "bytes"
    domain = name == "top_domains"
    kind = "registered domains" if domain else "sites"
    return Result(
        name=name,
        title=title,
        definition=f"The {kind} with most {unit} in the corpus; richness is the mean share of the language "
        "over a site's pages, its rank 1 the richest.",
        citation="Habernal et al. 2016, Table 8" if domain else "Tahir & Mehmood 2021, Table 9",
        rows=table_of(rows, TOP_COLUMNS),
        summary=_held(rows, len(ranked), kind, unit, held),
        parameters={"top": top},
        spec=bars("site", "pages" if by == "kept" else "target_bytes"),
        facts={"sites": len(ranked)},
    )


def _held(rows: Sequence[dict[str, Any]], sites: int, kind: str, unit: str, held: float) -> str:
    """How much the sites that are shown hold; where these are all, how much the largest does."""
    if not rows:
        return "No page is kept, so there is no site to name."
    if len(rows) < sites:
        return f"The {len(rows)} largest of {sites:,} {kind} hold {percent(held)} of all {unit}."
    share = percent(rows[0]["pages_share" if unit == "pages" else "bytes_share"])
    return f"{rows[0]['site']}, the largest of {sites:,} {kind}, holds {share} of all {unit}."


TOP_COLUMNS = {
    "site": "string",
    "pages": "int64",
    "pages_share": "double",
    "target_bytes": "int64",
    "bytes_share": "double",
    "richness": "double",
    "richness_rank": "int64",
    "category": "string",
    "machine_translated": "string",
}


def gini(sizes: Sequence[int]) -> float | None:
    """The Gini coefficient: 0 where all are of one size, towards 1 where one has everything.

    >>> gini([1, 1, 1, 1]), gini([0, 0, 0, 1])
    (0.0, 0.75)
    """
    total, count = sum(sizes), len(sizes)
    if not total:
        return None
    weighted = sum(place * size for place, size in enumerate(sorted(sizes), 1))
    return 2 * weighted / (count * total) - (count + 1) / count


def concentration(sites: Sequence[SiteRow]) -> Result:
    """How far few sites make up the corpus: top-k shares, Gini, HHI, effective number of sites (XH-13)."""
    kept = [site for site in sites if site.kept]
    found = {unit: uneven([getattr(s, unit) for s in kept]) for unit in ("kept", "kept_target_bytes")}
    rows = [
        {"measure": name, "by_pages": value, "by_bytes": found["kept_target_bytes"].get(name)}
        for name, value in found["kept"].items()
    ]
    five, number = found["kept"].get("share of the top 5"), found["kept"].get("effective number of sites")
    summary = "No page is kept, so there is nothing to measure."
    if number is not None:
        summary = (
            f"{len(kept):,} sites, as concentrated as {number:,.1f} sites of equal size; "
            f"the five largest hold {percent(five)} of the pages."
        )
        if len(kept) == 1:
            summary = "The whole corpus is from a single site."
    alone = number is not None and number < 5
    return Result(
        name="concentration",
        title="Concentration",
        definition="The share of the k largest sites, the Gini coefficient of site sizes, the sum of squared "
        "shares (HHI), and the effective number of sites, exp of the entropy of the shares.",
        citation="Marquard & Suleman 2023, Table 2; Hill 1973",
        rows=table_of(rows, {"measure": "string", "by_pages": "double", "by_bytes": "double"}),
        summary=summary,
        warnings=("Few sites make up the corpus: what holds for it may hold for those sites alone.",)
        if alone
        else (),
        facts={"effective_sites": number, "top_5_share": five},
    )


def uneven(sizes: Sequence[int]) -> dict[str, float | None]:
    """The measures of concentration of sizes; empty if there is nothing."""
    total, ranked = sum(sizes), sorted(sizes, reverse=True)
    if not total:
        return {}
    shares = [size / total for size in ranked if size]
    entropy = -math.fsum(share * math.log(share) for share in shares)
    top = {f"share of the top {k}": math.fsum(shares[:k]) for k in TOP_K if k <= len(ranked) or k == 5}
    return {
        **top,
        "Gini coefficient": gini(sizes),
        "HHI": math.fsum(share * share for share in shares),
        "effective number of sites": math.exp(entropy),
    }


def pages_per_site(sites: Sequence[SiteRow]) -> Result:
    """How many sites have how many pages, of all read and of the corpus (CZ-39)."""
    both = {"read": [s.pages for s in sites], "corpus": [s.kept for s in sites if s.kept]}
    rows = [
        {"pages": name, "of": kind, "sites": count, "share": count / len(sizes) if sizes else None}
        for kind, sizes in both.items()
        for name, count in binned(sizes).items()
    ]
    single = sum(size == 1 for size in both["corpus"])
    titles = {"pages": "pages of a site", "share": "of sites"}
    spec = columns("pages", "share", series="of", percent=True, titles=titles)
    return Result(
        name="pages_per_site",
        title="Pages per site",
        definition="The share of sites by the number of their pages, of all that were read and of those that "
        "the corpus keeps.",
        citation="Tahir & Mehmood 2021, Fig. 6b",
        rows=table_of(rows, {"pages": "string", "of": "string", "sites": "int64", "share": "double"}),
        summary=f"{single:,} of {len(both['corpus']):,} sites in the corpus have a single page."
        if both["corpus"]
        else "No site has a page in the corpus.",
        spec=spec if sites else None,
    )


def binned(sizes: Sequence[int]) -> dict[str, int]:
    """Counts of sizes by bin: 10,000 belongs to the last but one.

    >>> binned([1, 9, 10_000, 10_001])
    {'1': 1, '2–9': 1, '10–99': 0, '100–999': 0, '1k–10k': 1, 'over 10k': 1}
    """
    counts = {name: sum(low <= size <= high for size in sizes) for low, high, name in BINS}
    return {**counts, LAST_BIN: sum(size > BINS[-1][1] for size in sizes)}


def noise_by_site(sites: Sequence[SiteRow]) -> Result:
    """Sites by how many of their pages are kept (CZ-50, CZ-52)."""
    groups = {
        "all pages are kept": [s for s in sites if s.kept == s.pages],
        "some pages are kept": [s for s in sites if 0 < s.kept < s.pages],
        "noise, with some of the language": [s for s in sites if not s.kept and s.target_pages],
        "noise, nothing of the language": [s for s in sites if not s.kept and not s.target_pages],
    }
    rows: list[dict[str, Any]] = [
        {
            "sites_where": name,
            "sites": len(group),
            "share": len(group) / len(sites) if sites else None,
            "pages": sum(s.pages for s in group),
            "target_bytes": sum(s.target_bytes for s in group),
        }
        for name, group in groups.items()
    ]
    noise = rows[2]["sites"] + rows[3]["sites"]
    pages, kept = sum(s.pages for s in sites), sum(s.kept for s in sites)
    kinds = {"sites_where": "string", "sites": "int64", "share": "double", "pages": "int64"}
    return Result(
        name="noise_by_site",
        title="Noise by site",
        definition="Sites by whether all, some or none of the pages that were read are kept; noise is "
        "what is not.",
        citation="Tahir & Mehmood 2021, Section V-B",
        rows=table_of(rows, {**kinds, "target_bytes": "int64"}),
        summary=f"{percent(noise / len(sites))} of {len(sites):,} sites have no kept page; "
        f"{percent(1 - kept / pages)} of all pages read are not kept."
        if sites and pages
        else "No page was read.",
        spec=bars("sites_where", "sites"),
        facts={"noise_sites_share": noise / len(sites) if sites else None},
    )
