"""A score of a document's quality, from 0 to 1, with its parts, after the idea of web-docs-scorer.

Its basis is how much of the page is in the target language and in long paragraphs. Noise lowers it: each kind
is compared with what is usual in this very corpus, between Tukey's fences, so that no value of one language
is imposed on another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpulyzer.measure.statistics.distribution import quantile
from corpulyzer.measure.text.facts import MILLE
from corpulyzer.records.columns import batch_of, schema_of

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

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

    def scores(self, values: Numbers) -> Numbers:
        """1 up to the inner fence, 0 from the outer one on.

        >>> import numpy as np
        >>> Fence("urls_mille", 100, 200).scores(np.array([100, 150])).tolist()
        [1.0, 0.5]
        >>> Fence("compression_mille", 400, 200).scores(np.array([100])).tolist()
        [0.0]
        """
        import numpy as np

        usual = values <= self.inner if self.inner < self.outer else values >= self.inner  # of most documents
        return np.where(usual, 1.0, np.maximum(0.0, (self.outer - values) / (self.outer - self.inner)))


def fence(measure: str, counts: Mapping[int, int]) -> Fence:
    """The fence of a kind of noise, from the quartiles of the documents' values and their distance."""
    low, high = quantile(counts, 0.25) or 0, quantile(counts, 0.75) or 0
    spread = max(high - low, MIN_SPREAD)
    if NOISE[measure] == "little":
        return Fence(measure, low - INNER * spread, low - OUTER * spread)
    return Fence(measure, high + INNER * spread, high + OUTER * spread)


def parts_of(facts: pa.RecordBatch, fences: tuple[Fence, ...]) -> dict[str, Numbers]:
    """The parts of the scores of documents, each from 0 to 1."""
    import numpy as np

    def column(name: str) -> Numbers:
        found: Numbers = facts.column(name).to_numpy(zero_copy_only=False).astype(np.float64)
        return found

    parts = {
        "language": column("language_mille") / MILLE,
        "long_segments": column("long_segments_mille") / MILLE,
        "longest_segment": np.minimum(1.0, column("longest_segment") / LONG_PARAGRAPH),
    }
    for each in fences:
        parts[each.measure.removesuffix("_mille")] = each.scores(column(each.measure))
    return parts


def scores_of(parts: Mapping[str, Numbers]) -> Numbers:
    """The weighted basis times each noise score p to the power 2 - p: low ones count nearly twice."""
    score: Numbers = sum(weight * parts[name] for name, weight in WEIGHTS.items())  # type: ignore[assignment]
    for name, part in parts.items():
        if name not in WEIGHTS:
            score = score * _powers(part)
    return score


def _powers(parts: Numbers) -> Numbers:
    """The power of each number. It is taken once for each value: in thousandths, there are few of them."""
    import numpy as np

    values, places = np.unique(parts, return_inverse=True)
    # By Python, whose powers are the same on every machine, unlike those of whole columns.
    return np.array([value ** (2 - value) for value in values.tolist()], np.float64)[places.reshape(-1)]


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
        import numpy as np
        import pyarrow as pa

        parts = parts_of(batch, self.fences)
        scores = _milles(scores_of(parts))
        bins = _bins("score", scores)
        for name, part in parts.items() if batch.num_rows else ():
            bins += _bins(name, _milles(part))
        names, places, counts = np.unique(
            np.array(batch.column("site").to_pylist(), object), return_inverse=True, return_counts=True
        )
        sums = np.zeros(len(names), np.int64)
        np.add.at(sums, places.reshape(-1), scores)
        by_site = [pa.array(column) for column in (names, counts, sums)]
        schema = schema_of(SiteScore)
        sites = pa.RecordBatch.from_arrays(
            [each.cast(kind) for each, kind in zip(by_site, schema.types, strict=True)], schema=schema
        )
        return {"bins": batch_of(bins, ScoreBin), "sites": sites}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """The score all the same: it is made from numbers only, which cannot fail."""
        return self(batch, lambda _: None)


def _milles(shares: Numbers) -> NDArray[np.int64]:
    """Shares in thousandths."""
    import numpy as np

    return np.rint(shares * MILLE).astype(np.int64)


def _bins(part: str, values: NDArray[np.int64]) -> list[ScoreBin]:
    """The documents in each bin, by their values in thousandths."""
    import numpy as np

    places = np.minimum(BINS - 1, values * BINS // MILLE)
    return [
        ScoreBin(part, place, int((places == place).sum()), int(values[places == place].sum()))
        for place in np.unique(places).tolist()
    ]
