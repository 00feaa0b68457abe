"""Where and when the documents are from: the countries and endings of their addresses, and their years."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from corpulyzer.measure.bench import Bench
from corpulyzer.measure.figures import bars, columns
from corpulyzer.measure.pages.funnel import percent
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of

SITES_SQL = """
select site, count(*) as documents, sum(target_bytes) as target_bytes
from documents where verdict.kept group by site order by site nulls last
"""
DAYS_SQL = """
select published, count(*) as documents from documents where verdict.kept
group by published order by published nulls last
"""
FIRST_YEAR, LAST_YEAR = 1990, 2050
# Endings of countries that everybody can or could have, and so tell nothing of where a site is at home.
SOLD = frozenset("ac ai cc cf co fm ga gg gq im io la ly me ml nu pw sh st tk to tv vu ws".split())
OTHER_CODES = {"uk": "gb", "su": "ru"}


class Town(NamedTuple):
    """A place of a country; the first of each has the country's name."""

    code: str
    name: str
    latitude: float
    longitude: float


@cache
def towns() -> tuple[Town, ...]:
    """A town of each time zone of the world."""
    text = files("corpulyzer.data").joinpath("countries.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines()[1:])
    return tuple(Town(code, name, float(north), float(east)) for code, name, north, east in rows)


@cache
def countries() -> dict[str, Town]:
    """The main town of each country by the country's code."""
    return {town.code: town for town in towns() if town.name}


def country_of(site: str) -> str:
    """The code of the country whose ending an address has; empty where that tells nothing.

    >>> country_of("bbc.co.uk"), country_of("example.com"), country_of("youtu.be"), country_of("twitch.tv")
    ('gb', '', 'be', '')
    """
    ending = site.rpartition(".")[2].lower()
    code = OTHER_CODES.get(ending, ending)
    return code if code in countries() and ending not in SOLD else ""


def measure(bench: Bench) -> list[Result]:
    """Countries and endings, and years."""
    documents = {"documents": bench.documents}
    sites = bench.engine.query(SITES_SQL, documents).to_pylist()
    days = bench.engine.query(DAYS_SQL, documents).to_pylist()
    return [_endings(sites), _years(days)]


def _endings(sites: list[dict[str, Any]]) -> Result:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in sites:
        counts[_ending(row["site"] or "")].update(
            sites=1, documents=row["documents"], target_bytes=row["target_bytes"] or 0
        )
    total = sum(each["documents"] for each in counts.values())
    rows = [
        {
            "ending": ending,
            "country": countries()[country_of(ending)].name if country_of(ending) else "",
            "code": country_of(ending),
            **{name: own[name] for name in ("sites", "documents", "target_bytes")},
            "share": own["documents"] / total,
        }
        for ending, own in sorted(counts.items(), key=lambda item: (-item[1]["documents"], item[0]))
    ]
    known = {code for ending in counts if (code := country_of(ending))}
    told = sum(own["documents"] for ending, own in counts.items() if country_of(ending))
    return Result(
        name="countries",
        title="Countries and endings of addresses",
        definition="Documents by the last part of their site's name, and the country that it stands for.",
        citation="Countries of ISO 3166; places of the tz database",
        rows=table_of(
            rows,
            {
                **dict.fromkeys(("ending", "country", "code"), "string"),
                **dict.fromkeys(("sites", "documents", "target_bytes"), "int64"),
                "share": "double",
            },
        ),
        summary=_told(told / total, len(known)) if told else "No address names a country.",
        facts={"countries": len(known), "told_share": told / total if total else None},
        spec=bars("ending", "documents"),
        warnings=(
            "An address tells where a name was registered, not where its writers live; .com, .org and "
            "endings that are sold to everybody tell no country.",
        ),
    )


def _ending(site: str) -> str:
    """The last part of a site's name, or in words what stands for it.

    >>> _ending("bbc.co.uk"), _ending("10.0.0.1"), _ending("pages-0123456789.invalid")
    ('.uk', 'a number', 'none, from a file')
    """
    ending = site.rpartition(".")[2].lower()
    if ending.isdigit():
        return "a number"
    return "none, from a file" if ending in ("", "invalid") else f".{ending}"


def _told(share: float, number: int) -> str:
    which = "one country" if number == 1 else f"{number:,} countries"
    rest = "" if share == 1 else "; those of the others name none"
    return f"{percent(share)} of the documents have addresses of {which}{rest}."


def _years(days: list[dict[str, Any]]) -> Result:
    total = sum(row["documents"] for row in days)
    known: Counter[int] = Counter()
    for row in days:
        year = (row["published"] or "")[:4]
        if year.isdecimal() and FIRST_YEAR <= int(year) <= LAST_YEAR:
            known[int(year)] += row["documents"]
    first, last = (min(known), max(known)) if known else (0, -1)
    rows = [{"year": year, "documents": known[year]} for year in range(first, last + 1)]
    dated = known.total()
    return Result(
        name="timeline",
        title="Years of publication",
        definition="Documents by the year in which their page says that it was published.",
        citation="As pages declare it",
        rows=table_of(rows, {"year": "int64", "documents": "int64"}),
        summary=f"{percent(dated / total)} of the documents tell their year, from {first} to {last}."
        if known
        else "No document says when it was published.",
        facts={"dated_share": dated / total if total else None},
        spec=columns("year", "documents"),
        warnings=("Pages without a date, and those whose date is wrong, are not counted.",) if rows else (),
    )
