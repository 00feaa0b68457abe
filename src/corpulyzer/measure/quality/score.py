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
        return min(1.0, max(0.0, (self.outer - value) / (self.outer - self.inner)))


def fence(measure: str, counts: Mapping[int, int]) -> Fence:
    """The fence of a kind of noise, from the quartiles of the documents' values and their distance."""
    low, high = quantile(counts, 0.25) or 0, quantile(counts, 0.75) or 0
    spread = max(high - low, MIN_SPREAD)
    if NOISE[measure] == "little":
        return Fence(measure, low - INNER * spread, low - OUTER * spread)
    return Fence(measure, high + INNER * spread, high + OUTER * spread)


def parts_of(facts: Mapping[str, int], fences: tuple[Fence, ...]) -> dict[str, float]:
    """The parts of a document's score, each from 0 to 1."""
    return {
        "language": facts["language_mille"] / MILLE,
        "long_segments": facts["long_segments_mille"] / MILLE,
        "longest_segment": min(1.0, facts["longest_segment"] / LONG_PARAGRAPH),
        **{each.measure.removesuffix("_mille"): each.score(facts[each.measure]) for each in fences},
    }


def score_of(parts: Mapping[str, float]) -> float:
    """The weighted basis times each noise score p to the power 2 - p: low ones count nearly twice."""
    score = sum(weight * parts[name] for name, weight in WEIGHTS.items())
    for name, part in parts.items():
        if name not in WEIGHTS:
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

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        at(0)
        bins: Counter[tuple[str, int]] = Counter()
        sums: Counter[tuple[str, int]] = Counter()
        documents: Counter[str] = Counter()
        sites: Counter[str] = Counter()
        for facts in batch.to_pylist():
            parts = parts_of(facts, self.fences)
            for name, value in {**parts, "score": score_of(parts)}.items():
                thousandths = round(value * MILLE)
                place = name, min(BINS - 1, thousandths * BINS // MILLE)
                bins[place] += 1
                sums[place] += thousandths
            documents[facts["site"]] += 1
            sites[facts["site"]] += thousandths
        rows = [ScoreBin(*place, count, sums[place]) for place, count in bins.items()]
        by_site: list[Any] = [SiteScore(site, count, sites[site]) for site, count in documents.items()]
        return {"bins": batch_of(rows, ScoreBin), "sites": batch_of(by_site, SiteScore)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """The score all the same: it is made from numbers only, which cannot fail."""
        return self(batch, lambda _: None)
