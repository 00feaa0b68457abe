"""Servers at their worst: each costs its own page, little time and little memory, and leaves a record."""

from __future__ import annotations

import itertools
import os
import time

import brotli
import pytest
import zstandard
from isal import isal_zlib

from corpulyzer.web.fetch.recorder import Request

MEGABYTE = 1 << 20
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def forever(piece):
    return itertools.repeat(piece)


def raw(data):
    return lambda c: c.send(data)


def endless_body(c):
    c.send(OK + b"\r\n")
    for piece in forever(b"x" * 65536):
        c.send(piece)


def endless_chunks(c):
    c.send(OK + b"Transfer-Encoding: chunked\r\n\r\n")
    for piece in forever(b"10000\r\n" + b"x" * 65536 + b"\r\n"):
        c.send(piece)


def endless_headers(c):
    c.send(b"HTTP/1.1 200 OK\r\n")
    for number in itertools.count():
        c.send(b"X-%d: y\r\n" % number * 100)


def endless_interim(c):
    for piece in forever(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 50):
        c.send(piece)


def slow_body(c):
    c.send(OK + b"\r\n<p>")
    c.trickle(forever(b"x"), 0.05)


def slow_status(c):
    c.trickle((b"%c" % byte for byte in b"HTTP/1.1 200 OK but first " + b"y" * 1000), 0.05)


def slow_head(c):
    c.send(OK + b"X: ")
    c.trickle(forever(b"y"), 0.05)


def silent(c):
    time.sleep(5)


def at_once(c):
    c.reset()


def after(data):
    def script(c):
        c.send(data)
        time.sleep(0.02)
        c.reset()

    return script


RESPONSES = {
    "duplicate length": (raw(OK + b"Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc"), "ok"),
    "two lengths": (raw(OK + b"Content-Length: 3\r\nContent-Length: 5\r\n\r\nabc"), "bad_response"),
    "length too short": (raw(OK + b"Content-Length: 2\r\n\r\nabc"), "ok"),
    "length too long": (raw(OK + b"Content-Length: 99\r\n\r\nabc"), "ok cut"),
    "negative length": (raw(OK + b"Content-Length: -1\r\n\r\nabc"), "bad_response"),
    "length beyond numbers": (raw(OK + b"Content-Length: 99999999999999999999\r\n\r\nabc"), "ok"),
    "length and chunks": (
        raw(OK + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
        "ok",
    ),
    "no chunk size": (raw(OK + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\nabc"), "ok cut"),
    "huge chunk size": (raw(OK + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffff\r\nabc"), "ok cut"),
    "broken off chunk": (raw(OK + b"Transfer-Encoding: chunked\r\n\r\n9\r\nabc"), "ok cut"),
    "unknown encoding": (raw(OK + b"Content-Encoding: rot13\r\n\r\nabc"), "ok"),
    "space before colon": (raw(OK + b"X Powered : php\r\n\r\nabc"), "ok"),
    "no colon": (raw(OK + b"this is no header\r\n\r\nabc"), "bad_response"),
    "NUL in header": (raw(OK + b"X: a\0b\r\n\r\nabc"), "bad_response"),
    "bare line feeds": (raw(b"HTTP/1.1 200 OK\nContent-Length: 3\n\nabc"), "ok"),
    "odd status": (raw(b"HTTP/1.1 799 Odd\r\nContent-Length: 3\r\n\r\nabc"), "http_error"),
    "no status": (raw(b"<html>abc"), "bad_response"),
    "no HTTP": (raw(b"SSH-2.0-OpenSSH_9.2\r\n"), "bad_response"),
    "nothing": (raw(b""), "reset"),
    "large header": (raw(OK + b"X: " + b"y" * 90_000 + b"\r\n\r\nabc"), "ok"),
    "huge header": (raw(OK + b"X: " + b"y" * 2_000_000 + b"\r\n\r\nabc"), "head_too_large"),
    "many headers": (raw(OK + b"X: y\r\n" * 4000 + b"\r\nabc"), "ok"),
    "too many headers": (raw(OK + b"X: y\r\n" * 200_000 + b"\r\nabc"), "head_too_large"),
    "endless headers": (endless_headers, "head_too_large"),
    "endless interim responses": (endless_interim, "head_too_large"),
    "endless body": (endless_body, "ok cut"),
    "endless chunks": (endless_chunks, "ok cut"),
    "slow body": (slow_body, "ok cut"),
    "slow head": (slow_head, "too_slow"),
    "slow status line": (slow_status, "timeout_first_byte"),
    "silent": (silent, "timeout_first_byte"),
    "reset before a byte": (at_once, "reset"),
    "reset in the status line": (after(b"HTTP/1.1 20"), "reset"),
    "reset in the head": (after(OK), "reset"),
    "reset behind the head": (after(OK + b"Content-Length: 9\r\n\r\n"), "reset"),
    "reset in the body": (after(OK + b"Content-Length: 9\r\n\r\nabc"), "ok cut"),
    "end within the head": (raw(OK + b"X: y"), "bad_response"),
    "switched protocol": (raw(b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n\0\0"), "http_error"),
    "NULs": (lambda c: c.reply(b"<p>\0\0\0</p>" * 1000), "ok"),
    "wrong charset": (
        lambda c: c.reply(b"<p>\xff\xfe\x81</p>", "Content-Type: text/html; charset=utf-99"),
        "ok",
    ),
    "50,000 nested tags": (lambda c: c.reply(b"<div>" * 50_000), "ok"),
    "100,000 links": (lambda c: c.reply(b"<a href=/x>y</a>" * 100_000), "ok cut"),
}


@pytest.mark.parametrize("name", RESPONSES)
def test_a_bad_response_costs_its_own_page(server, crawl, name):
    script, expected = RESPONSES[name]
    bad = server.on("bad.test", script)
    fine, other = server.url("bad.test", "/fine"), server.url("other.test")
    done = crawl(bad, fine, other)
    page = done.of(bad).fetch
    assert page.outcome + (" cut" if page.truncated else "") == expected
    assert done.of(fine).fetch.outcome == done.of(other).fetch.outcome == "ok"
    assert done.extra_bytes < 40 * MEGABYTE


def bomb(encoding, size):
    if encoding == "gzip":
        packer = isal_zlib.compressobj(2, isal_zlib.DEFLATED, 31)
        return b"".join(packer.compress(bytes(MEGABYTE)) for _ in range(size >> 20)) + packer.flush()
    if encoding == "deflate":
        packer = isal_zlib.compressobj(2, isal_zlib.DEFLATED, 15)
        return b"".join(packer.compress(bytes(MEGABYTE)) for _ in range(size >> 20)) + packer.flush()
    if encoding == "br":
        packer = brotli.Compressor(quality=1)
        return b"".join(packer.process(bytes(MEGABYTE)) for _ in range(size >> 20)) + packer.finish()
    packer = zstandard.ZstdCompressor().compressobj()
    return b"".join(packer.compress(bytes(MEGABYTE)) for _ in range(size >> 20)) + packer.flush()


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_bomb_is_stored_as_it_came_and_unpacked_no_further_than_asked(server, crawl, encoding):
    packed = bomb(encoding, 256 * MEGABYTE)
    assert len(packed) < MEGABYTE
    url = server.on("bomb.test", lambda c: c.reply(packed, f"Content-Encoding: {encoding}"))
    done = crawl(url, server.url("bomb.test", "/fine"))
    assert done.of(url).body == packed
    assert done.outcomes()[1][1] == "ok"
    begun = time.process_time()
    assert len(done.of(url).decoded(2 * MEGABYTE)) == 2 * MEGABYTE
    assert time.process_time() - begun < 2
    assert done.extra_bytes < 40 * MEGABYTE


def test_a_body_without_end_is_cut_at_the_limit_and_says_so(server, crawl):
    url = server.on("endless.test", endless_body)
    page = crawl(url, max_bytes=300_000).of(url)
    assert len(page.body) == page.fetch.payload_bytes == 300_000 and page.fetch.truncated


def test_a_page_of_exactly_the_limit_is_whole(server, crawl):
    url = server.on("exact.test", lambda c: c.reply(b"x" * 300_000))
    page = crawl(url, max_bytes=300_000).of(url)
    assert len(page.body) == 300_000 and not page.fetch.truncated


@pytest.mark.parametrize("mime", ["video/mp4", "IMAGE/png", "audio/mpeg"])
def test_of_pictures_sounds_and_films_only_the_start_is_taken(server, crawl, mime):
    url = server.on("film.test", lambda c: c.reply(b"\0" * 900_000, f"Content-Type: {mime}"))
    page = crawl(url).of(url)
    assert len(page.body) == 4096 and page.fetch.truncated and page.fetch.mime == mime.lower()


def test_fifty_endless_bodies_at_once_stay_within_fifty_limits(server, crawl):
    urls = [server.on(f"endless{number}.test", endless_body) for number in range(50)]
    done = crawl(*urls, max_bytes=200_000)
    assert all(done.of(url).fetch.truncated for url in urls)
    assert done.extra_bytes < 100 * MEGABYTE


def test_a_slow_site_delays_nobody_else(server, crawl):
    def until_all_others_came(c):
        c.send(OK + b"\r\n<p>")
        while len(server.pages_of("quick.test")) < 50:
            c.trickle(iter([b"x"]), 0.02)

    slow = server.on("slow.test", until_all_others_came)
    quick = [server.url("quick.test", f"/{number}") for number in range(50)]
    done = crawl(slow, *quick, slow_bytes=1, total_seconds=90.0)
    assert dict(done.outcomes()) == dict.fromkeys((slow, *quick), "ok")
    assert not done.of(slow).fetch.truncated


def test_a_server_that_refuses_connections_is_a_connect_failure(crawl, make_server):
    gone = make_server()
    url = gone.url("gone.test")
    gone.close()
    done = crawl(url)
    assert done.outcomes() == [(url, "robots_unreachable")]
    assert done.outcomes("robots")[0][1] == "connect"


def test_an_address_that_swallows_packets_is_given_up(server, crawl):
    # A listening socket whose queue is full answers nothing, like a firewall that drops.
    import socket

    full = socket.create_server(("127.0.0.1", 0), backlog=0)
    held = [socket.socket() for _ in range(3)]
    for one in held:
        one.setblocking(False)
        one.connect_ex(full.getsockname())
    url = f"http://full.test:{full.getsockname()[1]}/"
    done = crawl(url, server.url("other.test"), connect_seconds=2.0)
    assert done.of(url + "robots.txt").fetch.outcome == "timeout_connect"
    assert done.of(server.url("other.test")).fetch.outcome == "ok"
    for one in (full, *held):
        one.close()


def test_cookies_are_never_sent_back_nor_carried_to_another_site(server, crawl):
    def set_cookie(c):
        c.reply(b"hello", "Set-Cookie: id=1; Domain=.test; Path=/")

    server.on("a.test", set_cookie)
    server.on("b.test", set_cookie)
    crawl(*(server.url(host, f"/{n}") for host in ("a.test", "b.test") for n in range(3)))
    assert len(server.pages_of("a.test")) == 3
    assert not any("cookie" in seen.headers or "authorization" in seen.headers for seen in server.seen)


def test_names_of_any_script_are_asked_for_in_ascii(server, crawl):
    asked = []

    async def resolver(host):
        asked.append(host)
        return ("127.0.0.1",)

    crawl.resolver = resolver
    from corpulyzer.url import canonical

    url = canonical(server.url("پاکستان.test"))
    assert crawl(url).of(url).fetch.outcome == "ok"
    assert asked == ["xn--mgbai9azgqp6j.test"]


@pytest.mark.parametrize("host", ["a" * 64 + ".test", "a." * 130 + "test", "a..test"])
def test_impossible_names_are_not_even_looked_up(server, crawl, host):
    asked = []

    async def resolver(host):
        asked.append(host)
        return ("127.0.0.1",)

    crawl.resolver = resolver
    done = crawl(server.url(host), server.url("other.test"))
    assert [outcome for _, outcome in done.outcomes()] == ["dns", "ok"]
    assert asked == ["other.test"]


def test_dead_names_by_the_hundred_hold_up_nobody(server, crawl):
    import asyncio

    from corpulyzer.web.fetch.http.resolve import UnresolvedError

    asked, answered = [], asyncio.Event()

    async def resolver(host):
        asked.append(host)
        if host.startswith("dead"):
            await answered.wait()
            raise UnresolvedError("no such name")
        return ("127.0.0.1",)

    crawl.resolver = resolver
    dead = [server.url(f"dead{n}.test", f"/{page}") for n in range(300) for page in range(3)]
    alive = [server.url(f"alive{n}.test") for n in range(20)]

    async def watch(_fetcher, results):
        while sum("//alive" in result.fetch.url for result in results) < 2 * len(alive):
            await asyncio.sleep(0.02)
        answered.set()

    done = crawl.during([Request.of(url) for url in (*dead, *alive)], watch)
    outcomes = dict(done.outcomes())
    assert all(outcomes[url] == "dns" for url in dead) and all(outcomes[url] == "ok" for url in alive)
    assert len(asked) == 320


def test_a_random_byte_server_leaves_a_sound_archive(server, crawl):
    server.on("noise.test", lambda c: c.send(OK + b"\r\n" + os.urandom(5000)))
    server.on("worse.test", lambda c: c.send(os.urandom(5000)))
    done = crawl(server.url("noise.test"), server.url("worse.test"))
    assert sorted(outcome for _, outcome in done.outcomes()) == ["bad_response", "ok"]
