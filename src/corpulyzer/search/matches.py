"""Where a query is met: documents by the index, places in them by a closer look."""

from __future__ import annotations

import math
import sqlite3
import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, Any

import regex

from corpulyzer.errors import UserError
from corpulyzer.search import fts5, tantivy_index
from corpulyzer.search.index import Index
from corpulyzer.search.pattern import SECONDS_FOR_A_QUERY, Query, Within, spans_of
from corpulyzer.search.rows import BLOBS, Streams, annotated_streams_of, streams_of
from corpulyzer.text.spans import sentence_spans

if TYPE_CHECKING:
    from corpulyzer.language import Language
    from corpulyzer.search.conditions import Stream

MOST_DOCUMENTS = 1_000
"""The most documents that are read for one answer; of more, an evenly spread sample of this size is."""
MOST_LOOKED_AT = 20_000
"""The most documents that are read for the first lines of a query which few of them meet."""
MOST_MATCHES = 10_000
"""Matches after which a sample of documents is large enough."""
MOST_COUNTED = 100
"""Size of the sample that estimates the number of matches when only the first lines are shown."""
MOST_MEASURED = 20_000
"""The most documents of which the length is looked up for that estimate."""
NUMBERS_AT_ONCE = 1_000
ANNOTATED_AMONG = 1_000
LAST_CHARACTER = "\U0010ffff"
_LINE_BREAK = regex.compile("\n")
CREATIVE_COMMONS, NO_LICENSE = "cc", "none"
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Only:
    """The documents that a search is limited to; a field that is left empty limits nothing.

    Days are ISO dates, the last one included; `min_quality` leaves out documents without a score. As in
    exports, the license `cc` stands for all of Creative Commons and `none` for no license.
    """

    site: str = ""
    license: str = ""
    since: str = ""
    until: str = ""
    min_quality: float | None = None

    def __post_init__(self) -> None:
        if self.min_quality is not None and not 0 <= self.min_quality <= 1:
            raise UserError(f"There is no quality of {self.min_quality}.", "Give one from 0 to 1.")
        for day in filter(None, (self.since, self.until)):
            _must_be_day(day)

    def conditions(self) -> tuple[str, list[Any]]:
        """The conditions in SQL, and their values."""
        parts, values = list[str](), list[Any]()
        if self.site:
            parts.append("d.site = (select number from sites where site = ?)")
            values.append(self.site.lower().removeprefix("www.").strip("."))
        if self.license == CREATIVE_COMMONS:
            parts.append("(d.license like 'cc%' or d.license = 'public-domain')")
        elif self.license:
            parts.append("d.license = ?")
            values.append("" if self.license == NO_LICENSE else self.license)
        if self.since:
            parts.append("d.date >= ?")
            values.append(_seconds(self.since))
        if self.until:
            parts.append("d.date < ?")
            values.append(_seconds(self.until) + _DAY)
        if self.min_quality is not None:
            parts.append("d.quality >= ?")
            values.append(self.min_quality)
        return "".join(f" and {part}" for part in parts), values

    @property
    def everything(self) -> bool:
        return self == Only()


EVERYTHING = Only()


def _must_be_day(text: str) -> None:
    from datetime import date

    try:
        date.fromisoformat(text)
    except ValueError:
        raise UserError(f"{text!r} is no day.", "Write it as 2026-01-31.") from None


def _seconds(day: str) -> int:
    from datetime import UTC, datetime

    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp())


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

    Both are exact where all documents that the index named were looked at, or the query is one word; else
    they are estimated from the `examined` ones.
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
        numbers = candidates(index, connection, query, only)
        chosen = sampled(numbers, most) if enough is None else numbers[:MOST_LOOKED_AT]
        places, examined = _looked_at(index, connection, query, chosen, enough or MOST_MATCHES)
        if query.word and only.everything:
            hits, documents = _counted(connection, query.word)
            return Found(query, tuple(places), documents, examined, hits, exact=True)
        counted = places
        if enough is not None and examined < len(numbers):  # the first documents are no sample of all
            chosen = sampled(numbers, MOST_COUNTED)
            counted, examined = _looked_at(index, connection, query, chosen, MOST_MATCHES)
        hits = _estimated(connection, numbers, chosen[:examined], counted)
    scale = len(numbers) / examined if examined else 1.0
    documents = max(len(places), round(scale * len(counted)))
    hits = max(_matches(places), hits)
    return Found(query, tuple(places), documents, examined, hits, exact=examined == len(numbers))


def _estimated(
    connection: sqlite3.Connection, numbers: Sequence[int], examined: Sequence[int], places: Sequence[Place]
) -> int:
    """The matches in all the documents, from those in the `examined` ones, which are a sample.

    Long documents have more matches, and how long all are is known: a sample that has by chance too many
    long ones is corrected for it (the regression estimator of sampling theory).
    """
    if len(examined) in (0, len(numbers)):
        return _matches(places)
    matches = dict.fromkeys(examined, 0) | {place.number: len(place.matches) for place in places}
    words = _words(connection, examined)
    sizes = [words.get(number, 0) for number in matches]
    mean, mean_size = fmean(matches.values()), fmean(sizes)
    spread_of_sizes = sum((size - mean_size) ** 2 for size in sizes)
    together = sum((size - mean_size) * found for size, found in zip(sizes, matches.values(), strict=True))
    slope = together / spread_of_sizes if spread_of_sizes else 0.0
    all_sizes = _words(connection, spread(numbers, MOST_MEASURED)).values()
    per_document = mean + slope * (fmean(all_sizes) - mean_size)
    return round(len(numbers) * per_document) if per_document > 0 else _matches(places)


def _words(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, int]:
    """The words of documents, by number."""
    found: dict[int, int] = {}
    for start in range(0, len(numbers), NUMBERS_AT_ONCE):
        some = ", ".join(map(str, numbers[start : start + NUMBERS_AT_ONCE]))
        found |= connection.execute(f"select number, words from documents where number in ({some})")
    return found


def _looked_at(
    index: Index, connection: sqlite3.Connection, query: Query, numbers: Sequence[int], enough: int
) -> tuple[list[Place], int]:
    """Those of the documents that have a match, in order, and how many were looked at until it was enough."""
    places, examined, seen = list[Place](), 0, 0
    for place in _places(connection, numbers, query, index.language):
        examined += 1
        if place.matches:
            places.append(place)
            seen += len(place.matches)
        if seen >= enough:
            break
    return sorted(places, key=lambda place: place.number), examined


def _matches(places: Sequence[Place]) -> int:
    return sum(len(place.matches) for place in places)


def unknown(index: Index, query: Query) -> str:
    """What a query asks for that no annotation has told the index: lemmas, tags; empty if nothing."""
    asked = sorted(query.streams - {"words", "forms"})
    with index.reading() as connection:
        for stream in asked:
            sql = f"select count({stream}) from (select {stream} from texts limit {ANNOTATED_AMONG})"
            if not connection.execute(sql).fetchone()[0]:
                return "lemmas" if stream == "lemmas" else "tags"
    return ""


def has_tags(index: Index) -> bool:
    """Whether the first documents have universal tags."""
    with index.reading() as connection:
        sql = f"select count(tags) from (select tags from texts limit {ANNOTATED_AMONG})"
        return bool(connection.execute(sql).fetchone()[0])


def _counted(connection: sqlite3.Connection, word: str) -> tuple[int, int]:
    """How often a word comes, and in how many documents."""
    sql = "select count, documents from lexicon where stream = 'words' and value = ?"
    count, documents = connection.execute(sql, (word,)).fetchone() or (0, 0)
    return count, documents


def sampled(numbers: Sequence[int], most: int) -> list[int]:
    """At most `most` of the numbers, evenly spread, in an order whose every prefix is a sample too."""
    chosen = spread(numbers, most)
    Random(0).shuffle(chosen)
    return chosen


def spread(numbers: Sequence[int], most: int) -> list[int]:
    """At most `most` of the numbers, evenly spread.

    >>> spread([1, 2, 3, 4, 5, 6], 3)
    [1, 3, 5]
    """
    if len(numbers) <= most:
        return list(numbers)
    return [numbers[place * len(numbers) // most] for place in range(most)]


def documents_with(index: Index, query: Query | None, only: Only) -> dict[int, int]:
    """All documents that meet a query, or the filters alone: their ids by their numbers."""
    asked, values = only.conditions()
    with index.reading() as connection:
        sql = f"select d.number, d.id from documents as d where true{asked}"
        ids: dict[int, int] = dict(connection.execute(sql, values))
        if query is None:
            return ids
        numbers = candidates(index, connection, query, only)
        if query.word:
            return {number: ids[number] for number in numbers}
        met = (place for place in _places(connection, numbers, query, index.language) if place.matches)
        return {place.number: place.id for place in met}


def candidates(index: Index, connection: sqlite3.Connection, query: Query, only: Only) -> list[int]:
    """The documents that may have a match, in the order in which they came in."""
    asked, values = only.conditions()
    clauses = query.clauses(partial(values_in, connection))
    if not all(clause.phrases for clause in clauses):
        return []  # nothing fits an expression
    if not clauses:
        rows = connection.execute(f"select d.number from documents as d where true{asked}", values)
        return [number for (number,) in rows]
    if index.kind == "tantivy":
        found = tantivy_index.numbers(index.folder, connection, clauses)
        return _limited(connection, found, asked, values) if asked else found
    if not asked:
        sql = "select rowid from streams where streams match ?"
    else:
        sql = (
            "select s.rowid from streams as s join documents as d on d.number = s.rowid"
            f" where streams match ?{asked}"
        )
    rows = connection.execute(sql, (fts5.expression(clauses), *values))
    return [number for (number,) in rows]


def values_in(connection: sqlite3.Connection, stream: Stream, begins: str) -> Iterator[str]:
    """The values of a stream that begin with a string, marks and parts of words among the words."""
    sql = "select value from lexicon where stream = ? and value >= ? and value < ? order by value"
    for name in ("words", "tokens") if stream == "words" else (stream,):
        yield from (value for (value,) in connection.execute(sql, (name, begins, begins + LAST_CHARACTER)))


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
    expires = time.monotonic() + SECONDS_FOR_A_QUERY
    for number in numbers:
        *blobs, place, key, url, site, title = connection.execute(sql, (number,)).fetchone()
        streams = (
            annotated_streams_of(blobs, language)
            if query.tokens
            else streams_of(blobs, language, query.needles)
        )
        yield Place(
            place, key, url, site, title, streams, tuple(matches_of(query, streams, language, expires))
        )


def matches_of(
    query: Query, streams: Streams, language: Language | None, expires: float = math.inf
) -> Iterator[tuple[int, int]]:
    """The first unit of each match and the one after its last; none goes beyond what the query is within."""
    if any(len(streams.column(name)) != len(streams.words) for name in query.streams):
        return  # a lemma or a tag is asked for, and this text has none
    ends = _ends(query.within, streams, language)
    limits = [bisect_left(streams.spans, (end,)) for end in ends]

    def until(start: int) -> int:
        place = bisect_right(ends, streams.spans[start][0])
        return limits[place] if place < len(limits) else len(streams.spans)

    for match in spans_of(query.pattern, streams, until, expires):
        if query.near is None or query.near.word in company_of(streams, match, query.near.window):
            yield match


def company_of(streams: Streams, match: tuple[int, int], window: int) -> list[str]:
    """The words of a window on both sides of a match that stand in its paragraph."""
    text, spans, (start, stop) = streams.text, streams.spans, match
    first, last = match
    while first > max(0, start - window) and "\n" not in text[spans[first - 1][1] : spans[first][0]]:
        first -= 1
    most = min(len(spans), stop + window)
    while last < most and "\n" not in text[spans[last - 1][1] : spans[last][0]]:
        last += 1
    return [*streams.words[first:start], *streams.words[stop:last]]


def _ends(within: Within, streams: Streams, language: Language | None) -> list[int]:
    """The characters at which sentences or paragraphs end, in order."""
    if within == "doc":
        return []
    lines = [found.start() for found in _LINE_BREAK.finditer(streams.text)]
    if within == "p":
        return lines
    if streams.sentences:
        return streams.sentences
    ends, at = list[int](), 0
    for end in (*lines, len(streams.text)):
        ends += [at + last for _, last in sentence_spans(streams.text[at:end], language)]
        at = end + 1
    return ends
