"""A small web archive of our own text, in which the truth of every record is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path

from corpulyzer.lab.demo.pages import bad, good, responses
from corpulyzer.lab.demo.pages.desk import HOSTS, Desk, Sample, Truth
from corpulyzer.warc import compose

START = datetime(2026, 1, 5, 6, 0, tzinfo=UTC)
INTERVAL = timedelta(seconds=7)
# One in this many responses is written together with its request.
REQUEST_EVERY = 8

KINDS: tuple[Callable[[Desk], Iterator[Sample]], ...] = (
    good.rich,
    good.repeated_notice,
    good.other_languages,
    good.mixed_sites,
    good.mixed_paragraphs,
    good.licensed,
    good.encodings,
    bad.short,
    bad.duplicates,
    bad.machine_translated,
    bad.broken_text,
    bad.empty,
    bad.hard_to_read,
    responses.errors_and_redirects,
    responses.other_types,
    responses.packed,
    responses.revisits,
    responses.second_chances,
)


def samples(target: str = "urd", seed: int = 0) -> Iterator[Sample]:
    """Every response of the small web, the same for the same target and seed."""
    desk = Desk(target, seed)
    for kind in KINDS:
        yield from kind(desk)


def write_archive(path: str | Path, seed: int = 0, target: str = "urd") -> list[Truth]:
    """Write the small web as a WARC at `path`, and return the truth of each response in its order.

    Requests, failed fetches, a DNS answer and the warcinfo record are in the archive, but have no truth.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    truths = []
    with open(path, "wb") as file:
        for draft in _opening(path.name, Desk(target, seed)):
            file.write(draft.packed())
        for position, sample in enumerate(samples(target, seed)):
            for draft in _drafts(sample, position, path.name):
                file.write(draft.packed())
            truths.append(sample.truth)
    return truths


def _opening(name: str, desk: Desk) -> Iterator[compose.Draft]:
    """What an archive has besides pages."""
    ids = iter(compose.stable_record_id(name, -number) for number in range(1, 99))
    yield compose.warcinfo(name, {"software": "corpulyzer demo"}, START, next(ids))
    host = HOSTS[desk.target][0]
    answer = f"20260105060000\n{host}.\t300\tIN\tA\t192.0.2.1\n".encode()
    yield compose.Draft("response", f"dns:{host}", answer, "text/dns", START, next(ids))
    for url, outcome, why in responses.failures(desk):
        block = compose.warc_fields({"outcome": outcome, "detail": why})
        yield compose.Draft("metadata", url, block, compose.WARC_FIELDS, START, next(ids))


def _drafts(sample: Sample, position: int, name: str) -> Iterator[compose.Draft]:
    url, date = sample.truth.url, START + INTERVAL * position
    record_id = compose.stable_record_id(name, position)
    extra = {"WARC-IP-Address": "192.0.2.1", **sample.record_headers}
    if sample.record == "revisit":
        profile = f"{compose.PROFILES}/identical-payload-digest"
        original = {
            "WARC-Profile": profile,
            "WARC-Payload-Digest": compose.digest(sample.body),
            "WARC-Refers-To": compose.stable_record_id(name, position - 1),
            "WARC-Refers-To-Target-URI": url,
        }
        yield compose.Draft("revisit", url, _head(sample), compose.HTTP_RESPONSE, date, record_id, original)
        return
    yield compose.response(url, _head(sample), sample.body, date=date, record_id=record_id, headers=extra)
    if position % REQUEST_EVERY == 0:
        block = f"GET {url} HTTP/1.1\r\nHost: {url.split('/')[2]}\r\n\r\n".encode()
        linked = {"WARC-Concurrent-To": record_id}
        request_id = compose.stable_record_id(f"{name}/request", position)
        yield compose.Draft("request", url, block, compose.HTTP_REQUEST, date, request_id, linked)


def _head(sample: Sample) -> bytes:
    named = (("Content-Type", sample.content_type),) if sample.content_type else ()
    told = any(name in ("Transfer-Encoding", "Content-Length") for name, _ in sample.headers)
    length = () if told else (("Content-Length", str(len(sample.body))),)
    lines = [f"{name}: {value}\r\n" for name, value in (*named, *sample.headers, *length)]
    return f"HTTP/1.1 {sample.status} {HTTPStatus(sample.status).phrase}\r\n{''.join(lines)}\r\n".encode()
