"""A crawl of the built-in web is scored from its requests, and against an oracle."""

from collections import deque

import pytest

from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.lab.demo.web.oracle import NewInTarget, Oracle
from corpulyzer.lab.demo.web.score import delay_breaches, score_log, score_urls
from corpulyzer.lab.demo.web.server import LogLine
from corpulyzer.lab.demo.web.sites import Place
from corpulyzer.url import canonical


@pytest.fixture(scope="module")
def web():
    return BuiltInWeb("urd", seed=5, sites=40, pages=2_000)


@pytest.fixture(scope="module")
def articles(web):
    urls = (
        web.addresses.article(site, edition, number)
        for site in web.plan
        for edition in site.editions
        for number in range(edition.size)
    )
    return [web.truth(url) for url in urls]


def breadth_first(web, seeds, budget):
    queue, seen, requests = deque(seeds), set(seeds), []
    while queue and len(requests) < budget:
        url = queue.popleft()
        if web.truth(url).disallowed:
            continue
        requests.append(url)
        for link in map(canonical, (link.url for link in web.links(url))):
            if link not in seen:
                seen.add(link)
                queue.append(link)
    return requests


def test_a_score_counts_each_good_page_once(web, articles):
    archive = next(site for site in web.plan if site.kind == "archive" and "print" in site.copies)
    places = [Place(archive, archive.editions[0], "article", n) for n in range(archive.editions[0].size)]
    place = next(p for p in places if web.truth(web.addresses.of(p)).good)
    url = web.addresses.of(place)
    copy = web.addresses.of(Place(archive, archive.editions[0], "print", place.number))
    good = next(t.url for t in articles if t.good and t.page != web.truth(url).page)
    english = next(t.url for t in articles if t.language == "eng" and t.status == 200)
    gone = next(t.url for t in articles if t.status == 404)
    score = score_urls(web, [copy, url, good, english, gone, "http://a.test/robots.txt"], block=2)
    assert (score.requests, score.good, score.copies, score.errors) == (5, 2, 1, 1)
    assert score.yields == (0.5, 0.5, 0.0)
    assert score.rate == 2 / 5
    assert score.coverage == 2 / web.good_pages


def test_robots_txt_is_no_request(web, articles):
    good = next(t.url for t in articles if t.good)
    host = good.split("/")[2]
    score = score_urls(web, [f"http://{host}/robots.txt", good])
    assert (score.requests, score.rate) == (1, 1.0)


def test_coverage_is_one_when_all_good_pages_were_fetched(web, articles):
    assert score_urls(web, [t.url for t in articles]).coverage == 1.0


def test_breaches_of_robots_and_trap_fetches_are_counted(web, articles):
    closed = next(t.url for t in articles if t.disallowed)
    trap = next(site for site in web.plan if site.trap == "calendar")
    month = web.addresses.of(Place(trap, trap.editions[0], "calendar", 7))
    score = score_urls(web, [closed, month])
    assert (score.robots_breaches, score.trap_fetches, score.good) == (1, 1, 0)


def test_requests_that_come_too_soon_are_breaches(web):
    polite = next(site for site in web.plan if site.crawl_delay)
    host, wait = polite.editions[0].host, polite.crawl_delay
    other = next(site.editions[0].host for site in web.plan if not site.crawl_delay)

    def log(*times, host=host):
        return [LogLine(time, "GET", host, path, 200, 1) for time, path in times]

    first = log((0.0, "/robots.txt"), (0.1, "/"), (0.1 + wait, "/a"))
    assert delay_breaches(web, first) == 0
    assert delay_breaches(web, first + log((0.1 + 1.5 * wait, "/b"))) == 1
    assert delay_breaches(web, log((0.0, "/a"), (0.5, "/b"), host=other)) == 0
    assert delay_breaches(web, log((0.0, "/a"), (0.5, "/b"), host=other), delay=1.0) == 1
    assert score_log(web, log((0.0, "/a"), (0.01, "/b"))).delay_breaches == 1


@pytest.mark.parametrize("seed", [1, 2])
def test_the_oracle_gets_more_than_those_who_do_not_know(seed):
    web = BuiltInWeb("xho", seed=seed, sites=60, pages=5_000)
    seeds = web.seeds(20)
    oracle = score_urls(web, Oracle(web)(seeds, 800))
    breadth = score_urls(web, breadth_first(web, seeds, 800))
    assert oracle.rate > 1.5 * breadth.rate > 0
    assert oracle.robots_breaches == 0 and oracle.trap_fetches == 0


def test_the_oracle_discovers_as_others_do(web):
    seeds = web.seeds(5)
    requests = Oracle(web)(seeds, 300)
    known = set(seeds)
    for url in requests:
        assert url in known
        known |= {canonical(link.url) for link in web.links(url)} | {
            canonical(web.truth(url).location or url)
        }
    assert len(set(requests)) == len(requests) == 300


def test_the_oracle_takes_the_target_first(web):
    seeds = web.seeds(10, rich=0.5)
    languages = [web.truth(url).language for url in Oracle(web)(seeds, 200)]
    assert languages.count("urd") > 150


def test_who_knows_copies_too_gets_more_and_no_copies(web):
    seeds = web.seeds(10, rich=0.5)
    oracle = score_urls(web, Oracle(web)(seeds, 500))
    seer = score_urls(web, Oracle(web, NewInTarget("urd"))(seeds, 500))
    assert seer.rate > oracle.rate and seer.copies < oracle.copies


def test_robots_txt_never_counts_as_a_request_not_even_of_a_dead_host(web):
    (good,) = web.seeds(1, rich=1.0)
    score = score_urls(web, ["http://gone1.test/robots.txt", f"http://{good.split('/')[2]}/robots.txt", good])
    assert (score.requests, score.good, score.errors) == (1, 1, 0)
