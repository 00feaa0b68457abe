"""The look at documents that may have a match, some of them or all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corpulyzer.search.finding.layer import layers_of
from corpulyzer.search.finding.matching import Plan
from corpulyzer.search.finding.streams import Streams, Texts
from corpulyzer.search.finding.vocabulary import Vocabulary
from corpulyzer.search.pattern import Query

if TYPE_CHECKING:
    from corpulyzer.search.finding.candidates import Candidates, Part
    from corpulyzer.search.index import Index

Matches = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """A document with its matches, and its place among the candidates."""

    place: int
    number: int
    streams: Streams
    matches: Matches


@dataclass(slots=True)
class Looking:
    """A query that is looked for in the documents that the index has named."""

    index: Index
    vocabulary: Vocabulary
    query: Query
    named: Candidates
    texts: Texts
    plan: Plan = field(init=False)

    def __post_init__(self) -> None:
        self.plan = Plan(self.query, self.vocabulary, self.vocabulary.expires)

    def at(self, places: Sequence[int], enough: int) -> tuple[list[Seen], list[int]]:
        """The candidates at some places that have a match, until these are enough; and which were asked."""
        seen, examined, matches = list[Seen](), list[int](), 0
        found = {
            number: (streams, own)
            for part in self.named.chosen(places).parts
            for number, streams, own in self._in(part)
        }
        for place, number in zip(places, self.named.numbers_at(places), strict=True):
            if matches >= enough:
                break
            examined.append(place)
            if number in found:
                seen.append(Seen(place, number, *found[number]))
                matches += len(seen[-1].matches)
        return seen, examined

    def everywhere(self) -> Iterator[int]:
        """The numbers of all candidates that have a match."""
        for part in self.named.parts:
            yield from (number for number, _, _ in self._in(part))

    def _in(self, part: Part) -> Iterator[tuple[int, Streams, Matches]]:
        """The documents of a part that have a match: their numbers, streams and matches."""
        import numpy as np

        for layer in layers_of(part, self.query, self.texts, self.named.asked):
            starts, ends = self.plan.matches(layer, self.index.language)
            owners = layer.units.owners(starts)
            begins = layer.units.begins(owners)
            pairs = list(zip((starts - begins).tolist(), (ends - begins).tolist(), strict=True))
            documents, first = np.unique(owners, return_index=True)
            bounds = [*first.tolist(), len(pairs)]
            for at, document in enumerate(documents.tolist()):
                matches = tuple(pairs[bounds[at] : bounds[at + 1]])
                yield int(layer.shard.numbers[document]), layer.streams(document), matches
