"""The website score of Corpulyzer (2021), Eq. 3 and Algorithm 1."""

import numpy as np
import pytest

from corpulyzer.web.frontier import Situation
from corpulyzer.web.frontier.strategies.lrl import Lrl
from corpulyzer.web.frontier.tables import MICRO


def scores(past, sites, **settings):
    """The scores of cells of these sites, in bytes, after (site, pages, errors, target bytes) were fetched."""
    columns = dict(
        zip(("site_id", "pages", "errors", "target_bytes"), np.array(past, np.int64).T, strict=True)
    )
    found = Lrl(**settings)({"site_id": np.array(sites, np.int64)}, columns, Situation())
    return [score / MICRO for score in found.score.tolist()]


def test_a_site_scores_the_mean_target_bytes_of_its_fetched_pages_cz_7():
    """Two pages with 900 bytes together, and two cells of a site whose sums are joined before the mean is taken."""
    past = [(1, 2, 0, 900), (2, 1, 0, 100), (2, 3, 0, 500)]
    assert scores(past, [1, 2]) == [450, 150]


def test_pages_without_target_text_lower_the_mean_and_failures_count_as_such_cz_7():
    assert scores([(1, 4, 0, 900)], [1]) == [225]
    assert scores([(1, 2, 2, 900)], [1]) == [225]


def test_every_url_of_a_site_gets_its_sites_score_cz_7():
    assert scores([(1, 2, 0, 900)], [1, 1, 1]) == [450, 450, 450]


@pytest.mark.parametrize("unseen, score", [("mean", 250), ("zero", 0)])
def test_a_site_without_a_fetched_page_gets_the_value_that_is_asked_for(unseen, score):
    assert scores([(1, 2, 0, 900), (2, 2, 0, 100)], [9], unseen=unseen) == [score]


def test_unseen_sites_can_come_first():
    best, unseen = scores([(1, 1, 0, 1_000_000)], [1, 9], unseen="first")
    assert unseen > best
