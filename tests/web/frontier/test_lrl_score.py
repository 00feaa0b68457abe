"""The website score of Corpulyzer (2021), Eq. 3 and Algorithm 1."""

import numpy as np
import pytest

from corpulyzer.web.frontier import Situation
from corpulyzer.web.frontier.strategies.lrl import Lrl
from corpulyzer.web.frontier.tables import MICRO


def scores(past, sites, referrers=None, **settings):
    """The scores of cells of these sites, in bytes, after (site, pages, errors, target bytes) were fetched."""
    columns = dict(
        zip(("site_id", "pages", "errors", "target_bytes"), np.array(past, np.int64).T, strict=True)
    )
    cells = {
        "site_id": np.array(sites, np.int64),
        "referrer_bytes": np.array(referrers or [0] * len(sites), np.int64),
    }
    found = Lrl(**settings)(cells, columns, Situation())
    return [score / MICRO for score in found.score.tolist()]


def test_a_site_scores_the_mean_target_bytes_of_its_fetched_pages_cz_7():
    """Two pages with 900 bytes together, and two cells of a site whose sums are joined before the mean is taken."""
    past = [(1, 2, 0, 900), (2, 1, 0, 100), (2, 3, 0, 500)]
    assert scores(past, [1, 2]) == [450, 150]


def test_pages_without_target_text_lower_the_mean_and_failures_do_not_cz_7():
    """Algorithm 1 passes over what was not fetched: three pages of 1,668 bytes and four 404s score 1,668."""
    assert scores([(1, 4, 0, 900)], [1]) == [225]
    assert scores([(1, 3, 0, 3 * 1668), (1, 0, 4, 0)], [1]) == [1668]


@pytest.mark.parametrize("unseen", ["mean", "zero", "first", "referrer"])
def test_a_site_that_was_tried_and_gave_no_page_scores_nothing(unseen):
    assert scores([(1, 2, 0, 900), (7, 0, 3, 0)], [7], [800], unseen=unseen) == [0]


def test_an_unseen_site_can_score_half_of_the_best_page_that_links_to_it():
    """Of two cells of site 9 the better referrer counts for both; a site that was read keeps its own mean."""
    past = [(1, 2, 0, 900)]
    assert scores(past, [1, 9, 9, 8], [5000, 600, 1000, 0], unseen="referrer") == [450, 500, 500, 0]


def test_every_url_of_a_site_gets_its_sites_score_cz_7():
    assert scores([(1, 2, 0, 900)], [1, 1, 1]) == [450, 450, 450]


@pytest.mark.parametrize("unseen, score", [("mean", 250), ("zero", 0)])
def test_a_site_without_a_fetched_page_gets_the_value_that_is_asked_for(unseen, score):
    assert scores([(1, 2, 0, 900), (2, 2, 0, 100)], [9], unseen=unseen) == [score]


def test_unseen_sites_can_come_first():
    best, unseen = scores([(1, 1, 0, 1_000_000)], [1, 9], unseen="first")
    assert unseen > best
