"""What the explorer says of a crawl by the end of its log."""

from corpulyzer.api.corpus import create
from corpulyzer.jobs.crawl.log import CrawlLog, ignore
from corpulyzer.serve.work.live import live


def test_a_crawl_that_works_in_a_round_while_it_waits_for_the_network_is_shown_to_wait(tmp_path):
    corpus = create("ur", tmp_path / "c")
    log = CrawlLog(corpus.storage, ignore)
    log.tell("round", {"round": 2, "urls": 25})
    log.tell("network", {"state": "away", "hosts": ["a.test"]})
    log.tell("commit", {"round": 1})
    assert live(corpus).is_cut_off
    log.tell("resumed", {"round": 2})
    assert not live(corpus).is_cut_off
