"""What is left of a record that breaks off: its heads, and its block up to the break.

Only what is missing is forgiven. Bytes that are there but wrong (a checksum, a broken compression) may have
turned into anything, so nothing of such a record is used.
"""

from __future__ import annotations

from corpulyzer.warc.forms import Form
from corpulyzer.warc.scan import BrokenRecordError, Scan
from corpulyzer.warc.window import Window

_CUT = ("truncated", "content_length")
_RECORD_END = b"\r\n\r\n"


def salvaged(form: Form, window: Window, offset: int, length: int, keep: int) -> Scan | None:
    """The part of the record in `length` bytes from `offset` on; None if its head or any byte is wrong.

    The window stands behind those bytes afterwards.
    """
    scan = Scan(keep)
    window.seek(offset)
    window.end = offset + length
    try:
        for piece in form.pieces(window):
            scan.feed(piece)
    except BrokenRecordError as broken:
        if broken.problem not in _CUT:
            return None
    finally:
        window.end = None
        window.seek(offset + length)
    if scan.end < 0 or scan.size <= scan.block_at:
        return None
    if scan.size < scan.end:
        scan.end = scan.size
        if scan.start.endswith(_RECORD_END) and len(scan.start) == scan.size:
            scan.end = max(scan.block_at, scan.end - len(_RECORD_END))
    return scan
