"""An error of ours at a URL costs that URL; one that has to do with no site ends the fetch."""

from __future__ import annotations

import pytest

from corpulyzer.web.fetch.faults import MOST_FAULTS, Faults
from corpulyzer.web.fetch.politeness import replay
from corpulyzer.web.fetch.settings import FetchSettings


@pytest.fixture
def told(crawl):
    """The faults that a crawl tells of: URL and words."""
    found: list[tuple[str, str]] = []
    crawl.options["faults"] = Faults(lambda url, error: found.append((url, str(error))))
    return found


def fails_for(*hosts):
    async def resolver(host):
        if host in hosts:
            raise ValueError(f"cannot work out {host}")
        return ("127.0.0.1",)

    return resolver


def test_an_error_at_one_url_costs_that_url(server, crawl, told):
    crawl.resolver = fails_for("odd.test")
    odd, fine = server.url("odd.test"), [server.url("fine.test", f"/{number}") for number in range(5)]
    done = crawl(odd, *fine)
    assert dict(done.outcomes()) == {odd: "internal", **dict.fromkeys(fine, "ok")}
    assert done.of(odd).fetch.detail == "ValueError: cannot work out odd.test"
    assert told == [(odd, "cannot work out odd.test")] and not done.left


def test_a_scope_that_fails_at_a_redirect_costs_that_redirect(server, crawl, told):
    def scope(url):
        if url.endswith("/odd"):
            raise RecursionError("too deep")
        return ""

    crawl.options["scope"] = scope
    url = server.on("a.test", lambda c: c.redirect("/odd") if c.path == "/page" else c.reply())
    done = crawl(url, server.url("a.test", "/fine"))
    odd = server.url("a.test", "/odd")
    assert dict(done.outcomes()) == {url: "http_error", odd: "internal", server.url("a.test", "/fine"): "ok"}
    assert told == [(odd, "too deep")]


def test_a_site_that_does_it_ten_times_is_set_aside_for_the_run(server, crawl, told):
    crawl.resolver = fails_for("odd.test")
    odd = [server.url("odd.test", f"/{number}") for number in range(15)]
    done = crawl(*odd, server.url("fine.test"))
    assert [outcome for _, outcome in done.outcomes()].count("internal") == MOST_FAULTS == len(told)
    assert [(left.request.url, left.reason) for left in done.left] == [(url, "internal") for url in odd[10:]]
    again = crawl(server.url("odd.test", "/more"), server.url("fine.test"))
    assert [left.reason for left in again.left] == ["internal"], "in the next round too"
    assert again.outcomes() == [(server.url("fine.test"), "ok")]


def test_the_record_of_a_fault_gives_the_pauses_of_its_site(server, crawl, told):
    crawl.resolver = fails_for("odd.test")
    done = crawl(server.url("odd.test"))
    rows = [result.fetch for result in done.results]
    assert replay(rows, FetchSettings(**crawl.settings)) == done.fetcher.sites


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), MemoryError()], ids=["disk", "memory"]
)
def test_an_error_that_no_site_is_to_blame_for_ends_the_fetch(server, crawl, told, error):
    async def resolver(host):
        raise error

    crawl.resolver = resolver
    with pytest.raises(type(error)):
        crawl(server.url("a.test"), server.url("b.test"))
    assert not told
