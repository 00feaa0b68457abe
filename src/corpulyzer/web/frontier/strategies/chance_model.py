"""The chance that a page is good: a logistic model of its evidence, its site, its section and its pattern.

The weights of the evidence (an anchor in the language, say) are shared by all sites. Each site, section and
pattern has an effect of its own besides, shrunk towards zero as long as there is little evidence: three
pages of a new site move its score a little, and thirty move it a lot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Indices = NDArray[np.intp]

SWEEPS, LATER_SWEEPS = 25, 6
MOST_ROWS = 10_000
"""Of a sample with more rows, the weights are learned from those of the sites that were tried most."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Trials and successes; `groups` name the group of each row at every level, `kinds` its row of features.

    `features` are 0 or 1. There are far fewer kinds of evidence than rows.
    """

    tries: Floats
    good: Floats
    features: Floats
    kinds: Indices
    groups: tuple[Indices, ...]

    def some(self, rows: Flags) -> tuple[Sample, list[Indices]]:
        """The sample with some of its rows and their groups alone, and which groups those were."""
        numbered, places = [], []
        for group in self.groups:
            there = np.zeros(int(group.max(initial=-1)) + 1, np.bool_)
            there[group[rows]] = True
            numbered.append((np.cumsum(there) - 1)[group[rows]])
            places.append(np.flatnonzero(there))
        part = Sample(self.tries[rows], self.good[rows], self.features, self.kinds[rows], tuple(numbered))
        return part, places

    def with_others(self, whole: Sample, rows: Flags) -> Sample:
        """The sample with further rows of the whole, of all sites as of one: a row for each kind."""
        tries, good = (
            np.bincount(whole.kinds[rows], values[rows], len(self.features))
            for values in (whole.tries, whole.good)
        )
        kinds = np.flatnonzero(tries)
        return Sample(
            np.append(self.tries, tries[kinds]),
            np.append(self.good, good[kinds]),
            self.features,
            np.append(self.kinds, kinds),
            tuple(np.append(group, np.full(len(kinds), group.max(initial=-1) + 1)) for group in self.groups),
        )

    def by_kind(self, values: Floats) -> Floats:
        """The sums of values over the rows of each kind."""
        return np.bincount(self.kinds, values, len(self.features)).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Fitted:
    """The weights of the features, and for every level the effect of each group with its variance."""

    weights: Floats
    effects: tuple[Floats, ...]
    variances: tuple[Floats, ...]

    def logit(self, features: Floats, kinds: Indices, groups: tuple[Indices, ...]) -> Floats:
        """The log-odds of rows, by their kinds; a group that is -1 was never seen and has no effect."""
        total: Floats = (features @ self.weights)[kinds]
        for effect, group in zip(self.effects, groups, strict=True):
            total = total + np.append(effect, 0.0)[group]
        return total

    def variance(self, groups: tuple[Indices, ...], spread: tuple[float, ...]) -> Floats:
        """The variance of the effects of rows; a group never seen has that of the prior."""
        total = np.zeros(len(groups[0]))
        for known, group, sd in zip(self.variances, groups, spread, strict=True):
            total = total + np.append(known, sd * sd)[group]
        return total


def fit(
    sample: Sample,
    prior: Floats,
    prior_sd: float,
    spread: tuple[float, ...],
    learned: Floats | None = None,
) -> Fitted:
    """The most likely weights and effects, given that weights are near `prior` and effects near zero.

    Newton's method by blocks: the weights together, then the groups of a level, which are independent of
    each other. Weights that were `learned` elsewhere stay as they are, so that fewer sweeps do.
    """
    weights = prior.copy() if learned is None else learned
    effects = [np.zeros(int(group.max(initial=-1)) + 1) for group in sample.groups]
    logit = (sample.features @ weights)[sample.kinds]
    for _ in range(SWEEPS if learned is None else LATER_SWEEPS):
        if learned is None:
            step = _weights_step(sample, logit, weights, prior, prior_sd)
            weights = weights + step
            logit += (sample.features @ step)[sample.kinds]
        for level, sd in enumerate(spread):
            group = sample.groups[level]
            move = _effects_step(sample, logit, effects[level], group, sd)
            effects[level] = effects[level] + move
            logit += move[group]
    chance = _sigmoid(logit)
    information = sample.tries * chance * (1 - chance)
    variances = [
        1 / (1 / sd**2 + np.bincount(group, information, len(effect)))
        for group, effect, sd in zip(sample.groups, effects, spread, strict=True)
    ]
    return Fitted(weights, tuple(effects), tuple(variances))


def fit_in_steps(sample: Sample, prior: Floats, prior_sd: float, spread: tuple[float, ...]) -> Fitted:
    """The same for many rows: the sites that were tried most, and all others as one; then those one by one.

    The first level is that of sites. Given the weights, the groups of a site do not depend on other sites.
    """
    site = sample.groups[0]
    tries, rows = np.bincount(site, sample.tries), np.bincount(site)
    order = np.argsort(-tries, kind="stable")
    first = np.zeros(len(rows), np.bool_)
    first[order[np.cumsum(rows[order]) <= MOST_ROWS]] = True
    effects, variances = ([np.zeros(int(group.max()) + 1) for group in sample.groups] for _ in range(2))
    learned = None
    for these in (first[site], ~first[site]):
        part, places = sample.some(these)
        part = part if learned is not None else part.with_others(sample, ~these)
        model = fit(part, prior, prior_sd, spread, learned)
        learned = model.weights
        for level, groups in enumerate(places):
            effects[level][groups] = model.effects[level][: len(groups)]
            variances[level][groups] = model.variances[level][: len(groups)]
    assert learned is not None
    return Fitted(learned, tuple(effects), tuple(variances))


def _weights_step(sample: Sample, logit: Floats, weights: Floats, prior: Floats, sd: float) -> Floats:
    chance = _sigmoid(logit)
    missed = sample.by_kind(sample.good - sample.tries * chance)
    slope = sample.features.T @ missed - (weights - prior) / sd**2
    information = sample.by_kind(sample.tries * chance * (1 - chance))
    curve = (sample.features.T * information) @ sample.features
    return _damped(np.linalg.solve(curve + np.eye(len(weights)) / sd**2, slope))


def _effects_step(sample: Sample, logit: Floats, effect: Floats, group: Indices, sd: float) -> Floats:
    chance = _sigmoid(logit)
    expected = sample.tries * chance
    slope = np.bincount(group, sample.good - expected, len(effect)) - effect / sd**2
    np.subtract(1, chance, out=chance)
    curve = np.bincount(group, np.multiply(expected, chance, out=expected), len(effect)) + 1 / sd**2
    return _damped(slope / curve)


def _damped(step: NDArray[np.floating[Any]]) -> Floats:
    """A step short enough for Newton's method to stay where it converges."""
    short: Floats = np.clip(step, -1.0, 1.0).astype(np.float64)
    return short


def _sigmoid(logit: Floats) -> Floats:
    """The chance that belongs to log-odds; one array is made and changed, since this is done very often."""
    found: Floats = np.clip(logit, -30, 30)
    np.exp(np.negative(found, out=found), out=found)
    found += 1
    return np.divide(1, found, out=found)
