"""A host that cannot be reached is blamed only if others can be."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from corpulyzer.web.fetch.http.network import MANY_HOSTS, NETWORK, Network
from corpulyzer.web.fetch.http.resolve import UnresolvedError
from corpulyzer.web.fetch.recorder import Request


class Names:
    """A resolver that fails for all names, or for those that begin with `dead`, and counts its questions."""

    def __init__(self, is_away=False):
        self.is_away = is_away
        self.asked = []

    async def __call__(self, host):
        self.asked.append(host)
        if self.is_away or host.startswith("dead"):
            raise UnresolvedError("the name server does not answer", lasting=False)
        return ("127.0.0.1",)


@pytest.fixture
def names(crawl):
    crawl.resolver = Names()
    crawl.options["network"] = Network()
    return crawl.resolver


def urls(server, name, count):
    return [server.url(f"{name}{number}.test") for number in range(count)]


@pytest.mark.parametrize("hosts", [1, 3, MANY_HOSTS + 5])
def test_where_no_host_answers_nothing_is_recorded_and_everything_is_left(server, crawl, names, hosts):
    names.is_away = True
    asked = urls(server, "a", hosts)
    done = crawl(*asked)
    assert not done.results and {left.reason for left in done.left} == {NETWORK}
    assert sorted(left.request.url for left in done.left) == sorted(asked)
    names.is_away = False
    again = crawl(*asked)
    assert dict(again.outcomes()) == dict.fromkeys(asked, "ok")


def test_connections_that_nobody_takes_are_no_news_of_a_site_either(crawl, names, make_server):
    gone = make_server()
    asked = urls(gone, "a", 3)
    gone.close()
    done = crawl(*asked)
    assert not done.results and [left.reason for left in done.left] == [NETWORK] * 3


def test_dead_names_are_blamed_as_soon_as_another_host_answers(server, crawl, names):
    slow = lambda c: (time.sleep(0.4), c.reply(b""))  # noqa: E731
    server.on("slow.test", lambda c: c.reply(), robots=slow)
    dead = urls(server, "dead", MANY_HOSTS + 5)
    done = crawl(*dead, server.url("slow.test"))
    assert dict(done.outcomes()) == {server.url("slow.test"): "ok", **dict.fromkeys(dead, "dns")}
    assert not done.left


def test_a_dead_site_that_is_left_alone_at_the_end_is_blamed_if_earlier_hosts_can_be_reached(
    server, crawl, names
):
    assert crawl(server.url("a.test")).outcomes() == [(server.url("a.test"), "ok")]
    (dead,) = urls(server, "dead", 1)
    done = crawl(dead, server.url("dead0.test", "/2"))
    assert done.outcomes() == [(dead, "dns"), (server.url("dead0.test", "/2"), "dns")]
    assert len(server.pages_of("a.test")) == 1, "the host that answers is connected to, and not asked"


def test_a_network_that_goes_away_in_the_middle_fails_no_page(server, crawl, names):
    first = urls(server, "a", 3)
    crawl(*first)
    names.is_away = True
    other = urls(server, "b", 3)
    done = crawl(*other, server.url("dead.test"))
    assert not done.results and {left.reason for left in done.left} == {NETWORK}


def test_a_stop_waits_for_the_verdict_on_what_is_under_way(server, crawl, names):
    stopped = threading.Event()
    server.on("slow.test", lambda c: c.reply(), robots=lambda c: (stopped.wait(60), c.reply(b"")))

    async def stop(fetcher, _results):
        while "dead1.test" not in names.asked or not server.seen:
            await asyncio.sleep(0.01)
        fetcher.stop()
        stopped.set()

    dead, alive = urls(server, "dead", 2), server.url("slow.test")
    done = crawl.during([Request.of(url) for url in (*dead, alive)], stop)
    assert dict(done.outcomes()) == dict.fromkeys(dead, "dns"), "the next round need not ask for them again"
    assert [(left.request.url, left.reason) for left in done.left] == [(alive, "stopped")]


def test_a_dead_host_beside_the_proxy_is_blamed_if_the_proxy_answers(server, crawl, names):
    proxy = f"http://127.0.0.1:{server.port}"
    crawl.options["environment"] = {"http_proxy": proxy, "no_proxy": "dead.test"}
    dead, fine = server.url("dead.test"), "http://fine.example/page"
    assert dict(crawl(dead, fine).outcomes()) == {dead: "dns", fine: "ok"}
    assert crawl(dead).outcomes() == [(dead, "dns")]
