"""Every attempt becomes a record of the archive, and the row that stands for it in the table of fetches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

import regex

from corpulyzer.records import EPOCH, RENDERED, UNSAID, Fetch
from corpulyzer.url import canonical, site_of, spelled, url_id
from corpulyzer.warc.compose import (
    Draft,
    conversion,
    digest,
    failure,
    new_record_id,
    request,
    response,
    revisit,
)
from corpulyzer.warc.decode import decode_body
from corpulyzer.warc.facts import MAX_TOOK_MS, Facts
from corpulyzer.warc.fetches import fetch_of
from corpulyzer.warc.heads import HttpHead, http_head, mime_of
from corpulyzer.warc.index import DETAIL_HEADER, Entry
from corpulyzer.warc.names import archive_name
from corpulyzer.warc.write import Written
from corpulyzer.web.fetch.http.exchange import Exchange
from corpulyzer.web.fetch.mime import SNIFFED_BYTES, identified
from corpulyzer.web.fetch.politeness import retry_after

MAX_DETAIL = 500
HTML_TYPE = "text/html; charset=utf-8"
REDIRECTS = (301, 302, 303, 307, 308)


class Archive(Protocol):
    """Where records go; when `write` returns, they survive a kill."""

    def write(self, *drafts: Draft) -> list[Written]: ...


class NotedArchive(Archive, Protocol):
    """An archive that is told the row of everything that was written to it."""

    def note(self, fetch: Fetch) -> None: ...


@dataclass(frozen=True, slots=True)
class Previous:
    """An earlier response of the same URL, for conditional requests and for revisit records."""

    record_id: str = ""
    date: datetime = EPOCH
    digest: str = ""
    etag: str = ""
    last_modified: str = ""

    @property
    def conditions(self) -> tuple[str, ...]:
        """The headers that ask for the page only if it has changed, without values that cannot be sent."""
        headers = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return tuple(f"{name}: {value}" for name, value in headers.items() if value and _is_sendable(value))


@dataclass(frozen=True, slots=True)
class Request:
    """A canonical URL to be fetched, with its key and its site, and how it was when last seen.

    `chain` are the URLs whose redirects led to it, as they were sent, the first asked for first. `spelling`
    is how it is sent, empty where that is the canonical form. `page` is the page whose scripts ask for it.
    `purpose` is `robots` for a robots.txt to which that of a site of another fetcher leads.
    """

    url: str
    id: int
    site: str
    previous: Previous | None = None
    chain: tuple[str, ...] = ()
    spelling: str = ""
    page: str = ""
    purpose: str = "page"

    @staticmethod
    def of(
        sent: str, previous: Previous | None = None, *, chain: tuple[str, ...] = (), page: str = ""
    ) -> Request:
        """The request for a URL that is to be sent as it is spelled."""
        url = canonical(sent) or sent
        return Request(url, url_id(url), site_of(url), previous, chain, "" if sent == url else sent, page)

    @property
    def sent(self) -> str:
        """The URL as the server sees it."""
        return self.spelling or self.url


@dataclass(frozen=True, slots=True)
class Result:
    """An attempt as it was recorded: `fetch` is its row, the rest saves reading the record.

    `body` is as received. `mime` is told by header and content.
    """

    fetch: Fetch
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    mime: str = ""

    def decoded(self, max_bytes: int) -> bytes:
        """The body without transfer and content encodings, at most `max_bytes` of it."""
        return decode_body(self.body, self.headers, max_bytes)[0]


@dataclass(frozen=True, slots=True)
class Log:
    """Writes attempts of one round to an archive."""

    archive: Archive
    round: int

    def refusal(self, url: str, outcome: str, detail: str, date: datetime, purpose: str = "page") -> Result:
        """Record that a URL was not asked for, and why."""
        return self._without_response(url, outcome, detail, date, Facts(purpose))

    def exchange(self, asked: Request, exchange: Exchange, purpose: str = "page") -> Result:
        """Record what came of a request: a response, a revisit, or a failure."""
        if exchange.outcome:
            facts = _facts(purpose, exchange, HttpHead(), asked.page)
            return self._without_response(
                exchange.url, exchange.outcome, exchange.detail, exchange.date, facts
            )
        head = http_head(exchange.head + exchange.body[:1])
        start = decode_body(exchange.body, head.fields, SNIFFED_BYTES)[0]
        mime = identified(head.fields.get("content-type", ""), start)
        facts = _facts(purpose, exchange, head, asked.page)
        draft = _draft(asked.previous, exchange, mime, facts)
        sent = request(exchange.url, exchange.request, date=exchange.date, concurrent_to=draft.record_id)
        place = self.archive.write(draft, sent)[0]
        # A head of HTTP/2 is written as one of 1.1, and has to be read again.
        stored = head if draft.block.startswith(exchange.head) else http_head(draft.block)
        fetch = self._fetch(draft, place, stored, facts, key=(asked.id, asked.site))
        return Result(fetch, head.fields, exchange.body, mime)

    def rendered(
        self, page: Fetch, html: bytes, date: datetime, *, took_ms: int, detail: str, truncated: str = ""
    ) -> Result:
        """Record a page as a browser made it; the record refers to that of the page as received."""
        facts = Facts(RENDERED, took_ms=min(took_ms, MAX_TOOK_MS))
        headers = {
            "WARC-Refers-To": page.record_id,
            "WARC-Truncated": truncated,
            DETAIL_HEADER: detail,
            **facts.headers,
        }
        draft = conversion(page.url, html, HTML_TYPE, date=date, record_id=new_record_id(), headers=headers)
        (place,) = self.archive.write(draft)
        fetch = self._fetch(draft, place, HttpHead(), facts, detail=detail, key=(page.url_id, page.site))
        return Result(fetch, mime="text/html")

    def _without_response(self, url: str, outcome: str, detail: str, date: datetime, facts: Facts) -> Result:
        """Record an attempt that brought nothing, and why."""
        detail = " ".join(detail.split())[:MAX_DETAIL]
        draft = replace(
            failure(url, outcome, detail, date=date), record_id=new_record_id(), headers=facts.headers
        )
        (place,) = self.archive.write(draft)
        return Result(self._fetch(draft, place, HttpHead(), facts, outcome=outcome, detail=detail))

    def _fetch(
        self,
        draft: Draft,
        place: Written,
        head: HttpHead,
        facts: Facts,
        *,
        outcome: str = "",
        detail: str = "",
        key: tuple[int, str] | None = None,
    ) -> Fetch:
        """The row that an index of the archive gives for the record."""
        declared = head.fields.get("content-type", "") if head.size else draft.content_type
        entry = Entry(
            offset=place.offset,
            length=place.length,
            kind=draft.kind,
            uri=draft.url,
            date=draft.date or EPOCH,
            record_id=draft.record_id,
            digest=draft.headers.get("WARC-Payload-Digest", "" if head.size else digest(draft.block)),
            truncated=draft.headers.get("WARC-Truncated", ""),
            mime=mime_of(declared or draft.headers.get("WARC-Identified-Payload-Type", "")),
            status=head.status,
            payload_bytes=len(draft.block) - head.size,
            outcome=outcome,
            detail=detail,
            facts=facts,
        )
        fetch = fetch_of(entry, archive_name(place.archive), self.round, key=key)
        if fetch is None:
            raise AssertionError(f"a {draft.kind} record of {draft.url} is no fetch")
        return fetch


def _is_sendable(value: str) -> bool:
    return value.isascii() and value.isprintable()


def _draft(previous: Previous | None, exchange: Exchange, mime: str, facts: Facts) -> Draft:
    common = {"WARC-IP-Address": exchange.ip, **facts.headers}
    not_modified = previous is not None and exchange.status == 304
    if previous is not None and (not_modified or _is_same(previous, exchange)):
        profile = "server-not-modified" if not_modified else "identical-payload-digest"
        original = {
            "WARC-Refers-To": previous.record_id,
            "WARC-Refers-To-Target-URI": exchange.url,
            "WARC-Refers-To-Date": previous.date.replace(tzinfo=None).isoformat() + "Z",
            "WARC-Payload-Digest": previous.digest,
        }
        draft = revisit(exchange.url, exchange.head, original | common, date=exchange.date, profile=profile)
        return replace(draft, record_id=new_record_id())
    headers = {**common, "WARC-Identified-Payload-Type": mime, "WARC-Truncated": exchange.truncated}
    return response(
        exchange.url,
        exchange.head,
        exchange.body,
        date=exchange.date,
        record_id=new_record_id(),
        headers=headers,
    )


def _is_same(previous: Previous, exchange: Exchange) -> bool:
    """Whether the payload is the stored one, byte for byte."""
    whole = exchange.status == 200 and bool(exchange.body) and not exchange.truncated
    return whole and bool(previous.digest) and digest(exchange.body) == previous.digest


def _facts(purpose: str, exchange: Exchange, head: HttpHead, page: str) -> Facts:
    ended = exchange.begun + exchange.seconds
    wait = retry_after(head.fields.get("retry-after", ""), ended)
    return Facts(
        purpose=purpose,
        location=_location(exchange.url, head),
        took_ms=min(max(0, exchange.milliseconds), MAX_TOOK_MS),
        retry_after=UNSAID if wait is None else wait,
        page=page,
    )


def _location(url: str, head: HttpHead) -> str:
    """Where a redirect leads, as it spells it; as it stands if that is no address on the web."""
    target = head.fields.get("location", "") if head.status in REDIRECTS else ""
    if not target:
        return ""
    return spelled(target, url) or regex.sub(r"\P{Print}+", " ", target[:MAX_DETAIL]).strip()
