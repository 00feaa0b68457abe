"""Files to import, wherever they are, and their bytes without compression."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpulyzer.errors import UserError
from corpulyzer.storage import filesystem_of, is_remote, normalize, open_input
from corpulyzer.warc.forms import GZIP_MAGIC, ZSTD_MAGIC, Form, Gzip, Zstd
from corpulyzer.warc.scan import BrokenRecordError
from corpulyzer.warc.window import CHUNK, Window


@dataclass(frozen=True, slots=True)
class Found:
    """A file: its full path or URI, its size, and when it was last changed."""

    path: str
    size: int
    mtime_ns: int
    relative: str

    @property
    def parent(self) -> str:
        return os.path.dirname(self.path)


@dataclass(frozen=True, slots=True)
class Given:
    """The files of one folder, or files that were named one by one, without a folder."""

    folder: str
    files: tuple[Found, ...]


def find(paths: Sequence[str]) -> Iterator[Given]:
    """The files in the paths given, sorted by name; UserError for the first that is not there."""
    from pyarrow.fs import FileSelector, FileType

    single: dict[str, Found] = {}
    for path in dict.fromkeys(map(normalize, paths)):
        filesystem, inner = filesystem_of(path)
        info = filesystem.get_file_info(inner)
        if info.type == FileType.NotFound:
            raise UserError(
                f"There is no file or folder {path}.", "Check the spelling; nothing was imported."
            )
        if info.type == FileType.Directory:
            below = filesystem.get_file_info(FileSelector(inner, recursive=True))
            files = (_found(path, inner, item) for item in below if item.type == FileType.File)
            yield Given(path, tuple(sorted(files, key=lambda file: file.path)))
        else:
            single[path] = Found(path, info.size, info.mtime_ns or 0, os.path.basename(inner))
    if single:
        yield Given("", tuple(single.values()))


def first_bytes(path: str) -> bytes:
    """The first bytes of a file, unpacked if it is packed; empty if that fails."""
    with open_input(path) as file:
        try:
            return next(_pieces(Window(file)), b"")
        except BrokenRecordError:
            return b""


def pieces_of(path: str, progress: list[int]) -> Iterator[bytes]:
    """A file's bytes unpacked, piece by piece; `progress[0]` is how far in the file itself they reach.

    BrokenRecordError where it is damaged: what came before is good.
    """
    with open_input(path) as file:
        window = Window(file)
        for piece in _pieces(window):
            progress[0] = window.at
            yield piece


def _pieces(window: Window) -> Iterator[bytes]:
    start = bytes(window.peek(4))
    form: Form | None = None
    if start.startswith(GZIP_MAGIC):
        form = Gzip()
    elif start.startswith(ZSTD_MAGIC):
        form = Zstd(window)
    while window.peek(1):
        if form is not None:
            yield from form.pieces(window)
        else:
            piece = bytes(window.peek(CHUNK))
            window.skip(len(piece))
            yield piece


def _found(folder: str, inner: str, item: object) -> Found:
    path = str(getattr(item, "path"))  # noqa: B009 - pyarrow's FileInfo has no type of its own
    relative = path[len(inner.rstrip("/")) + 1 :]
    base, mark, query = folder.partition("?") if is_remote(folder) else (folder, "", "")
    full = f"{base.rstrip('/')}/{relative}{mark}{query}"
    return Found(full, int(getattr(item, "size")), int(getattr(item, "mtime_ns") or 0), relative)  # noqa: B009
