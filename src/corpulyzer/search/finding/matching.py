"""The closer look: where a pattern is met in a layer.

It begins at the units that are rarest in the shard, and looks at what stands around them. From every start it
tells the longest match, and none that lies inside of another.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import regex

from corpulyzer.search.conditions import Clause
from corpulyzer.search.pattern import Anchor, Place, Query, Reached, Walk, Within
from corpulyzer.text.spans import sentence_spans

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.language import Language
    from corpulyzer.search.conditions import Lexicon
    from corpulyzer.search.finding.layer import Layer
    from corpulyzer.search.finding.streams import Streams

STARTS_AT_ONCE = 50_000
_LINE_BREAK = regex.compile("\n")


class Plan:
    """A query, with what an index was asked for each of its places; that is found out once."""

    def __init__(self, query: Query, lexicon: Lexicon, expires: float = math.inf) -> None:
        self.query, self.expires = query, expires
        self._clauses = {place.number: place.clauses(lexicon) for place in query.pattern.places()}

    def matches(self, layer: Layer, language: Language | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first unit of each match and the one after its last, in order."""
        starts = self._starts(layer)
        limits = _limits(self.query.within, layer, starts)
        found = self._longest(layer, starts, limits)
        if self.query.within == "s" and layer.base == "words":
            # No annotation has told of sentences, so the texts are cut where paragraphs have a match.
            starts, limits = _within_sentences(layer, starts, found, language)
            found = self._longest(layer, starts, limits)
        starts, ends = _outermost(starts, found)
        if self.query.near is not None:
            near = _is_near(layer, starts, ends, self.query.near.word, self.query.near.window)
            starts, ends = starts[near], ends[near]
        return starts, ends

    def _starts(self, layer: Layer) -> NDArray[np.int64]:
        """The units with which a match may begin, in order."""
        import numpy as np

        anchor = self._anchor(layer)
        if anchor is None:
            return layer.everywhere()
        found = [np.zeros(0, np.int64)]
        for clause, least, most in anchor.sought:
            places = layer.places(clause)
            begins = layer.units.begins(layer.units.owners(places))
            for distance in range(least, most + 1):
                inside = places - distance >= begins
                found.append(places[inside] - distance)
        return found[1] if len(found) == 2 else np.unique(np.concatenate(found))

    def _anchor(self, layer: Layer) -> Anchor | None:
        def asked(place: Place) -> list[tuple[int, Clause]]:
            return [(layer.count(clause), clause) for clause in self._clauses[place.number]]

        return self.query.pattern.anchor(asked)

    def _longest(
        self, layer: Layer, starts: NDArray[np.int64], limits: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Where the longest match from each start ends; 0 where there is none."""
        import numpy as np

        longest = np.zeros(len(starts), dtype=np.int64)
        for first in range(0, len(starts), STARTS_AT_ONCE):
            some = slice(first, first + STARTS_AT_ONCE)
            walk = Walk(layer, limits[some], self.expires)
            walk.spend()
            own = starts[some]
            reached = self.query.pattern.reach(walk, Reached(np.arange(len(own)), own))
            np.maximum.at(longest[some], reached.start, reached.at)
        return longest


def _outermost(
    starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The matches that do not lie inside of one that begins before them."""
    import numpy as np

    before = np.maximum.accumulate(np.concatenate([[0], ends]))[:-1]
    keep = (ends > starts) & (ends > before)
    return starts[keep], ends[keep]


def _limits(within: Within, layer: Layer, starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The unit before which a match has to end that begins at each start."""
    if within == "doc":
        owners = layer.units.owners(starts)
        return layer.units.begins(owners + 1)
    if within == "s" and layer.base == "tokens":
        return layer.shard.stretches("sentences", starts)[1]
    return layer.paragraphs(starts)[1]


def _within_sentences(
    layer: Layer, starts: NDArray[np.int64], found: NDArray[np.int64], language: Language | None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Those starts from which something was found in a paragraph, and the ends of their sentences."""
    import numpy as np

    starts = starts[found > starts]
    documents, first = np.unique(layer.units.owners(starts), return_index=True)
    limits, bounds = np.zeros(len(starts), np.int64), [*first.tolist(), len(starts)]
    for number, streams in enumerate(layer.read(documents.tolist())):
        own = slice(bounds[number], bounds[number + 1])  # starts are in order, so those of a document are
        ends = np.array([*_sentence_ends(streams, language), len(streams.words)]) + streams.begin
        limits[own] = ends[np.searchsorted(ends, starts[own], "right")]
    return starts, limits


def _sentence_ends(streams: Streams, language: Language | None) -> Iterator[int]:
    """The units after the sentences of a text that no annotation has cut."""
    from bisect import bisect_left

    lines, at = [found.start() for found in _LINE_BREAK.finditer(streams.text)], 0
    for end in (*lines, len(streams.text)):
        for _, last in sentence_spans(streams.text[at:end], language):
            yield bisect_left(streams.spans, (at + last,))
        at = end + 1


def _is_near(
    layer: Layer, starts: NDArray[np.int64], ends: NDArray[np.int64], word: str, window: int
) -> NDArray[np.bool_]:
    """Whether a word stands within so many units of matches, in their paragraphs."""
    import numpy as np

    asked, near = Clause("words", (word,)), np.zeros(len(starts), dtype=np.bool_)
    first, last = layer.around(starts, ends)
    for distance in range(1, window + 1):
        for at in (starts - distance, ends - 1 + distance):
            inside = (at >= first) & (at < last)
            near[inside] |= layer.has(asked, at[inside])
    return near
