"""The sketch of a word: its collocates by their relation to it (Kilgarriff et al. 2004).

Where documents have tags, a relation is the kind of word that stands nearest on one side, as in "adjectives
before"; it is told from tags alone, so it holds for every language that has universal ones. Where they have
none, a relation is a position.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from corpulyzer.search.conditions import Clause
from corpulyzer.search.finding.beside import SIDES, Side, Sides, sides_of
from corpulyzer.search.lexicon import counts_of
from corpulyzer.search.measures import LOG_DICE_MOST

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.search.conditions import Stream
    from corpulyzer.search.finding.layer import Layer
    from corpulyzer.search.index import Index
    from corpulyzer.search.matches import Found

LEAST = 2
PER_RELATION = 25
POSITIONS = 3
"""Where there are no tags, so many places on each side are relations."""
_NOUNS, _VERBS = frozenset({"NOUN", "PROPN"}), frozenset({"VERB"})
_MARKS = frozenset({"PUNCT", "SYM"})
JOINED = "joined by and, or"
JOIN = "CCONJ"


@dataclass(frozen=True, slots=True)
class Relation:
    """The nearest word with one of the `tags` on a side, up to `reach` places off, before any of `stops`."""

    name: str
    side: Side
    tags: frozenset[str]
    reach: int
    stops: frozenset[str] = _MARKS


_PHRASE = _MARKS | _NOUNS | _VERBS | {JOIN}
_KINDS: tuple[tuple[str, frozenset[str], int, frozenset[str]], ...] = (
    ("adjectives", frozenset({"ADJ"}), 2, _PHRASE),
    ("nouns", _NOUNS, 3, _MARKS | _VERBS | {JOIN}),
    ("verbs", _VERBS, 5, _MARKS | {"SCONJ"}),
    ("adverbs", frozenset({"ADV"}), 2, _PHRASE),
    ("adpositions", frozenset({"ADP"}), 2, _PHRASE),
)
RELATIONS = tuple(
    Relation(f"{name} {side}", side, tags, reach, stops)
    for name, tags, reach, stops in _KINDS
    for side in SIDES
)


@dataclass(frozen=True, slots=True)
class Sketched:
    """A collocate in a relation: how often it stands so, how often it comes in all, and logDice."""

    relation: str
    word: str
    together: int
    count: int
    log_dice: float


@dataclass(frozen=True, slots=True)
class Sketch:
    """The collocates of a query by relation, the fullest relation first; `by` is `tags` or `positions`.

    `stream` is what the collocates are: lemmas where there are some, else words.
    """

    rows: tuple[Sketched, ...]
    by: Literal["tags", "positions"]
    stream: Literal["lemmas", "words"]

    def relations(self) -> dict[str, list[Sketched]]:
        """The rows of each relation."""
        found: dict[str, list[Sketched]] = {}
        for row in self.rows:
            found.setdefault(row.relation, []).append(row)
        return found


def sketch(index: Index, found: Found, least: int = LEAST, most: int = PER_RELATION) -> Sketch:
    """The sketch of what was found; for relations by tags, the query has to be one of annotated tokens."""
    places = ((place.streams, place.matches) for place in found.places)
    every_side = list(sides_of(places))
    tagged = [own for sides in every_side if len((own := _having(sides, "tags")).starts)]
    by_tags = found.query.tokens and bool(tagged)
    lemmas = by_tags and any(len(_having(sides, "lemmas").starts) for sides in tagged)
    counted = _counted_by_tags(tagged, lemmas) if by_tags else _counted_by_position(every_side)
    stream: Literal["lemmas", "words"] = "lemmas" if lemmas else "words"
    rows = _rows(index, found, counted, stream, least)
    sizes = Counter({relation: len(own) for relation, own in rows.items()})
    order = sorted(rows, key=lambda name: (-sizes[name], name)) if by_tags else sorted(rows, key=_near_first)
    shown = tuple(row for relation in order for row in rows[relation][:most])
    return Sketch(shown, "tags" if by_tags else "positions", stream)


def _having(sides: Sides, stream: Stream) -> Sides:
    """The matches in documents that have a value of a stream at each unit."""
    return sides.some(_has(sides.layer, sides.starts, stream))


def _has(layer: Layer, at: NDArray[np.int64], stream: Stream) -> NDArray[np.bool_]:
    owners = layer.units.owners(at)
    same: NDArray[np.bool_] = layer.column(stream).sizes(owners) == layer.units.sizes(owners)
    return same


def _counted_by_position(every: Sequence[Sides]) -> dict[str, Counter[str]]:
    """How often each word stands so many places before or after a match."""
    counted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sides in every:
        for side in SIDES:
            for distance in range(1, POSITIONS + 1):
                units, inside = sides.at(side, distance)
                counted[f"{distance} {side}"].update(sides.counted("words", [units[inside]]))
    return counted


def _counted_by_tags(every: Sequence[Sides], lemmas: bool) -> dict[str, Counter[str]]:
    """How often each lemma, or word, stands in a relation to a match."""
    counted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sides in every:
        for relation, units in _by_tags(sides):
            told = _has(sides.layer, units, "lemmas") & lemmas
            counted[relation].update(sides.counted("lemmas", [units[told]]))
            counted[relation].update(sides.counted("words", [units[~told]]))
    return counted


def _near_first(relation: str) -> tuple[int, int]:
    distance, _, side = relation.partition(" ")
    return int(distance), int(side == "after")


def _by_tags(sides: Sides) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """The units that stand in each relation to a match."""
    for relation in RELATIONS:
        wanted, stops = (Clause("tags", tuple(sorted(tags))) for tags in (relation.tags, relation.stops))
        left = sides
        for distance in range(1, relation.reach + 1):
            units, inside = left.at(relation.side, distance)
            left, units = left.some(inside), units[inside]
            fits = left.layer.has(wanted, units)
            yield relation.name, units[fits]
            left = left.some(~(fits | left.layer.has(stops, units)))
    for side in SIDES:
        yield JOINED, _joined(sides, side)


def _joined(sides: Sides, side: Side) -> NDArray[np.int64]:
    """The units with the tag of a match's last one, and a conjunction between them and the match."""
    units, inside = sides.at(side, 1)
    joined = sides.some(inside)
    joined = joined.some(joined.layer.has(Clause("tags", (JOIN,)), units[inside]))
    units, inside = joined.at(side, 2)
    joined, units = joined.some(inside), units[inside]
    tag = joined.layer.numbers
    found: NDArray[np.int64] = units[tag("tags", units) == tag("tags", joined.ends - 1)]
    return found


def _rows(
    index: Index, found: Found, counted: dict[str, Counter[str]], stream: str, least: int
) -> dict[str, list[Sketched]]:
    """The collocates of each relation, the strongest first."""
    scale = found.hits / found.seen if found.seen else 1.0
    rows: dict[str, list[Sketched]] = {}
    often = {
        relation: [(word, n) for word, n in words.items() if n >= least]
        for relation, words in counted.items()
    }
    every = {word for words in often.values() for word, _ in words}
    counts, _ = counts_of(index, found.only, stream, every)
    for relation, words in often.items():
        own = [
            _sketched(relation, word, n * scale, found.hits, counts[word])
            for word, n in words
            if word in counts
        ]
        if own:
            rows[relation] = sorted(own, key=lambda row: (-row.log_dice, row.word))
    return rows


def _sketched(relation: str, word: str, together: float, node: int, count: int) -> Sketched:
    both = min(together, node, count)
    strength = LOG_DICE_MOST + math.log2(2 * both / (node + count))
    return Sketched(relation, word, round(together), count, strength)
