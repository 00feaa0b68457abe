"""A text with a plain token in the place of each trace of people, and where its characters stand then."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from corpulyzer.text.traces import CARD, EMAIL, IP, PHONE, Trace, find_traces

TOKENS = {EMAIL: "[EMAIL]", PHONE: "[PHONE]", IP: "[IP]", CARD: "[CARD]"}
"""What stands in the place of a trace. No token, and no end of one, can be part of a trace."""


@dataclass(frozen=True, slots=True)
class Masked:
    """A masked text: how many traces of each kind were replaced, and where the tokens stand in it.

    `places` are the places in the text as it was that were asked for, as they are now; one within a trace is
    the end of its token.
    """

    text: str
    counts: Mapping[str, int] = field(default_factory=dict)
    tokens: tuple[tuple[int, int], ...] = ()
    places: tuple[int, ...] = ()


def masked(text: str, kinds: Collection[str], places: Sequence[int] = ()) -> Masked:
    """The text without traces of these kinds.

    A number can turn out to be a trace only when another beside it is gone, so the text is looked at until
    there is none. Traces that overlap become one token, that of the first.

    >>> masked("a@b.hr, 4111 1111 1111 1111", ["email"], (6, 8)).text
    '[EMAIL], 4111 1111 1111 1111'
    >>> masked("a@b.hr, 4111 1111 1111 1111", ["email"], (6, 8)).places
    (7, 9)
    """
    counts: Counter[str] = Counter()
    tokens: list[tuple[int, int]] = []
    moved = list(places)
    while found := _apart(trace for trace in find_traces(text) if trace.kind in kinds):
        counts.update(trace.kind for trace in found)
        changes = _Changes(found)
        moved = [changes.place(place) for place in moved]
        tokens = [(changes.place(start), changes.place(end)) for start, end in tokens]
        tokens = sorted([*tokens, *changes.tokens])
        text = changes.applied(text)
    return Masked(text, dict(counts), tuple(tokens), tuple(moved))


def _apart(found: Iterable[Trace]) -> list[Trace]:
    """Traces in their order, those that overlap as one."""
    merged: list[Trace] = []
    for trace in sorted(found, key=lambda trace: (trace.start, -trace.end, trace.kind)):
        if merged and trace.start < merged[-1].end:
            merged[-1] = merged[-1]._replace(end=max(merged[-1].end, trace.end))
        else:
            merged.append(trace)
    return merged


class _Changes:
    """Tokens that take the place of traces, which are in order and do not overlap."""

    def __init__(self, traces: Sequence[Trace]) -> None:
        self._traces = traces
        self._starts = [trace.start for trace in traces]
        self.tokens: list[tuple[int, int]] = []
        shift = 0
        for trace in traces:
            start, size = trace.start + shift, len(TOKENS[trace.kind])
            self.tokens.append((start, start + size))
            shift += size - (trace.end - trace.start)

    def place(self, place: int) -> int:
        """Where a place of the text is after the changes."""
        before = bisect_left(self._starts, place)
        if not before:
            return place
        behind = place - self._traces[before - 1].end
        return self.tokens[before - 1][1] + max(0, behind)

    def applied(self, text: str) -> str:
        """The text with the tokens."""
        pieces, end = [], 0
        for trace in self._traces:
            pieces += [text[end : trace.start], TOKENS[trace.kind]]
            end = trace.end
        return "".join((*pieces, text[end:]))
