"""Files that appear whole under their name, or not at all."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import IO, TYPE_CHECKING, Self, cast

from corpulyzer.storage.content import MADE_OF, VERSION, ContentDigest
from corpulyzer.storage.location import filesystem_of, is_remote, normalize
from corpulyzer.storage.temporary import sweep_for, temporary_file, temporary_name

if TYPE_CHECKING:
    import pyarrow as pa

ROW_GROUP_BYTES = 8 << 20


class AtomicFile:
    """A local name to write to, moved to its place by `commit()`; nothing is visible before.

    As a context it gives that name, commits at the end and leaves nothing behind after an exception.
    """

    def __init__(self, location: str) -> None:
        self.location = normalize(location)
        self._remote = is_remote(self.location)
        if self._remote:
            self.temporary = temporary_file()
        else:
            folder, name = os.path.split(self.location)
            os.makedirs(folder, exist_ok=True)
            sweep_for(folder, name)
            self.temporary = os.path.join(folder, temporary_name(name))

    def commit(self) -> None:
        """Put the file in its place, over an older one. Its bytes are synced to disk before it is renamed."""
        if self._remote:
            _upload(self.temporary, self.location)
            self.discard()
            return
        with open(self.temporary, "rb") as file:
            os.fsync(file.fileno())
        os.replace(self.temporary, self.location)

    def discard(self) -> None:
        """Leave nothing behind but what is in its place."""
        Path(self.temporary).unlink(missing_ok=True)

    def __enter__(self) -> str:
        return self.temporary

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self.commit()
        finally:
            self.discard()


class ParquetSink:
    """Writes batches to a Parquet file (zstd) that appears whole when the context ends without an exception.

    Rows are held back until they fill a row group, so small batches cost nothing and memory stays
    bounded. `finish` and `commit` are apart for those who make several files visible together. A file that
    is told what it is made of says so in its footer, with the identity of its rows; what it says may be
    changed until it is finished.
    """

    def __init__(self, location: str, schema: pa.Schema, made_of: str = "") -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.schema = schema
        self.made_of = made_of
        self._content = ContentDigest(schema) if made_of else None
        self._file = AtomicFile(location)
        self._held: list[pa.RecordBatch] = []
        self._held_bytes = 0
        self.bytes = 0
        """The size of the file, when it is finished."""
        # Arrow's default allocator returns memory at once; to get it back takes longer than the write.
        pool = pa.system_memory_pool()
        self._out = _Resting(self._file.temporary)
        out = cast("IO[bytes]", self._out)  # of which a writer asks no more than it has
        self._writer = pq.ParquetWriter(out, schema, compression="zstd", memory_pool=pool)

    def write(self, batch: pa.RecordBatch) -> None:
        """Append rows of the sink's schema."""
        self._held.append(batch)
        self._held_bytes += batch.nbytes
        if self._held_bytes >= ROW_GROUP_BYTES:
            self._flush()

    def rest(self) -> None:
        """Write the rows that are held back, and keep neither them nor an open file until it is finished."""
        if self._held:
            self._flush()
        self._out.rest()

    def finish(self) -> None:
        """Complete the file, still under its temporary name."""
        if self._held:
            self._flush()
        if self._content is not None:
            self._writer.add_key_value_metadata(
                {MADE_OF.decode(): self.made_of, VERSION.decode(): self.version}
            )
        self._close()
        self.bytes = os.path.getsize(self._file.temporary)

    def commit(self) -> None:
        """Make a finished file visible."""
        self._file.commit()

    def discard(self) -> None:
        """Leave nothing behind but what is in its place."""
        self._held.clear()
        self._close()
        self._file.discard()

    @property
    def version(self) -> str:
        """The identity of the rows, when all are written; empty if nobody said what they are made of."""
        return self._content.hexdigest() if self._content is not None else ""

    def _close(self) -> None:
        self._writer.close()
        self._out.close()

    def _flush(self) -> None:
        import pyarrow as pa

        table = pa.Table.from_batches(self._held, schema=self.schema)
        self._held, self._held_bytes = [], 0
        if self._content is not None:
            table = table.combine_chunks()
            for batch in table.to_batches():
                self._content.update(batch)
        self._writer.write_table(table, row_group_size=max(1, table.num_rows))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self.finish()
                self.commit()
        finally:
            self.discard()


class _Resting:
    """A file to write to, which may be closed meanwhile: a process may have only so many open."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file: IO[bytes] | None = open(path, "wb")  # noqa: SIM115 - closed by close()
        self._size = 0
        self.closed = False

    def write(self, content: bytes) -> int:
        if self._file is None:
            self._file = open(self._path, "ab")  # noqa: SIM115 - closed by close()
        self._size += len(content)
        return self._file.write(content)

    def tell(self) -> int:
        return self._size

    def flush(self) -> None:
        """What is written is synced when the file is moved to its place."""

    def rest(self) -> None:
        if self._file is not None:
            self._file.close()
        self._file = None

    def close(self) -> None:
        self.rest()
        self.closed = True


def _upload(local: str, location: str) -> None:
    """Copy a complete file to its place in a store.

    An object appears when its upload completes, and only then. Elsewhere (HDFS) a rename does it.
    """
    filesystem, path = filesystem_of(location)
    atomic = filesystem.type_name == "s3"
    target = path if atomic else f"{os.path.dirname(path)}/{temporary_name(os.path.basename(path))}"
    if not atomic:
        filesystem.create_dir(os.path.dirname(path), recursive=True)
    with open(local, "rb") as source, filesystem.open_output_stream(target, compression=None) as sink:
        shutil.copyfileobj(source, sink, 8 << 20)
    if not atomic:
        filesystem.move(target, path)
