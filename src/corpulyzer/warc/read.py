"""One record read out of an archive, its body as a browser would see it, or byte for byte as it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from typing import Self

from corpulyzer.records import Fetch
from corpulyzer.warc.decode import decode_body
from corpulyzer.warc.forms import (
    LZ4_MAGIC,
    PLAIN_MAGIC,
    ZSTD_MAGIC,
    Form,
    Gzip,
    Lz4,
    Plain,
    Zstd,
    form_at,
    salvaged,
)
from corpulyzer.warc.heads import HEAD_LIMIT
from corpulyzer.warc.index import http_head_of
from corpulyzer.warc.scan import BrokenRecordError, Scan
from corpulyzer.warc.window import Input, Window, open_archive

MAX_BYTES = 10_000_000
SCANNED_BYTES = MAX_BYTES + HEAD_LIMIT
"""So much of a record is kept where it is read once and for all: what is longer is read anew, and cut."""
MAX_RAW_BYTES = 256 << 20
AT_ONCE = 1 << 18


@dataclass(frozen=True, slots=True)
class Record:
    """A record: WARC headers, HTTP status and headers (names in lower case), and the decoded body.

    `truncated` if the archive says so, `max_bytes` cut the body, or the record or its encoding ends early.
    """

    headers: Mapping[str, str]
    body: bytes
    status: int = 0
    http_headers: Mapping[str, str] = field(default_factory=dict)
    truncated: bool = False


def read(file: Input, offset: int, length: int, max_bytes: int = MAX_BYTES) -> Record:
    """The record at `offset`; BrokenRecordError if there is no whole one."""
    return _read_at(Window(file, offset, chunk=max(1, min(length, 1 << 20))), max_bytes)


def read_many(path: str, offsets: Iterator[int], max_bytes: int = MAX_BYTES) -> Iterator[Record]:
    """The records at ascending offsets of one archive, neighbours read together."""
    with open_archive(path) as file:
        window = Window(file)
        for offset in offsets:
            window.seek(offset)
            yield _read_at(window, max_bytes)


class ArchiveReader:
    """Reads the records of fetches; `archives` says where each archive is. Fastest in order of offset."""

    def __init__(self, archives: Mapping[str, str], max_bytes: int = MAX_BYTES) -> None:
        self._archives = archives
        self._max_bytes = max_bytes
        self._files = ExitStack()
        self._name = ""
        self._window: Window | None = None

    def read(self, fetch: Fetch) -> Record:
        """The record that a fetch stands for, or what is left of it.

        BrokenRecordError if that is nothing, or if the archive was replaced and another record stands there;
        UserError if the archive is gone.
        """
        window = self._at(fetch.archive)
        window.seek(fetch.offset)
        try:
            return _same(fetch, _read_at(window, self._max_bytes, fetch.length))
        except BrokenRecordError as broken:
            if part := _part_at(window, fetch.offset, fetch.length, self._max_bytes):
                with suppress(BrokenRecordError):
                    return _same(fetch, part)
            place = f"{self._archives[fetch.archive]} at {fetch.offset}"
            raise BrokenRecordError(
                broken.problem, f"{broken.detail or 'no whole record'} in {place}"
            ) from None

    def _at(self, archive: str) -> Window:
        if self._window is None or archive != self._name:
            self._files.close()
            path = self._archives.get(archive, archive)  # one that nobody knows any more is gone
            self._window = Window(self._files.enter_context(open_archive(path)))
            self._name = archive
        return self._window

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._files.close()


def check_identity(headers: Mapping[str, str], record_id: str) -> None:
    """BrokenRecordError if a record is not the one that was indexed: its archive was replaced since."""
    found = headers.get("warc-record-id", record_id)
    if record_id and found != record_id:
        raise BrokenRecordError("replaced", f"{found[:100]} instead of {record_id[:100]}")


def _same(fetch: Fetch, record: Record) -> Record:
    check_identity(record.headers, fetch.record_id)
    return record


def _read_at(window: Window, max_bytes: int, length: int = 0) -> Record:
    """Reads no further than the cap asks for: what lies behind it is left packed. `length` is a hint."""
    scan = Scan(keep=max_bytes + HEAD_LIMIT)
    for piece in _form_here(window, length).pieces(window):
        scan.feed(piece)
        if scan.size > scan.keep:
            break
    else:
        scan.check()
    return _record_of(scan, max_bytes)


def _part_at(window: Window, offset: int, length: int, max_bytes: int) -> Record | None:
    """What is left of a record that breaks off within its `length`; None if that is nothing."""
    window.seek(offset)
    if not length or not window.peek(1):
        return None
    part = salvaged(_form_here(window, length), window, offset, length, max_bytes + HEAD_LIMIT)
    return replace(_record_of(part, max_bytes), truncated=True) if part else None


def scanned_record(scan: Scan) -> Record | None:
    """The record that was scanned whole, as `ArchiveReader` reads it; None if too little of it was kept."""
    return _record_of(scan, MAX_BYTES) if scan.size <= min(scan.keep, SCANNED_BYTES) else None


def _record_of(scan: Scan, max_bytes: int) -> Record:
    headers = scan.headers
    content_type = headers.get("content-type", "")
    kind = headers.get("warc-type", "").lower()
    head = scan.http_head or http_head_of(kind, content_type, scan.block_head)
    body = scan.block(head.size)
    if kind in ("response", "revisit"):
        body, whole = decode_body(body, head.fields, max_bytes)
    else:
        body, whole = body[:max_bytes], len(body) <= max_bytes
    return Record(
        headers=headers,
        body=body,
        status=head.status,
        http_headers=head.fields,
        truncated=not whole or len(scan.start) < scan.end or "warc-truncated" in headers,
    )


def _form_here(window: Window, length: int) -> Form:
    """The form of the record at the window, told by its first bytes."""
    magic = bytes(window.peek(5))
    if magic == PLAIN_MAGIC:
        return Plain()
    if not magic:
        raise BrokenRecordError("truncated", "the file has become shorter")
    if magic.startswith(ZSTD_MAGIC):
        return Zstd(window)
    if magic.startswith(LZ4_MAGIC):
        return Lz4()
    return Gzip(step=length) if 0 < length <= AT_ONCE else Gzip()  # bytes beyond the record would be copied


@dataclass(frozen=True, slots=True)
class RawRecord:
    """The headers (names in lower case) and the block, HTTP head and content encoding included."""

    headers: Mapping[str, str]
    block: bytes


def raw_record(path: str, offset: int, max_bytes: int = MAX_RAW_BYTES) -> RawRecord:
    """The record at an offset; BrokenRecordError if it is not whole, or larger than `max_bytes`."""
    with open_archive(path) as file:
        window = Window(file)
        form = form_at(window, path)
        window.seek(offset)
        scan = Scan(keep=max_bytes)
        for piece in form.pieces(window):
            scan.feed(piece)
        scan.check()
        return RawRecord(dict(scan.headers), scan.block())
