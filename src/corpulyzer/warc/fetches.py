"""From archive to record: the fetch that an entry stands for, and the page that it holds."""

from __future__ import annotations

import json
from operator import attrgetter

from corpulyzer.records import Fetch, Page, int64_hash
from corpulyzer.records.made import maker
from corpulyzer.url import canonical, site_of, url_id
from corpulyzer.warc.heads import mime_of
from corpulyzer.warc.index import Entry
from corpulyzer.warc.read import Record

FIELDS_HEADER = "WARC-Corpulyzer-Fields"
SOURCE_HEADER = "WARC-Corpulyzer-Source"

LINKS = "links"
"""The purpose of what holds the links of a page and nothing else of it."""

WITH_CONTENT = ("response", "resource", "conversion", "revisit")
# Archivers put notes of their own beside the pages: `dns:`, `metadata:`, `urn:pageinfo:`, `screenshot:`.
PAGE_SCHEMES = ("http:", "https:", "ftp:", "file:")

_OF_ENTRY = ("offset", "length", "record_id", "kind", "date", "status", "mime", "payload_bytes", "digest")
_OF_FACTS = ("purpose", "location", "took_ms", "retry_after")
_OWN = ("id", "url_id", "site", "round", "archive", "outcome", "truncated", "detail", *_OF_FACTS)
_same = attrgetter("uri", *_OF_ENTRY)
_made_fetch = maker(Fetch, *_OWN, "url", *_OF_ENTRY)
_made_page = maker(Page, "url", "body", "fetch", "headers", "status", "mime", "truncated", "labels")


def fetch_of(entry: Entry, archive: str, round: int, *, key: tuple[int, str] | None = None) -> Fetch | None:
    """The fetch that an entry records; None for records that are none (requests, warcinfo, DNS).

    The URL is kept as it was asked for; `url_id` and `site` are those of its canonical form, or `key` if
    the caller has them already.
    """
    outcome = _outcome(entry)
    if not outcome:
        return None
    number, site = key or _key(entry.uri)
    facts = entry.facts
    return _made_fetch(
        int64_hash(archive, str(entry.offset)),
        number,
        site,
        round,
        archive,
        outcome,
        bool(entry.truncated),
        _detail(entry),
        LINKS if _is_wat(entry) else facts.purpose,
        facts.location,
        facts.took_ms,
        facts.retry_after,
        *_same(entry),
    )


def _key(uri: str) -> tuple[int, str]:
    url = canonical(uri) or uri
    return url_id(url), site_of(url)


def _detail(entry: Entry) -> str:
    if entry.problem:
        return f"{entry.problem}: {entry.detail}" if entry.detail else entry.problem
    return entry.detail if entry.uri else "the record names no URI"


def page_of(fetch: Fetch, record: Record) -> Page:
    """The page that a record holds, with the fields that an import kept as labels `source.NAME`."""
    headers = dict(record.http_headers)
    headers.setdefault("content-type", _content_type(record))
    status, mime = record.status or 200, mime_of(headers["content-type"])
    labels = _labels(record.headers.get(FIELDS_HEADER.lower(), ""))
    return _made_page(fetch.url, record.body, fetch, headers, status, mime, record.truncated, labels)


def _outcome(entry: Entry) -> str:
    """`ok`, or why there is nothing to read; empty for what is no fetch at all."""
    if entry.problem and not entry.kind:
        return "damaged"
    if entry.kind == "metadata":
        return "ok" if _is_wat(entry) else entry.outcome
    if entry.kind not in WITH_CONTENT or not entry.uri.lower().startswith(PAGE_SCHEMES):
        return "damaged" if entry.kind in WITH_CONTENT and not entry.uri else ""
    if entry.kind == "revisit":
        return "revisit"
    if entry.status not in (0, 200):
        return "http_error"
    return "ok" if entry.payload_bytes else "empty"


def _is_wat(entry: Entry) -> bool:
    """Whether a record says in JSON what another one holds, as those of WAT files do."""
    is_page = entry.uri.lower().startswith(PAGE_SCHEMES)
    return entry.kind == "metadata" and entry.mime == "application/json" and is_page and not entry.outcome


def _content_type(record: Record) -> str:
    """The type of a payload that has no HTTP header to say it."""
    own = record.headers.get("content-type", "")
    if mime_of(own) != "application/http":
        return own
    return record.headers.get("warc-identified-payload-type", "")


def _labels(fields: str) -> dict[str, str]:
    if not fields:
        return {}
    try:
        kept = json.loads(fields)
    except ValueError:
        kept = fields
    if not isinstance(kept, dict):
        return {"source.fields": fields}
    return {
        f"source.{name}": value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in kept.items()
    }
