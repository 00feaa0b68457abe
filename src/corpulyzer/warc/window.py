"""A window that moves forward over a file, whatever the file is: a disk's or an object store's."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol

from corpulyzer.errors import UserError

CHUNK = 1 << 20


class Input(Protocol):
    """What is asked of a file: Python's, pyarrow's and most others will do."""

    def read(self, size: int, /) -> bytes: ...
    def seek(self, offset: int, /) -> Any: ...


class Window:
    """The bytes of `file` from `at` on, read `chunk` bytes at a time and never kept longer than needed."""

    __slots__ = ("_base", "_buffer", "_chunk", "_file", "_position", "end")

    def __init__(self, file: Input, offset: int = 0, chunk: int = CHUNK) -> None:
        self._file = file
        self._chunk = chunk
        self._buffer = memoryview(b"")
        self._base = offset
        self._position = 0
        self.end: int | None = None
        """Where the file is taken to end, if before its end."""
        file.seek(offset)

    @property
    def at(self) -> int:
        """Offset in the file of the next byte."""
        return self._base + self._position

    def peek(self, size: int) -> memoryview:
        """The next `size` bytes; fewer only where the file ends."""
        if self.end is not None:
            size = max(0, min(size, self.end - self.at))
        if len(self._buffer) - self._position < size:
            self._fill(size)
        return self._buffer[self._position : self._position + size]

    def skip(self, size: int) -> None:
        """Go forward by `size` bytes, without reading what lies far ahead."""
        self.seek(self.at + size)

    def seek(self, offset: int) -> None:
        """Go to an offset; costs nothing within what has been read already."""
        position = offset - self._base
        if not 0 <= position <= len(self._buffer):
            self._file.seek(offset)
            self._buffer = memoryview(b"")
            self._base, position = offset, 0
        self._position = position

    def find(self, needle: bytes) -> bool:
        """Go to the next `needle`, or to the end of the file and say False."""
        while True:
            seen = bytes(self.peek(self._chunk))
            place = seen.find(needle)
            if place >= 0:
                self.skip(place)
                return True
            if len(seen) < self._chunk:
                self.skip(len(seen))
                return False
            self.skip(len(seen) - len(needle) + 1)

    def _fill(self, size: int) -> None:
        parts = [bytes(self._buffer[self._position :])]
        have = len(parts[0])
        while have < size:
            part = self._file.read(max(self._chunk, size - have))
            if not part:
                break
            parts.append(part)
            have += len(part)
        self._base += self._position
        self._position = 0
        self._buffer = memoryview(b"".join(parts))


def open_archive(path: str) -> AbstractContextManager[Input]:
    """The file of a path or URI, opened for reading; UserError where it is no longer."""
    from corpulyzer.storage import open_input

    try:
        return open_input(path)
    except FileNotFoundError:
        raise UserError(
            f"The archive {path} is gone.",
            "Put it back where it was, or import it from its new place with `corpulyzer import PATH`.",
        ) from None
