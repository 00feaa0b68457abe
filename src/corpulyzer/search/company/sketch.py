"""The sketch of a word: its collocates by their relation to it (Kilgarriff et al. 2004).

Where documents have tags, a relation is the kind of word that stands nearest on one side, as in "adjectives
before"; it is told from tags alone, so it holds for every language that has universal ones. Where they have
none, a relation is a position.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from corpulyzer.search.finding.words import Side, beside
from corpulyzer.search.lexicon import counts_of
from corpulyzer.search.measures import LOG_DICE_MOST

if TYPE_CHECKING:
    from corpulyzer.search.finding.streams import Streams
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
SIDES: tuple[Side, ...] = ("before", "after")
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
    by_tags = found.query.tokens and any(place.streams.tags for place in found.places)
    lemmas = by_tags and any(place.streams.lemmas for place in found.places)
    counted = _counted(found, by_tags, lemmas) if found.query.tokens else _counted_by_words(found)
    stream: Literal["lemmas", "words"] = "lemmas" if lemmas else "words"
    rows = _rows(index, found, counted, stream, least)
    sizes = Counter({relation: len(own) for relation, own in rows.items()})
    order = sorted(rows, key=lambda name: (-sizes[name], name)) if by_tags else sorted(rows, key=_near_first)
    every = tuple(row for relation in order for row in rows[relation][:most])
    return Sketch(every, "tags" if by_tags else "positions", stream)


def _counted_by_words(found: Found) -> dict[str, Counter[str]]:
    """How often each word stands so many places before or after a match."""
    counted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    places = ((place.streams, place.matches) for place in found.places)
    for side, distance, words in beside(places, POSITIONS):
        counted[f"{distance} {side}"].update(words)
    return counted


def _counted(found: Found, by_tags: bool, lemmas: bool) -> dict[str, Counter[str]]:
    """How often each word, or lemma, stands in a relation to a match."""
    counted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for place in found.places:
        streams = place.streams
        if by_tags and len(streams.tags) != len(streams.words):
            continue
        column = streams.lemmas if lemmas and streams.lemmas else streams.words
        for match in place.matches:
            for relation, at in (_by_tags if by_tags else _by_position)(streams, match):
                counted[relation][column[at]] += 1
    return counted


def _near_first(relation: str) -> tuple[int, int]:
    distance, _, side = relation.partition(" ")
    return int(distance), int(side == "after")


def _by_position(streams: Streams, match: tuple[int, int]) -> Iterator[tuple[str, int]]:
    """The places around a match, nearest first, up to the ends of its paragraph."""
    for side in SIDES:
        for distance, at in enumerate(_outward(streams, match, side, POSITIONS), 1):
            yield f"{distance} {side}", at


def _by_tags(streams: Streams, match: tuple[int, int]) -> Iterator[tuple[str, int]]:
    for relation in RELATIONS:
        for at in _outward(streams, match, relation.side, relation.reach):
            if streams.tags[at] in relation.tags:
                yield relation.name, at
                break
            if streams.tags[at] in relation.stops:
                break
    wanted = streams.tags[match[1] - 1]
    for side in SIDES:
        first, *rest = [*_outward(streams, match, side, 3), -1]
        if first >= 0 and streams.tags[first] == JOIN:
            yield from ((JOINED, at) for at in rest[:1] if at >= 0 and streams.tags[at] == wanted)


def _outward(streams: Streams, match: tuple[int, int], side: Side, reach: int) -> Iterator[int]:
    """The units beside a match, from near to far, within its paragraph."""
    if side == "before":
        first = streams.paragraph(match[0])[0]
        yield from range(match[0] - 1, max(first - 1, match[0] - 1 - reach), -1)
    else:
        last = streams.paragraph(match[1] - 1)[1]
        yield from range(match[1], min(last, match[1] + reach))


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
