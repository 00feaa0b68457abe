"""What a crawl shows while it runs."""

import pytest

from corpulyzer.cli.build.crawl_panel import Tally


def page(outcome, status=200):
    return "page", {"url": "http://a.test/", "outcome": outcome, "status": status}


@pytest.fixture
def tally():
    """A crawl of one round, as its events tell it."""
    found = Tally()
    pages = [page("ok")] * 3 + [page("http_error", 404), page("http_error", 301), page("timeout_connect", 0)]
    refusals = [page("robots_disallowed", 0)]
    commit = {"round": 1, "requests": 6, "good": 3, "new_sites": 2, "read_pages": 3, "target_pages": 2}
    for name, numbers in [("round", {"round": 1, "urls": 9}), *pages, *refusals, ("commit", commit)]:
        found.hear(name, numbers)
    return found


def test_a_refusal_is_no_page_and_a_redirect_no_error(tally):
    assert tally.pages == 6
    assert tally.errors == {"404": 1, "timeout_connect": 1, "robots_disallowed": 1}


def test_lines_and_panel_tell_pages_yield_new_sites_queue_and_errors(tally):
    for text in (tally.line(), str(tally.panel().renderable)):
        assert "6 pages" in text and "2 new sites" in text and "queue 2" in text
        assert "50" in text and "▅" in text and "404 1" in text


def test_lines_and_panel_name_both_yields(tally):
    """Three of six requests gave a new good page; two of three pages have text of the language (Eq. 6)."""
    assert "50% new and good" in tally.line() and "67% in the language" in tally.line()
    shown = str(tally.panel().renderable)
    assert "new and good, of requests: 50.0%" in shown and "in the language, of pages: 66.7%" in shown


def test_errors_of_our_own_records_that_were_skipped_and_a_missing_network_are_told(tally):
    tally.hear(*page("internal", 0))
    tally.hear("internal", {"url": "http://a.test/", "error": "ValueError: x"})
    tally.hear("skipped", {"record": "a.warc.gz at 7", "why": "corrupt"})
    assert "internal 1" in tally.line() and "records skipped 1" in tally.line()
    tally.hear("network", {"state": "away", "hosts": ["a.test", "b.test"]})
    assert "waiting for the network," in tally.line() and "a.test" not in tally.line()
    tally.hear("network", {"state": "away", "hosts": ["a.test"]})
    assert "waiting for the network, or for a.test" in tally.line()
    tally.hear("network", {"state": "back"})
    assert "fetching" in tally.line()


def test_a_round_that_is_worked_in_while_the_next_is_fetched_does_not_change_what_is_shown(tally):
    tally.hear("round", {"round": 2, "urls": 5})
    tally.hear("parsed", {"round": 1})
    tally.hear("commit", {"round": 1, "requests": 6, "good": 3, "new_sites": 1})
    assert tally.line().startswith("round 2: fetching") and "3 new sites" in tally.line()


def test_the_speed_of_the_first_seconds_is_not_that_of_half_a_minute(tally):
    assert tally.speed > 1


def test_a_run_that_goes_on_shows_the_yields_of_the_rounds_before(tally):
    later = Tally()
    later.remember({"good": 30, "requests": 40})
    later.hear("resumed", {"round": 2})
    assert "round 2: going on" in later.line() and "yield 75%" in later.line()
