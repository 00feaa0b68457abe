"""Lists of the words, lemmas and tags of a corpus, and of sequences of them, by how often they come."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import regex

from corpulyzer.errors import UserError
from corpulyzer.search.conditions import Like
from corpulyzer.search.cql import must_be_small
from corpulyzer.search.matches import MOST_DOCUMENTS, sampled
from corpulyzer.search.rows import BLOBS, Streams, annotated_streams_of, streams_of

if TYPE_CHECKING:
    from corpulyzer.search.index import Index

Listed = Literal["words", "lemmas", "tags", "xtags"]
LISTED: tuple[Listed, ...] = get_args(Listed)
LONGEST = 5
"""The most units of a sequence that is listed."""


@dataclass(frozen=True, slots=True)
class Item:
    """A value or several in a row: how often it comes, in how many documents, and among a million."""

    value: str
    count: int
    documents: int
    per_million: float


@dataclass(frozen=True, slots=True)
class Items:
    """The most frequent of a list. `types` and `tokens` are those of the whole list.

    They are exact unless sequences were counted in a sample of `examined` documents; these are scaled up.
    """

    rows: tuple[Item, ...]
    types: int
    tokens: int
    examined: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to list: a stream, `n` units in a row, those that `like` fits, and that come at least so often."""

    stream: Listed = "words"
    n: int = 1
    like: str = ""
    least: int = 1

    def __post_init__(self) -> None:
        if self.stream not in LISTED:
            raise UserError(f"There is no list of {self.stream!r}.", f"Lists: {', '.join(LISTED)}.")
        if not 1 <= self.n <= LONGEST:
            raise UserError(f"There is no list of {self.n} in a row.", f"Give a number from 1 to {LONGEST}.")
        try:
            must_be_small(self.like)
            regex.compile(self.like)
        except (regex.error, ValueError, OverflowError, RecursionError) as error:
            hint = "Write a regular expression that fits a whole value: `ab.*`."
            raise UserError(f"{self.like!r} is no regular expression: {error}.", hint) from None


def listed(index: Index, wanted: Wanted, limit: int = 100, offset: int = 0) -> Items:
    """A window of a list, the most frequent first."""
    with index.reading() as connection:
        counted = _single(connection, wanted) if wanted.n == 1 else _in_a_row(index, connection, wanted)
    rows = [(value, *counts) for value, counts in counted.rows.items() if counts[0] >= wanted.least]
    rows.sort(key=lambda row: (-row[1], row[0]))
    tokens = max(1, counted.tokens)
    window = tuple(
        Item(value, count, documents, 1e6 * count / tokens)
        for value, count, documents in rows[offset : offset + limit]
    )
    return Items(window, len(rows), counted.tokens, counted.examined, counted.exact)


@dataclass(frozen=True, slots=True)
class _Counted:
    """How often each value comes, and in how many documents; `tokens` are those of all values."""

    rows: dict[str, tuple[int, int]]
    tokens: int
    examined: int
    exact: bool


def _single(connection: sqlite3.Connection, wanted: Wanted) -> _Counted:
    (documents,) = connection.execute("select count(*) from documents").fetchone()
    sql = "select coalesce(sum(count), 0) from lexicon where stream = ?"
    (tokens,) = connection.execute(sql, (wanted.stream,)).fetchone()
    sql = "select value, count, documents from lexicon where stream = ? and count >= ?"
    rows = connection.execute(sql, (wanted.stream, wanted.least))
    fits = _fits(wanted.like)
    found = {value: (count, times) for value, count, times in rows if fits(value)}
    return _Counted(found, tokens, documents, exact=True)


def _fits(like: str) -> Callable[[str], bool]:
    """Whether a value is asked for; capitals do not matter."""
    if not like:
        return lambda _: True
    expression = Like("words", regex.compile(like, regex.IGNORECASE))
    return expression.fits


def _in_a_row(index: Index, connection: sqlite3.Connection, wanted: Wanted) -> _Counted:
    numbers = [number for (number,) in connection.execute("select number from documents order by number")]
    chosen = sampled(numbers, MOST_DOCUMENTS)
    counts: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    for number in chosen:
        here = Counter(_sequences(_streams(index, connection, number, wanted.stream), wanted))
        counts.update(here)
        documents.update(here.keys())
    scale = len(numbers) / len(chosen) if chosen else 1.0
    fits = _fits(wanted.like)
    found = {
        value: (round(scale * count), round(scale * documents[value]))
        for value, count in counts.items()
        if fits(value)
    }
    return _Counted(found, round(scale * counts.total()), len(chosen), exact=len(chosen) == len(numbers))


def _streams(index: Index, connection: sqlite3.Connection, number: int, stream: Listed) -> Streams:
    row = connection.execute(f"select {BLOBS} from texts where number = ?", (number,)).fetchone()
    return streams_of(row, index.language) if stream == "words" else annotated_streams_of(row, index.language)


def _sequences(streams: Streams, wanted: Wanted) -> Iterator[str]:
    """The sequences of a text; none goes beyond its paragraph."""
    column = streams.column(wanted.stream)
    if len(column) != len(streams.words):
        return
    text, spans, n = streams.text, streams.spans, wanted.n
    for start in range(len(column) - n + 1):
        if "\n" not in text[spans[start][0] : spans[start + n - 1][1]]:
            yield " ".join(column[start : start + n])
