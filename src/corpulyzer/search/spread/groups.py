"""Where the matches of a query are: by site, month, license, topic or tenth of the corpus; and how evenly.

Counts of matches are of the documents that were looked at; where these are a sample, they are scaled up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, get_args

from corpulyzer.errors import UserError
from corpulyzer.search.matches import Found

if TYPE_CHECKING:
    from corpulyzer.search.index import Index

Over = Literal["month", "license", "topic", "place"]
OVER: tuple[Over, ...] = get_args(Over)


@dataclass(frozen=True, slots=True)
class SiteCount:
    """How often a site has a query, and how often among a million of its words."""

    site: str
    hits: int
    documents: int
    per_million: float


@dataclass(frozen=True, slots=True)
class Group:
    """How often a group of documents has a query, and how often among a million of its words."""

    name: str
    hits: int
    documents: int
    per_million: float


@dataclass(frozen=True, slots=True)
class Dispersion:
    """How evenly a query is spread over sites: Gries' (2008) deviation of proportions, 0 if evenly."""

    documents: int
    sites: int
    all_sites: int
    deviation: float


def by_site(index: Index, found: Found) -> list[SiteCount]:
    """The sites that have a query, those with most matches first."""
    hits: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    for place in found.places:
        hits[place.site] += len(place.matches)
        documents[place.site] += 1
    scale = found.hits / found.seen if found.seen else 1.0
    with index.reading() as connection:
        words = dict(connection.execute("select site, words from sites"))
    rows = [
        SiteCount(site, round(n * scale), documents[site], 1e6 * n * scale / max(1, words[site]))
        for site, n in hits.items()
    ]
    return sorted(rows, key=lambda row: (-row.hits, row.site))


def distribution(
    index: Index, found: Found, over: Over = "month", topics: Mapping[int, str] | None = None
) -> list[Group]:
    """Where the matches are: by month, license, topic, or by tenths of the documents as they came in.

    `topics` names the topic of documents by their numbers; those that it lacks have none.
    """
    if over not in OVER:
        raise UserError(f"Matches cannot be spread over {over!r}.", f"Choose one of: {', '.join(OVER)}.")
    hits: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    with index.reading() as connection:
        (count,) = connection.execute("select count(*) from documents").fetchone()
        rows = connection.execute("select number, date, license, words from documents order by number")
        groups, words = dict[int, str](), Counter[str]()
        for before, (number, date, license, size) in enumerate(rows):
            known = (topics or {}).get(number, "") if over == "topic" else license
            groups[number] = _group(over, before / count, date, known)
            words[groups[number]] += size
    for place in found.places:
        hits[groups[place.number]] += len(place.matches)
        documents[groups[place.number]] += 1
    scale = found.hits / found.seen if found.seen else 1.0
    return [
        Group(name, round(hits[name] * scale), documents[name], 1e6 * hits[name] * scale / max(1, size))
        for name, size in sorted(words.items())
    ]


def _group(over: Over, share: float, date: int, known: str) -> str:
    if over in ("license", "topic"):
        return known or "none"
    if over == "place":
        tenth = int(10 * share)
        return f"{10 * tenth:02d} to {10 * tenth + 10} %"
    return datetime.fromtimestamp(date, UTC).strftime("%Y-%m")


def dispersion(index: Index, found: Found) -> Dispersion:
    """How evenly the matches are spread over the sites, each expected to have its share of the words."""
    hits: Counter[str] = Counter()
    for place in found.places:
        hits[place.site] += len(place.matches)
    with index.reading() as connection:
        words = dict(connection.execute("select site, words from sites"))
    total, seen = sum(words.values()), sum(hits.values())
    apart = sum(abs(hits[site] / seen - n / total) for site, n in words.items()) / 2 if seen else 0.0
    return Dispersion(found.documents, len(hits), len(words), apart)
