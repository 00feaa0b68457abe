"""What a table's scores are worth, measured on texts that it was not trained on.

A text is held out with its whole source where its language has another source of some size, else with a
fifth of its source.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from corpulyzer.page.identify.group import SURE
from corpulyzer.page.identify.scorer import Scorer
from corpulyzer.page.identify.table import Table
from corpulyzer.page.identify.training.learn import BySource, Counts
from corpulyzer.page.identify.training.recipe import FOLDS, Lessons
from corpulyzer.page.identify.training.samples import joined

CALIBRATION_CHARACTERS = 200
_SURE_LOGIT = float(np.log(SURE / (1 - SURE)))
_MIN_CONFUSED = 0.01
_SPREAD_ELSEWHERE = 1.7


@dataclass(frozen=True, slots=True)
class Tested:
    """How a table scored texts that it was not trained on: one row a text."""

    label: str
    source: str
    crossed: bool
    scores: Counts


def held_out_scores(
    lessons: Lessons, build: Callable[[BySource], Table], characters: int = CALIBRATION_CHARACTERS
) -> Iterator[tuple[Table, Tested]]:
    """Each held-out fifth of each source, scored by a table that has not seen it."""
    for source in lessons.sources:
        for part in range(FOLDS):
            table = build(lessons.counts((source, part)))
            scorer = Scorer(table)
            for label, lines in lessons.held_out(source, part):
                texts = list(joined(lines, characters)) if characters > 1 else lines
                if texts and label in table.labels:
                    yield (
                        table,
                        Tested(label, source, lessons.crossed(label, source), scorer(texts).astype(float)),
                    )


def calibrated(table: Table, tests: Iterator[tuple[Table, Tested]]) -> Table:
    """The table with what held-out texts show: a language's usual fit, and the confidence of a margin."""
    fits: dict[str, list[float]] = defaultdict(list)
    margins: list[float] = []
    right: list[bool] = []
    owners: list[str] = []
    crossed: Counter[str] = Counter()
    given: dict[str, Counter[str]] = defaultdict(Counter)
    for other, tested in tests:
        number = other.labels.index(tested.label)
        crossed[tested.label] += len(tested.scores) if tested.crossed else 0
        scores = tested.scores
        grams = np.maximum(scores[:, -1], 1.0)
        fits[tested.label] += list(scores[:, other.fit_column + number] / grams)
        deciding = scores[:, : len(other.labels)]
        order = np.sort(deciding, axis=1)
        margins += list((order[:, -1] - order[:, -2]) / np.sqrt(grams) if deciding.shape[1] > 1 else grams)
        best = deciding.argmax(axis=1)
        right += list(best == number)
        owners += [tested.label.partition("-")[0]] * len(best)
        given[tested.label].update(other.codes[each] for each in best.tolist())
    steepness, shift = logistic(np.asarray(margins), np.asarray(right, float))
    pairs = [_usual(own := fits.get(label, []), 2 * crossed[label] >= len(own)) for label in table.labels]
    usual, spread = (np.asarray(each) for each in zip(*pairs, strict=True))
    notes = {
        **table.notes,
        "confusions": _confusions(given),
        "seldom_sure": _seldom_sure(margins, owners, lambda margin: steepness * margin + shift),
    }
    return replace(table, usual=usual, spread=spread, steepness=steepness, shift=shift, notes=notes)


def _seldom_sure(margins: list[float], owners: list[str], logit: Callable[[float], float]) -> list[str]:
    """The languages of which a table is sure in fewer than half of their paragraphs."""
    sure: Counter[str] = Counter()
    for margin, code in zip(margins, owners, strict=True):
        sure[code] += 1 if logit(margin) >= _SURE_LOGIT else -1
    return sorted(code for code, balance in sure.items() if balance < 0)


def _confusions(given: Mapping[str, Counter[str]]) -> dict[str, dict[str, float]]:
    """By language the others that held-out paragraphs of it were taken for, with their shares."""
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for label, counts in given.items():
        sums[label.partition("-")[0]].update(counts)
    return {
        code: {
            other: round(size / each.total(), 3)
            for other, size in each.most_common()
            if other != code and size >= max(2, _MIN_CONFUSED * each.total())
        }
        for code, each in sums.items()
    }


def _usual(fits: list[float], elsewhere: bool) -> tuple[float, float]:
    """Median and spread of a fit; the spread is widened if no text of another source was measured."""
    if len(fits) < 5:
        return 0.0, 5.0
    middle, low = np.percentile(fits, [50, 2.5])
    spread = float(max((middle - low) / 2, 0.3))
    return float(middle), spread if elsewhere else spread * _SPREAD_ELSEWHERE


def unseen_spread(fits: Sequence[float]) -> tuple[float, float]:
    """The usual fit and its spread for text of unseen sources, from the fits of one source."""
    return _usual(list(fits), False)


def logistic(x: Counts, y: Counts, weights: Counts | None = None) -> tuple[float, float]:
    """Slope and intercept of the chance that `y` is 1, by Newton's method, in small steps.

    `weights` say how much each pair counts; without them all count the same.
    """
    counted = np.ones_like(x) if weights is None else weights
    scale = float(x.std()) or 1.0
    design = np.stack([x / scale, np.ones_like(x)], axis=1)
    beta = np.zeros(2)
    for _ in range(100):
        p = 1 / (1 + np.exp(-np.clip(design @ beta, -30, 30)))
        gradient = design.T @ (counted * (y - p)) - 0.1 * beta
        hessian = (design * (counted * p * (1 - p))[:, None]).T @ design + 0.1 * np.eye(2)
        beta = beta + np.clip(np.linalg.solve(hessian, gradient), -0.5, 0.5)
    return float(beta[0] / scale), float(beta[1])
