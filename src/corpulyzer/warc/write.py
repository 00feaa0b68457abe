"""The log of a crawl: archives that grow record by record and survive a kill at any instant.

A file is `NAME.warc.gz.open` while it is written and loses its last suffix when it is closed. A record is
handed to the system before `write` returns, and to the disk once a second: a kill loses nothing, a power
failure a second. After either, the file is cut back to its last whole record before it grows or is closed.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

import regex

from corpulyzer.errors import UserError
from corpulyzer.warc.compose import warcinfo
from corpulyzer.warc.index import Entry, index_file
from corpulyzer.warc.names import OPEN, file_name

MAX_BYTES = 256 << 20
SYNC_SECONDS = 1.0


class Packs(Protocol):
    """What can be a record: a draft, or a record that came packed."""

    def packed(self) -> bytes:
        """The record as a gzip member."""
        ...


@dataclass(frozen=True, slots=True)
class Written:
    """Where a record went."""

    archive: str
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Repaired:
    """What a repair left and what it cut off, in bytes, and the entries of all that it found."""

    kept: int
    cut: int
    entries: tuple[Entry, ...] = ()


class ArchiveWriter:
    """Writes `STEM-00000.warc.gz` and so on into a folder, each at most `max_bytes` but for its last record.

    One writer per stem at a time; the lock is the system's, so a killed writer leaves none behind.
    """

    def __init__(
        self,
        folder: str | Path,
        stem: str,
        *,
        info: Mapping[str, str] | None = None,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self._folder = Path(folder)
        self._stem = stem
        self._info = dict(info or {})
        self._max_bytes = max_bytes
        self._folder.mkdir(parents=True, exist_ok=True)
        self._number = self._recover()
        self._open()

    def write(self, *drafts: Packs) -> list[Written]:
        """Append records, together and to the same file: a request and its response."""
        members = [draft.packed() for draft in drafts]
        total = sum(map(len, members))
        if self._size + total > self._max_bytes and self._size > self._empty_size:
            self._close()
            self._number += 1
            self._open()
        places, at = [], self._size
        for member in members:
            places.append(Written(self._final_name, at, len(member)))
            at += len(member)
        self._append(b"".join(members))
        if time.monotonic() - self._synced >= SYNC_SECONDS:
            self.sync()
        return places

    def sync(self) -> None:
        """Have everything written so far on the disk; for a writer that has been idle."""
        os.fsync(self._handle)
        self._synced = time.monotonic()

    def close(self) -> None:
        """End the file and give it its final name; a file without records goes."""
        if self._handle >= 0:
            self._close()

    @property
    def _name(self) -> str:
        return f"{file_name(self._stem, self._number)}{OPEN}"

    def _open(self) -> None:
        path = self._folder / self._name
        self._final_name = self._name.removesuffix(OPEN)
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        _lock(self._handle, path)
        self._size = repair(path).kept
        self._synced = time.monotonic()
        self._empty_size = 0
        if not self._size:
            self._append(warcinfo(self._final_name, self._info).packed())
            self._empty_size = self._size

    def _append(self, content: bytes) -> None:
        left = memoryview(content)
        try:
            while left:
                left = left[os.write(self._handle, left) :]
        except OSError:
            # On a full disk: half a record would make the next one unreadable.
            os.ftruncate(self._handle, self._size)
            raise
        self._size += len(content)

    def _close(self) -> None:
        path = self._folder / self._name
        self.sync()
        if self._size > self._empty_size:
            os.rename(path, path.with_suffix(""))
        else:
            path.unlink()
        _sync_folder(self._folder)
        os.close(self._handle)
        self._handle = -1

    def _recover(self) -> int:
        """The number to go on with: that of the file left open, or the one behind the last closed."""
        numbered = regex.compile(regex.escape(self._stem) + r"-(\d{5,})\.warc\.gz(\.open)?")
        found = [match for name in os.listdir(self._folder) if (match := numbered.fullmatch(name))]
        left_open = [int(match[1]) for match in found if match[2]]
        return max(left_open) if left_open else max((int(match[1]) + 1 for match in found), default=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def repair(path: str | Path) -> Repaired:
    """Cut an open archive back to its last record that verifies; a closed one is never touched."""
    path = Path(path)
    if path.suffix != OPEN:
        raise ValueError(f"{path} is closed: only an archive still being written may be cut")
    size = path.stat().st_size
    entries: list[Entry] = []
    with open(path, "rb") as file:
        try:
            entries.extend(index_file(file, str(path)) if size else ())
        except UserError:
            entries.clear()  # not even the first record had begun
    kept = max((entry.offset + entry.length for entry in entries if not entry.problem), default=0)
    if kept < size:
        with open(path, "r+b") as file:
            file.truncate(kept)
            os.fsync(file.fileno())
    return Repaired(kept, size - kept, tuple(entries))


def close_left_open(path: str | Path) -> Repaired:
    """Cut back an archive that a killed writer left open, and give it its final name.

    One without a record goes; that which says who wrote it does not count.
    """
    path = Path(path)
    handle = os.open(path, os.O_RDWR)
    _lock(handle, path)
    try:
        repaired = repair(path)
        if any(entry.kind not in ("", "warcinfo") for entry in repaired.entries):
            os.rename(path, path.with_suffix(""))
        else:
            path.unlink()
        _sync_folder(path.parent)
        return repaired
    finally:
        os.close(handle)


def _lock(handle: int, path: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise UserError(
            f"Another process is writing {path}.", "Wait until it has ended, or stop it, and run this again."
        ) from None


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
