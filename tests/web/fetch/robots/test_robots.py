"""robots.txt as RFC 9309 and Google read it, at any size and however it is served."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace

import pytest

from corpulyzer.web.fetch.recorder import Request
from corpulyzer.web.fetch.robots.permission import RobotsAnswer, RobotsCache, origin_of
from corpulyzer.web.fetch.robots.rules import MAX_BYTES, parse
from corpulyzer.web.fetch.settings import AGENT

TEXT = "Content-Type: text/plain"


def test_all_of_googles_cases_pass(shared_data):
    path = shared_data("conformance/robots-google.jsonl")
    failed = []
    with open(path, encoding="ascii") as file:
        cases = [json.loads(line) for line in file]
    for name, line, allowed, *hexes in cases:
        body, agent, url = map(bytes.fromhex, hexes)
        if parse(body).rules(agent.decode()).allows(url.decode()) != bool(allowed):
            failed.append((name, line))
    assert not failed and len(cases) == 145


@pytest.mark.parametrize(
    "pattern, allowed, refused",
    [
        ("/a*b$", ["/acbd", "/a"], ["/ab", "/axxb", "/abab"]),
        ("/*?", ["/x"], ["/x?", "/x?y"]),
        ("/$", ["/x"], ["/"]),
        ("*.pdf$", ["/x.pdf?y"], ["/x.pdf", "/.pdf"]),
        ("/a$b", ["/a", "/a$"], ["/a$b", "/a$bc"]),
        ("/a**b", ["/a"], ["/ab", "/a/b/c"]),
        ("/ä", ["/a"], ["/%C3%A4"]),
        ("/%c3%a4", [], ["/%C3%A4x"]),
        ("x", ["/x", "/"], []),
        ("*", [], ["/", "/x"]),
    ],
)
def test_patterns(pattern, allowed, refused):
    rules = parse(f"User-agent: *\nDisallow: {pattern}".encode()).rules(AGENT)
    assert [path for path in allowed if not rules.allows(f"http://a.test{path}")] == []
    assert [path for path in refused if rules.allows(f"http://a.test{path}")] == []


@pytest.mark.parametrize(
    "pattern, allowed, refused",
    [
        ("/%7Ejoe/", ["/joe/", "/~joe"], ["/~joe/a", "/%7Ejoe/a", "/%7ejoe/a"]),
        ("/~joe/", [], ["/~joe/a", "/%7Ejoe/a", "/%7ejoe/a"]),
        ("/a b", ["/ab", "/a+b"], ["/a%20b", "/a%20b.html"]),
        ("/a<b", [], ["/a%3Cb", "/a%3cb", "/%61%3cb"]),
        ("/%61", ["/b"], ["/a", "/%61"]),
        ("/a%2Fb", ["/a/b"], ["/a%2Fb", "/a%2fb"]),
        ("/a/b", ["/a%2Fb"], ["/a/b"]),
        ("/x?t=Special:", [], ["/x?t=Special:Log", "/x?t=%53pecial%3aLog"]),
        ("/*?", ["/who%3F"], ["/who?"]),
        ("/*&a=", ["/?b%26a=1", "/?b&a%3D1"], ["/?b&a=1"]),
        ("/*+", ["/c%2B%2B"], ["/?q=a+b"]),
        ("/it's", ["/its"], ["/it's", "/it%27s"]),
        ("/?q='", [], ["/?q=%27", "/?q='"]),
        ("/a|b", [], ["/a|b", "/a%7Cb", "/a%7cb"]),
        ("/file-with-a-%2A.html", ["/file-with-a-b.html"], ["/file-with-a-*.html", "/file-with-a-%2a.html"]),
        ("/foo-%24", ["/foo-", "/foo-x"], ["/foo-$", "/foo-%24", "/foo-$x"]),
        ("/a$b", ["/a"], ["/a$b", "/a%24b"]),
        ("/a*$b", ["/axb"], ["/ax$b", "/ax%24b"]),
        ("/*%2A$", ["/x", "/x*y"], ["/x*", "/x%2A"]),
        ("/100%", ["/100"], ["/100%", "/100%zz", "/100%25"]),
        ("/%zz", ["/zz"], ["/%zz", "/%zzz"]),
    ],
)
def test_rules_hold_for_octets_however_they_are_escaped(pattern, allowed, refused):
    rules = parse(f"User-agent: *\nDisallow: {pattern}".encode()).rules(AGENT)
    assert [path for path in allowed if not rules.allows(f"http://a.test{path}")] == []
    assert [path for path in refused if rules.allows(f"http://a.test{path}")] == []


def test_an_exception_holds_in_every_spelling_that_its_rule_is_broken_in():
    body = b"User-agent: *\nDisallow: /%7Ejoe/\nAllow: /%7Ejoe/open/\nAllow: /~joe/a b"
    rules = parse(body).rules(AGENT)
    for home in ("~joe", "%7Ejoe", "%7ejoe"):
        assert rules.allows(f"http://a.test/{home}/open/x") and rules.allows(f"http://a.test/{home}/a%20b")
        assert not rules.allows(f"http://a.test/{home}/x")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16-le", "utf-16-be"])
def test_a_byte_order_mark_says_how_a_file_is_encoded(encoding):
    mark = "" if encoding == "utf-8-sig" else "\ufeff"
    body = f"{mark}User-agent: *\r\nDisallow: /ä\r\nSitemap: /s.xml\r\n".encode(encoding)
    robots = parse(body)
    assert not robots.rules(AGENT).allows("http://a.test/%C3%A4") and robots.sitemaps == ("/s.xml",)
    assert parse(body[:-3]).sitemaps


def test_our_own_group_replaces_the_one_for_anyone():
    robots = parse(b"User-agent: *\nDisallow: /\n\nUser-agent: corpulyzer\nDisallow: /x\nCrawl-delay: 7.5\n")
    assert robots.rules(AGENT).allows("http://a.test/y") and not robots.rules(AGENT).allows("http://a.test/x")
    assert robots.rules(AGENT).delay == 7.5 and robots.rules("other").delay is None


def test_groups_of_one_agent_add_up_and_agents_share_a_group():
    robots = parse(
        b"User-agent: a\nUser-agent: Corpulyzer\nDisallow: /1\nUser-agent: b\nDisallow: /2\nUser-agent: corpulyzer\n"
        b"Disallow: /3"
    )
    allowed = [path for path in ("/1", "/2", "/3") if robots.rules(AGENT).allows(f"http://a.test{path}")]
    assert allowed == ["/2"]


@pytest.mark.parametrize("value", ["", "x", "-1", "nan", "inf", "1e999"])
def test_a_delay_that_is_none_counts_for_nothing(value):
    assert parse(f"User-agent: *\nCrawl-delay: {value}".encode()).rules(AGENT).delay is None


@pytest.mark.parametrize(
    "body",
    [
        b"User-agent: *\nDisallow: " + b"*a" * 8000 + b"b",
        b"User-agent: *\n" + b"Disallow: *a*a*a*a*a*a*a*a*b$\n" * 17_000,
        b"User-agent: *\n" * 30_000 + b"Disallow: /a\n" * 8000,
        b"".join(b"User-agent: a%d\n" % n for n in range(25_000)) + b"Disallow: /a\n" * 8000,
        b"User-agent: *\n" + b"".join(b"Disallow: /%d\n" % n for n in range(30_000)),
        b"\0\xff" * 300_000,
        b"\r" * 600_000,
    ],
)
def test_hostile_files_cost_little(body):
    begun = time.process_time()
    rules = parse(body).rules(AGENT)
    for _ in range(5):
        rules.allows("http://a.test/" + "a" * 4000)
    assert time.process_time() - begun < 10


def test_data_miners_that_are_shut_out_are_a_fact():
    robots = parse(b"User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: *\nDisallow: /x")
    cache = RobotsCache(AGENT)
    url = "http://a.test/robots.txt"
    assert robots.disallowed(("GPTBot", "ClaudeBot")) == ("GPTBot",)
    learned = cache.learn([url], RobotsAnswer(url, 0.0, 200, body=b"User-agent: CCBot\nDisallow: /"))
    assert learned.shut_out == ("CCBot",) and learned.rules.allows("http://a.test/")


@pytest.mark.parametrize("obeyed, outcome", [(True, "opted_out"), (False, "ok")])
def test_who_shuts_out_data_miners_is_left_alone_if_the_policy_says_so(server, crawl, obeyed, outcome):
    url = server.on("a.test", lambda c: c.reply(), robots=serve(b"User-agent: GPTBot\nDisallow: /"))
    done = crawl(url, data_miners=obeyed)
    assert done.outcomes() == [(url, outcome)]
    assert ("GPTBot" in done.of(url).fetch.detail) == obeyed


def test_an_answer_is_believed_for_a_day():
    cache = RobotsCache(AGENT)
    url = "http://a.test/robots.txt"
    cache.learn([url], RobotsAnswer(url, 1000.0, 200, body=b"User-agent: *\nDisallow: /"))
    assert cache.get("http://a.test", 1000 + 86_399) is not None
    assert cache.get("http://a.test", 1000 + 86_400) is None
    assert cache.get("https://a.test", 1000) is None


def test_a_server_that_cannot_say_is_asked_again_ever_later():
    cache = RobotsCache(AGENT)
    url = "http://a.test/robots.txt"
    waits, now = [], 0.0
    for _ in range(4):
        permission = cache.learn([url], RobotsAnswer(url, now, 503))
        assert not permission.rules.allows("http://a.test/") and not permission.is_known
        waits.append(permission.expires - now)
        now = permission.expires
    assert waits == [60, 120, 240, 480]
    assert cache.learn([url], RobotsAnswer(url, now, 404)).rules.allows("http://a.test/")


def test_the_state_can_be_rebuilt_from_what_was_recorded():
    cache = RobotsCache(AGENT)
    first, second = "http://a.test/robots.txt", "https://www.a.test/robots.txt"
    cache.replay(
        [
            RobotsAnswer(first, 0.0, 301, location=second),
            RobotsAnswer("http://b.test/robots.txt", 1.0, 500),
            RobotsAnswer(second, 2.0, 200, body=b"User-agent: *\nDisallow: /x"),
        ]
    )
    for origin in ("http://a.test", "https://www.a.test"):
        permission = cache.get(origin, 3.0)
        assert permission is not None and not permission.rules.allows(f"{origin}/x")
    assert cache.get("http://b.test", 3.0).failures == 1


def test_origins():
    assert origin_of("https://a.test:8443/x") == "https://a.test:8443"
    assert origin_of("http://a.test?x") == "http://a.test"


def serve(body, *headers, status="200 OK"):
    return lambda c: c.reply(body, *(headers or (TEXT,)), status=status)


def test_what_robots_forbids_is_not_asked_for(server, crawl):
    url = server.on("a.test", lambda c: c.reply(), robots=serve(b"User-agent: Corpulyzer\nDisallow: /page"))
    done = crawl(url, server.url("a.test", "/fine"))
    assert done.outcomes() == [(url, "robots_disallowed"), (server.url("a.test", "/fine"), "ok")]
    assert [seen.path for seen in server.seen] == ["/robots.txt", "/fine"]


@pytest.mark.parametrize("status", ["404 Not Found", "403 Forbidden", "401 Unauthorized", "410 Gone"])
def test_what_is_not_there_forbids_nothing(server, crawl, status):
    url = server.on("a.test", lambda c: c.reply(), robots=serve(b"User-agent: *\nDisallow: /", status=status))
    assert crawl(url).outcomes() == [(url, "ok")]


@pytest.mark.parametrize("status", ["500 Error", "503 Busy", "429 Too Many"])
def test_a_server_in_trouble_forbids_everything_for_now(server, crawl, status):
    url = server.on("a.test", lambda c: c.reply(), robots=serve(b"", status=status))
    done = crawl(url, server.url("a.test", "/fine"), server.url("b.test"))
    assert [outcome for _, outcome in done.outcomes()].count("robots_unreachable") == 2
    assert done.of(server.url("b.test")).fetch.outcome == "ok"
    assert [seen.path for seen in server.seen if seen.host == "a.test"] == ["/robots.txt"]
    assert f"status {status[:3]}" in done.of(url).fetch.detail


def test_robots_without_an_answer_forbids_everything_for_now(server, crawl):
    url = server.on("a.test", lambda c: c.reply(), robots=lambda c: time.sleep(5))
    done = crawl(url, server.url("b.test"))
    assert done.of(url).fetch.outcome == "robots_unreachable"
    assert done.of(server.url("a.test", "/robots.txt")).fetch.outcome == "timeout_first_byte"


def test_robots_that_breaks_off_forbids_everything_for_now(server, crawl):
    def broken(c):
        c.send(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nUser-agent: *\n")

    url = server.on("a.test", lambda c: c.reply(), robots=broken)
    assert crawl(url).outcomes() == [(url, "robots_unreachable")]


def test_robots_of_a_hundred_megabytes_is_read_to_its_limit(server, crawl):
    def huge(c):
        c.send(b"HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\nUser-agent: *\nDisallow: /page\n")
        for _ in range(100):
            c.send(b"# comment\n" * 104_857)

    url = server.on("a.test", lambda c: c.reply(), robots=huge)
    done = crawl(url, server.url("a.test", "/fine"))
    assert [outcome for _, outcome in done.outcomes()] == ["robots_disallowed", "ok"]
    robots = done.of(server.url("a.test", "/robots.txt"))
    assert robots.fetch.truncated and len(robots.body) == MAX_BYTES
    assert done.extra_bytes < 30 << 20


@pytest.mark.parametrize("body", [os.urandom(100_000), b"\0" * 1000, b"<html><p>Not found", b""])
def test_robots_that_is_no_robots_forbids_nothing(server, crawl, body):
    url = server.on("a.test", lambda c: c.reply(), robots=serve(body))
    assert crawl(url).outcomes() == [(url, "ok")]


def test_robots_in_gzip_is_read(server, crawl):
    import gzip

    packed = gzip.compress(b"User-agent: *\nDisallow: /page")
    url = server.on("a.test", lambda c: c.reply(), robots=serve(packed, TEXT, "Content-Encoding: gzip"))
    assert crawl(url).outcomes() == [(url, "robots_disallowed")]


def test_robots_may_stand_at_another_site(server, crawl):
    url = server.on(
        "a.test", lambda c: c.reply(), robots=lambda c: c.redirect(server.url("b.test", "/their.txt"))
    )
    server.on("b.test", serve(b"User-agent: *\nDisallow: /page"))
    done = crawl(url, server.url("a.test", "/fine"))
    assert [outcome for _, outcome in done.outcomes()] == ["robots_disallowed", "ok"]
    assert len(done.outcomes("robots")) == 2


def test_two_sites_whose_robots_point_at_each_other_end(server, crawl):
    a = server.on(
        "a.test", lambda c: c.reply(), robots=lambda c: c.redirect(server.url("b.test", "/robots.txt"))
    )
    b = server.on(
        "b.test", lambda c: c.reply(), robots=lambda c: c.redirect(server.url("a.test", "/robots.txt"))
    )
    done = crawl(a, b)
    assert sorted(done.outcomes()) == [(a, "ok"), (b, "ok")]


def test_robots_is_followed_for_five_redirects(server, crawl):
    def chain(c):
        number = int(c.path.removeprefix("/robots").removesuffix(".txt") or 0)
        c.reply(b"User-agent: *\nDisallow: /page", TEXT) if number == 5 else c.redirect(
            f"/robots{number + 1}.txt"
        )

    url = server.on("a.test", chain, robots=chain)
    assert crawl(url).outcomes() == [(url, "robots_disallowed")]


def test_robots_behind_endless_redirects_is_not_there(server, crawl):
    def chain(c):
        c.redirect(c.path.replace(".txt", "x.txt")) if "robots" in c.path else c.reply()

    url = server.on("a.test", chain, robots=chain)
    done = crawl(url)
    assert done.outcomes() == [(url, "ok")]
    assert len(done.outcomes("robots")) == 6


def test_robots_that_points_inwards_is_not_fetched_there(server, crawl):
    url = server.on(
        "a.test", lambda c: c.reply(), robots=lambda c: c.redirect(f"http://127.0.0.2:{server.port}/")
    )
    assert crawl(url).outcomes() == [(url, "robots_unreachable")]
    assert len(server.seen) == 1


@pytest.mark.parametrize("location", ["file:///etc/passwd", "javascript:x", "http://["])
def test_robots_that_points_nowhere_is_not_there(server, crawl, location):
    url = server.on("a.test", lambda c: c.reply(), robots=lambda c: c.redirect(location))
    assert crawl(url).outcomes() == [(url, "ok")]


def test_robots_is_asked_for_once_per_origin(server, crawl):
    crawl(*(server.url("a.test", f"/{number}") for number in range(5)))
    assert [seen.path for seen in server.seen].count("/robots.txt") == 1


@pytest.mark.parametrize("status, asked", [("200 OK", 1), ("404 Not Found", 1), ("302 Found", 2)])
def test_a_robots_txt_that_was_asked_for_on_behalf_of_another_site_holds_for_its_own(
    server, crawl, status, asked
):
    url = server.on(
        "a.test", lambda c: c.reply(), robots=lambda c: c.reply(b"", "Location: /fine", status=status)
    )
    on_behalf = replace(Request.of(server.url("a.test", "/robots.txt")), purpose="robots")
    assert crawl(on_behalf, url).outcomes() == [(url, "ok")]
    assert [seen.path for seen in server.seen].count("/robots.txt") == asked


@pytest.mark.parametrize("line", [b"HTTP/1.1 2000 Odd", b"HTTP/1.1 101 Switching"], ids=["2000", "101"])
def test_an_answer_without_a_final_status_allows_nothing(server, crawl, line):
    url = server.on("a.test", lambda c: c.reply(), robots=lambda c: c.send(line + b"\r\n\r\nUser-agent: *\n"))
    done = crawl(url)
    assert done.outcomes() == [(url, "robots_unreachable")]


def test_what_is_known_is_shared_out_by_the_shards_of_sites():
    cache = RobotsCache(AGENT)
    origins = ["http://a.test", "https://www.a.test:8443", "http://b.test", "http://c.test"]
    for origin in origins:
        cache.learn([f"{origin}/robots.txt"], RobotsAnswer(f"{origin}/robots.txt", 0.0, 404))
    parts = cache.parts({"a.test": 0, "b.test": 2, "new.test": 2})
    known = {shard: [each for each in origins if part.get(each, 0.0)] for shard, part in parts.items()}
    assert known == {0: origins[:2], 2: ["http://b.test"]}
