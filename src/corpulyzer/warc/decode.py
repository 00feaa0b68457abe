"""Bodies without their transfer and content encodings, unpacked up to a limit.

Many archives keep the headers of encodings that they have taken off. So a header is a hint; the bytes
decide, and what cannot be decoded stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO

import brotli
import regex

from corpulyzer.warc.forms import GZIP_MAGIC, PIECE, ZSTD_MAGIC, Form, Gzip, Zstd
from corpulyzer.warc.heads import mime_of
from corpulyzer.warc.scan import BrokenRecordError
from corpulyzer.warc.window import Window

MAX_LAYERS = 4
"""Encodings taken off at most: real pages have one, seldom two; more is an attack."""

_ENCODING_HEADERS = ("content-encoding", "x-crawl-content-encoding", "x-archive-orig-content-encoding")
_ENCODED = frozenset(("transfer-encoding", *_ENCODING_HEADERS))
_CHUNK = regex.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\n]{0,1024})?\r?\n")
_BETWEEN_CHUNKS = regex.compile(rb"\r?\n[0-9A-Fa-f]{1,8}[ \t]*(?:;[^\n]{0,1024})?\r\n")
_CONTROL = regex.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_SALVAGE_STEP = 64

Decoded = tuple[bytes, bool]
"""Bytes, and whether they are all there is."""


def decode_body(body: bytes, headers: Mapping[str, str], max_bytes: int) -> Decoded:
    """The body without transfer and content encodings, at most `max_bytes` of it, and whether it is whole."""
    if not body.startswith(GZIP_MAGIC) and _ENCODED.isdisjoint(headers):
        return body[:max_bytes], len(body) <= max_bytes and not _is_short(body, headers)
    whole = True
    transfer = headers.get("transfer-encoding", "").lower()
    if "chunked" in transfer:
        body, whole = unchunked(body)
    names = [transfer, *(headers.get(name, "").lower() for name in _ENCODING_HEADERS)]
    declared = [name.strip() for part in names for name in part.split(",")]
    layers = [name for name in declared if name in _DECODERS][:MAX_LAYERS]
    if mime_of(headers.get("content-type", "text/")).startswith(("text/", "application/xhtml")):
        layers.insert(0, "gzip")
    for name in reversed(layers):
        decoded, complete = _DECODERS[name](body, max_bytes)
        body, whole = decoded or body, whole and complete
    return body[:max_bytes], whole and len(body) <= max_bytes


def _is_short(body: bytes, headers: Mapping[str, str]) -> bool:
    """Whether the server announced more than came. A body that was unpacked before is longer, not shorter."""
    announced = headers.get("content-length", "").partition(",")[0]
    return bool(body) and announced.isascii() and announced.isdigit() and len(body) < int(announced[:18])


def unchunked(body: bytes) -> Decoded:
    """The chunks joined; a body that is not in chunks as it is.

    Behind a chunk whose size is wrong, lines that look like sizes are taken out, and the rest is kept.

    >>> unchunked(b"4\\r\\nWiki\\r\\n5\\r\\npedia\\r\\n0\\r\\n\\r\\n")
    (b'Wikipedia', True)
    >>> unchunked(b"<p>never chunked</p>")
    (b'<p>never chunked</p>', True)
    >>> unchunked(b"4\\r\\nWiki\\r\\n3\\r\\npedia\\r\\n0\\r\\n\\r\\n")
    (b'Wikipedia', False)
    """
    chunks: list[bytes] = []
    at = 0
    while line := _CHUNK.match(body, at):
        size = int(line[1], 16)
        if not size:
            return b"".join(chunks), True
        at = line.end() + size
        after = body[at : at + 2]
        if at < len(body) and after[:1] != b"\n" and after != b"\r\n":
            rest, sizes = _BETWEEN_CHUNKS.subn(b"", body[line.end() :])
            if not chunks and not sizes:
                return body, True
            return b"".join((*chunks, rest.removesuffix(b"\r\n"))), False
        chunks.append(body[line.end() : at])
        at += 1 if after[:1] == b"\n" else 2
    return (b"".join(chunks), False) if chunks else (body, True)


def _gunzip(body: bytes, max_bytes: int) -> Decoded:
    return _salvaged(body, 31, max_bytes) if body.startswith(GZIP_MAGIC) else (body, True)


def _inflate(body: bytes, max_bytes: int) -> Decoded:
    """Deflate as the standard means it (in a zlib wrapper) and as many servers send it (bare)."""
    if body.startswith(GZIP_MAGIC):
        return _gunzip(body, max_bytes)
    if len(body) < 2 or _is_text(body):
        return body, True
    if body[0] & 15 == 8 and int.from_bytes(body[:2], "big") % 31 == 0:
        return _salvaged(body, 15, max_bytes)
    decoded, problem = _collected(Gzip(-15), Window(BytesIO(body)), max_bytes)
    if problem == "corrupt":
        return _unless_smaller(_salvaged(body, -15, max_bytes)[0], body)
    return decoded, not problem


def _unzstd(body: bytes, max_bytes: int) -> Decoded:
    if not body.startswith(ZSTD_MAGIC):
        return _gunzip(body, max_bytes)
    window = Window(BytesIO(body))
    decoded, problem = _collected(Zstd(window), window, max_bytes)
    return decoded, not problem


def _unbrotli(body: bytes, max_bytes: int) -> Decoded:
    """Unpacked by Brotli, which has no magic number: an empty or readable body was unpacked before."""
    if body.startswith(GZIP_MAGIC):
        return _gunzip(body, max_bytes)
    if not body or _is_text(body):
        return body, True
    decompressor = brotli.Decompressor()
    parts: list[bytes] = []
    size = 0
    try:
        # More output may be pending than a call returns, whatever `can_accept_more_data` says.
        piece = decompressor.process(body, output_buffer_limit=PIECE)
        while piece and size <= max_bytes:
            parts.append(piece)
            size += len(piece)
            piece = decompressor.process(b"", output_buffer_limit=PIECE)
    except brotli.error:
        return _unless_smaller(_unbrotli_in_steps(body, max_bytes), body)
    return b"".join(parts), size > max_bytes or decompressor.is_finished()


def _unbrotli_in_steps(body: bytes, max_bytes: int) -> bytes:
    """What comes before the damage of a stream."""
    decompressor = brotli.Decompressor()
    found = bytearray()
    with suppress(brotli.error):
        for at in range(0, len(body), _SALVAGE_STEP):
            found += decompressor.process(body[at : at + _SALVAGE_STEP])
            if len(found) > max_bytes:
                break
    return bytes(found)


def _unless_smaller(unpacked: bytes, body: bytes) -> Decoded:
    """What was unpacked before an error; or the body, if that is no larger: then it was never packed."""
    return (unpacked, False) if len(unpacked) > len(body) else (body, True)


def _salvaged(body: bytes, wbits: int, max_bytes: int) -> Decoded:
    """Inflated; a damaged stream is read again in small steps, to keep what comes before the damage."""
    window = Window(BytesIO(body))
    decoded, problem = _collected(Gzip(wbits), window, max_bytes)
    if problem:
        window.seek(0)
        decoded, _ = _collected(Gzip(wbits, _SALVAGE_STEP), window, max_bytes)
    return decoded, not problem


def _collected(form: Form, window: Window, max_bytes: int) -> tuple[bytes, str]:
    """All members or frames of a body, up to the piece that passes `max_bytes`, and what ended them early."""
    parts: list[bytes] = []
    size = 0
    try:
        while not window.at or bytes(window.peek(len(form.magic))) == form.magic:
            for piece in form.pieces(window):
                parts.append(piece)
                size += len(piece)
                if size > max_bytes:
                    return b"".join(parts), ""
    except BrokenRecordError as broken:
        return b"".join(parts), broken.problem
    return b"".join(parts), ""


def _is_text(body: bytes) -> bool:
    """Whether a body can be a page as it is: it begins with markup, or is UTF-8 without controls."""
    start = body[:512]
    if _CONTROL.search(start):
        return False
    if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return True
    try:
        start.decode("utf-8")
    except UnicodeDecodeError as error:
        return len(start) - error.start < 4 < error.start
    return True


_DECODERS = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _inflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
