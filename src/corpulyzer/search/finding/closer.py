"""The closer look: where a pattern is met in a document whose streams were read."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

import regex

from corpulyzer.search.pattern import Query, Within, spans_of
from corpulyzer.text.spans import sentence_spans

if TYPE_CHECKING:
    from corpulyzer.language import Language
    from corpulyzer.search.finding.streams import Streams

_LINE_BREAK = regex.compile("\n")


def matches_of(
    query: Query, streams: Streams, language: Language | None, expires: float = math.inf
) -> Iterator[tuple[int, int]]:
    """The first unit of each match and the one after its last; none goes beyond what the query is within."""
    if any(len(streams.column(name)) != len(streams.words) for name in query.streams):
        return  # a lemma or a tag is asked for, and this text has none
    limits = _limits(query.within, streams, language)

    def until(start: int) -> int:
        return limits[bisect_right(limits, start)]

    for match in spans_of(query.pattern, streams, until, expires):
        if query.near is None or query.near.word in company_of(streams, match, query.near.window):
            yield match


def company_of(streams: Streams, match: tuple[int, int], window: int) -> list[str]:
    """The words of a window on both sides of a match that stand in its paragraph."""
    first, last = streams.paragraph(match[0])[0], streams.paragraph(match[1] - 1)[1]
    before = streams.words[max(first, match[0] - window) : match[0]]
    return [*before, *streams.words[match[1] : min(last, match[1] + window)]]


def _limits(within: Within, streams: Streams, language: Language | None) -> list[int]:
    """The units before which a match has to end, in order."""
    if within == "doc":
        return [len(streams.words)]
    if within == "p":
        return [*streams.breaks[1:], len(streams.words)]
    ends, at = [*streams.sentences], 0
    if not ends:
        lines = (found.start() for found in _LINE_BREAK.finditer(streams.text))
        for end in (*lines, len(streams.text)):
            ends += [at + last for _, last in sentence_spans(streams.text[at:end], language)]
            at = end + 1
    return [*(bisect_left(streams.spans, (end,)) for end in ends), len(streams.words)]
