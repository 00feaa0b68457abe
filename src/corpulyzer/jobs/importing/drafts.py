"""Rows and pages as records to be written.

What has no address gets one that cannot be mistaken for a real site: a host under `.invalid` (RFC 2606),
named after its source, and the page's path in the folder or its row number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import quote

import regex

from corpulyzer.records import EPOCH
from corpulyzer.url import canonical, join
from corpulyzer.warc.compose import Draft, conversion, resource, stable_record_id
from corpulyzer.warc.fetches import FIELDS_HEADER, SOURCE_HEADER
from corpulyzer.warc.heads import date_of
from corpulyzer.warc.stream import Streamed

DATE_FIELDS = ("date", "timestamp", "crawl_date", "warc_date")
MAX_VALUE_BYTES = 2_000
MAX_FIELDS_BYTES = 8_000
OMITTED = "omitted_fields"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
EPUB = "application/epub+zip"

# What is written anew with the block, and what would name a record that is not there.
_OF_THE_BLOCK = ("content-length", "warc-block-digest", "warc-truncated", "warc-warcinfo-id", "warc-filename")
_SAVED = regex.compile(rb"<!--\s*saved from url=\(\d+\)(\S+)", regex.I)
_MIRRORED = regex.compile(rb"<!--\s*Mirrored from (\S+) by HTTrack", regex.I)
_HEAD_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Origin:
    """Where rows or pages come from: the file, the host of made-up addresses, the date where none is told."""

    path: str
    host: str
    date: datetime


def made_up_url(host: str, place: str) -> str:
    """An address for what has none.

    >>> made_up_url("pages-0123456789", "a b/ć.html")
    'https://pages-0123456789.invalid/a%20b/%C4%87.html'
    """
    return f"https://{host}.invalid/{quote(place)}"


def draft_of_row(values: Mapping[str, Any], number: int, origin: Origin) -> Draft | str:
    """The record of a row with `html` or `text`; or in words why there is none."""
    html, text = _content(values.get("html")), _content(values.get("text"))
    if not html and not text:
        return f"neither text nor html (fields: {', '.join(map(str, values)) or 'none'})"
    rest = {name: value for name, value in values.items() if name not in ("html", "text")}
    url = _address(rest.get("url"))
    if url:
        del rest["url"]
    when = _date(rest)
    headers = {SOURCE_HEADER: f"{origin.path}#{number}", FIELDS_HEADER: fields_header(rest)}
    address = url or made_up_url(origin.host, str(number))
    identity = stable_record_id(origin.path, number)
    if html:
        kind = "text/html; charset=utf-8" if isinstance(values["html"], str) else "text/html"
        return resource(address, html, kind, date=when or origin.date, record_id=identity, headers=headers)
    return conversion(address, text, date=when or origin.date, record_id=identity, headers=headers)


def draft_of_page(body: bytes, relative: str, origin: Origin, *, truncated: bool = False) -> Draft:
    """The record of a file that holds one page: HTML, plain text by its name, or a PDF, DOCX or EPUB file."""
    kind = _content_type(body, relative.lower().removesuffix(".gz"))
    url = told_url(body, relative) if kind == "text/html" else ""
    headers = {SOURCE_HEADER: origin.path, "WARC-Truncated": "length" if truncated else ""}
    return resource(
        url or made_up_url(origin.host, relative),
        body,
        kind,
        date=origin.date,
        record_id=stable_record_id(origin.path, 0),
        headers=headers,
    )


def draft_of_record(record: Streamed, number: int, path: str) -> Draft | None:
    """The same record for an archive of ours; None for what tells only of the file that it stood in."""
    told = dict(record.headers)
    kind = told.pop("warc-type", "").lower()
    url = told.pop("warc-target-uri", "").strip("<>")
    if not url or kind == "warcinfo":
        return None
    date = date_of(told.pop("warc-date", ""))
    identity = told.pop("warc-record-id", "") or stable_record_id(path, number)
    content_type = told.pop("content-type", "")
    more = {name: value for name, value in told.items() if name not in _OF_THE_BLOCK}
    headers = {**more, SOURCE_HEADER: f"{path}#{number}", "WARC-Truncated": record.truncated}
    return Draft(kind, url, record.block, content_type, date, identity, headers)


def with_made_up_url(draft: Draft, relative: str, origin: Origin) -> Draft:
    """The page under a made-up address, where another page has the one that it declares; that is kept too."""
    headers = {**draft.headers, FIELDS_HEADER: fields_header({"told_url": draft.url})}
    return replace(draft, url=made_up_url(origin.host, relative), headers=headers)


def told_url(body: bytes, relative: str) -> str:
    """The address that a saved page tells of itself; empty if it tells none.

    First what the browser or mirror that saved it wrote down, then its canonical link, `og:url`, and last
    its base, with the name of the file.
    """
    from selectolax.lexbor import LexborHTMLParser

    start = body[:_HEAD_BYTES]
    saved, mirrored = _SAVED.search(start), _MIRRORED.search(start)
    told = [saved[1].decode("utf-8", "replace")] if saved else []
    told += [f"http://{mirrored[1].decode('utf-8', 'replace')}"] if mirrored else []
    tree = LexborHTMLParser(start)
    for selector, attribute in (("link[rel~=canonical i]", "href"), ("meta[property='og:url' i]", "content")):
        node = tree.css_first(selector)
        told.append((node.attributes.get(attribute) if node else "") or "")
    base = tree.css_first("base[href]")
    if base:
        name = quote(relative.rpartition("/")[2])
        told.append(str(join(base.attributes.get("href") or "", name) or ""))
    return next(filter(None, map(_address, told)), "")


def fields_header(fields: Mapping[str, Any]) -> str:
    """The other fields of a row as one line of JSON; those too large for a header are named in it."""
    kept: dict[str, Any] = {}
    omitted: list[str] = []
    room = MAX_FIELDS_BYTES
    for name, value in fields.items():
        size = len(name) + len(
            (text := json.dumps(value, default=str, ensure_ascii=False)).encode("utf-8", "replace")
        )
        if value is None:
            continue
        if size > MAX_VALUE_BYTES or size > room:
            omitted.append(name[:100])
            continue
        room -= size
        kept[name] = json.loads(text)
    if omitted:
        kept[OMITTED] = omitted[:50]
    return json.dumps(kept, separators=(",", ":"), ensure_ascii=False) if kept else ""


def _content(value: Any) -> bytes:
    if isinstance(value, str):
        return value.encode("utf-8", "replace") if value.strip() else b""
    return value if isinstance(value, bytes) and value.strip() else b""


def _address(value: Any) -> str:
    """A web address as it stands, or nothing."""
    return value.strip() if isinstance(value, str) and canonical(value.strip()) else ""


def _date(fields: dict[str, Any]) -> datetime | None:
    """The date that a row tells, taken out of its fields; None if it tells none that can be read."""
    for name in DATE_FIELDS:
        when = _instant(fields.get(name))
        if when is not None:
            del fields[name]
            return when
    return None


def _instant(value: Any) -> datetime | None:
    if isinstance(value, datetime):
        return value.replace(tzinfo=value.tzinfo or UTC)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    if isinstance(value, str):
        when = date_of(value.strip())
        return when if when != EPOCH else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        seconds = value / 1000 if value > 1e11 else value
        return datetime.fromtimestamp(seconds, UTC) if 0 < seconds < 1e11 else None
    return None


def _content_type(body: bytes, name: str) -> str:
    if body.startswith(b"%PDF-"):
        return "application/pdf"
    if body.startswith(b"PK\x03\x04"):
        from corpulyzer.page.extract.decode import is_epub  # with all of extraction: .05 s

        return EPUB if name.endswith(".epub") or is_epub(body) else DOCX
    if name.endswith((".txt", ".text")):
        return "text/plain; charset=utf-8" if _is_utf8(body) else "text/plain"
    return "text/html"


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
