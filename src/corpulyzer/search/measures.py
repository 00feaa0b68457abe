"""Statistics of the matches of a query: collocates, clusters, sites, dispersion; and keywords of the corpus.

Counts of matches are of the documents that were looked at; where these are a sample, they are scaled up.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, get_args

from corpulyzer.errors import UserError
from corpulyzer.search.matches import Found, company_of

if TYPE_CHECKING:
    from corpulyzer.search.index import Index

WINDOW = 5
Measure = Literal[
    "log_dice",
    "mutual_information",
    "mutual_information_3",
    "t_score",
    "log_likelihood",
    "fisher",
    "together",
]
MEASURES: tuple[Measure, ...] = get_args(Measure)
Over = Literal["month", "license", "place"]
OVER: tuple[Over, ...] = get_args(Over)
LOG_DICE_MOST = 14


@dataclass(frozen=True, slots=True)
class Collocate:
    """A collocate: how often it occurs near the matches, how often in all, and how strong the association is.

    logDice after Rychlý (2008), pointwise mutual information, the same of the cube of the common count
    (Daille 1994), Student's t, log-likelihood after Dunning (1993), Fisher's exact test (see `fisher`).
    """

    word: str
    together: int
    count: int
    log_dice: float
    mutual_information: float
    mutual_information_3: float
    t_score: float
    log_likelihood: float
    fisher: float


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


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word that one corpus has more often than a reference: log-ratio (Hardie 2014) and log-likelihood."""

    word: str
    count: int
    reference_count: int
    log_ratio: float
    log_likelihood: float


def log_likelihood(both: float, first: float, second: float, total: float) -> float:
    """Dunning's G² of a 2 × 2 table, from the count of both, of each, and of everything.

    >>> round(log_likelihood(10, 20, 30, 100), 4)
    4.4734
    """
    rest = total - first, total - second
    table = [
        (both, first, second),
        (first - both, first, rest[1]),
        (second - both, rest[0], second),
        (total - first - second + both, *rest),
    ]
    return 2 * sum(o * math.log(o * total / (row * column)) for o, row, column in table if o > 0)


def fisher(both: int, first: int, second: int, total: int) -> float:
    """Fisher's exact test, one-sided: minus the decimal logarithm of the chance of so many together, or more.

    >>> round(fisher(3, 4, 4, 8), 4)
    0.6146
    """
    most = min(first, second)
    if both > most or first > total or second > total:
        return 0.0
    least = max(both, first + second - total, 0)
    chance = _log_of_choices(first, least) + _log_of_choices(total - first, second - least)
    chance -= _log_of_choices(total, second)
    term = tail = 1.0
    for n in range(least, most):
        term *= (first - n) * (second - n) / ((n + 1) * (total - first - second + n + 1))
        tail += term
        if term < tail * 1e-12:
            break
    return max(0.0, -(chance + math.log(tail)) / math.log(10))


def _log_of_choices(of: int, chosen: int) -> float:
    return math.lgamma(of + 1) - math.lgamma(chosen + 1) - math.lgamma(of - chosen + 1)


def collocations(
    index: Index, found: Found, window: int = WINDOW, least: int = 2, by: Measure = "log_dice"
) -> list[Collocate]:
    """The words within `window` units of the matches and in their paragraph, the strongest first."""
    if by not in MEASURES:
        raise UserError(f"There is no measure {by!r}.", f"Measures: {', '.join(MEASURES)}.")
    company: Counter[str] = Counter()
    for place in found.places:
        for match in place.matches:
            company.update(company_of(place.streams, match, window))
    scale = found.hits / found.seen if found.seen else 1.0
    counted = [(word, n) for word, n in company.items() if n >= least]
    with index.reading() as connection:
        total = connection.execute("select coalesce(sum(words), 0) from sites").fetchone()[0]
        # Marks between words, and tokens of an annotation that are parts of words, are not counted.
        sql = "select count from lexicon where stream = 'words' and value = ?"
        counts = {word: row[0] for word, _ in counted if (row := connection.execute(sql, (word,)).fetchone())}
    rows = [
        _collocate(word, n * scale, found.hits, counts[word], total) for word, n in counted if word in counts
    ]
    return sorted(rows, key=lambda row: (-getattr(row, by), row.word))


def _collocate(word: str, together: float, node: int, count: int, total: int) -> Collocate:
    # In a window a word may be counted for two matches, and so more often than it occurs.
    both = min(together, node, count)
    return Collocate(
        word=word,
        together=round(together),
        count=count,
        log_dice=LOG_DICE_MOST + math.log2(2 * both / (node + count)),
        mutual_information=math.log2(both * total / (node * count)),
        mutual_information_3=math.log2(both**3 * total / (node * count)),
        t_score=(both - node * count / total) / math.sqrt(both),
        log_likelihood=log_likelihood(both, node, count, total),
        fisher=fisher(round(both), node, count, total),
    )


def clusters(found: Found, n: int = 3) -> list[tuple[str, int]]:
    """The sequences of `n` units that hold a match, as they are written, the most frequent first."""
    counts: Counter[tuple[str, ...]] = Counter()
    written: dict[tuple[str, ...], str] = {}
    for place in found.places:
        streams = place.streams
        for first, stop in place.matches:
            for start in range(max(0, stop - n), min(first, len(streams.words) - n) + 1):
                text = streams.text[streams.spans[start][0] : streams.spans[start + n - 1][1]]
                if "\n" not in text:
                    key = tuple(streams.words[start : start + n])
                    counts[key] += 1
                    written.setdefault(key, text)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [(written[key], count) for key, count in ranked]


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


def distribution(index: Index, found: Found, over: Over = "month") -> list[Group]:
    """Where the matches are: by month, by license, or by tenths of the documents as they came in."""
    if over not in OVER:
        raise UserError(f"Matches cannot be spread over {over!r}.", f"Choose one of: {', '.join(OVER)}.")
    hits: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    with index.reading() as connection:
        (count,) = connection.execute("select count(*) from documents").fetchone()
        rows = connection.execute("select number, date, license, words from documents order by number")
        groups, words = dict[int, str](), Counter[str]()
        for before, (number, date, license, size) in enumerate(rows):
            groups[number] = _group(over, before / count, date, license)
            words[groups[number]] += size
    for place in found.places:
        hits[groups[place.number]] += len(place.matches)
        documents[groups[place.number]] += 1
    scale = found.hits / found.seen if found.seen else 1.0
    return [
        Group(name, round(hits[name] * scale), documents[name], 1e6 * hits[name] * scale / max(1, size))
        for name, size in sorted(words.items())
    ]


def _group(over: Over, share: float, date: int, license: str) -> str:
    if over == "license":
        return license or "none"
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


def keywords(index: Index, reference: Mapping[str, int], least: int = 3) -> list[Keyword]:
    """The words that the corpus has more often than a reference, by log-likelihood.

    A word that the reference lacks is taken to be there half a time, or its ratio would be infinite.
    """
    others = sum(reference.values())
    with index.reading() as connection:
        own = connection.execute("select coalesce(sum(words), 0) from sites").fetchone()[0]
        sql = "select value, count from lexicon where stream = 'words' and count >= ?"
        rows = connection.execute(sql, (least,)).fetchall()
    found = []
    for word, count in rows:
        beside = reference.get(word, 0)
        ratio = math.log2((count / own) / ((beside or 0.5) / max(1, others)))
        if ratio > 0:
            strength = log_likelihood(count, own, count + beside, own + others)
            found.append(Keyword(word, count, beside, ratio, strength))
    return sorted(found, key=lambda row: (-row.log_likelihood, row.word))
