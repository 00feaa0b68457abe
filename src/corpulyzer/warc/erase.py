"""Records taken out of an archive, which stays valid and keeps all others at their offsets.

In the place of a record comes one of the same packed length that says only that it was removed: a record is
known by its offset, and so is the document made of it. The rest of the length is blanks in the comment of
the gzip header, which readers skip.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence
from typing import IO, TYPE_CHECKING

from corpulyzer.storage import AtomicFile, open_input
from corpulyzer.warc.facts import PURPOSE, purpose_by_address
from corpulyzer.warc.index import Entry, index

if TYPE_CHECKING:
    import pyarrow as pa

CHUNK = 8 << 20
# Records that stand for a fetch leave a trace of it; requests and notes leave none.
_FETCHES = ("response", "revisit", "resource", "conversion")
_FCOMMENT = 0x10


def matching(path: str, wanted: Callable[[str], bool]) -> list[Entry]:
    """The records of an archive whose URL is wanted and that still hold something.

    What the scripts of a page asked for is wanted with the page.
    """
    return [
        entry
        for entry in index(path)
        if not entry.problem and entry.uri and not _is_erased(entry) and _is_of(entry, wanted)
    ]


def erase(path: str, wanted: Callable[[str], bool], found: Sequence[Entry] | None = None) -> int:
    """Take the records of wanted URLs out of an archive of gzip members; return how many there were.

    Who has looked for them says which were `found`. The file is replaced in one step, so a kill leaves the
    old one or the new one.
    """
    found = matching(path, wanted) if found is None else found
    if not found:
        return 0
    with AtomicFile(path) as temporary, open_input(path) as old, open(temporary, "wb") as new:
        at = 0
        for entry in found:
            _copy(old, new, at, entry.offset)
            new.write(tombstone(entry))
            at = entry.offset + entry.length
        _copy(old, new, at, old.size())
    return len(found)


def tombstone(entry: Entry) -> bytes:
    """The gzip member that takes the place of a record: as long as it was."""
    said = "outcome: removed\r\n" if _was_fetch(entry) else "erased: yes\r\n"
    date = entry.date.replace(tzinfo=None).isoformat() + "Z"
    identity = f"WARC-Record-ID: {entry.record_id}\r\n" if entry.record_id else ""
    # What it was for is said only where the address does not: the note must not be longer than the record.
    purpose = entry.facts.purpose
    own = f"{PURPOSE}: {purpose}\r\n" if purpose != purpose_by_address(entry.uri) else ""
    head = (
        f"WARC/1.1\r\nWARC-Type: metadata\r\n{identity}WARC-Date: {date}\r\nWARC-Target-URI: {entry.uri}\r\n"
        f"{own}Content-Type: application/warc-fields\r\nContent-Length: {len(said)}\r\n\r\n"
    )
    record = f"{head}{said}\r\n\r\n".encode("utf-8", "replace")
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = packer.compress(record) + packer.flush()
    blanks = entry.length - 18 - len(body)
    if blanks < 0:
        raise ValueError(f"the record of {entry.uri} is shorter than the note that it was removed")
    start = b"\x1f\x8b\x08" + bytes([_FCOMMENT if blanks else 0]) + b"\0\0\0\0\x02\xff"
    comment = b" " * (blanks - 1) + b"\0" if blanks else b""
    return start + comment + body + struct.pack("<II", zlib.crc32(record), len(record))


def _is_of(entry: Entry, wanted: Callable[[str], bool]) -> bool:
    return wanted(entry.uri) or (bool(entry.facts.page) and wanted(entry.facts.page))


def _was_fetch(entry: Entry) -> bool:
    return entry.kind in _FETCHES or (entry.kind == "metadata" and bool(entry.outcome))


def _is_erased(entry: Entry) -> bool:
    """Whether a record is such a note already; one in place of a request is known by its size only."""
    return entry.kind == "metadata" and (entry.outcome == "removed" or entry.payload_bytes == _ERASED_BYTES)


_ERASED_BYTES = len("erased: yes\r\n")


def _copy(source: pa.NativeFile, target: IO[bytes], start: int, stop: int) -> None:
    source.seek(start)
    while start < stop:
        piece = source.read(min(CHUNK, stop - start))
        target.write(piece)
        start += len(piece)
