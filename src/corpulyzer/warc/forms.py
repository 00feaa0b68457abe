"""The forms of a WARC file: each record a gzip member, a zstd or LZ4 frame, or plain bytes.

Each form unpacks the record at a window piece by piece, leaves the window behind it, and can find the next
record start in damaged bytes. Pieces are bounded in size, so a bomb costs time and no memory. Of a record
that breaks off, the part before the break can be had.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Protocol, cast

import zstandard
from isal import isal_zlib

from corpulyzer.warc.heads import HEAD_LIMIT
from corpulyzer.warc.scan import BrokenRecordError, Scan, head_of
from corpulyzer.warc.window import Window

GZIP_MAGIC = b"\x1f\x8b\x08"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
LZ4_MAGIC = b"\x04\x22\x4d\x18"
PLAIN_MAGIC = b"WARC/"

INPUT = 1 << 16
PIECE = 1 << 20
DICTIONARY_LIMIT = 1 << 27
ZLIB_ERROR = cast("type[Exception]", isal_zlib.error)
_CUT = "the file ends within the record"
_CUT_SHORT = ("truncated", "content_length")
_RECORD_END = b"\r\n\r\n"


class Form(Protocol):
    """How records are packed into a file."""

    magic: bytes

    def pieces(self, window: Window) -> Iterator[bytes]:
        """The unpacked bytes of the record at the window; BrokenRecordError where they are not sound."""
        ...


class Gzip:
    """A gzip member a record; its CRC and length are checked by the inflater.

    Other `wbits` read zlib (15) and bare deflate (-15). `step` packed bytes go in at a time.
    """

    magic = GZIP_MAGIC

    def __init__(self, wbits: int = 31, step: int = INPUT) -> None:
        self._wbits = wbits
        self._step = step

    def pieces(self, window: Window) -> Iterator[bytes]:
        inflate = isal_zlib.decompressobj(self._wbits)
        while not inflate.eof:
            packed = window.peek(self._step)
            try:
                piece = inflate.decompress(packed, PIECE)
            except ZLIB_ERROR as error:
                raise BrokenRecordError("corrupt", str(error)) from None
            # At the end of a member the inflater may name the same bytes twice, as unused and as unconsumed.
            left = inflate.unused_data if inflate.eof else inflate.unconsumed_tail
            window.skip(len(packed) - len(left))
            if piece:
                yield piece
            elif not packed and not inflate.eof:
                raise BrokenRecordError("truncated", _CUT)


class Zstd:
    """A zstd frame a record, with the dictionary frame at the start of the file where there is one.

    A frame is fed block by block, because the format bounds what a block can grow to (128 KiB)
    and the decompressor itself has no limit.
    """

    magic = ZSTD_MAGIC

    def __init__(self, window: Window) -> None:
        self._window = window

    @cached_property
    def _decompressor(self) -> zstandard.ZstdDecompressor:
        dictionary = _dictionary(self._window)
        return zstandard.ZstdDecompressor(dict_data=dictionary, max_window_size=1 << 27)

    def pieces(self, window: Window) -> Iterator[bytes]:
        start = window.at
        decompressor = self._decompressor
        window.seek(start)
        if _is_skippable(window):
            window.skip(8 + int.from_bytes(window.peek(8)[4:], "little"))
            return
        unpack = decompressor.decompressobj()
        try:
            for part in _frame_parts(window):
                piece = unpack.decompress(part)
                if piece:
                    yield piece
        except zstandard.ZstdError as error:
            raise BrokenRecordError("corrupt", str(error)) from None
        if not unpack.eof:
            raise BrokenRecordError("corrupt", "the frame does not end where its blocks do")


class Lz4:
    """An LZ4 frame a record, as FastWARC writes them; checksums are checked where the frame has them."""

    magic = LZ4_MAGIC

    def pieces(self, window: Window) -> Iterator[bytes]:
        import lz4.frame

        unpack = lz4.frame.LZ4FrameDecompressor()
        while not unpack.eof:
            packed = bytes(window.peek(INPUT)) if unpack.needs_input else b""
            try:
                piece = unpack.decompress(packed, PIECE)
            except RuntimeError as error:
                raise BrokenRecordError("corrupt", str(error)) from None
            window.skip(len(packed) - len(unpack.unused_data or b""))
            if piece:
                yield piece
            elif not packed and unpack.needs_input and not unpack.eof:
                raise BrokenRecordError("truncated", _CUT)


class Plain:
    """Bare records, each as long as its Content-Length says: nothing else marks where one ends."""

    magic = PLAIN_MAGIC

    def pieces(self, window: Window) -> Iterator[bytes]:
        head = head_of(bytes(window.peek(1 << 12))) or head_of(bytes(window.peek(HEAD_LIMIT + 1)))
        left = head[2] if head else 1
        while left:
            piece = bytes(window.peek(min(PIECE, left))) if head else b""
            if not piece:
                raise BrokenRecordError("truncated", _CUT)
            window.skip(len(piece))
            left -= len(piece)
            yield piece
        if not _skip_newlines(window) and window.peek(1):
            raise BrokenRecordError("content_length", "no record begins where this one should end")


def form_at(window: Window, name: str) -> Form:
    """The form of an archive: by its first bytes, or where those are damaged by its name."""
    window.seek(0)
    start = bytes(window.peek(8))
    if start.startswith(GZIP_MAGIC):
        return Gzip()
    if start.startswith(PLAIN_MAGIC):
        return Plain()
    if start.startswith(ZSTD_MAGIC) or _is_skippable(window):
        return Zstd(window)
    if start.startswith(LZ4_MAGIC):
        return Lz4()
    named = (ending for ending in (".gz", ".zst", ".lz4") if name.endswith(ending))
    ending = next(named, "")
    return Gzip() if ending == ".gz" else Zstd(window) if ending == ".zst" else Lz4() if ending else Plain()


def resume(form: Form, window: Window, offset: int) -> bool:
    """Go to the first place from `offset` on where a record begins, or to the end and say False."""
    window.seek(offset)
    while window.find(form.magic):
        found = window.at
        begins = _begins_record(form, window)
        window.seek(found)
        if begins:
            return True
        window.skip(1)
    return False


def salvaged(form: Form, window: Window, offset: int, length: int, keep: int) -> Scan | None:
    """The part of the record in `length` bytes from `offset` on; None if its head or any byte is wrong.

    Only what is missing is forgiven: wrong bytes may have turned into anything. The window stands behind all
    of them afterwards.
    """
    scan = Scan(keep)
    window.seek(offset)
    window.end = offset + length
    try:
        for piece in form.pieces(window):
            scan.feed(piece)
    except BrokenRecordError as broken:
        if broken.problem not in _CUT_SHORT:
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


def _begins_record(form: Form, window: Window) -> bool:
    if isinstance(form, Plain):
        return bytes(window.peek(7)) in (b"WARC/1.", b"WARC/0.") and b"\n" in bytes(window.peek(12))
    start = b""
    try:
        for piece in form.pieces(window):
            start += piece
            if len(start) >= len(PLAIN_MAGIC):
                break
    except BrokenRecordError:
        pass
    return start.startswith(PLAIN_MAGIC)


def _skip_newlines(window: Window) -> bool:
    """Go behind the newlines that end a record; False where there are none but other bytes."""
    start = window.at
    while (after := bytes(window.peek(4))) and after[:1] in b"\r\n":
        window.skip(len(after) - len(after.lstrip(b"\r\n")))
    return window.at - start >= 2


def _is_skippable(window: Window) -> bool:
    magic = bytes(window.peek(8))
    return len(magic) == 8 and magic[1:4] == b"\x2a\x4d\x18" and magic[0] & 0xF0 == 0x50


def _frame_parts(window: Window) -> Iterator[memoryview]:
    """A frame cut into its header and its blocks, the checksum with the last; the window ends behind it."""
    header = window.peek(18)
    if len(header) < 6:
        raise BrokenRecordError("truncated", _CUT)
    size = zstandard.frame_header_size(header)
    checksum = 4 if zstandard.get_frame_parameters(header).has_checksum else 0
    yield _take(window, size)
    last = False
    while not last:
        block = int.from_bytes(window.peek(3), "little")
        last = bool(block & 1)
        length = 1 if block >> 1 & 3 == 1 else block >> 3
        yield _take(window, 3 + length + (checksum if last else 0))


def _take(window: Window, size: int) -> memoryview:
    part = window.peek(size)
    if len(part) < size:
        raise BrokenRecordError("truncated", _CUT)
    window.skip(size)
    return part


def _dictionary(window: Window) -> zstandard.ZstdCompressionDict | None:
    """The dictionary that an archive's first frame holds, itself packed or not; None if it holds none."""
    window.seek(0)
    if bytes(window.peek(4)) != b"\x5d\x2a\x4d\x18":
        return None
    size = int.from_bytes(window.peek(8)[4:], "little")
    window.skip(8)
    content = bytes(window.peek(min(size, DICTIONARY_LIMIT)))
    if content.startswith(ZSTD_MAGIC):
        content = zstandard.ZstdDecompressor().decompress(content, max_output_size=DICTIONARY_LIMIT)
    return zstandard.ZstdCompressionDict(content)
