"""Files to import, wherever they are, and their bytes without compression."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

import regex

from corpulyzer.errors import UserError
from corpulyzer.storage import exists, filesystem_of, is_remote, normalize, open_input
from corpulyzer.storage.location import HTTP
from corpulyzer.warc.forms import GZIP_MAGIC, LZ4_MAGIC, ZSTD_MAGIC, Form, Gzip, Lz4, Zstd
from corpulyzer.warc.scan import BrokenRecordError
from corpulyzer.warc.window import CHUNK, Window

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

NO_FILE = -1
_STARS = {"*": "[^/]*", "**": ".*"}
_LITTLE = 64


@dataclass(frozen=True, slots=True)
class Found:
    """A file: its full path or URI, its size (`NO_FILE` for what only looks like one), its last change.

    One that is `unseen` was only named, by a list of archives: whether it is there nobody has looked.
    """

    path: str
    size: int
    mtime_ns: int
    relative: str
    unseen: bool = False

    @property
    def parent(self) -> str:
        return os.path.dirname(self.path)


@dataclass(frozen=True, slots=True)
class Given:
    """The files of one folder, or files that were named one by one, without a folder."""

    folder: str
    files: tuple[Found, ...]


def find(paths: Sequence[str]) -> list[Given]:
    """The files in the paths given, sorted by name; UserError for the first that is not there.

    All are found before the first is taken in: who is told of a path that is not there has imported nothing.
    """
    found: list[Given] = []
    single: dict[str, Found] = {}
    for path in dict.fromkeys(map(normalize, paths)):
        if is_pattern(path):
            found.append(Given("", tuple(matching(path))))
            continue
        listed = list(_remote_files(path) if is_remote(path) else _local_files(path))
        if not listed and not exists(path):
            raise UserError(
                f"There is no file or folder {path}.", "Check the spelling; nothing was imported."
            )
        if len(listed) == 1 and listed[0].path == path:
            single[path] = listed[0]
        else:
            found.append(Given(path, tuple(sorted(listed, key=attrgetter("path")))))
    return [*found, Given("", tuple(single.values()))] if single else found


def is_pattern(path: str) -> bool:
    """Whether a path has `*` in it, and there is no file of just that name."""
    return "*" in without_query(path)[0] and (is_remote(path) or not exists(path))


def without_query(path: str) -> tuple[str, str, str]:
    """A path, the `?` behind it and what follows: a query, which only a URI has."""
    return path.partition("?") if is_remote(path) else (path, "", "")


def matching(pattern: str) -> list[Found]:
    """The files that a pattern names, sorted: `*` stands for any part of a name, `**` for folders too.

    Everything below the last folder before the first `*` is listed once.
    """
    plain, mark, query = without_query(pattern)
    folder = plain.partition("*")[0].rpartition("/")[0]
    pieces = regex.split(r"(\*+)", plain.removeprefix(f"{folder}/"))
    wanted = "".join(_STARS.get(piece[:2]) or regex.escape(piece) for piece in pieces)
    below = f"{folder}{mark}{query}"
    listed = _remote_files(below) if is_remote(below) else _local_files(below or "/")
    found = sorted(
        (file for file in listed if regex.fullmatch(wanted, file.relative)), key=attrgetter("path")
    )
    if not found:
        raise UserError(f"No file matches {pattern}.", "Check the spelling; nothing was imported.")
    return found


def first_bytes(path: str) -> bytes:
    """The first bytes of a file, unpacked if it is packed; of a damaged one those before the damage."""
    with open_input(path) as file:
        window = Window(file)
        # If its checksum alone is wrong, a record comes out where little of it is unpacked at a time.
        for pieces in (_pieces, Gzip(step=_LITTLE).pieces):
            window.seek(0)
            try:
                return next(pieces(window), b"")
            except BrokenRecordError:
                continue
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
    elif start.startswith(LZ4_MAGIC):
        form = Lz4()
    while window.peek(1):
        if form is not None:
            yield from form.pieces(window)
        else:
            piece = bytes(window.peek(CHUNK))
            window.skip(len(piece))
            yield piece


def _local_files(path: str) -> Iterator[Found]:
    """The file, or all files below a folder; folders that links lead to are entered once."""
    if os.path.isfile(path):
        yield local_file(path, os.path.basename(path))
    entered = set()
    for folder, below, names in os.walk(path, followlinks=True):
        place = os.stat(folder)
        if (place.st_dev, place.st_ino) in entered:
            below.clear()
            continue
        entered.add((place.st_dev, place.st_ino))
        for name in names:
            file = os.path.join(folder, name)
            yield local_file(file, os.path.relpath(file, path))


def local_file(path: str, relative: str) -> Found:
    """A file on this machine as it is now."""
    try:
        about = os.stat(path)
    except (OSError, ValueError):  # the latter of a name with a zero byte
        return Found(path, NO_FILE, 0, relative)
    return Found(path, about.st_size if stat.S_ISREG(about.st_mode) else NO_FILE, about.st_mtime_ns, relative)


def _remote_files(uri: str) -> Iterator[Found]:
    """The object, or all objects below a prefix."""
    from pyarrow.fs import FileSelector, FileType

    filesystem, inner = _store_of(uri)
    about = filesystem.get_file_info(inner)
    if about.type == FileType.File:
        yield Found(uri, about.size, about.mtime_ns or 0, os.path.basename(inner))
    base, mark, query = uri.partition("?")
    selector = FileSelector(inner, recursive=True, allow_not_found=True)
    for item in filesystem.get_file_info(selector) if about.type != FileType.File else ():
        if item.type == FileType.File:
            relative = item.path[len(inner.rstrip("/")) + 1 :]
            full = f"{base.rstrip('/')}/{relative}{mark}{query}"
            yield Found(full, item.size, item.mtime_ns or 0, relative)


def _store_of(uri: str) -> tuple[FileSystem, str]:
    """The store of a URI that can say which files it has, and the path in it; UserError for any other."""
    if uri.startswith(HTTP):
        raise UserError(
            f"A web server does not say which files it has: {uri}.",
            "Write the addresses of its archives into a file, one a line, and name that with --paths.",
        )
    try:
        return filesystem_of(uri)
    except ValueError as error:
        hint = "Name a file or folder of this machine, or a URI that begins with s3://."
        raise UserError(f"{uri} cannot be read: {error}.", hint) from None
