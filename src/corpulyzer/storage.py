"""Where a corpus lives: a folder on disk, or a prefix in an object store, behind the same few verbs."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qs, urlsplit
from urllib.request import url2pathname

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.fs import FileSystem

ROW_GROUP_BYTES = 32 << 20


@dataclass(frozen=True, init=False)
class Storage:
    """A folder: a local path, or a URI that pyarrow knows (`s3://bucket/prefix`). Goes to workers as it is.

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


class AtomicFile:
    """A local name to write to, moved to its place by `commit()`; nothing is visible before.

    As a context it gives that name, commits at the end and leaves nothing behind after an exception.
    """

    def __init__(self, location: str) -> None:
        self.location = normalize(location)
        self._remote = is_remote(self.location)
        if self._remote:
            handle, self.temporary = tempfile.mkstemp(prefix="corpulyzer-")
            os.close(handle)
        else:
            folder, name = os.path.split(self.location)
            os.makedirs(folder, exist_ok=True)
            _sweep(folder, name)
            self.temporary = os.path.join(folder, f".{name}.{os.uname().nodename}.{os.getpid()}.tmp")

    def commit(self) -> None:
        """Put the file in its place, over an older one. Its bytes are on the disk before its name is."""
        if self._remote:
            _upload(self.temporary, self.location)
            self.discard()
            return
        with open(self.temporary, "rb") as file:
            os.fsync(file.fileno())
        os.replace(self.temporary, self.location)

    def discard(self) -> None:
        """Leave nothing behind."""
        Path(self.temporary).unlink(missing_ok=True)

    def __enter__(self) -> str:
        return self.temporary

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.commit()
        else:
            self.discard()


class ParquetSink:
    """Writes batches to a Parquet file (zstd) that appears whole when the context ends without an exception.

    Rows are held back until they fill a row group, so small batches cost nothing and memory stays
    bounded. `finish` and `commit` are apart for those who make several files visible together.
    """

    def __init__(self, location: str, schema: pa.Schema) -> None:
        import pyarrow.parquet as pq

        self.schema = schema
        self._file = AtomicFile(location)
        self._held: list[pa.RecordBatch] = []
        self._held_bytes = 0
        self._writer = pq.ParquetWriter(self._file.temporary, schema, compression="zstd")

    def write(self, batch: pa.RecordBatch) -> None:
        """Append rows of the sink's schema."""
        self._held.append(batch)
        self._held_bytes += batch.nbytes
        if self._held_bytes >= ROW_GROUP_BYTES:
            self._flush()

    def finish(self) -> None:
        """Complete the file, still under its temporary name."""
        if self._held:
            self._flush()
        self._writer.close()

    def commit(self) -> None:
        """Make a finished file visible."""
        self._file.commit()

    def discard(self) -> None:
        """Leave nothing behind."""
        self._held.clear()
        self._writer.close()
        self._file.discard()

    def _flush(self) -> None:
        import pyarrow as pa

        table = pa.Table.from_batches(self._held, schema=self.schema).combine_chunks()
        self._held, self._held_bytes = [], 0
        self._writer.write_table(table, row_group_size=max(1, table.num_rows))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.finish()
            self.commit()
        else:
            self.discard()


def open_input(location: str) -> pa.NativeFile:
    """A file anywhere, by path or URI, open for reads at any offset."""
    filesystem, path = filesystem_of(location)
    return filesystem.open_input_file(path)


def exists(location: str) -> bool:
    """Whether there is a file or folder under a path or URI."""
    from pyarrow.fs import FileType

    filesystem, path = filesystem_of(location)
    return bool(filesystem.get_file_info(path).type != FileType.NotFound)


def is_remote(location: str) -> bool:
    """Whether a location is a URI other than `file:`."""
    return "://" in location and not location.startswith("file://")


def normalize(location: str) -> str:
    """An absolute path for anything local, since workers have other working folders; a URI as it is."""
    if is_remote(location):
        return location
    if location.startswith("file://"):
        location = url2pathname(urlsplit(location).path)
    return os.path.abspath(os.path.expanduser(location))


def filesystem_of(location: str) -> tuple[FileSystem, str]:
    """The pyarrow file system of a path or URI, and the path in it."""
    from pyarrow.fs import FileSystem

    if not is_remote(location):
        return _local(), normalize(location)
    parts = urlsplit(location)
    if parts.scheme == "s3" and "@" not in parts.netloc:
        return _s3(parts.query, _environment()), f"{parts.netloc}{parts.path}".rstrip("/")
    filesystem, path = FileSystem.from_uri(location)
    return filesystem, path


@cache
def _local() -> FileSystem:
    from pyarrow.fs import LocalFileSystem

    return LocalFileSystem()


def _environment() -> tuple[tuple[str, str], ...]:
    """The options of S3 that pyarrow does not read from the environment itself."""
    read: dict[str, str | None] = {
        "endpoint_override": os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL"),
        "region": os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION"),
    }
    return tuple((name, value) for name, value in read.items() if value)


@cache
def _s3(query: str, environment: tuple[tuple[str, str], ...]) -> FileSystem:
    """One client for all files of a store: making one costs milliseconds and a pool of connections."""
    from pyarrow.fs import S3FileSystem

    asked = {name: values[-1] for name, values in parse_qs(query).items()}
    options: dict[str, Any] = {**dict(environment), **asked}
    for name in options.keys() & {"anonymous", "background_writes", "allow_bucket_creation"}:
        options[name] = options[name].lower() in ("1", "true", "yes")
    return S3FileSystem(**options)


def _upload(local: str, location: str) -> None:
    """Copy a complete file to its place in a store.

    An object appears when its upload completes, and only then. Elsewhere (HDFS) a rename does it.
    """
    filesystem, path = filesystem_of(location)
    atomic = filesystem.type_name == "s3"
    target = path if atomic else f"{os.path.dirname(path)}/.{os.path.basename(path)}.{os.getpid()}.tmp"
    if not atomic:
        filesystem.create_dir(os.path.dirname(path), recursive=True)
    with open(local, "rb") as source, filesystem.open_output_stream(target) as sink:
        shutil.copyfileobj(source, sink, 8 << 20)
    if not atomic:
        filesystem.move(target, path)


def _hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


def _sweep(folder: str, name: str) -> None:
    """Remove what a killed process of this machine left of the same file."""
    start = f".{name}.{os.uname().nodename}."
    for entry in os.listdir(folder):
        if entry.startswith(start) and entry.endswith(".tmp"):
            pid = entry[len(start) : -len(".tmp")]
            if pid.isdigit() and not os.path.exists(f"/proc/{pid}"):
                Path(folder, entry).unlink(missing_ok=True)
