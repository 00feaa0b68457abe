"""What is in the archive is what went over the wire."""

from __future__ import annotations

import gzip
import subprocess
import sys
from dataclasses import replace

import pytest
from fastwarc.warc import ArchiveIterator

from corpulyzer.errors import UserError
from corpulyzer.web.fetch.mime import identified
from corpulyzer.web.fetch.recorder import Previous, Request
from corpulyzer.web.fetch.settings import FetchSettings, user_agent


def records(done):
    for file in sorted(done.folder.glob("*.warc.gz")):
        with open(file, "rb") as stream:
            for record in ArchiveIterator(stream, parse_http=False):
                yield dict(record.headers), record.reader.read()


def test_request_and_response_are_stored_as_they_were(server, crawl):
    body = gzip.compress(b"<p>hello</p>")
    raw = (
        b"HTTP/1.1 200 Fine\r\ncontent-TYPE:  text/html\r\nX-Odd : 1\r\nContent-Encoding: gzip\r\n\r\n" + body
    )
    url = server.on("a.test", lambda c: c.send(raw))
    done = crawl(url)
    stored = {(h["WARC-Type"], h.get("WARC-Target-URI")): (h, block) for h, block in records(done)}
    headers, block = stored["response", url]
    assert block == raw
    assert headers["WARC-IP-Address"] == "127.0.0.1"
    request, sent = stored["request", url]
    assert sent == server.pages_of("a.test")[0].raw
    assert request["WARC-Concurrent-To"] == headers["WARC-Record-ID"]
    assert done.of(url).decoded(1000) == b"<p>hello</p>"


def test_chunks_are_kept_and_taken_off_by_the_reader(server, crawl):
    raw = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-T: 1\r\n\r\n"
    url = server.on("a.test", lambda c: c.send(raw))
    done = crawl(url)
    assert (raw in [block for _, block in records(done)]) and done.of(url).decoded(99) == b"abcde"


def test_an_interim_response_is_not_the_response(server, crawl):
    raw = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
    url = server.on("a.test", lambda c: c.send(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + raw))
    assert raw in [block for _, block in records(crawl(url))]


@pytest.mark.parametrize("tool", ["warcio", "fastwarc"])
def test_other_tools_find_no_fault(server, crawl, tool):
    server.on("cut.test", lambda c: c.send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"))
    server.on("bad.test", lambda c: c.send(b"nonsense"))
    server.on("gone.test", lambda c: c.reply(b"no", status="404 Not Found"))
    server.on(
        "chunk.test",
        lambda c: c.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"),
    )
    hosts = ("cut.test", "bad.test", "gone.test", "chunk.test", "fine.test")
    done = crawl(*(server.url(host) for host in hosts), "http://10.0.0.1/")
    (file,) = done.folder.glob("*.warc.gz")
    if tool == "fastwarc":
        with open(file, "rb") as stream:
            digests = [r.verify_block_digest() for r in ArchiveIterator(stream, parse_http=False)]
        assert len(digests) == 1 + 5 * 2 + 4 * 2 + 2 and all(digests)
        return
    command = [sys.executable, "-m", "warcio.cli", "check", "-v", str(file)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
    assert "digest pass" in checked.stdout and "fail" not in checked.stdout


def test_an_unchanged_page_is_a_revisit(server, crawl):
    def script(c):
        if c.seen.headers.get("if-none-match") == '"v1"':
            c.reply(b"", status="304 Not Modified")
        else:
            c.reply(b"<p>same</p>", 'ETag: "v1"', "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT")

    url = server.on("a.test", script)
    first = crawl(url).of(url)
    known = Previous(
        record_id=first.fetch.record_id,
        date=first.fetch.date,
        digest=first.fetch.digest,
        etag=first.headers["etag"],
        last_modified=first.headers["last-modified"],
    )
    done = crawl(replace(Request.of(url), previous=known))
    page = done.of(url).fetch
    assert (page.outcome, page.status, page.digest) == ("revisit", 304, first.fetch.digest)
    assert server.pages_of("a.test")[1].headers["if-modified-since"] == "Mon, 01 Jan 2024 00:00:00 GMT"
    (headers,) = (h for h, _ in records(done) if h["WARC-Type"] == "revisit")
    assert headers["WARC-Profile"].endswith("/server-not-modified")
    assert headers["WARC-Refers-To"] == first.fetch.record_id

    plain = replace(known, etag="", last_modified="")
    again = crawl(replace(Request.of(url), previous=plain))
    assert again.of(url).fetch.outcome == "revisit" and again.of(url).fetch.status == 200
    changed = crawl(replace(Request.of(url), previous=replace(plain, digest="sha1:OTHER")))
    assert changed.of(url).fetch.outcome == "ok"


def test_a_304_that_nobody_asked_for_is_an_error(server, crawl):
    url = server.on("a.test", lambda c: c.reply(b"", status="304 Not Modified"))
    assert crawl(url).outcomes() == [(url, "http_error")]


def test_conditions_cannot_smuggle_a_header():
    for value in ('"a"\r\nX-Evil: 1', "x\ny", "\0", "é"):
        assert Previous(etag=value, last_modified=value).conditions == ()


@pytest.mark.parametrize(
    "declared, start, mime",
    [
        ("text/html; charset=x", b"<p>", "text/html"),
        ("", b"\xef\xbb\xbf \n<!doctype HTML>", "text/html"),
        ("text/plain", b"<HTML lang=ur>", "text/html"),
        ("text/plain", b"<pre-formatted talk", "text/plain"),
        ("application/octet-stream", b"%PDF-1.4", "application/pdf"),
        ("text/html", b"\x89PNG\r\n\x1a\n", "image/png"),
        ("text/html", b"\xff\xd8\xff\xe0", "image/jpeg"),
        ("text/html", b"RIFF\0\0\0\0WEBPVP8", "image/webp"),
        ("", b"\0\0\0\x18ftypmp42", "video/mp4"),
        ("", b"<?xml version='1.0'?><rss>", "text/xml"),
        ("", b"<?xml version='1.0'?><!DOCTYPE html><html xmlns=x>", "application/xhtml+xml"),
        ("application/rss+xml", b"<?xml", "application/rss+xml"),
        ("", b"just words", "text/plain"),
        ("", b"\0\1\2", "application/octet-stream"),
        ("", b"\xff\xfea\0b\0", "text/plain"),
        ("", b"", ""),
    ],
)
def test_media_types_are_told_by_header_and_content(declared, start, mime):
    assert identified(declared, start) == mime


def test_a_user_agent_names_a_contact():
    assert user_agent("me@example.org").startswith("Corpulyzer/") and "me@example.org" in user_agent(
        "me@example.org"
    )
    with pytest.raises(UserError, match="--contact"):
        user_agent("")
    for bad in ("nobody", "a@b\r\nX: y", "<script>@x", "mé@example.org"):
        with pytest.raises(UserError):
            user_agent(bad)


def test_every_request_says_who_asks(server, crawl):
    crawl(server.url("a.test"), accept_language="ur")
    assert {seen.headers["user-agent"] for seen in server.seen} == {user_agent("test@example.org")}
    assert {seen.headers["accept-language"] for seen in server.seen} == {"ur"}


def test_settings_have_defaults_for_all_but_the_contact():
    assert FetchSettings().delay_seconds == 3.0 and FetchSettings().max_bytes > 1 << 20
