"""The files of an export: cut where they grow too large, each whole or absent, with its size and checksum."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any, Protocol

import regex

from corpulyzer.errors import UserError
from corpulyzer.storage import AtomicFile, Storage

MAX_BYTES = 512 << 20
MOST_OPEN = 64
COMPRESSIONS = {"none": "", "gzip": ".gz", "zstd": ".zst"}
_UNSAFE = regex.compile(r"[^A-Za-z0-9_.-]+")


@dataclass(frozen=True, slots=True)
class Written:
    """A file of an export."""

    path: str
    bytes: int
    sha256: str


class Packed(Protocol):
    """A file that is written to, packed or not."""

    def write(self, content: bytes, /) -> Any: ...
    def close(self) -> Any: ...


@dataclass(slots=True)
class _Open:
    target: AtomicFile
    path: str
    file: Packed
    size: int = 0


class Files:
    """Writes blocks to `KEY-00000SUFFIX` and so on in a folder; `written` are those complete.

    A `mark` stands before the numbers, and sets them apart from those of others that write there. `begin` and
    `end` give the bytes around the blocks of a file. Sizes are those before compression.
    """

    def __init__(
        self,
        place: Storage,
        suffix: str,
        *,
        mark: str = "",
        compress: str = "none",
        begin: Callable[[str], bytes] = lambda _path: b"",
        end: bytes = b"",
        max_bytes: int = MAX_BYTES,
    ) -> None:
        if compress not in COMPRESSIONS:
            raise UserError(f"There is no compression {compress!r}.", f"Choose: {', '.join(COMPRESSIONS)}.")
        self.written: list[Written] = []
        self._place, self._mark = place, mark
        self._suffix = suffix + COMPRESSIONS[compress]
        self._compress, self._begin, self._end, self._max_bytes = compress, begin, end, max_bytes
        self._open: dict[str, _Open] = {}
        self._numbers: dict[str, int] = {}

    def write(self, key: str, block: bytes) -> None:
        """Append a block to the last file of a key."""
        now = self._open.get(key)
        if now is None or now.size + len(block) > self._max_bytes:
            self._finish(key)
            now = self._start(key)
        now.file.write(block)
        now.size += len(block)

    def close(self) -> None:
        """Complete all files."""
        for key in list(self._open):
            self._finish(key)
        self.written.sort(key=lambda file: file.path)

    def discard(self) -> None:
        """Leave nothing of files that are not complete."""
        for opened in self._open.values():
            opened.file.close()
            opened.target.discard()
        self._open.clear()

    def _start(self, key: str) -> _Open:
        if len(self._open) >= MOST_OPEN:
            self._finish(next(iter(self._open)))
        number = self._numbers.get(key, 0)
        self._numbers[key] = number + 1
        path = f"{_UNSAFE.sub('-', key)[:120]}-{self._mark}{number:05d}{self._suffix}"
        target = AtomicFile(self._place.path(path))
        opened = _Open(target, path, packed(target.temporary, self._compress))
        opened.file.write(self._begin(path))
        self._open[key] = opened
        return opened

    def _finish(self, key: str) -> None:
        opened = self._open.pop(key, None)
        if opened is not None:
            opened.file.write(self._end)
            opened.file.close()
            opened.target.commit()
            self.written.append(noted(self._place, opened.path))


def packed(path: str, compress: str) -> Packed:
    """A new file that packs what is written to it; the same bytes in give the same bytes out."""
    raw: IO[bytes] = open(path, "wb")  # noqa: SIM115 - closed with what packs into it
    if compress == "zstd":
        import zstandard

        writer: Packed = zstandard.ZstdCompressor(level=6).stream_writer(raw)
        return writer
    if compress == "gzip":
        import gzip

        return _Both(gzip.GzipFile("", "wb", 6, raw, mtime=0), raw)
    return raw


@dataclass(frozen=True, slots=True)
class _Both:
    """A packer that does not close the file below it, closed with it."""

    file: Packed
    raw: IO[bytes]

    def write(self, content: bytes, /) -> None:
        self.file.write(content)

    def close(self) -> None:
        self.file.close()
        self.raw.close()


def write_file(place: Storage, path: str, content: bytes) -> Written:
    """One small file, written at once."""
    place.write(path, content)
    return Written(path, len(content), hashlib.sha256(content).hexdigest())


def noted(place: Storage, path: str) -> Written:
    """Size and checksum of a file that is in its place."""
    checksum, size = hashlib.sha256(), 0
    with place.open_input(path) as file:
        while piece := file.read(1 << 20):
            checksum.update(piece)
            size += len(piece)
    return Written(path, size, checksum.hexdigest())
