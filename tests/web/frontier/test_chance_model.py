"""The model of the chance that a page is good: learned at once, or in steps where there are many sites."""

import numpy as np
import pytest

from corpulyzer.web.frontier.strategies import chance_model
from corpulyzer.web.frontier.strategies.chance_model import Sample, fit, fit_in_steps

SPREAD = (2.0, 1.0)
PRIOR = np.array([-1.0, 0.0])


@pytest.fixture(scope="module")
def sample():
    """Two patterns of each of 300 sites, tried 1 to 40 times; every third site is good, and so is evidence."""
    chance = np.random.default_rng(1)
    site = np.repeat(np.arange(300), 2)
    tries = np.repeat(chance.integers(1, 41, 300), 2).astype(float)
    kinds = np.tile([0, 1], 300)
    good = chance.binomial(tries.astype(int), np.where(site % 3 == 0, 0.7, 0.1) + 0.2 * kinds).astype(float)
    features = np.array([[1.0, 0.0], [1.0, 1.0]])
    return Sample(tries, good, features, kinds, (site, np.arange(600)))


def chances(sample, model):
    return model.logit(sample.features, sample.kinds, sample.groups)


def test_steps_give_the_same_model_where_all_rows_are_in_the_first(sample, monkeypatch):
    monkeypatch.setattr(chance_model, "MOST_ROWS", 600)
    whole, steps = fit(sample, PRIOR, 1.0, SPREAD), fit_in_steps(sample, PRIOR, 1.0, SPREAD)
    assert np.array_equal(chances(sample, whole), chances(sample, steps))
    assert np.array_equal(whole.variance(sample.groups, SPREAD), steps.variance(sample.groups, SPREAD))


def test_sites_that_were_tried_less_are_told_apart_by_what_the_others_taught(sample, monkeypatch):
    monkeypatch.setattr(chance_model, "MOST_ROWS", 200)
    whole, steps = fit(sample, PRIOR, 1.0, SPREAD), fit_in_steps(sample, PRIOR, 1.0, SPREAD)
    rest = sample.tries < np.sort(sample.tries)[-200]
    assert rest.sum() > 350
    apart = np.abs(chances(sample, whole) - chances(sample, steps))
    assert 0 < apart[rest].mean() < 0.2 and apart.max() < 0.6
    assert steps.weights[1] > 0.5, "the evidence counts"
