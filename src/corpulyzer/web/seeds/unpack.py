"""Large files line by line, wherever they are and however they are packed, in little memory."""

from __future__ import annotations

import bz2
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from isal import isal_zlib

from corpulyzer.errors import UserError
from corpulyzer.storage import is_remote, open_input

PIECE = 1 << 20
_GZIP, _BZIP2, _ZIP = b"\x1f\x8b", b"BZh", b"PK\x03\x04"


def lines_of(location: str) -> Iterator[bytes]:
    """The lines of a text file, packed by gzip, bzip2, zip or not at all; UserError if it cannot be read."""
    rest: list[bytes] = []
    for piece in _pieces(location):
        first, newline, behind = piece.partition(b"\n")
        rest.append(first)
        if newline:
            yield b"".join(rest)
            *lines, last = behind.split(b"\n")
            yield from lines
            rest = [last]
    if any(rest):
        yield b"".join(rest)


def _pieces(location: str) -> Iterator[bytes]:
    try:
        with open_input(location) as file:
            start = bytes(file.read(4))
            file.seek(0)
            if start == _ZIP:
                yield from _zipped(file)
            else:
                yield from _unpacked(file, start)
    except FileNotFoundError:
        raise UserError(f"There is no file {location}.", "Check the name, or download it first.") from None
    except (OSError, EOFError, ValueError, zlib.error, zipfile.BadZipFile) as error:
        hint = "Run this again." if is_remote(location) else "Download it again: it may have been cut off."
        raise UserError(f"{location} cannot be read: {error}.", hint) from None


def _unpacked(file: Any, start: bytes) -> Iterator[bytes]:
    """The pieces of a file; one packed in several parts, as dumps are, is read to its last part."""
    unpack: Any = None
    while piece := bytes(file.read(PIECE)):
        if not start.startswith((_GZIP, _BZIP2)):
            yield piece
            continue
        while piece:
            unpack = unpack or (
                isal_zlib.decompressobj(31) if start.startswith(_GZIP) else bz2.BZ2Decompressor()
            )
            yield unpack.decompress(piece)
            piece = unpack.unused_data if unpack.eof else b""
            unpack = None if unpack.eof else unpack
    if unpack is not None:
        raise EOFError("it breaks off")


def _zipped(file: Any) -> Iterator[bytes]:
    with zipfile.ZipFile(file) as packed, packed.open(packed.namelist()[0]) as inside:
        while piece := inside.read(PIECE):
            yield piece
