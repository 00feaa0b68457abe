"""Thresholds of filters for each language of a corpus, learned from that language's own documents.

A threshold that fits one language is wrong for another: sixty words are a short text in English and a long
one in isiXhosa. So each is set where it stands among the language's documents, as FineWeb2 does. Content size
follows the 95 % rule of Corpulyzer (2021), CZ-6.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from corpulyzer.page.filter.content_size import CANDIDATES, KEEP_SHARE, largest_keeping
from corpulyzer.records import int64_hash
from corpulyzer.text.census import census

LEAST_DOCUMENTS = 100
# Documents of a language whose texts are looked at, drawn by a hash of their ids.
SAMPLE = 2_000
SHORTEST_SHARE, MOST_PUNCTUATED_SHARE = 0.05, 0.01
# However odd the documents of a language are, a threshold stays within these.
WORDS_BETWEEN, PUNCTUATION_BETWEEN = (10, 100), (0.1, 0.5)

MIN_BYTES, UNIT = "filter.content_size.min_bytes", "filter.content_size.unit"
MIN_WORDS, MAX_PUNCTUATION = "filter.length.min_words", "filter.punctuation.max_share"


@dataclass(frozen=True, slots=True)
class LearnedThresholds:
    """The thresholds of a language by key, of how many documents, and how many of these each would drop.

    Length and punctuation are those of a sample, where there are more documents than that.
    """

    language: str
    documents: int
    values: Mapping[str, Any]
    would_drop: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)


@dataclass(slots=True)
class _Seen:
    """What was seen of a language: sizes of all its documents, and the texts of a sample."""

    documents: int = 0
    size: int = 0
    pages_by_size: dict[int, int] = field(default_factory=lambda: dict.fromkeys(CANDIDATES, 0))
    sums_by_size: dict[int, int] = field(default_factory=lambda: dict.fromkeys(CANDIDATES, 0))
    sample: list[tuple[int, int, float]] = field(default_factory=list)

    def add(self, key: int, size: int, text: str) -> None:
        """Count a document, and look at its text if its key is among the smallest so far."""
        self.documents += 1
        self.size += size
        for threshold in CANDIDATES:
            if size >= threshold:
                self.pages_by_size[threshold] += 1
                self.sums_by_size[threshold] += size
        full = len(self.sample) >= SAMPLE
        if not full or -key > self.sample[0][0]:
            counted = census(text)
            share = counted.punctuation / counted.visible if counted.visible else 0.0
            entry = (-key, counted.words, share)
            if full:
                heapq.heapreplace(self.sample, entry)
            else:
                heapq.heappush(self.sample, entry)

    def learned(self, language: str, unit: str, keep: float) -> LearnedThresholds:
        """The thresholds that follow."""
        min_bytes = largest_keeping(self.sums_by_size, self.size, keep)
        words = sorted(words for _, words, _ in self.sample)
        shares = sorted(share for _, _, share in self.sample)
        min_words = int(_within(quantile(words, SHORTEST_SHARE), WORDS_BETWEEN))
        most = round(_within(quantile(shares, 1 - MOST_PUNCTUATED_SHARE), PUNCTUATION_BETWEEN), 3)
        return LearnedThresholds(
            language,
            self.documents,
            {MIN_BYTES: min_bytes, UNIT: unit, MIN_WORDS: min_words, MAX_PUNCTUATION: most},
            {
                "content_size": self.documents - self.pages_by_size.get(min_bytes, self.documents),
                "length": sum(each < min_words for each in words),
                "punctuation": sum(each > most for each in shares),
            },
        )


def learned_thresholds(
    documents: Iterable[tuple[int, str, int, str]],
    unit: str = "bytes",
    keep: float = KEEP_SHARE,
    least: int = LEAST_DOCUMENTS,
) -> list[LearnedThresholds]:
    """The thresholds of each language with at least so many documents: id, language, target text, text.

    Target text is counted in `unit`s. The order of the documents makes no difference.
    """
    seen: dict[str, _Seen] = {}
    for number, language, size, text in documents:
        seen.setdefault(language, _Seen()).add(int64_hash(str(number)), size, text)
    return [seen[code].learned(code, unit, keep) for code in sorted(seen) if seen[code].documents >= least]


def quantile(ordered: Sequence[float], share: float) -> float:
    """The smallest of the numbers, which are in order, that at least such a share does not exceed.

    >>> quantile([1, 2, 3, 4], 0.5), quantile([1, 2, 3, 4], 0.51)
    (2, 3)
    """
    return ordered[min(len(ordered) - 1, max(0, -int(-share * len(ordered) // 1) - 1))]


def _within(value: float, bounds: tuple[float, float]) -> float:
    return min(max(value, bounds[0]), bounds[1])
