"""The heads of WARC records and of HTTP messages, read however they were written."""

from __future__ import annotations

import typing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache

import regex

from corpulyzer.native import compiled
from corpulyzer.records import EPOCH

HEAD_LIMIT = 1 << 18
"""A head that has not ended after so many bytes is no head; browsers give up at the same 256 KiB."""

_HEADER_LINE = regex.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+[ \t]*:")
_STATUS = regex.compile(r"HTTP/[\d.]+[ \t]+(\d{3})(?!\d)", regex.IGNORECASE)
_SHORT_LINE = 64
_COMPACT_DATE = regex.compile(r"(\d{4})-?(\d\d)?-?(\d\d)?T?(\d\d)?:?(\d\d)?:?(\d\d)?")


@dataclass(frozen=True, slots=True)
class HttpHead:
    """The head of an HTTP message: `size` bytes of the block, 0 where the block has none."""

    size: int = 0
    status: int = 0
    fields: dict[str, str] = field(default_factory=dict)


NO_HEAD = HttpHead()


def fields_of(lines: bytes) -> dict[str, str]:
    """Header lines as lower-case name → value: folded lines unfolded, repeated names joined by commas.

    >>> fields_of(b"Vary: a\\r\\nX-Long: b\\r\\n c\\r\\nvary: d\\r\\n")
    {'vary': 'a, d', 'x-long': 'b c'}
    """
    if compiled is not None and (known := compiled.fields(lines)) is not None:
        return typing.cast("dict[str, str]", known)
    found: dict[str, str] = {}
    name = ""
    for line in _text(lines).split("\n"):
        if line[:1] in (" ", "\t"):
            if name:
                found[name] += " " + line.strip()
            continue
        name, colon, value = line.partition(":")
        name = name.strip().lower() if colon else ""
        if name:
            found[name] = f"{found[name]}, {value.strip()}" if name in found else value.strip()
    return found


def end_of_head(block: bytes, start: int = 0, limit: int = HEAD_LIMIT) -> int:
    """Where the body begins: behind the first empty line, with CR LF or LF alone; -1 if there is none."""
    stop = start + limit
    crlf = block.find(b"\n\r\n", start, stop)
    bare = block.find(b"\n\n", start, crlf + 1 if crlf >= 0 else stop)
    if bare >= 0:
        return bare + 2
    return crlf + 3 if crlf >= 0 else -1


def http_head(block: bytes) -> HttpHead:
    """The HTTP head of a block, as much of it as there is; a block that has none is all body."""
    if block[:5].upper() != b"HTTP/":
        return _head_without_status(block)
    size = _size_of_head(block)
    line, _, lines = block[:size].partition(b"\n")
    return HttpHead(size, _status_of(_text(line).strip()), fields_of(lines))


def mime_of(content_type: str) -> str:
    """The media type alone, in lower case.

    >>> mime_of("Text/HTML; charset=utf-8")
    'text/html'
    """
    return content_type.partition(";")[0].partition(",")[0].strip().lower()


def date_of(value: str) -> datetime:
    """The instant that a WARC-Date names, of any precision; the epoch where it names none."""
    try:
        date = datetime.fromisoformat(value)
    except ValueError:
        date = _incomplete_date(value)
    if date.tzinfo is None:
        return date.replace(tzinfo=UTC)
    try:
        return date.astimezone(UTC)
    except OverflowError:
        return EPOCH


def _status_of(line: str) -> int:
    return _known_status(line) if len(line) <= _SHORT_LINE else _status(line)


def _status(line: str) -> int:
    status = _STATUS.match(line)
    return int(status[1]) if status else 0


_known_status = lru_cache(maxsize=64)(_status)  # nearly all pages have one of a few


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _size_of_head(block: bytes) -> int:
    """The head's size, also where the empty line behind it is missing and the page begins at once."""
    size = end_of_head(block)
    stop = size if size >= 0 else min(len(block), HEAD_LIMIT)
    markup = block.find(b"\n<", 0, stop)
    if markup >= 0:
        return markup + 1
    if size >= 0:
        return size
    at = block.find(b"\n") + 1
    while 0 < at < stop and _HEADER_LINE.match(block, at):
        at = block.find(b"\n", at) + 1
    return at or len(block)


def _head_without_status(block: bytes) -> HttpHead:
    """Header lines that lost their status line; they must name a content type, or they are text."""
    size = end_of_head(block) if _HEADER_LINE.match(block) else -1
    if size < 0 or not all(_HEADER_LINE.match(line) for line in block[:size].split(b"\n") if line.strip()):
        return HttpHead()
    fields = fields_of(block[:size])
    return HttpHead(size, 0, fields) if "content-type" in fields else HttpHead()


def _incomplete_date(value: str) -> datetime:
    """`2024`, `2024-05` and the fourteen digits of older archives."""
    parts = _COMPACT_DATE.match(value)
    if parts is None:
        return EPOCH
    year, month, day, hour, minute, second = (int(part or 0) for part in parts.groups())
    try:
        return datetime(year, month or 1, day or 1, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return EPOCH
