"""A score of a document's quality, from 0 to 1, with its parts, after the idea of web-docs-scorer.

Its basis is how much of the page is in the target language and in long paragraphs. Noise lowers it: each kind
is compared with what is usual in this very corpus, between Tukey's fences, so that no value of one language
is imposed on another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.measure.statistics.distribution import quantile
from corpulyzer.measure.text.facts import MILLE
from corpulyzer.records.columns import batch_of, schema_of

if TYPE_CHECKING:
    import pyarrow as pa

BINS = 20
READ = ("language_mille", "long_segments_mille", "longest_segment")
LONG_PARAGRAPH = 500
WEIGHTS = {"language": 0.8, "long_segments": 0.1, "longest_segment": 0.1}
# Kinds of noise, and whether much or little of it is bad.
NOISE = {
    "urls_mille": "much",
    "numbers_mille": "much",
    "punctuation_mille": "much",
    "odd_mille": "much",
    "repetition_mille": "much",
    "short_segments_mille": "much",
    "compression_mille": "little",
}
# The least spread, in thousandths: where documents hardly differ, small differences are not noise.
MIN_SPREAD = 20
INNER, OUTER = 1.5, 6.0


@dataclass(frozen=True, slots=True)
class Fence:
    """The values, in thousandths, from which noise lowers the score, and at which the score is 0."""

    measure: str
    inner: float
    outer: float

    def score(self, value: float) -> float:
        """1 up to the inner fence, 0 from the outer one on.

        >>> Fence("urls_mille", 100, 200).score(150), Fence("compression_mille", 400, 200).score(100)
        (0.5, 0.0)
        """
        if (value <= self.inner) if self.inner < self.outer else (value >= self.inner):
            return 1.0  # as of most documents
        return max(0.0, (self.outer - value) / (self.outer - self.inner))


def fence(measure: str, counts: Mapping[int, int]) -> Fence:
    """The fence of a kind of noise, from the quartiles of the documents' values and their distance."""
    low, high = quantile(counts, 0.25) or 0, quantile(counts, 0.75) or 0
    spread = max(high - low, MIN_SPREAD)
    if NOISE[measure] == "little":
        return Fence(measure, low - INNER * spread, low - OUTER * spread)
    return Fence(measure, high + INNER * spread, high + OUTER * spread)


def parts_of(facts: Mapping[str, int], fences: tuple[Fence, ...]) -> dict[str, float]:
    """The parts of a document's score, each from 0 to 1."""
    parts = {
        "language": facts["language_mille"] / MILLE,
        "long_segments": facts["long_segments_mille"] / MILLE,
        "longest_segment": min(1.0, facts["longest_segment"] / LONG_PARAGRAPH),
    }
    for each in fences:
        parts[each.measure.removesuffix("_mille")] = each.score(facts[each.measure])
    return parts


def score_of(parts: Mapping[str, float]) -> float:
    """The weighted basis times each noise score p to the power 2 - p: low ones count nearly twice."""
    score = sum(weight * parts[name] for name, weight in WEIGHTS.items())
    for name, part in parts.items():
        if part != 1.0 and name not in WEIGHTS:  # of most documents all are 1
            score *= part ** (2 - part)
    return score


@dataclass(frozen=True, slots=True)
class ScoreBin:
    """How many documents have a part of the score, or the whole, in one of twenty bins, and its sum."""

    part: str
    bin: int
    documents: int
    sum_mille: int


@dataclass(frozen=True, slots=True)
class SiteScore:
    """A site's documents and the sum of their scores in thousandths."""

    site: str
    documents: int
    sum_mille: int


@dataclass(frozen=True, slots=True)
class ScoreDocuments:
    """Map: facts of documents in, counts of their scores out."""

    fences: tuple[Fence, ...]

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"bins": schema_of(ScoreBin), "sites": schema_of(SiteScore)}

    @property
    def batch_rows(self) -> int:
        return 1_000

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        at(0)
        needed = [*READ, *(each.measure for each in self.fences)]
        found = [parts_of(facts, self.fences) for facts in batch.select(needed).to_pylist()]
        scores = [round(score_of(parts) * MILLE) for parts in found]
        bins = _bins("score", Counter(scores))
        for name in found[0] if found else ():
            bins += _bins(name, Counter(round(parts[name] * MILLE) for parts in found))
        names: list[Any] = batch.column("site").to_pylist()
        sums: Counter[str] = Counter()
        for site, score in zip(names, scores, strict=True):
            sums[site] += score
        by_site = [SiteScore(site, count, sums[site]) for site, count in Counter(names).items()]
        return {"bins": batch_of(bins, ScoreBin), "sites": batch_of(by_site, SiteScore)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """The score all the same: it is made from numbers only, which cannot fail."""
        return self(batch, lambda _: None)


def _bins(part: str, counts: Counter[int]) -> list[ScoreBin]:
    """The documents in each bin, from how many have each value in thousandths."""
    documents: Counter[int] = Counter()
    sums: Counter[int] = Counter()
    for value, count in counts.items():
        place = min(BINS - 1, value * BINS // MILLE)
        documents[place] += count
        sums[place] += value * count
    return [ScoreBin(part, place, count, sums[place]) for place, count in documents.items()]
