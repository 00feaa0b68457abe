"""A file on a web server, read by byte ranges: as much of it as is asked for, and no more."""

from __future__ import annotations

import io
from functools import cached_property
from typing import TYPE_CHECKING, Any

import regex

from corpulyzer.errors import UserError
from corpulyzer.storage.http import Answer, ConnectionLostError, Patience, get

if TYPE_CHECKING:
    import pyarrow as pa

_TOTAL = regex.compile(r"bytes \d+-\d+/(\d+)")


class HttpFile(io.RawIOBase):
    """The file at a URL, open for reads at any offset; FileNotFoundError where there is none."""

    def __init__(self, url: str, patience: Patience | None = None) -> None:
        super().__init__()
        self._url = url
        self._patience = patience or Patience()
        self._at = 0

    @cached_property
    def size(self) -> int:
        """The length of the file, asked for once."""
        answer = self._ask(0, 1)
        if answer.status == 416:
            return 0
        total = _TOTAL.fullmatch(answer.headers.get("content-range", ""))
        if answer.status != 206 or total is None:
            raise _no_ranges(self._url)
        return int(total[1])

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes; fewer only where the file ends."""
        stop = self.size if size is None or size < 0 else min(self.size, self._at + size)
        if stop <= self._at:
            return b""
        answer = self._ask(self._at, stop)
        if answer.status != 206:
            raise _no_ranges(self._url)
        if len(answer.body) != stop - self._at:
            raise ConnectionLostError(f"{self._url}: {len(answer.body):,} of {stop - self._at:,} bytes came")
        self._at = stop
        return answer.body

    def readinto(self, buffer: Any, /) -> int:
        """Fill a buffer; for readers that bring their own."""
        view = memoryview(buffer).cast("B")
        found = self.read(len(view))
        view[: len(found)] = found
        return len(found)

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Go to an offset; nothing is asked for yet."""
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: 0}[whence]
        self._at = offset + (self.size if whence == io.SEEK_END else start)
        return self._at

    def tell(self) -> int:
        """Where the next read begins."""
        return self._at

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def _ask(self, start: int, stop: int) -> Answer:
        answer = self._patience(
            lambda: get(self._url, span=(start, stop), max_bytes=max(1 << 20, stop - start))
        )
        check(answer, self._url)
        return answer


def check(answer: Answer, url: str) -> None:
    """Raise what a refusal means: FileNotFoundError, PermissionError, or ConnectionLostError for the rest."""
    if answer.status in (404, 410):
        raise FileNotFoundError(f"{url} is not there")
    if answer.status in (401, 403):
        raise PermissionError(f"{url} may not be read (status {answer.status})")
    if answer.status >= 300 and answer.status != 416:
        raise ConnectionLostError(f"{url}: the server answers with status {answer.status}")


def open_http(url: str) -> pa.NativeFile:
    """The file at a URL, as Arrow takes it."""
    import pyarrow as pa

    return pa.PythonFile(HttpFile(url), mode="r")


def is_there(url: str) -> bool:
    """Whether there is a file at a URL."""
    try:
        return HttpFile(url).size >= 0
    except FileNotFoundError:
        return False


def _no_ranges(url: str) -> UserError:
    return UserError(
        f"The server of {url} does not give parts of files.",
        "Download the file and name the copy, or use a server that knows byte ranges.",
    )
