"""One request at a time, with pauses; back-off that is a function of the record; and ends on request."""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from dataclasses import replace

import pytest

from corpulyzer.web.fetch.addresses import Addresses
from corpulyzer.web.fetch.politeness import UNASKED, Attempt, SiteState, attempt_of, replay, retry_after
from corpulyzer.web.fetch.recorder import Request
from corpulyzer.web.fetch.settings import FetchSettings

SETTINGS = FetchSettings(contact="t@example.org")
# For servers that answer when others have been asked, which on a busy machine takes a while.
PATIENT = {"first_byte_seconds": 60.0, "slow_seconds": 60.0, "total_seconds": 90.0}


def after(*attempts: Attempt, settings=SETTINGS) -> SiteState:
    state = UNASKED
    for attempt in attempts:
        state = state.after(attempt, settings)
    return state


def test_a_new_site_may_be_asked_at_once():
    assert UNASKED.ready_at(SETTINGS) <= 1700000000.0


def test_the_delay_counts_from_the_end_of_the_last_response():
    assert after(Attempt(100.0, 0.5, 200)).ready_at(SETTINGS) == 103.5


def test_a_slow_site_is_asked_more_seldom_up_to_a_limit():
    assert after(Attempt(100.0, 10.0, 200)).ready_at(SETTINGS) == 120.0
    assert after(Attempt(100.0, 500.0, 200)).ready_at(SETTINGS) == 660.0
    assert after(Attempt(100.0, 10.0, 200), Attempt(200.0, 0.0, 200)).ready_at(SETTINGS) == 205.0


def test_a_crawl_delay_is_kept_up_to_a_limit():
    state = after(Attempt(100.0, 0.0, 200))
    assert state.ready_at(SETTINGS, 10.0) == 110.0
    assert state.ready_at(SETTINGS, 1.0) == 103.0
    assert state.ready_at(SETTINGS, 1e9) == 160.0


@pytest.mark.parametrize("status", [429, 503])
def test_back_off_doubles_until_the_site_is_well_again(status):
    busy = Attempt(0.0, 0.0, status)
    waits = [after(*[busy] * n).ready_at(SETTINGS) for n in (1, 2, 3, 50)]
    assert waits == [30, 60, 120, 86_400]
    assert after(busy, busy, Attempt(0.0, 0.0, 200)).ready_at(SETTINGS) == 3


def test_retry_after_is_kept_within_reason():
    assert after(Attempt(0.0, 0.0, 503, retry_after=300)).ready_at(SETTINGS) == 300
    assert after(Attempt(0.0, 0.0, 503, retry_after=10**9)).ready_at(SETTINGS) == 86_400
    assert after(Attempt(0.0, 0.0, 503, retry_after=1)).ready_at(SETTINGS) == 3
    assert after(Attempt(0.0, 0.0, 200, retry_after=300)).ready_at(SETTINGS) == 3


def test_repeated_failures_of_a_site_are_waited_out():
    dead = Attempt(0.0, 0.0, 0, "connect")
    assert [after(*[dead] * n).ready_at(SETTINGS) for n in (1, 2, 3, 4)] == [3, 5, 10, 20]
    assert after(dead, dead, Attempt(0.0, 0.0, 404, "http_error")).ready_at(SETTINGS) == 3


@pytest.mark.parametrize(
    "value, seconds",
    [
        ("120", 120),
        (" 7 ", 7),
        ("0", 0),
        ("-5", None),
        ("soon", None),
        ("", None),
        ("9" * 400, 999_999_999),
        ("Thu, 01 Jan 1970 00:02:00 GMT", 20),
        ("Wed, 31 Dec 1969 23:00:00 GMT", 0),
        ("Thu, 99 Jan", None),
        ("0" * 30 + "5", 5),
        ("1000000000", 999_999_999),
        ("٣", None),
        ("Thu, 01 Jan 99999999999999999999 00:00:00 GMT", None),
        ("Thu, 01 Jan 9999 00:00:00 GMT", 999_999_999),
        ("Fri, 31 Dec 9999 23:59:59 -2359", 999_999_999),
        ("Mon, 01 Jan 1900 00:00:00 +2359", 0),
        ("Thu, 01 Jan 2030 00:00:00 +99999999999999999999", None),
        ("Thu, 01 Jan 2030 99999999999999999999:00:00 GMT", None),
        ("Thu, 99999999999999999999 Jan 2030 00:00:00 GMT", None),
        ("Thu, 01 Jan 2030 00:00:00 GMT" + " " * 9 + "x" * 5000, None),
    ],
)
def test_retry_after_in_all_forms(value, seconds):
    assert retry_after(value, 100.0) == seconds


def test_the_record_alone_gives_the_same_state(server, crawl):
    def script(c):
        if c.path == "/busy":
            c.reply(b"", "Retry-After: 1", status="503 Busy")
        else:
            time.sleep(0.05)
            c.reply()

    server.on("a.test", script)
    done = crawl(*(server.url("a.test", path) for path in ("/1", "/busy", "/2")), server.url("b.test"))
    settings = FetchSettings(**crawl.settings)
    rows = sorted((result.fetch for result in done.results), key=lambda fetch: fetch.date)
    assert replay(rows, settings) == done.fetcher.sites
    assert attempt_of(done.of(server.url("a.test", "/busy")).fetch).retry_after == 1
    assert done.fetcher.sites["a.test"].typical_seconds >= 0.02


def test_a_refusal_leaves_no_trace(server, crawl):
    robots = lambda c: c.reply(b"User-agent: *\nDisallow: /", "Content-Type: text/plain")  # noqa: E731
    url = server.on("a.test", lambda c: c.reply(), robots=robots)
    done = crawl(url)
    before = replay([done.results[0].fetch], SETTINGS)
    assert replay([result.fetch for result in done.results], SETTINGS) == before


def test_pauses_are_kept_between_all_requests_to_a_site(server, crawl):
    crawl(
        *(server.url(host, f"/{n}") for n in range(3) for host in ("a.test", "www.a.test")),
        delay_seconds=0.15,
    )
    times = [(seen.begun, seen.ended) for seen in server.seen]
    assert len(times) == 8
    assert all(begun - ended >= 0.149 for (_, ended), (begun, _) in itertools.pairwise(times))


def test_a_crawl_delay_in_robots_is_kept(server, crawl):
    robots = lambda c: c.reply(b"User-agent: *\nCrawl-delay: 0.3", "Content-Type: text/plain")  # noqa: E731
    server.on("a.test", lambda c: c.reply(), robots=robots)
    crawl(server.url("a.test", "/1"), server.url("a.test", "/2"))
    first, second = server.pages_of("a.test")
    assert second.begun - first.ended >= 0.299


def test_one_connection_per_site_and_many_sites_at_once(server, crawl):
    hosts, room = [f"s{n}.test" for n in range(20)], Room(20)
    for host in hosts:
        server.on(host, room)
    done = crawl(*(server.url(host, f"/{n}") for host in hosts for n in range(3)), **PATIENT)
    assert all(server.most_at_once[host] == 1 for host in hosts)
    assert room.most == 20 and len(done.outcomes()) == 60


class Room:
    """Answers only when `size` requests are in it at once, and counts how many ever are.

    A request leaves before its answer is sent, so none is counted beside the one that follows it.
    """

    def __init__(self, size):
        self.full = threading.Barrier(size)
        self.lock = threading.Lock()
        self.inside = self.most = 0

    def __call__(self, c):
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
        self.full.wait(timeout=60)
        time.sleep(0.05)  # one too many would come now; a slow machine only gives it less of a chance
        with self.lock:
            self.inside -= 1
        c.reply()


@pytest.mark.parametrize("cap, size", [("address_connections", 3), ("connections", 4)])
def test_connections_to_one_address_and_in_all_are_capped(server, crawl, cap, size):
    room = Room(size)
    urls = [server.on(f"s{n}.test", room) for n in range(6 * size)]
    done = crawl(*urls, **{cap: size}, **PATIENT)
    assert room.most == size and len(done.outcomes()) == 6 * size


def test_an_address_may_have_other_connections_than_the_rest_and_none_while_it_is_not_our_turn(server, crawl):
    room = Room(2)
    urls = [server.on(f"s{n}.test", room) for n in range(4)]
    crawl.options["addresses"] = known = Addresses({"127.0.0.1": 2})
    assert len(crawl(*urls, **PATIENT).outcomes()) == 4
    assert room.most == 2
    assert known.seen == {f"s{n}.test": "127.0.0.1" for n in range(4)}
    known.rooms["127.0.0.1"] = 0
    done = crawl(*urls)
    assert not done.results, "not even robots.txt was asked for"
    assert sorted((left.request.url, left.reason) for left in done.left) == [(url, "turn") for url in urls]


def test_what_is_left_at_the_deadline_comes_back(server, crawl):
    urls = [server.url("a.test", f"/{n}") for n in range(10)]
    done = crawl(*urls, seconds=2, delay_seconds=0.8)
    fetched = [url for url, _ in done.outcomes()]
    assert fetched + [left.request.url for left in done.left] == urls
    assert 1 <= len(fetched) <= 3
    assert {left.reason for left in done.left} == {"deadline"}


def test_a_site_that_asks_for_patience_gives_its_pages_back(server, crawl):
    url = server.on("a.test", lambda c: c.reply(b"", "Retry-After: 600", status="429 Slow down"))
    others = [server.url("a.test", f"/{n}") for n in range(3)]
    begun = time.time()
    done = crawl(url, *others, server.url("b.test"), patience=5)
    assert done.of(url).fetch.status == 429
    assert [(left.request.url, left.reason) for left in done.left] == [(other, "backoff") for other in others]
    assert all(begun + 599 < left.until < begun + 700 for left in done.left)


def test_the_waits_of_one_round_hold_in_the_next(server, crawl):
    url = server.on("a.test", lambda c: c.reply(b"", "Retry-After: 600", status="503 Busy"))
    first = crawl(url)
    crawl.options["sites"] = first.fetcher.sites
    again = crawl(server.url("a.test", "/fine"))
    assert [left.reason for left in again.left] == ["backoff"] and not again.results


async def until(condition):
    """Wait for what others do; the crawl ends at its deadline if it never comes."""
    while not condition():
        await asyncio.sleep(0.01)


def of_pages(results, site):
    return [result for result in results if result.fetch.purpose == "page" and result.fetch.site == site]


def requests(server, *hosts, pages=5):
    return [Request.of(server.url(host, f"/{n}")) for host in hosts for n in range(pages)]


def test_a_stop_lets_what_is_under_way_end(server, crawl):
    stopped = threading.Event()

    def slow(c):
        stopped.wait(60)
        c.reply()

    server.on("a.test", slow)
    server.on("b.test", slow)
    asked = requests(server, "a.test", "b.test")

    async def stop(fetcher, _results):
        await until(lambda: server.pages_of("a.test") and server.pages_of("b.test"))
        fetcher.stop()
        stopped.set()

    done = crawl.during(asked, stop, **PATIENT)
    assert len(done.outcomes()) == 2 and len(done.left) == 8
    assert {left.reason for left in done.left} == {"stopped"}
    assert len(server.pages_of("a.test")) == 1


def test_a_stop_wakes_the_sleepers(server, crawl):
    asked = requests(server, "a.test")

    async def stop(fetcher, _results):
        await until(lambda: server.seen)
        fetcher.stop()

    done = crawl.during(asked, stop, delay_seconds=25)
    assert done.seconds < 20 and len(done.left) == 5


def test_a_stop_does_not_wait_for_name_servers(server, crawl):
    async def slow(_host):
        await asyncio.sleep(60)
        return ("127.0.0.1",)

    crawl.resolver = slow

    async def stop(fetcher, _results):
        await asyncio.sleep(0.1)
        fetcher.stop()

    done = crawl.during(requests(server, "a.test", "b.test"), stop)
    assert done.seconds < 50 and len(done.left) == 10 and not done.results


def test_an_abort_drops_what_is_under_way(server, crawl):
    over = threading.Event()
    server.on("a.test", lambda c: over.wait(60) and c.reply())
    asked = requests(server, "a.test", "b.test", pages=3)

    async def abort(fetcher, results):
        await until(lambda: server.pages_of("a.test") and len(of_pages(results, "b.test")) == 3)
        fetcher.abort()

    done = crawl.during(asked, abort, **PATIENT)
    over.set()
    assert [left.request.url for left in done.left] == [request.url for request in asked[:3]]
    assert {left.reason for left in done.left} == {"aborted"}


def test_an_error_of_the_caller_ends_the_round_and_is_his(server, crawl):
    class FullError(Exception):
        pass

    def full(_result):
        raise FullError

    async def run():
        from corpulyzer.warc.write import ArchiveWriter
        from corpulyzer.web.fetch.fetcher import WebFetcher

        settings = FetchSettings(**crawl.settings)
        with ArchiveWriter(crawl.folder, "x") as archive:
            async with WebFetcher(settings, resolver=crawl.resolver, environment={}) as fetcher:
                await fetcher.fetch(requests(server, "a.test"), full, archive=archive, round=1, seconds=5)

    with pytest.raises(FullError):
        asyncio.run(run())


def test_it_works_twice_in_one_loop_and_in_two_loops(server, crawl):
    assert crawl(server.url("a.test")).outcomes() == crawl(server.url("a.test")).outcomes()


def test_a_url_listed_twice_is_fetched_once(server, crawl):
    url = server.url("a.test")
    assert len(crawl(url, url).outcomes()) == 1


def test_an_empty_list_is_done():
    from corpulyzer.web.fetch.fetcher import WebFetcher

    async def run():
        async with WebFetcher(replace(SETTINGS)) as fetcher:
            return await fetcher.fetch([], print, archive=None, round=1, seconds=1)

    assert asyncio.run(run()) == []
