"""Redirects hop by hop: within a site at once, to another site never, to nowhere with a reason."""

from __future__ import annotations

import itertools

import pytest

from corpulyzer.web.fetch.lanes import KNOWN


def test_a_redirect_within_the_site_is_followed_and_each_hop_is_recorded(server, crawl):
    def script(c):
        c.reply() if c.path == "/new" else c.redirect("/new")

    url = server.on("a.test", script)
    done = crawl(url)
    assert done.outcomes() == [(url, "http_error"), (server.url("a.test", "/new"), "ok")]
    assert done.of(url).fetch.location == server.url("a.test", "/new")


def test_www_and_the_bare_name_are_one_site(server, crawl):
    url = server.on("a.test", lambda c: c.redirect(server.url("www.a.test", "/")))
    done = crawl(url)
    assert done.outcomes()[-1] == (server.url("www.a.test", "/"), "ok")


def test_a_redirect_to_another_site_is_reported_and_not_followed(server, crawl):
    url = server.on("a.test", lambda c: c.redirect(server.url("b.test", "/there?utm_source=a#x")))
    done = crawl(url)
    assert done.outcomes() == [(url, "http_error")]
    assert done.of(url).fetch.location == server.url("b.test", "/there")
    assert not server.pages_of("b.test")


@pytest.mark.parametrize("hops", [1, 2])
def test_a_redirect_loop_ends_with_a_reason(server, crawl, hops):
    url = server.on("a.test", lambda c: c.redirect(f"/{(int(c.path[1:]) + 1) % hops}"))
    start = server.url("a.test", "/0")
    assert url
    done = crawl(start)
    assert [outcome for _, outcome in done.outcomes()] == ["http_error"] * hops + ["redirect_loop"]
    assert len(server.pages_of("a.test")) == hops


def test_a_chain_of_redirects_is_followed_five_hops(server, crawl):
    server.on("a.test", lambda c: c.redirect(f"/{int(c.path[1:]) + 1}"))
    done = crawl(server.url("a.test", "/0"))
    assert [outcome for _, outcome in done.outcomes()] == ["http_error"] * 6 + ["redirect_limit"]
    assert done.outcomes()[-1][0] == server.url("a.test", "/6")
    assert len(server.pages_of("a.test")) == 6


@pytest.mark.parametrize(
    "location",
    [
        "file:///etc/passwd",
        "ftp://a.test/x",
        "gopher://a.test/",
        "javascript:alert(1)",
        "http://[::1",
        "data:,x",
    ],
)
def test_a_redirect_off_the_web_is_refused(server, crawl, location):
    url = server.on("a.test", lambda c: c.redirect(location))
    done = crawl(url, server.url("a.test", "/fine"))
    assert done.outcomes() == [
        (url, "http_error"),
        (url, "invalid_url"),
        (server.url("a.test", "/fine"), "ok"),
    ]
    assert location in done.results[2].fetch.detail


def test_a_redirect_to_a_page_of_the_list_is_not_followed_twice(server, crawl):
    target = server.url("a.test", "/target")

    def script(c):
        c.reply() if c.path == "/target" else c.redirect("/target")

    done = crawl(server.on("a.test", script), target)
    assert [seen.path for seen in server.pages_of("a.test")] == ["/page", "/target"]
    assert not done.left


def test_the_scope_decides_on_the_target(server, crawl):
    def script(c):
        c.redirect({"/1": "/out", "/2": "/known"}[c.path])

    server.on("a.test", script)
    crawl.options["scope"] = lambda url: KNOWN if url.endswith("/known") else "path" if "/out" in url else ""
    done = crawl(server.url("a.test", "/1"), server.url("a.test", "/2"))
    assert done.outcomes() == [
        (server.url("a.test", "/1"), "http_error"),
        (server.url("a.test", "/out"), "scope"),
        (server.url("a.test", "/2"), "http_error"),
    ]


def test_the_target_of_a_redirect_must_be_allowed_by_robots(server, crawl):
    url = server.on(
        "a.test",
        lambda c: c.redirect("/private/x"),
        robots=lambda c: c.reply(b"User-agent: *\nDisallow: /private/", "Content-Type: text/plain"),
    )
    done = crawl(url)
    assert done.outcomes() == [(url, "http_error"), (server.url("a.test", "/private/x"), "robots_disallowed")]
    assert [seen.path for seen in server.pages_of("a.test")] == ["/page"]


def test_redirects_wait_like_any_other_request(server, crawl):
    server.on("a.test", lambda c: c.reply() if c.path == "/2" else c.redirect(f"/{int(c.path[1:]) + 1}"))
    done = crawl(server.url("a.test", "/0"), delay_seconds=0.2)
    assert [outcome for _, outcome in done.outcomes()] == ["http_error", "http_error", "ok"]
    times = [(seen.begun, seen.ended) for seen in server.seen]
    assert all(begun - ended >= 0.199 for (_, ended), (begun, _) in itertools.pairwise(times))


@pytest.mark.parametrize(
    "location", ["http:///x y", "//", "http://", "\\\\[", "http://a b/", "http://[\t]\x01;" + "é" * 9999]
)
def test_an_unreadable_location_costs_only_its_page(server, crawl, location):
    url = server.on("a.test", lambda c: c.redirect(location))
    done = crawl(url, server.url("a.test", "/fine"))
    assert done.of(url).fetch.outcome == "http_error"
    assert done.of(server.url("a.test", "/fine")).fetch.outcome == "ok"
