"""Where the matches of a query are: by site, month, license, topic or tenth of the corpus; and how evenly.

Counts of matches are of the documents that were looked at; where these are a sample, they are scaled up.
Where a search is limited, the whole is what it is limited to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from corpulyzer.errors import UserError
from corpulyzer.search.finding.candidates import Candidates, documents_of
from corpulyzer.search.matches import Found

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.search.finding.only import Only
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
    words = _words_of_sites(index, found.only)
    rows = [
        SiteCount(site, round(n * scale), documents[site], 1e6 * n * scale / max(1, words[site]))
        for site, n in hits.items()
    ]
    return sorted(rows, key=lambda row: (-row.hits, row.site))


def _words_of_sites(index: Index, only: Only) -> dict[str, int]:
    """How many words each site has, of the documents to which a search is limited."""
    import numpy as np

    with index.reading() as connection:
        if only.everything:
            return dict(connection.execute("select site, words from sites"))
        words: Counter[str] = Counter()
        for part in documents_of(index.shards(connection), only).parts:
            column = part.shard.columns["sites"]
            sizes = np.bincount(column.numbers(part.documents), part.sizes(), len(column))
            words.update({column.value(n): int(sizes[n]) for n in np.flatnonzero(sizes).tolist()})
        return words


def distribution(
    index: Index, found: Found, over: Over = "month", topics: Mapping[int, str] | None = None
) -> list[Group]:
    """Where the matches are: by month, license, topic, or by tenths of the documents as they came in.

    `topics` names the topic of documents by their numbers; those that it lacks have none.
    """
    import numpy as np

    if over not in OVER:
        raise UserError(f"Matches cannot be spread over {over!r}.", f"Choose one of: {', '.join(OVER)}.")
    with index.reading() as connection:
        every = documents_of(index.shards(connection), found.only)
    names, at = _groups(every, over, topics or {})
    words = np.bincount(at, every.sizes(), len(names))
    own = np.array([place.number for place in found.places], dtype=np.int64)
    if not np.isin(own, every.numbers()).all():
        raise UserError("The index has changed meanwhile.", "Search again.")
    mine = at[np.searchsorted(every.numbers(), own)]
    hits = np.bincount(mine, [len(place.matches) for place in found.places], len(names))
    documents = np.bincount(mine, minlength=len(names))
    scale = found.hits / found.seen if found.seen else 1.0
    rows = zip(names, hits.tolist(), documents.tolist(), words.tolist(), strict=True)
    return [
        Group(name, round(n * scale), count, 1e6 * n * scale / max(1, size))
        for name, n, count, size in sorted(rows)
    ]


def _groups(every: Candidates, over: Over, topics: Mapping[int, str]) -> tuple[list[str], NDArray[np.int64]]:
    """The names of groups, and for each document the one to which it belongs."""
    import numpy as np

    if over == "topic":
        names = sorted({"none", *topics.values()})
        places = {name: place for place, name in enumerate(names)}
        told = (places[topics.get(number, "none")] for number in every.numbers().tolist())
        return _used(names, np.fromiter(told, np.int64, len(every)))
    if over == "place":
        tenths = 10 * np.arange(len(every)) // max(1, len(every))
        found = [f"{10 * tenth:02d} to {10 * tenth + 10} %" for tenth in range(10)]
        return _used(found, tenths)
    if over == "license":
        parts = [(part.shard.columns["licenses"], part.documents) for part in every.parts]
        names = sorted({column.value(n) for column, _ in parts for n in range(len(column))})
        moved = [
            np.array([names.index(column.value(n)) for n in range(len(column))])[column.numbers(documents)]
            for column, documents in parts
        ]
        return _used([name or "none" for name in names], np.concatenate([np.zeros(0, np.int64), *moved]))
    dates = np.concatenate(
        [np.zeros(0, np.int64), *(part.shard.dates[part.documents] for part in every.parts)]
    )
    months, at = np.unique(dates.astype("datetime64[s]").astype("datetime64[M]"), return_inverse=True)
    return [str(month) for month in months], at


def _used(names: list[str], at: NDArray[np.int64]) -> tuple[list[str], NDArray[np.int64]]:
    """Without the groups that have no document."""
    import numpy as np

    used, moved = np.unique(at, return_inverse=True)
    return [names[place] for place in used.tolist()], moved


def dispersion(index: Index, found: Found) -> Dispersion:
    """How evenly the matches are spread over the sites, each expected to have its share of the words."""
    hits: Counter[str] = Counter()
    for place in found.places:
        hits[place.site] += len(place.matches)
    words = _words_of_sites(index, found.only)
    total, seen = sum(words.values()), sum(hits.values())
    apart = sum(abs(hits[site] / seen - n / total) for site, n in words.items()) / 2 if seen else 0.0
    return Dispersion(found.documents, len(hits), len(words), apart)
