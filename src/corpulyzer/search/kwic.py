"""Key word in context: the lines of a concordance, in the order of reading whatever the script.

`before` is what a reader has read before the match; it stands on the left in Latin script and on the right
in Arabic script.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import regex

from corpulyzer.errors import UserError
from corpulyzer.records import int64_hash
from corpulyzer.search.finding.only import EVERYTHING, Only
from corpulyzer.search.matches import MOST_DOCUMENTS, Found, Place, find
from corpulyzer.search.query import parse

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.search.finding.layer import Layer
    from corpulyzer.search.index import Index

Order = Literal["document", "before", "after", "match", "site", "random"]
ORDERS: tuple[Order, ...] = get_args(Order)
SORTED_BY_UNITS = 5
_CUT_AT_START = regex.compile(r"^[^\s]*\s+|^[\p{M}\u200c\u200d]+")
_CUT_AT_END = regex.compile(r"(?r)\s+[^\s]*$")


@dataclass(frozen=True, slots=True)
class Line:
    """A match with what stands before and after it; `start` is its place in the document's text."""

    id: int
    url: str
    site: str
    title: str
    before: str
    match: str
    after: str
    start: int


@dataclass(frozen=True, slots=True)
class Kwic:
    """The lines of a concordance, and how many there are in all."""

    query: str
    lines: tuple[Line, ...]
    documents: int
    hits: int
    exact: bool
    direction: str = "ltr"

    def __iter__(self) -> Iterator[Line]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def total(self) -> str:
        """How many there are, in words."""
        return f"{'' if self.exact else 'about '}{self.hits:,} in {self.documents:,} documents"

    def to_json(self) -> dict[str, Any]:
        """The concordance as plain values."""
        lines = [asdict(line) for line in self.lines]
        facts = {name: getattr(self, name) for name in ("query", "documents", "hits", "exact")}
        return {**facts, "lines": lines}

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><td style="text-align:end">{html.escape(line.before)}</td>'
            f"<td><b>{html.escape(line.match)}</b></td>"
            f'<td style="text-align:start">{html.escape(line.after)}</td>'
            f'<td dir="ltr">{html.escape(line.site)}</td></tr>'
            for line in self.lines
        )
        return f'<p>{self.total}</p><table dir="{self.direction}"><tbody>{rows}</tbody></table>'


def kwic(
    index: Index,
    text: str,
    *,
    width: int = 40,
    order: Order = "document",
    limit: int = 100,
    offset: int = 0,
    only: Only = EVERYTHING,
    most: int = MOST_DOCUMENTS,
    seed: int = 0,
) -> Kwic:
    """The lines that meet a query, `width` characters on each side, in the wished order."""
    enough = offset + limit if order == "document" else None
    found = find(index, parse(text, index.language), only, most, enough)
    return lines_of(found, width, order, (offset, offset + limit), index.language.direction, seed)


def lines_of(
    found: Found, width: int, order: Order, window: tuple[int, int], direction: str, seed: int = 0
) -> Kwic:
    """The lines of what was found that come in a window of their order; `seed` is that of a random one."""
    if order not in ORDERS:
        raise UserError(f"Lines cannot be sorted by {order!r}.", f"Orders: {', '.join(ORDERS)}.")
    pairs = [(place, match) for place in found.places for match in place.matches]
    if order in ("before", "after", "match"):
        pairs = _at_most(pairs, order, window[1])
    if order != "document":
        pairs.sort(key=lambda pair: (_key(pair[0], pair[1], order, seed), pair[0].number, pair[1]))
    shown = pairs[window[0] : window[1]]
    found.read(place for place, _ in shown)
    lines = tuple(_line(place, match, width) for place, match in shown)
    return Kwic(found.query.text, lines, found.documents, found.hits, found.exact, direction or "ltr")


def _at_most(
    pairs: Sequence[tuple[Place, tuple[int, int]]], order: Order, most: int
) -> list[tuple[Place, tuple[int, int]]]:
    """Those matches that may be among the first by the one word with which their order begins.

    It is told from numbers, so that only a few of many matches have to be read to sort them.
    """
    import numpy as np

    if len(pairs) <= most:
        return list(pairs)
    layers: dict[int, tuple[Layer, list[int]]] = {}
    for number, (place, _) in enumerate(pairs):
        layer = place.streams.layer
        layers.setdefault(id(layer), (layer, []))[1].append(number)
    words, names = np.zeros(len(pairs), dtype=np.int64), [""]  # nothing comes before all words
    for layer, numbers in layers.values():
        at, inside = _next_units([pairs[number] for number in numbers], order)
        values, which = np.unique(layer.units.numbers(at[inside]), return_inverse=True)
        words[np.array(numbers)[inside]] = len(names) + which
        names += layer.units.names(values)
    ranks = {name: rank for rank, name in enumerate(sorted(set(names)))}
    ranked = np.array([ranks[name] for name in names])[words]
    last = np.partition(ranked, most - 1)[most - 1]
    return [pairs[number] for number in np.flatnonzero(ranked <= last).tolist()]


def _next_units(
    pairs: Sequence[tuple[Place, tuple[int, int]]], order: Order
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The unit with which the order of each match begins, and whether its document has it."""
    import numpy as np

    begins = np.array([place.streams.begin for place, _ in pairs], dtype=np.int64)
    sizes = np.array([len(place.streams.words) for place, _ in pairs], dtype=np.int64)
    starts, stops = np.array([match for _, match in pairs], dtype=np.int64).T
    at = {"before": starts - 1, "after": stops, "match": starts}[order]
    return begins + at, (at >= 0) & (at < sizes)


def _key(place: Place, match: tuple[int, int], order: Order, seed: int) -> Sequence[str] | int:
    words: Sequence[str] = place.streams.words
    start, stop = match
    if order == "random":
        return int64_hash(str(seed), f"{place.id} {start}")
    if order == "before":
        return words[max(0, start - SORTED_BY_UNITS) : start][::-1]
    if order == "after":
        return words[stop : stop + SORTED_BY_UNITS]
    return [place.site] if order == "site" else words[start:stop]


def _line(place: Place, match: tuple[int, int], width: int) -> Line:
    text, spans = place.streams.text, place.streams.spans
    begins, ends = spans[match[0]][0], spans[match[1] - 1][1]
    return Line(
        id=place.id,
        url=place.url,
        site=place.site,
        title=place.title,
        before=_before(text, begins, width),
        match=text[begins:ends].replace("\n", " ¶ "),
        after=_after(text, ends, width),
        start=begins,
    )


def _before(text: str, end: int, width: int) -> str:
    """At most `width` characters up to a place, no word cut where a space is near."""
    start = max(0, end - width)
    piece = text[start:end]
    whole = start == 0 or text[start - 1].isspace()
    return (piece if whole else _CUT_AT_START.sub("", piece, count=1)).replace("\n", " ¶ ")


def _after(text: str, start: int, width: int) -> str:
    end = start + width
    piece = text[start:end]
    whole = end >= len(text) or text[end].isspace()
    return (piece if whole else _CUT_AT_END.sub("", piece, count=1)).replace("\n", " ¶ ")
