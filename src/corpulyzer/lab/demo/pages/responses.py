"""Responses that are no pages, and pages as servers send them: compressed, truncated, mistyped, revisited."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import replace

from corpulyzer.lab.demo.pages.desk import Desk, Sample, Truth, dropped
from corpulyzer.lab.demo.pages.html_parts import text
from corpulyzer.lab.demo.pages.layouts import ARTICLE_LAYOUTS

CHUNK = 1400

PDF = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
xref
0 4
0000000000 65535 f 
0000000009 00000 n 
0000000052 00000 n 
0000000101 00000 n 
trailer<</Size 4/Root 1 0 R>>
startxref
164
%%EOF
"""  # noqa: W291
GIF = bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b")
FILES = (
    ("image", "image/gif", GIF),
    ("pdf", "application/pdf", PDF),
    ("json", "application/json", b'{"page": 1, "items": []}'),
    ("script", "text/javascript", b"var page = 1;"),
    ("style", "text/css", b"p { margin: 0 }"),
)
# Status, the label that its page shows, and how many of them.
ANSWERS = (
    (404, "missing", 4),
    (301, "moved", 4),
    (302, "moved", 2),
    (500, "failed", 3),
    (403, "login", 1),
    (410, "missing", 1),
)
FAILURES = (
    ("failed", "connection refused"),
    ("failed", "timeout"),
    ("failed", "no such host"),
    ("robots", "disallowed"),
)


def errors_and_redirects(desk: Desk) -> Iterator[Sample]:
    """Answers that are not 200, with the short pages that servers send along."""
    for status, label, count in ANSWERS:
        message = text(desk.prose.labels[label])
        body = f"<html><head><title>{status}</title></head><body><h1>{message}</h1></body></html>".encode()
        for i in range(count):
            url = f"https://{desk.host('moved')}/{status}/{i + 1}"
            target = ("Location", f"https://{desk.host('readers')}/?p={i + 11}")
            truth = Truth(url, f"status_{status}", desk.target, "", keep=False, reason="http_error")
            yield Sample(truth, body, status, headers=(target,) if label == "moved" else ())


def other_types(desk: Desk) -> Iterator[Sample]:
    """Payloads that are not HTML: some named so, some not; plain text and XHTML count as text."""
    host = desk.host("files")
    for kind, mime, body in FILES:
        for i in range(2):
            truth = Truth(f"https://{host}/{kind}/{i + 1}", kind, "", "", keep=False, reason="mime")
            yield Sample(truth, body, content_type=mime)
    for i in range(2):
        xhtml = desk.page(f"https://{host}/xhtml/{i + 1}", "xhtml", ARTICLE_LAYOUTS[i])
        yield replace(xhtml, content_type="application/xhtml+xml; charset=utf-8")
    plain = desk.page(f"https://{host}/plain.txt", "plain_text")
    body = plain.truth.text.replace("\n", "\n\n").encode()
    yield replace(plain, body=body, content_type="text/plain; charset=utf-8")
    yield replace(desk.page(f"https://{host}/untyped", "untyped"), content_type="")


def packed(desk: Desk) -> Iterator[Sample]:
    """Bodies as received: compressed in every way that browsers accept, chunked, cut short."""
    host = desk.host("packed")
    for coding in ("gzip", "deflate", "br", "zstd"):
        for i in range(2):
            page = desk.page(f"https://{host}/{coding}/{i + 1}", f"content_{coding}", ARTICLE_LAYOUTS[i])
            headers: tuple[tuple[str, str], ...] = (("Content-Encoding", coding),)
            body = _packed(page.body, coding)
            if i:
                headers, body = (*headers, ("Transfer-Encoding", "chunked")), _chunked(body)
            yield replace(page, body=body, headers=headers)
    yield _cut(desk.page(f"https://{host}/cut", "truncated", paragraphs=12))


def revisits(desk: Desk) -> Iterator[Sample]:
    """Pages fetched again and found unchanged; the first of the two records has the text."""
    for i in range(4):
        page = desk.page(f"https://{desk.host('daily')}/{i + 1}", "revisited")
        yield page
        yield dropped(replace(page, record="revisit"), "revisit", page.truth.url)


def second_chances(desk: Desk) -> Iterator[Sample]:
    """The same page under URLs that differ in what does not matter, as links lead to them."""
    url = f"https://{desk.host('daily')}/story"
    article = desk.article(url)
    yield desk.page(url, "original", article=article)
    plain = url.removeprefix("https://")
    for other in (f"{url}?utm_source=feed", f"http://{plain}", f"https://www.{plain}"):
        yield dropped(desk.page(other, "other_url", article=article), "duplicate", url)


def failures(desk: Desk) -> Iterator[tuple[str, str, str]]:
    """Fetches without a response: URL, outcome and why."""
    for i, (outcome, why) in enumerate(FAILURES):
        yield f"https://{desk.prose.code}-{i + 1}.invalid/", outcome, why


def _cut(page: Sample) -> Sample:
    """A page of which the last paragraph was not received."""
    received = page.body[: page.body.rindex(b"<p>", 0, page.body.index(b"</article>"))]
    return replace(
        page,
        truth=replace(page.truth, text=page.truth.text.rpartition("\n")[0]),
        body=received,
        headers=(("Content-Length", str(len(page.body))),),
        record_headers={"WARC-Truncated": "length"},
    )


def _packed(body: bytes, coding: str) -> bytes:
    if coding == "gzip":
        return gzip.compress(body, mtime=0)
    if coding == "deflate":
        return zlib.compress(body)
    if coding == "br":
        import brotli

        return bytes(brotli.compress(body, quality=5))
    import zstandard

    return zstandard.compress(body)


def _chunked(body: bytes) -> bytes:
    parts = [body[i : i + CHUNK] for i in range(0, len(body), CHUNK)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (*parts, b""))
