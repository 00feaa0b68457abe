"""What the explorer shows of a crawl whose folder is in an object store."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from s3_server import environment, make_bucket, requests

from corpulyzer.api.corpus import create
from corpulyzer.corpus.rounds import Round
from corpulyzer.jobs.crawl.control import Watch
from corpulyzer.jobs.crawl.fetching import Interrupt
from corpulyzer.jobs.crawl.log import EVENTS, CrawlLog, ignore
from corpulyzer.serve.work.live import live

ROUNDS = 14


@pytest.fixture
def corpus(object_store, tmp_path):
    """A corpus as a crawl leaves it that fetches its fifteenth round."""
    with environment(object_store):
        made = create("ur", f"{make_bucket(object_store, 'watched')}/{tmp_path.name}")
        log = CrawlLog(made.storage, ignore)
        for number in range(1, ROUNDS + 1):
            log.tell("round", {"round": number, "urls": 20})
            for page in range(3):
                log.tell("page", {"url": f"http://a.test/{page}", "outcome": "ok", "status": 200})
            round, fetched = Round(made.storage, number), {"requests": 20, "left": 0}
            round.write("fetched", fetched)
            log.tell("fetched", {"round": number, **fetched})
            worked_in = {**fetched, "good": 10, "read_pages": 16, "target_pages": 12}
            round.write("commit", worked_in)
            log.tell("commit", {"round": number, **worked_in})
        Round(made.storage, ROUNDS + 1).write("inject", {})
        log.tell("round", {"round": ROUNDS + 1, "urls": 25})
        yield made


def test_a_crawl_in_an_object_store_is_shown_by_its_rounds(corpus):
    shown = live(corpus)
    assert (shown.round, shown.queue, shown.is_cut_off) == (ROUNDS + 1, 25, False)
    assert (shown.pages, shown.good) == (20 * ROUNDS, 10 * ROUNDS)
    assert shown.yields == (0.5,) * ROUNDS
    assert shown.target_yields == (0.75,) * ROUNDS


def test_a_crawl_in_an_object_store_that_waits_for_the_network_is_shown_so(corpus):
    CrawlLog(corpus.storage, ignore).tell("network", {"state": "away", "hosts": ["a.test"]})
    assert live(corpus).is_cut_off


@pytest.mark.parametrize(
    "go_on",
    [lambda log: log.tell("resumed", {"round": ROUNDS + 1}), lambda log: log.broke_off(OSError("away"))],
)
def test_a_crawl_that_waits_for_the_network_no_more_is_not_shown_so(corpus, go_on):
    log = CrawlLog(corpus.storage, ignore)
    log.tell("network", {"state": "away", "hosts": ["a.test"]})
    go_on(log)
    assert not live(corpus).is_cut_off


def test_a_round_that_lasts_for_hours_is_shown_with_its_urls(corpus):
    for hours in range(1, 6):
        when = (datetime.now(UTC) + timedelta(hours=hours)).isoformat()
        event = {"time": when, "event": "network", "state": "back" if hours % 2 else "away"}
        corpus.storage.write(f"{EVENTS}/{when[:13]}/{when}-network.json", json.dumps(event).encode())
    shown = live(corpus)
    assert (shown.round, shown.queue) == (ROUNDS + 1, 25)


def test_who_watches_a_crawl_in_an_object_store_asks_for_each_round_once(corpus, object_store):
    with Watch(corpus.storage, Interrupt()):
        shown = live(corpus)
        with requests(object_store) as asked:
            assert live(corpus) == shown
    assert shown.state == "running"
    assert len(asked) < 25, "as many in a long crawl"
    again = {**Round(corpus.storage, 1).read("commit"), "good": 20}
    Round(corpus.storage, 1).write("commit", again)
    assert live(corpus).yields[0] == 1.0, "as it is when the crawl has ended"
