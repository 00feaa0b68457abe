"""Where a query is met: documents by the index, places in them by their words or by a closer look."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corpulyzer.search.finding.candidates import Candidates, candidates_of, documents_of
from corpulyzer.search.finding.looking import Looking, Seen
from corpulyzer.search.finding.only import EVERYTHING, Only
from corpulyzer.search.finding.sampling import sampled
from corpulyzer.search.finding.streams import Texts
from corpulyzer.search.finding.vocabulary import Vocabulary
from corpulyzer.search.index import Index
from corpulyzer.search.lexicon import count_of, has_values
from corpulyzer.search.pattern import Query

if TYPE_CHECKING:
    from corpulyzer.search.finding.streams import Streams

MOST_DOCUMENTS = 1_000
"""The most documents that are read for one answer; of more, an evenly spread sample of this size is."""
MOST_MATCHES = 10_000
"""Matches after which a sample of documents is large enough."""
MOST_COUNTED = 100
"""Size of the sample that estimates the number of matches when only the first lines are shown."""
LARGEST_COUNTED = 6_400
"""What that sample grows to, at most, where matches are rare."""
FEW = 4
"""A sample is made larger until one of so many of the documents that it should have has a match."""
FIRST_LOOK, STEP, MORE = 64, 8, 1.5
"""Documents that are looked at first; how many more at most, if they are not enough; and how many more than
should be."""
NUMBERS_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class Place:
    """A document that the index named: its streams, and its matches.

    A match is its first unit and the one after its last.
    """

    number: int
    id: int
    url: str
    site: str
    title: str
    streams: Streams = field(repr=False)
    matches: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: `hits` matches in a number of `documents`; `places` are some or all of them.

    Both are exact where all documents that the index named were looked at, or the query is one word of all
    documents; else they are estimated from the `examined` ones.
    """

    query: Query
    places: tuple[Place, ...]
    documents: int
    examined: int
    hits: int
    exact: bool
    only: Only
    texts: Texts = field(repr=False)

    def read(self, places: Iterable[Place]) -> None:
        """Read the texts of some places at once, which is quicker than one by one."""
        self.texts.fetch(list({place.number for place in places if not place.streams.is_read}))

    @property
    def seen(self) -> int:
        """The matches in the documents that were looked at."""
        return _matches(self.places)


def find(
    index: Index,
    query: Query,
    only: Only = EVERYTHING,
    most: int = MOST_DOCUMENTS,
    enough: int | None = None,
) -> Found:
    """The documents that meet a query, in the order in which they came in.

    With `enough`, it is the first documents that are looked at, until they have that many matches; else a
    sample of all, of `most` documents or `MOST_MATCHES` matches.
    """
    with index.reading() as connection:
        vocabulary = Vocabulary(index, connection)
        named = candidates(index, vocabulary, query, only)
        looking = Looking(index, vocabulary, query, named, Texts(index))
        seen, examined = _sample(looking, most) if enough is None else _first(looking, enough)
        places = _places(connection, seen)
        if query.word and only.everything:
            hits, documents = count_of(connection, query.word)
            return Found(query, places, documents, len(examined), hits, True, only, looking.texts)
        if enough is not None and len(examined) < len(named):  # the first documents are no sample of all
            likely = _needed(MOST_COUNTED / FEW, len(examined), len(seen))
            seen, examined = _sample(looking, MOST_COUNTED, LARGEST_COUNTED, likely)
    hits = max(_matches(places), _estimated(named, examined, seen))
    scale = len(named) / len(examined) if examined else 1.0
    documents = max(len(places), round(scale * len(seen)))
    exact = len(examined) == len(named)
    return Found(query, places, documents, len(examined), hits, exact, only, looking.texts)


def _sample(
    looking: Looking, most: int, largest: int = sys.maxsize, likely: int = 0
) -> tuple[list[Seen], list[int]]:
    """Those of a sample of the documents that have a match, and which ones were looked at.

    `likely` is how many will be enough where matches are rare.
    """
    size = min(largest, max(most, likely))
    while True:
        chosen = sampled(range(len(looking.named)), size)
        seen, examined = looking.at(chosen, MOST_MATCHES)
        if FEW * len(seen) >= most or size >= min(largest, len(looking.named)):
            return seen, examined
        size = min(largest, size * STEP, max(2 * size, _needed(most / FEW, size, len(seen))))


def _first(looking: Looking, enough: int) -> tuple[list[Seen], list[int]]:
    """The first of the documents that have a match, until these are enough, and which were looked at."""
    seen, examined, matches, step = list[Seen](), list[int](), 0, FIRST_LOOK
    while len(examined) < len(looking.named) and matches < enough:
        wanted = range(len(examined), min(len(looking.named), len(examined) + step))
        found, looked_at = looking.at(wanted, enough - matches)
        seen += found
        examined += looked_at
        matches += sum(len(each.matches) for each in found)
        step = min(step * STEP, max(FIRST_LOOK, _needed(enough - matches, len(examined), matches)))
    return seen, examined


def _needed(wanted: float, documents: int, found: int) -> int:
    """How many documents have what is wanted, if it comes as often as in those that were looked at."""
    return round(MORE * wanted * documents / max(1, found))


def _estimated(named: Candidates, examined: Sequence[int], seen: Sequence[Seen]) -> int:
    """The matches in all the documents, from those in the `examined` ones, which are a sample.

    Long documents have more matches, and how long all are is known: a sample that has by chance too many
    long ones is corrected for it (the regression estimator of sampling theory).
    """
    import numpy as np

    matches = {each.place: len(each.matches) for each in seen}
    total = sum(matches.values())
    if len(examined) in (0, len(named)):
        return total
    sizes = named.sizes()
    own, found = sizes[list(examined)], np.array([matches.get(place, 0) for place in examined])
    spread_of_sizes = float(((own - own.mean()) ** 2).sum())
    together = float(((own - own.mean()) * found).sum())
    slope = together / spread_of_sizes if spread_of_sizes else 0.0
    per_document = float(found.mean() + slope * (sizes.mean() - own.mean()))
    return round(len(named) * per_document) if per_document > 0 else total


def _places(connection: sqlite3.Connection, seen: Sequence[Seen]) -> tuple[Place, ...]:
    """What is known of the documents, in order."""
    known: dict[int, tuple[int, str, str, str]] = {}
    numbers = [each.number for each in seen]
    for start in range(0, len(numbers), NUMBERS_AT_ONCE):
        some = ", ".join(map(str, numbers[start : start + NUMBERS_AT_ONCE]))
        sql = "select d.number, d.id, d.url, s.site, d.title from documents as d join sites as s"
        rows = connection.execute(f"{sql} on s.number = d.site where d.number in ({some})")
        known |= {number: (key, url, site, title) for number, key, url, site, title in rows}
    places = (Place(each.number, *known[each.number], each.streams, each.matches) for each in seen)
    return tuple(sorted(places, key=lambda place: place.number))


def _matches(places: Sequence[Place]) -> int:
    return sum(len(place.matches) for place in places)


def unknown(index: Index, query: Query) -> str:
    """What a query asks for that no annotation has told the index: lemmas, tags; empty if nothing."""
    with index.reading() as connection:
        for stream in sorted(query.streams - {"words", "forms"}):
            if not has_values(connection, stream):
                return "lemmas" if stream == "lemmas" else "tags"
    return ""


def has_tags(index: Index) -> bool:
    """Whether some documents have universal tags."""
    with index.reading() as connection:
        return has_values(connection, "tags")


def documents_with(index: Index, query: Query | None, only: Only) -> dict[int, int]:
    """All documents that meet a query, or the filters alone: their ids by their numbers."""
    with index.reading() as connection:
        if query is None:
            numbers = set(documents_of(index.shards(connection), only).numbers().tolist())
        else:
            vocabulary = Vocabulary(index, connection)
            named = candidates(index, vocabulary, query, only)
            numbers = set(Looking(index, vocabulary, query, named, Texts(index)).everywhere())
        ids = connection.execute("select number, id from documents order by number")
        return {number: key for number, key in ids if number in numbers}


def candidates(index: Index, vocabulary: Vocabulary, query: Query, only: Only) -> Candidates:
    """The documents that may have a match, in the order in which they came in."""
    store = index.shards(vocabulary.connection)
    clauses = query.clauses(vocabulary)
    if not all(clause.values for clause in clauses):
        return Candidates([])  # nothing fits an expression
    return candidates_of(store, clauses, only, query.tokens)
