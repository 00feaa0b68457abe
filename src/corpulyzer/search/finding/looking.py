"""The look at documents that may have a match: at their words in the shards, or closer, at their texts."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from corpulyzer.errors import UserError
from corpulyzer.search.finding.closer import matches_of
from corpulyzer.search.finding.sequences import Candidates, documents_in, hopeful_in, in_part
from corpulyzer.search.finding.streams import BLOBS, Streams, annotated_streams_of, unpack
from corpulyzer.search.finding.words import Reader
from corpulyzer.search.lexicon import values_in
from corpulyzer.search.pattern import SECONDS_FOR_A_QUERY, Query
from corpulyzer.search.units import units_of

if TYPE_CHECKING:
    from corpulyzer.search.conditions import Clause
    from corpulyzer.search.finding.sequences import Matches
    from corpulyzer.search.finding.streams import Spans
    from corpulyzer.search.index import Index


@dataclass(frozen=True, slots=True)
class Seen:
    """A document with its matches, and its place among the candidates."""

    place: int
    number: int
    streams: Streams
    matches: Matches


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of documents, read when someone wants them; several at once are read more quickly."""

    index: Index
    blobs: dict[int, bytes] = field(default_factory=dict)

    def fetch(self, numbers: Sequence[int]) -> None:
        """Read the texts of documents."""
        with self.index.reading() as connection:
            for number in numbers:
                row = connection.execute("select text from texts where number = ?", (number,)).fetchone()
                if row is None:
                    raise UserError("The index has changed meanwhile.", "Search again.")
                self.blobs[number] = row[0]

    def cut(self, number: int) -> tuple[str, Spans]:
        """A text, and where its units stand."""
        if number not in self.blobs:
            self.fetch([number])
        text = unpack(self.blobs.pop(number))
        return text, units_of(text, self.index.language).spans


@dataclass(slots=True)
class Looking:
    """A query that is looked for in the documents that the index has named."""

    index: Index
    connection: sqlite3.Connection
    query: Query
    named: Candidates
    texts: Texts
    readers: dict[str, Reader] = field(default_factory=dict)
    clauses: list[Clause] | None = None
    expires: float = field(default_factory=lambda: time.monotonic() + SECONDS_FOR_A_QUERY)

    def at(self, places: Sequence[int], enough: int) -> tuple[list[Seen], list[int]]:
        """The candidates at some places that have a match, until these are enough; and which were asked."""
        seen, examined, matches = list[Seen](), list[int](), 0
        numbers = self.named.numbers_at(places)
        found = self._by_words(places) if not self.query.tokens else None
        hopeful = self._hopeful(places) if found is None else None
        for place, number in zip(places, numbers, strict=True):
            if matches >= enough:
                break
            examined.append(place)
            if hopeful is not None and number not in hopeful:
                continue
            streams, own = self._closer(place, number) if found is None else found.get(number, (None, ()))
            if own and streams is not None:
                seen.append(Seen(place, number, streams, own))
                matches += len(own)
        return seen, examined

    def everywhere(self) -> Iterator[int]:
        """The numbers of all candidates that have a match."""
        if self.query.tokens:
            numbers = self.named.numbers().tolist()
            yield from (number for place, number in enumerate(numbers) if self._closer(place, number)[1])
        else:
            for part in self.named.parts:
                yield from documents_in(part, self.query)

    def _hopeful(self, places: Sequence[int]) -> set[int] | None:
        """The numbers of those candidates at some places that are worth a closer look; None if all may be."""
        if self.clauses is None:
            self.clauses = self.query.pattern.clauses(partial(values_in, self.connection))
        clauses = self.clauses
        if not clauses or any(clause.stream != "words" for clause in clauses):
            return None
        parts, most = self.named.chosen(places).parts, self.query.pattern.most
        return {number for part in parts for number in hopeful_in(part, clauses, most)}

    def _by_words(self, places: Sequence[int]) -> dict[int, tuple[Streams, Matches]]:
        return {
            number: (streams, matches)
            for part in self.named.chosen(places).parts
            for number, streams, matches in in_part(part, self.query, self.texts.cut)
        }

    def _closer(self, place: int, number: int) -> tuple[Streams, Matches]:
        streams = self._streams(place, number)
        return streams, tuple(matches_of(self.query, streams, self.index.language, self.expires))

    def _streams(self, place: int, number: int) -> Streams:
        """The streams of a document; words that no annotation has cut otherwise are read from its shard."""
        if self.query.streams <= {"words"}:
            sql = "select tokens is null and lemmas is null and tags is null from texts where number = ?"
            if self.connection.execute(sql, (number,)).fetchone()[0]:
                shard, document = self.named.at(place)
                reader = self.readers.setdefault(shard.name, Reader(shard, self.texts.cut))
                return reader.streams(document)
        row = self.connection.execute(f"select {BLOBS} from texts where number = ?", (number,)).fetchone()
        return annotated_streams_of(row, self.index.language)


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
