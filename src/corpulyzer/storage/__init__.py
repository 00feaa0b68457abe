"""Where a corpus lives: a folder on disk, or a prefix in an object store, behind the same few verbs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.storage.location import exists, filesystem_of, is_remote, normalize, open_input
from corpulyzer.storage.sink import AtomicFile, ParquetSink

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.fs import FileSystem

__all__ = [
    "AtomicFile",
    "ParquetSink",
    "Storage",
    "exists",
    "filesystem_of",
    "is_remote",
    "normalize",
    "open_input",
]


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
        """Whether there is such a file or folder."""
        return exists(self.path(relative))

    def list(self, relative: str = "", suffix: str = "") -> list[str]:
        """The files below a folder, sorted, relative to the root; those still being written are left out."""
        from pyarrow.fs import FileSelector, FileType

        filesystem, root = self.filesystem()
        folder = self.inner_path(relative)
        found = filesystem.get_file_info(FileSelector(folder, recursive=True, allow_not_found=True))
        names = [info.path[len(root.rstrip("/")) + 1 :] for info in found if info.type == FileType.File]
        return sorted(name for name in names if name.endswith(suffix) and not _hidden(name))

    def read(self, relative: str) -> bytes:
        """The bytes of a file."""
        with self.open_input(relative) as file:
            return bytes(file.read())

    def write(self, relative: str, data: bytes) -> None:
        """Store a file as a whole: a reader sees the old bytes or the new ones, never a part."""
        with AtomicFile(self.path(relative)) as temporary:
            Path(temporary).write_bytes(data)

    def delete(self, relative: str) -> None:
        """Remove a file; one that is not there is no error."""
        filesystem, _ = self.filesystem()
        if self.exists(relative):
            filesystem.delete_file(self.inner_path(relative))

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


def _hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))
