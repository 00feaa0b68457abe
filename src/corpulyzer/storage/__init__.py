"""Where a corpus lives: a folder on disk, or a prefix in an object store, behind the same few verbs.

Small files of a folder on disk are read without pyarrow, which takes a tenth of a second to import.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.storage.location import exists, filesystem_of, is_file, is_remote, normalize, open_input
from corpulyzer.storage.sink import AtomicFile, ParquetSink

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.fs import FileSystem

__all__ = [
    "AtomicFile",
    "ParquetSink",
    "Storage",
    "copy_to",
    "exists",
    "filesystem_of",
    "is_remote",
    "normalize",
    "open_input",
    "put",
]

COPIED_AT_ONCE = 1 << 20
PUT_AT_ONCE = 16


@dataclass(frozen=True, init=False)
class Storage:
    """A folder: a local path, or a URI that pyarrow knows (`s3://bucket/prefix`). Can be pickled for workers.

    Endpoint, region and keys of S3 come from the AWS_* variables, or from the URI's query as pyarrow
    reads it (`?endpoint_override=…&region=…`).
    """

    root: str

    def __init__(self, root: str | Path) -> None:
        object.__setattr__(self, "root", normalize(str(root)))

    def path(self, relative: str = "") -> str:
        """The full path or URI of a file in the folder."""
        base, mark, query = self.root.partition("?") if is_remote(self.root) else (self.root, "", "")
        return f"{base.rstrip('/')}/{relative}{mark}{query}" if relative else self.root

    def exists(self, relative: str) -> bool:
        """Whether there is such a file."""
        return is_file(self.path(relative))

    def list(self, relative: str = "", suffix: str = "") -> list[str]:
        """The files below a folder, sorted, relative to the root; those still being written are left out."""
        found = self._remote_files(relative) if is_remote(self.root) else _files_below(self.path(relative))
        start = len((self.filesystem()[1] if is_remote(self.root) else self.root).rstrip("/")) + 1
        names = (path[start:] for path in found)
        return sorted(name for name in names if name.endswith(suffix) and not _hidden(name))

    def files(self) -> tuple[str, ...]:
        """The names of the files that stand directly in the folder, sorted."""
        if is_remote(self.root):
            from pyarrow.fs import FileSelector, FileType

            folder = FileSelector(self.inner_path(), allow_not_found=True)
            found = self.filesystem()[0].get_file_info(folder)
            names = [info.base_name for info in found if info.type == FileType.File]
        else:
            with os.scandir(self.root) as entries:
                names = [entry.name for entry in entries if entry.is_file()]
        return tuple(sorted(name for name in names if not _hidden(name)))

    def folders(self, relative: str) -> tuple[str, ...]:
        """The names of the folders that stand directly in a folder, sorted; none if it is not there."""
        if is_remote(self.root):
            from pyarrow.fs import FileSelector, FileType

            folder = FileSelector(self.inner_path(relative), allow_not_found=True)
            found = self.filesystem()[0].get_file_info(folder)
            names = [info.base_name for info in found if info.type == FileType.Directory]
        elif not os.path.isdir(self.path(relative)):
            names = []
        else:
            with os.scandir(self.path(relative)) as entries:
                names = [entry.name for entry in entries if entry.is_dir()]
        return tuple(sorted(name for name in names if not _hidden(name)))

    def read(self, relative: str) -> bytes:
        """The bytes of a file."""
        if not is_remote(self.root):
            return Path(self.path(relative)).read_bytes()
        with self.open_input(relative) as file:
            return bytes(file.read())

    def read_lines(self, relative: str) -> tuple[str, ...]:
        """The lines of a text file that have something in them; nothing but a newline ends one.

        JSON leaves other separators of Unicode as they are, and they are in addresses and texts.
        """
        return tuple(line for line in self.read(relative).decode().split("\n") if line)

    def read_if_there(self, relative: str) -> bytes | None:
        """The bytes of a file, or None: half the requests of `exists` and `read` to an object store."""
        try:
            return self.read(relative)
        except FileNotFoundError:
            return None

    def write(self, relative: str, data: bytes) -> None:
        """Store a file as a whole: a reader sees the old bytes or the new ones, never a part."""
        with AtomicFile(self.path(relative)) as temporary:
            Path(temporary).write_bytes(data)

    def delete(self, relative: str) -> None:
        """Remove a file; one that is not there is no error."""
        if not is_remote(self.root):
            Path(self.path(relative)).unlink(missing_ok=True)
            return
        with suppress(FileNotFoundError):
            self.filesystem()[0].delete_file(self.inner_path(relative))

    def delete_folder(self, relative: str) -> None:
        """Remove a folder with all that is in it; what others write into it meanwhile may stay."""
        if not is_remote(self.root):
            shutil.rmtree(self.path(relative), ignore_errors=True)
            return
        with suppress(FileNotFoundError):
            self.filesystem()[0].delete_dir(self.inner_path(relative))

    def put_in(self, other: Storage, relative: str) -> None:
        """Have a file under the same name in another folder too, as `put` does."""
        put(self.path(relative), other.path(relative))

    def put_all_in(self, other: Storage, files: Iterable[str]) -> None:
        """The same for many files: an object store is asked for several at the same time."""
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(PUT_AT_ONCE if is_remote(self.root) else 1) as pool:
            for _ in pool.map(partial(self.put_in, other), files):
                pass

    def open_input(self, relative: str) -> pa.NativeFile:
        """The file, open for reads at any offset."""
        return open_input(self.path(relative))

    def filesystem(self) -> tuple[FileSystem, str]:
        """The pyarrow file system, and the path of the root in it."""
        return filesystem_of(self.root)

    def inner_path(self, relative: str = "") -> str:
        """The path of a file within `filesystem()`."""
        root = self.filesystem()[1].rstrip("/")
        return f"{root}/{relative}" if relative else root

    def _remote_files(self, relative: str) -> Iterator[str]:
        from pyarrow.fs import FileSelector, FileType

        folder = FileSelector(self.inner_path(relative), recursive=True, allow_not_found=True)
        found = self.filesystem()[0].get_file_info(folder)
        return (info.path for info in found if info.type == FileType.File)


def put(source: str, target: str) -> None:
    """Have a file in another place too.

    On one disk it is linked, and who replaces one leaves the other as it is; one store copies it itself.
    """
    if is_remote(source):
        copy_to(source, target)
        return
    with AtomicFile(target) as temporary:
        try:
            os.link(source, temporary)
        except OSError:  # another disk, or one without links
            shutil.copyfile(source, temporary)


def copy_to(source: str, target: str) -> None:
    """Have a copy of a file in another place, which may be edited there; one store copies it itself."""
    if is_remote(source) and is_remote(target):
        filesystem, path = filesystem_of(source)
        filesystem.copy_file(path, filesystem_of(target)[1])
        return
    with AtomicFile(target) as temporary, open_input(source) as file, open(temporary, "wb") as copy:
        shutil.copyfileobj(file, copy, COPIED_AT_ONCE)


def _files_below(folder: str) -> Iterator[str]:
    """The paths of the files below a local folder; none if it is not there."""

    def failed(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            raise error

    for place, _, files in os.walk(folder, onerror=failed, followlinks=True):
        yield from (os.path.join(place, file) for file in files)


def _hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))
