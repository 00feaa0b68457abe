"""Records to be written: WARC 1.1, one gzip member each, the same bytes for the same arguments."""

from __future__ import annotations

import hashlib
import os
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

import regex
from isal import isal_zlib

# Ten times faster than zlib's default level, for an archive that is a seventh larger.
LEVEL = 2

HTTP_RESPONSE = "application/http; msgtype=response"
HTTP_REQUEST = "application/http; msgtype=request"
WARC_FIELDS = "application/warc-fields"
PROFILES = "http://netpreserve.org/warc/1.1/revisit"

_STATUS_LINE = regex.compile(rb"HTTP/([23])(?:\.0)?[ \t]+(\d{3})[ \t]*([^\r\n]*)")
_CONTROLS = regex.compile(r"[\x00-\x1f\x7f]+")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_PAIRS = tuple(first + second for first in _LETTERS for second in _LETTERS)
_SHIFTS = tuple(range(150, -1, -10))


@dataclass(frozen=True, slots=True)
class Draft:
    """A record about to be written; without a `record_id` it gets a random one, without a `date` now."""

    kind: str
    url: str
    block: bytes
    content_type: str
    date: datetime | None = None
    record_id: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    def packed(self) -> bytes:
        """The record as a gzip member."""
        date = (self.date or datetime.now(UTC)).astimezone(UTC)
        lines = {
            "WARC-Type": self.kind,
            "WARC-Record-ID": self.record_id or new_record_id(),
            "WARC-Date": date.isoformat()[: -len("+00:00")] + "Z",
            "WARC-Target-URI": self.url,
            "Content-Type": self.content_type,
            **self.headers,
            "WARC-Block-Digest": digest(self.block),
            "Content-Length": str(len(self.block)),
        }
        text = "".join([f"{name}: {_one_line(value)}\r\n" for name, value in lines.items() if value])
        head = f"WARC/1.1\r\n{text}\r\n".encode("utf-8", "replace")
        return bytes(isal_zlib.compress(b"".join((head, self.block, b"\r\n\r\n")), LEVEL, 31))


def response(
    url: str,
    head: bytes,
    body: bytes,
    *,
    date: datetime | None = None,
    record_id: str = "",
    headers: Mapping[str, str] | None = None,
) -> Draft:
    """A response as received. A head of HTTP/2 or 3 is written as one of 1.1, which all readers know."""
    head, protocol = _as_http_1(head)
    extra = {"WARC-Payload-Digest": digest(body), "WARC-Protocol": protocol, **(headers or {})}
    return Draft("response", url, head + body, HTTP_RESPONSE, date, record_id, extra)


def request(url: str, block: bytes, *, date: datetime | None = None, concurrent_to: str = "") -> Draft:
    """A request as sent, to be written with the response that it belongs to."""
    return Draft("request", url, block, HTTP_REQUEST, date, "", {"WARC-Concurrent-To": concurrent_to})


def revisit(
    url: str,
    head: bytes,
    original: Mapping[str, str],
    *,
    date: datetime | None = None,
    profile: str = "identical-payload-digest",
) -> Draft:
    """A response whose payload is stored already; the other profile is `server-not-modified`.

    `original` has the headers of that record: WARC-Payload-Digest, WARC-Refers-To, and its URI and date as
    WARC-Refers-To-Target-URI and WARC-Refers-To-Date.
    """
    head, protocol = _as_http_1(head)
    extra = {"WARC-Profile": f"{PROFILES}/{profile}", "WARC-Protocol": protocol, **original}
    return Draft("revisit", url, head, HTTP_RESPONSE, date, "", extra)


def failure(
    url: str,
    outcome: str,
    detail: str,
    *,
    date: datetime | None = None,
    fields: Mapping[str, str] | None = None,
) -> Draft:
    """A fetch without a response: `outcome` is `failed`, `robots` or `refused`, `detail` says why."""
    block = warc_fields({"outcome": outcome, "detail": detail, **(fields or {})})
    return Draft("metadata", url, block, WARC_FIELDS, date)


def resource(
    url: str,
    body: bytes,
    content_type: str,
    *,
    date: datetime | None = None,
    record_id: str = "",
    headers: Mapping[str, str] | None = None,
) -> Draft:
    """A file that no HTTP response brought."""
    return Draft("resource", url, body, content_type, date, record_id, headers or {})


def conversion(
    url: str,
    text: bytes,
    content_type: str = "text/plain; charset=utf-8",
    *,
    date: datetime | None = None,
    record_id: str = "",
    headers: Mapping[str, str] | None = None,
) -> Draft:
    """What someone made of a page: plain text, or what a browser shows."""
    return Draft("conversion", url, text, content_type, date, record_id, headers or {})


def warcinfo(
    filename: str, fields: Mapping[str, str], date: datetime | None = None, record_id: str = ""
) -> Draft:
    """The record that begins a file and says who wrote it."""
    standard = {"format": "WARC File Format 1.1", "conformsTo": "http://iipc.github.io/warc-specifications/"}
    block = warc_fields({**standard, **fields})
    return Draft("warcinfo", "", block, WARC_FIELDS, date, record_id, {"WARC-Filename": filename})


def new_record_id() -> str:
    """A new random record id."""
    # As `uuid.uuid4` makes them, in less than half the time: a crawl needs two for each page.
    drawn = os.urandom(16).hex()
    variant = "89ab"[int(drawn[16], 16) & 3]
    return f"<urn:uuid:{drawn[:8]}-{drawn[8:12]}-4{drawn[13:16]}-{variant}{drawn[17:20]}-{drawn[20:]}>"


def stable_record_id(source: str, position: int) -> str:
    """The record id of the thing at a position of a source, the same each time it is imported."""
    return f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'{source}#{position}')}>"


def warc_fields(fields: Mapping[str, str]) -> bytes:
    """Named values, a line each."""
    return "".join(f"{name}: {_one_line(value)}\r\n" for name, value in fields.items()).encode(
        "utf-8", "replace"
    )


def digest(payload: bytes) -> str:
    """The SHA-1 that web archives use to tell payloads apart, in base 32.

    >>> digest(b"")
    'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ'
    """
    number = int(hashlib.sha1(payload, usedforsecurity=False).hexdigest(), 16)
    return "sha1:" + "".join([_PAIRS[number >> shift & 1023] for shift in _SHIFTS])


def _one_line(value: str) -> str:
    """The value without line breaks, so that it cannot inject a header."""
    return (value if value.isprintable() else _CONTROLS.sub(" ", value)).strip()


def _as_http_1(head: bytes) -> tuple[bytes, str]:
    line = _STATUS_LINE.match(head)
    if line is None:
        return head, ""
    return b"HTTP/1.1 %s %s" % (line[2], line[3]) + head[line.end() :], f"h{line[1].decode()}"
