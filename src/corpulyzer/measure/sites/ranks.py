"""Whether sites rich in the language are also central or popular: ranks from outside (CZ-22, CZ-45)."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from corpulyzer.errors import UserError
from corpulyzer.measure.bench import Bench
from corpulyzer.measure.figures import lines
from corpulyzer.measure.result import Result
from corpulyzer.measure.sites.rows import SiteRow, by_richness, site_rows
from corpulyzer.measure.statistics.correlation import spearman
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.storage import open_input
from corpulyzer.url import site_of

TOP_N = (10, 100, *range(1_000, 100_000, 1_000))


def measure(bench: Bench) -> list[Result]:
    """The agreement of the ranking by richness with each file of ranks; nothing where there is none."""
    if not bench.ranks:
        return []
    sites = by_richness(site_rows(bench))
    return [spearman_at(sites, {name: load(file, _names(sites)) for name, file in bench.ranks.items()})]


def load(file: str, wanted: set[str]) -> dict[str, int]:
    """The ranks of the wanted sites in a file, plain or gzip; the first line of a site counts.

    Three forms are known by their look: `rank,site` (Tranco, Umbrella), a header line that names `site` and
    `rank`, and the host ranks of Common Crawl's web graph, in which names are reversed and the first column
    is the place by harmonic centrality.
    """
    found: dict[str, int] = {}
    with open_input(file) as stored:
        content: Any = gzip.GzipFile(fileobj=stored) if file.endswith(".gz") else stored
        for rank, name in _entries(io.TextIOWrapper(content, "utf-8"), file):
            if name in wanted:
                found.setdefault(name, rank)
    return found


def _entries(lines_: Iterable[str], file: str) -> Iterator[tuple[int, str]]:
    """Rank and site of each line."""
    rank_at, site_at, reverse, separator = 0, 1, False, ","
    for number, line in enumerate(lines_, 1):
        if number == 1:
            separator = "\t" if "\t" in line else ","
            cells = [cell.strip().lower().lstrip("#") for cell in line.split(separator)]
            if "host_rev" in cells:
                rank_at, site_at, reverse = cells.index("harmonicc_pos"), cells.index("host_rev"), True
                continue
            if "site" in cells and "rank" in cells:
                rank_at, site_at = cells.index("rank"), cells.index("site")
                continue
        cells = [cell.strip() for cell in line.split(separator)]
        try:
            rank, name = int(cells[rank_at]), cells[site_at].lower()
        except (ValueError, IndexError):
            hint = "A line is `rank,site`; or give a header line that names the columns site and rank."
            raise UserError(f"{file}, line {number}, is no rank of a site.", hint) from None
        yield rank, ".".join(reversed(name.split("."))).removeprefix("www.") if reverse else name


def _names(sites: Sequence[SiteRow]) -> set[str]:
    """Sites and the registered domains that they belong to."""
    return {site.site for site in sites} | {_domain(site.site) for site in sites}


def _domain(site: str) -> str:
    return site_of(f"http://{site}/", "registered")


def spearman_at(sites: Sequence[SiteRow], lists: Mapping[str, Mapping[str, int]]) -> Result:
    """The rank correlation of richness with each list, among the N richest sites that it knows (CZ-45)."""
    rows: list[dict[str, Any]] = []
    for name, ranks in lists.items():
        places = [ranks.get(site.site, ranks.get(_domain(site.site))) for site in sites]
        for n in sorted({*(n for n in TOP_N if n < len(sites)), len(sites)} - {0}):
            pairs = [(place, rank) for place, rank in enumerate(places[:n], 1) if rank is not None]
            value = spearman([place for place, _ in pairs], [rank for _, rank in pairs])
            row = {
                "ranking": name,
                "top": n,
                "spearman": value,
                "known": len(pairs),
                "missing": n - len(pairs),
            }
            rows.append(row)
    last = {row["ranking"]: row for row in rows}
    said = [
        f"{name} {row['spearman']:+.2f} ({row['missing']:,} of {row['top']:,} sites are not in it)"
        if row["spearman"] is not None
        else f"{name} knows too few of the sites"
        for name, row in last.items()
    ]
    titles = {"top": "richest sites", "spearman": "rank correlation"}
    spec = lines("top", "spearman", series="ranking", titles=titles)
    spec["encoding"]["y"] |= {
        "scale": {"domain": [-1, 1]},
        "axis": {"labelExpr": "format(datum.value, '+.1f')"},
    }
    kinds = {"ranking": "string", "top": "int64", "spearman": "double", "known": "int64", "missing": "int64"}
    return Result(
        name="ranks",
        title="Agreement with other rankings",
        definition="Spearman's correlation between the rank by richness and the rank in a list from outside, "
        "among the N richest sites; 1 is the best rank on both sides, so agreement is positive. A site that "
        "the list does not know by its host is looked up by its registered domain, else left out.",
        citation="Tahir & Mehmood 2021, Fig. 8b",
        rows=table_of(rows, kinds),
        summary=("Over all sites: " + "; ".join(said) + ".")
        if said and sites
        else "There are no sites to rank.",
        spec=spec,
    )
