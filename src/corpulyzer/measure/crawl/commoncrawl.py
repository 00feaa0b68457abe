"""Releases of Common Crawl from index rows: sizes, languages, types, overlap, churn (CZ-33, 35 to 37; HR-12).

`pages` are the rows of the target language, one for each page of a release: release, url, site, languages
(codes joined by commas, the one with most text first), mime, length, time. `totals`, where they were counted,
hold pages and bytes of whole releases by list of languages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from corpulyzer.engine import Dataset, Engine
from corpulyzer.measure.bench import Bench
from corpulyzer.measure.compare.overlap import overlap
from corpulyzer.measure.compare.side_by_side import churn, jaccard
from corpulyzer.measure.figures import bars
from corpulyzer.measure.pages.funnel import percent
from corpulyzer.measure.pages.language_richness import language_name
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.web.commoncrawl.estimate import by_tld

LANGUAGES_OF_RELEASES = "release_languages"
LANGUAGES_SHOWN = 20
TLDS_SHOWN = 15

RELEASES_SQL = """
select p.release, count(*) as pages, count(distinct p.url) as urls, count(distinct p.site) as sites,
       sum(p.length) as bytes, min(p.time) as first_time, max(p.time) as last_time
from pages as p where p.url <> '' group by p.release order by p.release nulls last
"""
UNIQUE_SQL = """
select count(distinct p.url) as urls, count(distinct p.site) as sites from pages as p where p.url <> ''
"""
TOTALS_SQL = """
select c.release, c.languages, sum(c.pages) as pages, sum(c.bytes) as bytes from totals as c
group by c.release, c.languages order by c.release nulls last, c.languages nulls last
"""
MIME_SQL = """
select p.release, p.mime, count(*) as pages from pages as p where p.url <> ''
group by p.release, p.mime order by p.release nulls last, p.mime nulls last
"""


def measure(bench: Bench) -> list[Result]:
    """The releases whose index rows the corpus has; nothing where it has none."""
    if bench.index is None:
        return []
    found = release_results(bench.engine, bench.index, bench.index_totals, bench.language.code)
    return [_restricted(result, bench.index_restriction) for result in found]


def _restricted(result: Result, restriction: str) -> Result:
    """A result that says to which pages its rows keep; whole releases keep to none."""
    if not restriction or result.name == LANGUAGES_OF_RELEASES:
        return result
    only = f" Only pages {restriction} were looked for."
    return replace(result, definition=result.definition + only, summary=result.summary + only)


def release_results(
    engine: Engine, pages: Dataset, totals: Dataset | None = None, language: str = ""
) -> list[Result]:
    """Every measure of releases that the rows at hand allow."""
    rows = engine.query(RELEASES_SQL, {"pages": pages}).to_pylist()
    unique = engine.query(UNIQUE_SQL, {"pages": pages}).to_pylist()[0]
    counted = engine.query(TOTALS_SQL, {"totals": totals}).to_pylist() if totals else []
    releases = [row["release"] for row in rows]
    sets = {name: (pages, f"release = '{name}'") for name in releases if "'" not in name}
    results = [release_table(rows, unique, counted)]
    if counted:
        results.append(language_shares(counted, language))
    results.append(web_size(by_tld(engine, pages), unique["urls"]))
    results.append(mime_shares(engine.query(MIME_SQL, {"pages": pages}).to_pylist()))
    if len(releases) > 1:
        results += [jaccard(overlap(engine, sets, "url"), "urls"), churn(overlap(engine, sets, "site"))]
    return results


def release_table(
    rows: Sequence[Mapping[str, Any]], unique: Mapping[str, int], counted: Sequence[Mapping[str, Any]]
) -> Result:
    """Sizes of releases, their sums, and the numbers of distinct pages and sites (CZ-33)."""
    whole: dict[str, list[int]] = {}
    for row in counted:
        sums = whole.setdefault(row["release"], [0, 0])
        sums[0], sums[1] = sums[0] + row["pages"], sums[1] + row["bytes"]
    table: list[dict[str, Any]] = [
        {
            "release": row["release"],
            "from": _day(row["first_time"]),
            "to": _day(row["last_time"]),
            "all_pages": whole[row["release"]][0] if row["release"] in whole else None,
            "all_bytes": whole[row["release"]][1] if row["release"] in whole else None,
            "pages": row["pages"],
            "bytes": row["bytes"],
            "sites": row["sites"],
        }
        for row in rows
    ]
    keys = ("all_pages", "all_bytes", "pages", "bytes", "sites")
    together = {key: sum(row[key] or 0 for row in table) or None for key in keys}
    if table:
        table += [
            {"release": "Total", **together},
            {"release": "Unique", "pages": unique["urls"], "sites": unique["sites"]},
        ]
    kinds = {"release": "string", "from": "string", "to": "string", **dict.fromkeys(keys, "int64")}
    return Result(
        name="releases",
        title="Common Crawl by release",
        definition="Pages of the language in the index of each release, their sites and packed bytes, beside "
        "those of the whole release; a total, and pages and sites counted once.",
        citation="Tahir & Mehmood 2021, Table 5",
        rows=table_of(table, kinds),
        summary=f"{len(rows):,} releases hold {unique['urls']:,} different pages of the language on "
        f"{unique['sites']:,} sites."
        if rows
        else "No rows of the index are here.",
        facts={"urls": unique["urls"], "sites": unique["sites"], "releases": len(rows)},
    )


def _day(time: Any) -> str:
    return time.strftime("%Y-%m-%d") if time is not None and time.year > 1970 else ""


def language_shares(counted: Sequence[Mapping[str, Any]], language: str = "") -> Result:
    """The mean over releases of each language's share of pages, by the first language of a page (CZ-35)."""
    pages: dict[str, dict[str, int]] = {}
    for row in counted:
        by_language = pages.setdefault(row["release"], {})
        first = row["languages"].split(",")[0] or "und"
        by_language[first] = by_language.get(first, 0) + row["pages"]
    codes = {code for by_language in pages.values() for code in by_language}
    means = {
        code: sum(found.get(code, 0) / max(1, sum(found.values())) for found in pages.values()) / len(pages)
        for code in codes
    }
    order = sorted(means, key=lambda code: (-means[code], code))
    largest = next((code for code in order if code != "und"), None)
    shown = [code for place, code in enumerate(order) if place < LANGUAGES_SHOWN or code == language]
    rows = [
        {"language": language_name(code), "code": code, "share": means[code], "place": order.index(code) + 1}
        for code in shown
    ]
    own = f" {language_name(language)} has {percent(means[language])}." if language in means else ""
    kinds = {"language": "string", "code": "string", "share": "double", "place": "int64"}
    return Result(
        name=LANGUAGES_OF_RELEASES,
        title="Languages of Common Crawl",
        definition="The share of pages whose first language it is, averaged over releases.",
        citation="Tahir & Mehmood 2021, Fig. 4",
        rows=table_of(rows, kinds),
        summary=f"The largest language is {language_name(largest)}, {percent(means[largest])} of pages.{own}"
        if largest
        else "Nothing was counted.",
        spec=bars("language", "share", percent=True, titles={"share": "of pages"}),
        warnings=(
            "The index identifies whole pages with all their navigation: small languages come out small.",
        ),
    )


def mime_shares(rows: Sequence[Mapping[str, Any]]) -> Result:
    """The types of pages, and the lowest and highest share over releases (CZ-36)."""
    whole: dict[str, int] = {}
    for row in rows:
        whole[row["release"]] = whole.get(row["release"], 0) + row["pages"]
    shares: dict[str, list[float]] = {}
    for row in rows:
        shares.setdefault(row["mime"] or "not stated", []).append(row["pages"] / whole[row["release"]])
    missing = {name: len(whole) - len(found) for name, found in shares.items()}
    table: list[dict[str, Any]] = [
        {
            "mime": name,
            "mean_share": sum(found) / len(whole),
            "lowest_share": 0.0 if missing[name] else min(found),
            "highest_share": max(found),
        }
        for name, found in shares.items()
    ]
    table.sort(key=lambda row: (-row["mean_share"], row["mime"]))
    kinds = {"mime": "string", "mean_share": "double", "lowest_share": "double", "highest_share": "double"}
    return Result(
        name="release_mime",
        title="Types of pages by release",
        definition="The share of each content type among the pages of the language, averaged over releases, "
        "with the lowest and the highest.",
        citation="Tahir & Mehmood 2021, Section V-A",
        rows=table_of(table[:LANGUAGES_SHOWN], kinds),
        summary=f"{percent(sum(r['mean_share'] for r in table if 'html' in r['mime']))} is HTML."
        if table
        else "No rows of the index are here.",
    )


def web_size(tlds: Sequence[Mapping[str, Any]], urls: int) -> Result:
    """How many pages of the language are known, and on which top-level domains (HR-12)."""
    rows = [{"domain": f".{row['tld']}", "pages": row["urls"], "share": row["share"]} for row in tlds]
    shown = rows[:TLDS_SHOWN]
    if len(rows) > TLDS_SHOWN:
        rest = sum(row["pages"] for row in rows[TLDS_SHOWN:])
        shown.append({"domain": "others", "pages": rest, "share": rest / urls})
    return Result(
        name="web_size",
        title="Size of the web in the language",
        definition="Different pages of the language in the index of the releases here, by top-level domain.",
        citation="Ljubešić & Erjavec 2011, footnote 1 (HR-12)",
        rows=table_of(shown, {"domain": "string", "pages": "int64", "share": "double"}),
        summary=f"{urls:,} pages are known, {percent(rows[0]['share'])} of them below {rows[0]['domain']}."
        if rows
        else "No rows of the index are here.",
        spec=bars("domain", "pages", titles={"pages": "different pages"}) if rows else None,
        warnings=("What Common Crawl has not fetched is not counted: the web is larger.",),
        facts={"pages": urls},
    )
