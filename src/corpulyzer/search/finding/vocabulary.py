"""The values of an index that an expression may fit, of which there may be very many."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from corpulyzer.search.conditions import MOST_VALUES, Like, Stream
from corpulyzer.search.lexicon import NOTHING_TOLD, ranks_of, values_in
from corpulyzer.search.pattern import SECONDS_FOR_A_QUERY, must_be_before

if TYPE_CHECKING:
    from corpulyzer.search.finding.wider import Wider
    from corpulyzer.search.index import Index

AT_ONCE = 100_000


@dataclass(slots=True)
class Vocabulary:
    """The values of an index while one query is asked, until it expires; an expression is looked up once."""

    index: Index
    connection: sqlite3.Connection
    expires: float = field(default_factory=lambda: time.monotonic() + SECONDS_FOR_A_QUERY)
    _known: dict[Like, tuple[str, ...] | None] = field(default_factory=dict)

    def fitting(self, asked: Like) -> tuple[str, ...] | None:
        """The values that an expression may fit, those that it fits among them; None if there are many."""
        if asked not in self._known:
            found = tuple(islice(self._fitting(asked), MOST_VALUES + 1))
            self._known[asked] = found if len(found) <= MOST_VALUES else None
        return self._known[asked]

    def _fitting(self, asked: Like) -> Iterator[str]:
        """Values as they are stored; what a word is written like is not known here."""
        stream: Stream = "words" if asked.stream == "forms" else asked.stream
        for some in self._values(asked, stream):
            must_be_before(self.expires)
            yield from some if asked.stream == "forms" else filter(asked.suits, some)

    def _values(self, asked: Like, stream: Stream) -> Iterator[Iterable[str]]:
        begins = asked.begins if asked.marks else ""
        if asked.wider is not None and not begins:
            yield from self._wider(asked.wider, stream)
            return
        values = values_in(self.connection, stream, begins)
        while some := list(islice(values, AT_ONCE)):
            yield (
                some
                if asked.stream != "forms"
                else [value for value, fits in zip(some, asked.may_be(some), strict=True) if fits]
            )

    def _wider(self, wider: Wider, stream: Stream) -> Iterator[Iterable[str]]:
        """Values that a wider expression fits, the most frequent first: of those, many need not be tried."""
        if stream != "words":
            yield [NOTHING_TOLD]  # it has no rank
        for name in ("words", "tokens") if stream == "words" else (stream,):
            begun = time.monotonic()
            ranks = ranks_of(self.index, self.connection, name)
            self.expires += time.monotonic() - begun  # the first query after a change makes them
            for first, last in ranks.windows(len(ranks)):
                yield ranks.names(ranks.like(wider, first, last))
