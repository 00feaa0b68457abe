"""Thresholds of filters for each language of a corpus, learned from that language's own documents.

A threshold that fits one language is wrong for another: sixty words are a short text in English and a long
one in isiXhosa. So each is set where it stands among the language's documents, as FineWeb2 does. Content size
follows the 95 % rule of Corpulyzer (2021), CZ-6.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from corpulyzer.page.filter.content_size import CANDIDATES, KEEP_SHARE, largest_keeping
from corpulyzer.page.filter.prose import prose, repetition
from corpulyzer.records import int64_hash
from corpulyzer.text.census import census

LEAST_DOCUMENTS = 100
# Documents of a language whose texts are looked at, drawn by a hash of their ids.
SAMPLE = 2_000
SHORTEST_SHARE, MOST_PUNCTUATED_SHARE = 0.05, 0.01
MOST_REPETITIVE_SHARE, LEAST_PROSE_SHARE = 0.01, 0.05
# However odd the documents of a language are, a threshold stays within these.
WORDS_BETWEEN, PUNCTUATION_BETWEEN = (10, 100), (0.1, 0.5)
REPETITION_BETWEEN, PROSE_BETWEEN = (0.1, 0.5), (0.0, 0.5)

MIN_BYTES, UNIT = "filter.content_size.min_bytes", "filter.content_size.unit"
MIN_WORDS, MAX_PUNCTUATION = "filter.length.min_words", "filter.punctuation.max_share"
MAX_REPETITION, MIN_PROSE = "filter.repetition.max_share", "filter.prose.min_share"
FILTERS_KEY = "filter.document"
ALONE = ("repetition", "prose")
"""Filters that are in use only where their thresholds are learned, or where somebody names them."""


@dataclass(frozen=True, slots=True)
class LearnedThresholds:
    """The thresholds of a language by key, of how many documents, and how many of these each would drop.

    All but content size are those of a sample, where there are more documents than that.
    """

    language: str
    documents: int
    values: Mapping[str, Any]
    would_drop: Mapping[str, int]

    @property
    def thresholds(self) -> dict[str, Any]:
        """The values that are thresholds, by the filter and its setting: `length.min_words`."""
        own = {key: value for key, value in self.values.items() if key != FILTERS_KEY}
        return {key.removeprefix("filter."): value for key, value in own.items()}

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)


class _Look(NamedTuple):
    """How one text looks; the smallest key is the first to stay in a sample."""

    key: int
    words: int
    punctuation: float
    repetition: float
    prose: float


def _look(key: int, text: str) -> _Look:
    counted = census(text)
    share = counted.punctuation / counted.visible if counted.visible else 0.0
    return _Look(-key, counted.words, share, repetition(text), prose(text))


@dataclass(slots=True)
class _Seen:
    """What was seen of a language: sizes of all its documents, and the texts of a sample."""

    documents: int = 0
    size: int = 0
    pages_by_size: dict[int, int] = field(default_factory=lambda: dict.fromkeys(CANDIDATES, 0))
    sums_by_size: dict[int, int] = field(default_factory=lambda: dict.fromkeys(CANDIDATES, 0))
    sample: list[_Look] = field(default_factory=list)

    def add(self, key: int, size: int, text: str) -> None:
        """Count a document, and look at its text if its key is among the smallest so far."""
        self.documents += 1
        self.size += size
        for threshold in CANDIDATES:
            if size >= threshold:
                self.pages_by_size[threshold] += 1
                self.sums_by_size[threshold] += size
        if len(self.sample) < SAMPLE:
            heapq.heappush(self.sample, _look(key, text))
        elif -key > self.sample[0].key:
            heapq.heapreplace(self.sample, _look(key, text))

    def learned(self, language: str, unit: str, keep: float, filters: Sequence[str]) -> LearnedThresholds:
        """The thresholds that follow; those of `ALONE` where the language is judged by them."""
        min_bytes = largest_keeping(self.sums_by_size, self.size, keep)
        least = self.pages_by_size.get(min_bytes, self.documents)
        values: dict[str, Any] = {MIN_BYTES: min_bytes, UNIT: unit}
        drops = {"content_size": self.documents - least}
        words = [look.words for look in self.sample]
        values[MIN_WORDS] = int(_within(quantile(sorted(words), SHORTEST_SHARE), WORDS_BETWEEN))
        drops["length"] = sum(each < values[MIN_WORDS] for each in words)
        marks = [look.punctuation for look in self.sample]
        values[MAX_PUNCTUATION] = most = _largest(marks, MOST_PUNCTUATED_SHARE, PUNCTUATION_BETWEEN)
        drops["punctuation"] = sum(each > most for each in marks)
        if "repetition" in filters:
            said = [look.repetition for look in self.sample]
            values[MAX_REPETITION] = most = _largest(said, MOST_REPETITIVE_SHARE, REPETITION_BETWEEN)
            drops["repetition"] = sum(each > most for each in said)
        if "prose" in filters:
            shares = [look.prose for look in self.sample]
            values[MIN_PROSE] = _smallest(shares, LEAST_PROSE_SHARE, PROSE_BETWEEN)
            drops["prose"] = sum(each < values[MIN_PROSE] for each in shares)
        return LearnedThresholds(language, self.documents, values, drops)


def learned_thresholds(
    documents: Iterable[tuple[int, str, int, str]],
    unit: str = "bytes",
    keep: float = KEEP_SHARE,
    least: int = LEAST_DOCUMENTS,
    filters: Sequence[str] = ALONE,
) -> list[LearnedThresholds]:
    """The thresholds of each language with at least so many documents: id, language, target text, text.

    Target text is counted in `unit`s. `filters` are those that the documents will be judged by. The order of
    the documents makes no difference.
    """
    seen: dict[str, _Seen] = {}
    for number, language, size, text in documents:
        seen.setdefault(language, _Seen()).add(int64_hash(str(number)), size, text)
    enough = [code for code in sorted(seen) if seen[code].documents >= least]
    return [seen[code].learned(code, unit, keep, filters) for code in enough]


def quantile(ordered: Sequence[float], share: float) -> float:
    """The smallest of the numbers, which are in order, that at least such a share does not exceed.

    >>> quantile([1, 2, 3, 4], 0.5), quantile([1, 2, 3, 4], 0.51)
    (2, 3)
    """
    return ordered[min(len(ordered) - 1, max(0, -int(-share * len(ordered) // 1) - 1))]


def _largest(shares: Sequence[float], beyond: float, bounds: tuple[float, float]) -> float:
    """The share that `beyond` of the documents exceed, to three digits."""
    return round(_within(quantile(sorted(shares), 1 - beyond), bounds), 3)


def _smallest(shares: Sequence[float], beyond: float, bounds: tuple[float, float]) -> float:
    """The share that `beyond` of the documents do not reach, rounded down to three digits."""
    return int(1000 * _within(quantile(sorted(shares), beyond), bounds)) / 1000


def _within(value: float, bounds: tuple[float, float]) -> float:
    return min(max(value, bounds[0]), bounds[1])
