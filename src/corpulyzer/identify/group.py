"""The decision of a table on the paragraphs of a page: which language, how sure, and whether it fits at all.

A short paragraph says little, so its neighbours that are in doubt with it have a say in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from corpulyzer.identify.learn import UNITS_PER_NAT
from corpulyzer.identify.table import Scorer, Scores, Table
from corpulyzer.record import UNDETERMINED

# N-grams of a hundred characters, about: with fewer, neighbours are asked.
ENOUGH_GRAMS = 200
# N-grams of the texts that the usual fit was measured on.
_MEASURED_GRAMS = 330
_NEIGHBOUR_WEIGHT = 0.5
# The first identifier's answer counts as much as one telling word does by halves.
_FIRST_NATS = 1.0
# So many spreads below the usual, a text is not of the language.
MISFIT_SPREADS = 3.0


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

    def __post_init__(self) -> None:
        object.__setattr__(self, "scorer", Scorer(self.table))
        object.__setattr__(self, "_codes", self.table.codes)

    def __call__(self, texts: Sequence[str], first: Sequence[str] = ()) -> list[Decision]:
        """A decision for each text; `first` are the answers that others gave, and count a little."""
        scores = self.scorer(texts)
        deciding = _pooled(scores)
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
        others = pooled[:, :count].copy()
        others[np.asarray(codes)[None, :] == np.asarray(codes)[best][:, None]] = np.iinfo(np.int32).min // 2
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


def _pooled(scores: Scores) -> Scores:
    """Scores in which short texts have half of their neighbours' added, until there is enough to judge by."""
    grams = scores[:, -1]
    short = np.flatnonzero(grams < ENOUGH_GRAMS)
    if len(scores) < 2 or not len(short):
        return scores.copy()
    pooled = scores.copy()
    for row in short.tolist():
        for neighbour in (row - 1, row + 1, row - 2, row + 2):
            if 0 <= neighbour < len(scores) and pooled[row, -1] < ENOUGH_GRAMS:
                pooled[row] += (scores[neighbour] * _NEIGHBOUR_WEIGHT).astype(np.int32)
    return pooled
