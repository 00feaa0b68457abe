"""Lists of the words, lemmas and tags of a corpus, and of sequences of them, by how often they come."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import regex

from corpulyzer.errors import UserError
from corpulyzer.search.conditions import Like
from corpulyzer.search.cql import must_be_small
from corpulyzer.search.finding.candidates import documents_of
from corpulyzer.search.finding.numbered import Numbered, numbered
from corpulyzer.search.finding.only import EVERYTHING
from corpulyzer.search.finding.sampling import sampled
from corpulyzer.search.lexicon import NOTHING_TOLD, Ranks, ranks_of
from corpulyzer.search.matches import MOST_DOCUMENTS
from corpulyzer.search.pattern import SECONDS_FOR_A_QUERY, must_be_before

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
        if wanted.n == 1:
            return _by_rank(index, connection, wanted, limit, offset)
        counted = _in_a_row(index, connection, wanted, limit + offset)
    rows = [(value, *counts) for value, counts in counted.rows.items() if counts[0] >= wanted.least]
    rows.sort(key=lambda row: (-row[1], row[0]))
    window = _items(rows[offset : offset + limit], counted.tokens)
    return Items(window, counted.types or len(rows), counted.tokens, counted.examined, counted.exact)


def _items(rows: Iterable[tuple[str, int, int]], tokens: int) -> tuple[Item, ...]:
    return tuple(
        Item(value, count, documents, 1e6 * count / max(1, tokens)) for value, count, documents in rows
    )


def _by_rank(index: Index, connection: sqlite3.Connection, wanted: Wanted, limit: int, offset: int) -> Items:
    """Single values, of which the ranks are known."""
    import numpy as np

    ranks = ranks_of(index, connection, wanted.stream)
    most, tokens = ranks.at_least(wanted.least), int(ranks.counts.sum())
    chosen = _like(ranks, most, _fits(wanted.like)) if wanted.like else np.arange(most)
    window = chosen[offset : offset + limit]
    rows = zip(
        ranks.names(window), ranks.counts[window].tolist(), ranks.documents[window].tolist(), strict=True
    )
    return Items(_items(rows, tokens), len(chosen), tokens, _documents(connection), exact=True)


def _like(ranks: Ranks, most: int, asked: Like) -> NDArray[np.int64]:
    """Those of the first ranks whose values an expression fits, in order."""
    import numpy as np

    found = [np.zeros(0, np.int64)]
    expires = time.monotonic() + SECONDS_FOR_A_QUERY
    for first, last in ranks.windows(most):
        must_be_before(expires)
        some = np.arange(first, last)
        if asked.wider is not None:
            some = ranks.like(asked.wider, first, last)
        if asked.wider is None or not ranks.decided_by(asked.wider):
            some = some[np.fromiter(map(asked.suits, ranks.names(some)), np.bool_, len(some))]
        found.append(some)
    return np.concatenate(found)


def _documents(connection: sqlite3.Connection) -> int:
    (documents,) = connection.execute("select count(*) from documents").fetchone()
    return int(documents)


@dataclass(frozen=True, slots=True)
class _Counted:
    """How often each sequence comes, and in how many documents; `tokens` are those of all sequences.

    Where `types` is given, these are only the most frequent.
    """

    rows: dict[str, tuple[int, int]]
    tokens: int
    examined: int
    exact: bool
    types: int = 0


def _fits(like: str) -> Like:
    """What a value must be like; capitals do not matter."""
    return Like("words", regex.compile(like, regex.IGNORECASE))


def _in_a_row(index: Index, connection: sqlite3.Connection, wanted: Wanted, most: int) -> _Counted:
    """Sequences of values, counted by their numbers; only the most frequent become values again."""
    import numpy as np

    every = documents_of(index.shards(connection), EVERYTHING)
    chosen = sampled(range(len(every)), MOST_DOCUMENTS)
    found = numbered(every.chosen(chosen), wanted.stream)
    starts = _starts(found, wanted)
    keys, first, counts = _sequences(found, starts, wanted.n)
    scale = len(every) / max(1, len(chosen))
    frequent = np.flatnonzero(np.rint(scale * counts) >= wanted.least)
    shown = frequent
    if not wanted.like and len(frequent) > most:
        shown = frequent[counts[frequent] >= np.partition(counts[frequent], -most)[-most]]
    documents = _holders(keys, found.documents[starts], shown)
    fits, rows = _fits(wanted.like), dict[str, tuple[int, int]]()
    name = found.values().__getitem__ if wanted.like else found.value
    for key, held_by in zip(shown.tolist(), documents.tolist(), strict=True):
        begin = int(starts[first[key]])
        value = " ".join(map(name, found.numbers[begin : begin + wanted.n].tolist()))
        if not wanted.like or fits.suits(value):
            rows[value] = (round(scale * int(counts[key])), round(scale * held_by))
    types = 0 if wanted.like else len(frequent)
    tokens = round(scale * len(starts))
    return _Counted(rows, tokens, len(chosen), len(chosen) == len(every), types)


def _starts(found: Numbered, wanted: Wanted) -> NDArray[np.int64]:
    """The units with which a sequence may begin: it does not leave its paragraph, and all of it is told."""
    import numpy as np

    n = wanted.n
    starts: NDArray[np.int64] = np.arange(max(0, len(found.numbers) - n + 1))
    starts = starts[found.paragraphs[starts] == found.paragraphs[starts + n - 1]]
    if wanted.stream == "words":
        return starts
    told = found.numbers != found.number(NOTHING_TOLD)
    starts = starts[np.all([told[starts + place] for place in range(n)], axis=0)]
    return starts


def _sequences(
    found: Numbered, starts: NDArray[np.int64], n: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Which sequence begins at each start; where each begins first, and how often it comes."""
    import numpy as np

    keys = found.numbers[starts]
    for place in range(1, n):
        if place > 1:  # the product of three numbers may be too large for one
            _, keys = np.unique(keys, return_inverse=True)
        keys = keys * len(found.raw) + found.numbers[starts + place]
    _, first, keys, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    return keys, first, counts


def _holders(
    keys: NDArray[np.int64], documents: NDArray[np.int64], shown: NDArray[np.int64]
) -> NDArray[np.int64]:
    """In how many documents each of some keys is."""
    import numpy as np

    place = np.full(int(keys.max(initial=0)) + 1, -1)
    place[shown] = np.arange(len(shown))
    at = place[keys]
    own = at >= 0
    pairs = np.unique(np.stack([at[own], documents[own]]), axis=1)
    return np.bincount(pairs[0], minlength=len(shown))
