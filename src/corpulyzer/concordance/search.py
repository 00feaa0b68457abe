"""Where a query is met: documents by the index, places in them by a closer look."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from corpulyzer.concordance import fts5, tantivy_index
from corpulyzer.concordance.index import Index
from corpulyzer.concordance.query import Query
from corpulyzer.concordance.rows import BLOBS, Streams, streams_of

if TYPE_CHECKING:
    from corpulyzer.language import Language

MOST_DOCUMENTS = 1_000
"""Documents that are looked at for one answer; of more, as many are taken, evenly spread."""
MOST_MATCHES = 10_000
"""A sample with so many matches is large enough."""


@dataclass(frozen=True, slots=True)
class Only:
    """The documents that a search is limited to; a field that is left empty limits nothing.

    Days are ISO dates, the last one included; `min_quality` leaves out documents without a score.
    """

    site: str = ""
    license: str = ""
    since: str = ""
    until: str = ""
    min_quality: float | None = None

    def conditions(self) -> tuple[str, list[Any]]:
        """The conditions in SQL, and their values."""
        from datetime import UTC, datetime, timedelta

        parts, values = list[str](), list[Any]()
        if self.site:
            parts.append("d.site = (select number from sites where site = ?)")
            values.append(self.site)
        if self.license:
            parts.append("d.license = ?")
            values.append(self.license)
        if self.since:
            parts.append("d.date >= ?")
            values.append(int(datetime.fromisoformat(self.since).replace(tzinfo=UTC).timestamp()))
        if self.until:
            day = datetime.fromisoformat(self.until).replace(tzinfo=UTC) + timedelta(days=1)
            parts.append("d.date < ?")
            values.append(int(day.timestamp()))
        if self.min_quality is not None:
            parts.append("d.quality >= ?")
            values.append(self.min_quality)
        return "".join(f" and {part}" for part in parts), values

    @property
    def everything(self) -> bool:
        return self == Only()


@dataclass(frozen=True, slots=True)
class Place:
    """A document that the index named: its streams, and the first unit of each match."""

    number: int
    id: int
    url: str
    site: str
    title: str
    streams: Streams = field(repr=False)
    matches: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found. `documents` hold a candidate each; of these `examined` were looked at.

    `hits` is exact where all were looked at or the query is one word, else an estimate.
    """

    query: Query
    places: tuple[Place, ...]
    documents: int
    examined: int
    hits: int
    exact: bool

    @property
    def seen(self) -> int:
        """The matches in the documents that were looked at."""
        return sum(len(place.matches) for place in self.places)


def find(
    index: Index,
    query: Query,
    only: Only = Only(),  # noqa: B008 - frozen
    most: int = MOST_DOCUMENTS,
    enough: int | None = None,
) -> Found:
    """The documents that meet a query, in the order in which they came in.

    With `enough`, it is the first documents that are looked at, until they have that many matches; else a
    sample of all, of `most` documents or `MOST_MATCHES` matches.
    """
    with index.reading() as connection:
        numbers = _candidates(index, connection, query, only)
        chosen = numbers if enough is not None else sampled(numbers, most)
        least = MOST_MATCHES if enough is None else enough
        places, examined, seen = list[Place](), 0, 0
        for place in _places(connection, chosen, query, index.language):
            examined += 1
            if place.matches:
                places.append(place)
                seen += len(place.matches)
            if seen >= least:
                break
        hits = _counted(connection, query.word) if query.word and only.everything else None
    places.sort(key=lambda place: place.number)
    whole = examined == len(numbers)
    estimate = seen if whole else round(seen * len(numbers) / examined)
    exact = whole or hits is not None
    return Found(query, tuple(places), len(numbers), examined, estimate if hits is None else hits, exact)


def _counted(connection: sqlite3.Connection, word: str) -> int:
    row = connection.execute("select count from words where word = ?", (word,)).fetchone()
    return row[0] if row else 0


def sampled(numbers: Sequence[int], most: int) -> list[int]:
    """At most that many of the numbers, evenly spread, in an order of which any beginning is a sample too."""
    chosen = spread(numbers, most)
    Random(0).shuffle(chosen)
    return chosen


def spread(numbers: Sequence[int], most: int) -> list[int]:
    """At most that many of the numbers, evenly spread.

    >>> spread([1, 2, 3, 4, 5, 6], 3)
    [1, 3, 5]
    """
    if len(numbers) <= most:
        return list(numbers)
    return [numbers[place * len(numbers) // most] for place in range(most)]


def _candidates(index: Index, connection: sqlite3.Connection, query: Query, only: Only) -> list[int]:
    asked, values = only.conditions()
    if index.kind == "tantivy":
        found = tantivy_index.numbers(index.folder, connection, query)
        return _limited(connection, found, asked, values) if asked else found
    if not asked:
        sql = "select rowid from streams where streams match ?"
    else:
        sql = (
            "select s.rowid from streams as s join documents as d on d.number = s.rowid"
            f" where streams match ?{asked}"
        )
    rows = connection.execute(sql, (fts5.expression(query), *values))
    return [number for (number,) in rows]


def _limited(
    connection: sqlite3.Connection, numbers: Sequence[int], asked: str, values: Sequence[Any]
) -> list[int]:
    sql = f"select d.number from documents as d where true{asked}"
    allowed = {number for (number,) in connection.execute(sql, values)}
    return [number for number in numbers if number in allowed]


def _places(
    connection: sqlite3.Connection, numbers: Sequence[int], query: Query, language: Language
) -> Iterator[Place]:
    sql = (
        f"select {BLOBS}, d.number, d.id, d.url, s.site, d.title from documents as d"
        " join texts as t on t.number = d.number join sites as s on s.number = d.site where d.number = ?"
    )
    for number in numbers:
        *blobs, place, key, url, site, title = connection.execute(sql, (number,)).fetchone()
        streams = streams_of(blobs, language, query.needles)
        yield Place(place, key, url, site, title, streams, tuple(matches_of(query, streams)))


def matches_of(query: Query, streams: Streams) -> Iterator[int]:
    """The first unit of each match; none of them goes beyond its paragraph."""
    terms = query.terms
    columns = [getattr(streams, term.stream) for term in terms]
    last = len(streams.words) - len(terms)
    if min(map(len, columns)) != len(streams.words):
        return  # a lemma or a tag is asked for, and this text has none
    first, fits = columns[0], terms[0].fits
    for start in range(last + 1):
        if fits(first[start]) and all(
            term.fits(column[start + place])
            for place, (term, column) in enumerate(zip(terms, columns, strict=True))
        ):
            begins, ends = streams.spans[start][0], streams.spans[start + len(terms) - 1][1]
            if "\n" not in streams.text[begins:ends]:
                yield start
