"""What a list has of a site that wants long pauses: as much as can be asked for in the time of the others."""

from lasting import engine_of

from corpulyzer.corpus.rounds import Round
from corpulyzer.jobs.crawl.choosing import Choosing
from corpulyzer.jobs.crawl.fetching import Half
from corpulyzer.jobs.crawl.loop import totals
from corpulyzer.jobs.crawl.pace import begins, in_time, pauses
from corpulyzer.jobs.crawl.resume import Memory
from corpulyzer.web.fetch.robots.permission import RobotsAnswer, RobotsCache
from corpulyzer.web.fetch.settings import AGENT, FetchSettings
from corpulyzer.web.frontier.store.arrays import read

SLOW = b"User-agent: *\nCrawl-delay: 8\n"


def test_a_site_with_long_pauses_has_no_more_on_a_list_than_can_be_asked_for_in_time(web, crawl):
    web.answers["http://slow.test/robots.txt"] = (200, {"Content-Type": "text/plain"}, SLOW)
    for site in ("slow", "quick"):
        web.page(f"http://{site}.test/0", *(f"http://{site}.test/{page}" for page in range(1, 7)))
    corpus, _, _ = crawl("http://slow.test/0", "http://quick.test/0", crawl__rounds=1)
    memory, engine = Memory.recall(corpus, corpus.config.fetch), engine_of(corpus)
    now = Round(corpus.storage, 2)
    assert not Choosing(corpus, engine, memory, lambda *_: None)(now, totals(corpus)[0])
    listed = sorted(read(now.listed(), ("url",)).column("url").to_pylist())
    assert [url for url in listed if "quick" in url] == [f"http://quick.test/{page}" for page in range(1, 7)]
    assert len([url for url in listed if "slow" in url]) == 2, "one now, and one after eight seconds"


def test_a_list_that_is_empty_stays_so(web, crawl):
    web.page("http://a.test/0")
    corpus, _, _ = crawl("http://a.test/0")
    choosing = Choosing(
        corpus, engine_of(corpus), Memory.recall(corpus, corpus.config.fetch), lambda *_: None
    )
    listed = read(Round(corpus.storage, 1).listed(), ("url",))
    assert choosing._in_time(listed.slice(0, 0)).num_rows == 0
    assert choosing._in_time(listed).num_rows == 1


def test_pauses_are_those_of_the_settings_and_of_robots_txt_within_bounds():
    robots = RobotsCache(AGENT)
    for site, seconds in (("a", 9), ("b", 1), ("c", 500)):
        body = f"User-agent: *\nCrawl-delay: {seconds}\n".encode()
        answer = RobotsAnswer(f"http://{site}.test/robots.txt", 4e9, 200, body=body)
        robots.learn([answer.url], answer)
    pause = pauses(FetchSettings(delay_seconds=3.0, max_delay_seconds=60.0), robots)
    assert [pause(f"http://{site}.test/1") for site in "abcd"] == [9.0, 3.0, 60.0, 3.0]


def test_a_list_of_one_site_is_cut_by_the_time_of_a_round_alone():
    begin = begins([f"http://a.test/{page}" for page in range(100)], lambda _: 3.0)
    assert sum(in_time(begin, 600.0)) == 100
    assert sum(in_time(begin, 60.0)) == 21
    assert in_time([], 60.0) == []


def test_a_round_that_is_as_slow_as_its_pauses_demand_is_not_cut_short():
    half = Half(4, planned=40.0, on_result=lambda _: None, when_done=lambda: None)
    assert 89.0 < half.rest <= 90.0
