"""Records read one after the other, out of a stream in which none can be found again by its offset.

That is how ARC files are read, the format before WARC, and archives that were compressed as a whole. What is
read becomes a record of an archive of our own, so it is bounded in size here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import regex

from corpulyzer.warc.compose import HTTP_RESPONSE
from corpulyzer.warc.heads import HEAD_LIMIT
from corpulyzer.warc.scan import BrokenRecordError, head_of
from corpulyzer.warc.window import Window

MAX_BLOCK_BYTES = 32 << 20
ARC_START = b"filedesc:"

_NEXT_WARC = regex.compile(rb"(?:\r?\n){1,2}(?=WARC/[01]\.\d+\r?\n)")
# Address, IP, date, what differs between versions 1 and 2 (the media type comes first), length.
_ARC_LINE = rb"([a-zA-Z][\w+.-]*:[^\n]*?) (\S+) (\d{12,17}) ([^\n]+?) (\d{1,12})[ \t]*\r?\n"
_ARC_HEAD = regex.compile(_ARC_LINE)
_NEXT_ARC = regex.compile(rb"\r?\n(?=" + _ARC_LINE + rb")")
_ARC_LINE_LIMIT = 1 << 16


@dataclass(frozen=True, slots=True)
class Streamed:
    """A record: its WARC headers (names in lower case) and its block; `truncated` says why it is cut."""

    headers: Mapping[str, str]
    block: bytes
    truncated: str = ""


class Unpacked:
    """Pieces of bytes as a file that is read forward only. Where they break off, the file ends."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)
        self._rest = b""
        self._at = 0

    def read(self, size: int, /) -> bytes:
        while len(self._rest) < size:
            try:
                piece = next(self._pieces, b"")
            except BrokenRecordError:
                piece = b""
            if not piece:
                break
            self._rest += piece
        part, self._rest = self._rest[:size], self._rest[size:]
        self._at += len(part)
        return part

    def seek(self, offset: int, /) -> int:
        while self._at < offset and self.read(min(1 << 20, offset - self._at)):
            pass
        return self._at


def streamed(pieces: Iterable[bytes]) -> Iterator[Streamed]:
    """The records of an unpacked WARC or ARC file. Bytes that are no record are skipped."""
    window = Window(Unpacked(pieces))
    if bytes(window.peek(len(ARC_START))) == ARC_START:
        yield from _of_arc(window)
    else:
        yield from _of_warc(window)


def _of_warc(window: Window) -> Iterator[Streamed]:
    while window.find(b"WARC/"):
        try:
            head = head_of(bytes(window.peek(1 << 12))) or head_of(bytes(window.peek(HEAD_LIMIT + 1)))
        except BrokenRecordError:
            head = None
        if head is None:
            window.skip(5)
            continue
        headers, block_at, end = head
        window.skip(block_at)
        block, truncated = _block(window, end - block_at, _NEXT_WARC)
        yield Streamed(headers, block, headers.get("warc-truncated", "") or truncated)


def _of_arc(window: Window) -> Iterator[Streamed]:
    while window.peek(1):
        line = _ARC_HEAD.match(bytes(window.peek(_ARC_LINE_LIMIT)))
        if line is None:
            if not window.find(b"\n"):
                return
            window.skip(1)
            continue
        window.skip(line.end())
        block, truncated = _block(window, int(line[5]), _NEXT_ARC)
        if not line[1].startswith(ARC_START):
            yield Streamed(_headers_of(line, block), block, truncated)


def _headers_of(line: regex.Match[bytes], block: bytes) -> dict[str, str]:
    """The WARC headers that say what the line before a block of an ARC file says."""
    url, address, date, more = (part.decode("utf-8", "replace") for part in line.group(1, 2, 3, 4))
    is_http = block[:5].upper() == b"HTTP/"
    return {
        "warc-type": "response" if is_http else "resource",
        "warc-target-uri": url,
        "warc-date": date,
        "warc-ip-address": "" if address in ("0.0.0.0", "-") else address,
        "content-type": HTTP_RESPONSE if is_http else more.split(" ")[0],
    }


def _block(window: Window, length: int, next_record: regex.Pattern[bytes]) -> tuple[bytes, str]:
    """The next `length` bytes, or what there is of them; and why it is not all, if it is not.

    Where no record begins behind them, and one begins within them, the length was wrong: that is the end.
    """
    if length > MAX_BLOCK_BYTES:
        block = bytes(window.peek(MAX_BLOCK_BYTES))
        window.skip(length)
        return block, "length"
    after = bytes(window.peek(length + _ARC_LINE_LIMIT))[length:]
    block = bytes(window.peek(length))
    is_end = len(block) == length and (not after.strip(b"\r\n") or next_record.match(after))
    inside = None if is_end else next_record.search(block)
    if inside:
        block = block[: inside.start()]
    window.skip(len(block))
    return block, "" if is_end else "unspecified"
