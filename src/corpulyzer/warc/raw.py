"""One record of an archive as it stands: its WARC headers, and its block byte for byte."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from corpulyzer.warc.forms import form_at
from corpulyzer.warc.scan import Scan
from corpulyzer.warc.window import Window, open_archive

MAX_BYTES = 256 << 20


@dataclass(frozen=True, slots=True)
class RawRecord:
    """The headers (names in lower case) and the block, HTTP head and content encoding included."""

    headers: Mapping[str, str]
    block: bytes


def raw_record(path: str, offset: int, max_bytes: int = MAX_BYTES) -> RawRecord:
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
