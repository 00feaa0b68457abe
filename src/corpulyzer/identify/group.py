"""The decision of a table on the paragraphs of a page: which language, how sure, and whether it fits at all.

A short paragraph says little, so its neighbours that are in doubt with it have a say in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from corpulyzer.identify.learn import UNITS_PER_NAT
from corpulyzer.identify.table import MAX_WORDS, Scorer, Scores, Table
from corpulyzer.record import UNDETERMINED

# With fewer, neighbours are asked.
ENOUGH_CHARACTERS = 100
# N-grams of the texts that the usual fit was measured on.
_MEASURED_GRAMS = 330
_NEIGHBOUR_WEIGHT = 0.5
# A few words are enough where they leave no doubt; that halves the cost.
_FIRST_WORDS = 24
_SURE = 0.99
# The first identifier's answer counts as much as one telling word does by halves.
_FIRST_NATS = 1.0
# So many spreads below the usual, a text is not of the language.
MISFIT_SPREADS = 3.0
_LEAST = np.iinfo(np.int32).min // 2


@dataclass(frozen=True, slots=True)
class Decision:
    """The language that a table gives, how sure it is from 0 to 1, and whether the text is like it at all."""

    code: str
    confidence: float
    fits: bool


@dataclass(frozen=True, slots=True, eq=False)
class Decider:
    """Decisions by one table."""

    table: Table
    scorer: Scorer = field(init=False)
    _codes: tuple[str, ...] = field(init=False)
    _same: npt.NDArray[np.bool_] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "scorer", Scorer(self.table))
        object.__setattr__(self, "_codes", self.table.codes)
        codes = np.asarray(self.table.codes)
        object.__setattr__(self, "_same", codes[:, None] == codes[None, :])

    def __call__(self, texts: Sequence[str], first: Sequence[str] = ()) -> list[Decision]:
        """A decision for each text; `first` are the answers that others gave, and count a little."""
        # Where a single word may decide, all are read at once.
        few = MAX_WORDS if self.table.stems else _FIRST_WORDS
        short = [number for number, text in enumerate(texts) if len(text) < ENOUGH_CHARACTERS]
        scores = self.scorer(texts, last=few)
        decisions = self._decided(scores, first, short)
        unsure = [n for n, each in enumerate(decisions) if each.confidence < _SURE or not each.fits]
        if unsure and few < MAX_WORDS:
            scores[unsure] += self.scorer([texts[number] for number in unsure], first=few)
            again = self._decided(scores, first, short)
            for number in unsure:
                decisions[number] = again[number]
        return decisions

    def _decided(self, scores: Scores, first: Sequence[str], short: Sequence[int]) -> list[Decision]:
        deciding = _pooled(scores, short)
        if first:
            self._lean(deciding, first)
        return self._decisions(deciding, scores)

    def _lean(self, scores: Scores, first: Sequence[str]) -> None:
        labels = {code: number for number, code in reversed(list(enumerate(self._codes)))}
        for row, code in enumerate(first):
            if code in labels:
                scores[row, labels[code]] += round(_FIRST_NATS * UNITS_PER_NAT)

    def _decisions(self, pooled: Scores, own: Scores) -> list[Decision]:
        table, codes = self.table, self._codes
        count = len(codes)
        best = pooled[:, :count].argmax(axis=1)
        grams = np.maximum(pooled[:, -1], 1)
        rows = np.arange(len(pooled))
        others = np.where(self._same.take(best, axis=0), _LEAST, pooled[:, :count])
        margin = (pooled[rows, best] - others.max(axis=1)) / np.sqrt(grams)
        confidence = 1 / (1 + np.exp(-np.clip(table.steepness * margin + table.shift, -30, 30)))
        fit = own[rows, table.fit_column + best] / np.maximum(own[:, -1], 1)
        slack = np.sqrt(np.maximum(1.0, _MEASURED_GRAMS / np.maximum(own[:, -1], 1)))
        fits = fit >= table.usual[best] - MISFIT_SPREADS * table.spread[best] * slack
        return [
            Decision(codes[label], sure, ok) if grams_here else Decision(UNDETERMINED, 0.0, False)
            for label, sure, ok, grams_here in zip(
                best.tolist(), confidence.tolist(), fits.tolist(), own[:, -1].tolist(), strict=True
            )
        ]


def _pooled(scores: Scores, short: Sequence[int]) -> Scores:
    """Scores in which short texts have half of their neighbours' added."""
    pooled = scores.copy()
    for row in short:
        for neighbour in (row - 1, row + 1):
            if 0 <= neighbour < len(scores):
                pooled[row] += (scores[neighbour] * _NEIGHBOUR_WEIGHT).astype(np.int32)
    return pooled
