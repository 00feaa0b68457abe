"""Every record of an archive, found in one pass that verifies checksums and lengths.

What is damaged is an entry too, with the name of its problem; the pass goes on at the next record start.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from corpulyzer.errors import UserError
from corpulyzer.records import EPOCH
from corpulyzer.records.made import maker
from corpulyzer.warc.facts import NO_FACTS, Facts, facts_of
from corpulyzer.warc.forms import PLAIN_MAGIC, Form, form_at, resume, salvaged
from corpulyzer.warc.heads import HEAD_LIMIT, NO_HEAD, HttpHead, date_of, fields_of, http_head, mime_of
from corpulyzer.warc.scan import BrokenRecordError, Scan
from corpulyzer.warc.stream import ARC_START
from corpulyzer.warc.window import Input, Window, open_archive

DETAIL_HEADER = "WARC-Corpulyzer-Detail"
"""The header in which a fetcher notes what happened, in words for people."""

WITH_PAYLOAD = ("response", "resource", "conversion", "revisit")


class WholeFileError(UserError):
    """The records of an archive are compressed together, and can only be read one after the other."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A record's place in its file (of the packed bytes) and what its heads say.

    `mime` and `payload_bytes` are those of the payload as stored: for a response, behind the HTTP head.
    `outcome` and `detail` come from the metadata record of a failed fetch. An entry with a `problem` is
    no whole record. One without a `kind` is damaged bytes that were skipped; one with a `kind` is a record
    that breaks off, of which the part before the break can be read.
    """

    offset: int
    length: int
    kind: str = ""
    uri: str = ""
    date: datetime = EPOCH
    record_id: str = ""
    digest: str = ""
    truncated: str = ""
    mime: str = ""
    status: int = 0
    payload_bytes: int = 0
    outcome: str = ""
    detail: str = ""
    facts: Facts = NO_FACTS
    problem: str = ""


_made_entry = maker(Entry, *(name for name in Entry.__slots__ if name != "problem"))


def index(path: str) -> Iterator[Entry]:
    """The entries of the archive at a path or URI, in file order; UserError if it is none we can read."""
    with open_archive(path) as file:
        yield from index_file(file, path)


def index_file(file: Input, name: str) -> Iterator[Entry]:
    """The entries of an open archive; `name` is for messages, and tells the form if the start is damaged."""
    return (entry for entry, _ in scanned_file(file, name))


def scanned_file(
    file: Input, name: str, start: int = 0, keep: int = HEAD_LIMIT
) -> Iterator[tuple[Entry, Scan | None]]:
    """The entries from an offset on at which one begins, each with its record as far as `keep` bytes of it.

    What is no whole record has none. Behind the first record the file is taken for an archive.
    """
    window = Window(file)
    if not window.peek(1):
        raise UserError(f"{name} is empty.", "Remove it, or fetch it again.")
    form = form_at(window, name)
    window.seek(start)
    is_archive = start > 0
    while window.peek(1):
        scan = Scan(keep)
        entry, is_whole = _entry_at(form, window, scan)
        if entry.problem == "several_records" and not is_archive:
            raise _not_per_record(name)
        is_archive = is_archive or scan.start.startswith(PLAIN_MAGIC)
        if not is_archive and not window.peek(1):
            raise _not_warc(name, scan.start)
        if entry.kind or entry.problem:
            yield entry, scan if is_whole else None


def _entry_at(form: Form, window: Window, scan: Scan) -> tuple[Entry, bool]:
    """The entry of the next record, or of the damage up to the record after it, and whether it is whole.

    The window stands behind.
    """
    offset = window.at
    try:
        for piece in form.pieces(window):
            scan.feed(piece)
    except BrokenRecordError as broken:
        resume(form, window, offset + 1)
        return _broken_entry(form, window, offset, broken), False
    length = window.at - offset
    if not scan.size:
        return Entry(offset, length), False
    try:
        scan.check()
    except BrokenRecordError as broken:
        return _broken_entry(form, window, offset, broken), False
    return entry_of(scan, offset, length), True


def _broken_entry(form: Form, window: Window, offset: int, broken: BrokenRecordError) -> Entry:
    """The entry of the damage from `offset` up to the window, and of the part of a record that it left."""
    length = window.at - offset
    damage = Entry(offset, length, problem=broken.problem, detail=broken.detail)
    part = salvaged(form, window, offset, length, HEAD_LIMIT)
    if part is None:
        return damage
    entry = entry_of(part, offset, length)
    if entry.kind not in WITH_PAYLOAD or not entry.payload_bytes or not entry.uri:
        return damage
    return replace(
        entry, problem=broken.problem, detail=broken.detail, truncated=entry.truncated or broken.problem
    )


def entry_of(scan: Scan, offset: int, length: int) -> Entry:
    """The entry of a record that was scanned whole."""
    headers = scan.headers
    kind = headers.get("warc-type", "unknown").lower()
    block_bytes = scan.end - scan.block_at
    content_type = headers.get("content-type", "")
    head, fields = NO_HEAD, {}
    if kind in WITH_PAYLOAD:
        head = scan.http_head = http_head_of(kind, content_type, scan.block_head)
    elif kind == "metadata" and mime_of(content_type) == "application/warc-fields":
        fields = fields_of(scan.block()[:HEAD_LIMIT])
    uri = headers.get("warc-target-uri", "").strip("<>")
    detail = fields.get("detail", "") or headers.get(DETAIL_HEADER.lower(), "")
    payload_type = head.fields.get("content-type", "") if head.size else content_type
    return _made_entry(
        offset,
        length,
        kind,
        uri,
        date_of(headers.get("warc-date", "")),
        headers.get("warc-record-id", ""),
        headers.get("warc-payload-digest") or _digest_of_all(headers, head),
        headers.get("warc-truncated", ""),
        mime_of(payload_type or headers.get("warc-identified-payload-type", "")),
        head.status,
        block_bytes - head.size,
        fields.get("outcome", ""),
        detail,
        facts_of(headers, uri, detail),
    )


def http_head_of(kind: str, content_type: str, block: bytes) -> HttpHead:
    """The HTTP head of a record's block; records that hold no HTTP message have an empty one."""
    if kind not in ("response", "revisit"):
        return NO_HEAD
    other = content_type and mime_of(content_type) != "application/http"
    if other and block[:5] != b"HTTP/":
        return NO_HEAD
    return http_head(block)


def _digest_of_all(headers: dict[str, str], head: HttpHead) -> str:
    """The digest of the whole block, where that is the payload."""
    return "" if head.size else headers.get("warc-block-digest", "")


def _not_per_record(name: str) -> WholeFileError:
    return WholeFileError(
        f"{name} is compressed as a whole, not record by record, so no page in it can be found again.",
        "Import it with `corpulyzer import`, which makes an archive of it that can be read.",
    )


def _not_warc(name: str, start: bytes) -> UserError:
    if start.startswith(ARC_START):
        return UserError(
            f"{name} is an ARC file, the format before WARC.",
            "Import it with `corpulyzer import`, which makes a WARC file of it.",
        )
    found = f"it begins with {start[:20]!r}" if start else "it holds no record"
    known = "Name a .warc, .warc.gz, .warc.zst or .warc.lz4 file."
    return UserError(f"{name} is no WARC file: {found}.", known)
