"""The step that reads the index: row groups in, the rows that are wanted out, on a laptop or on Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from corpulyzer.records import EPOCH
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.storage import open_input
from corpulyzer.web.commoncrawl import IndexRow
from corpulyzer.web.commoncrawl.wanted import Wanted

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

BATCH_ROWS = 128 << 10

NEEDED = ("url", "url_host_name", "fetch_status", "warc_filename", "warc_record_offset", "warc_record_length")
OPTIONAL = (
    *("content_languages", "content_mime_detected", "content_mime_type", "content_truncated"),
    *("content_charset", "content_digest", "fetch_time"),
)


@dataclass(frozen=True, slots=True)
class FilterIndex:
    """Map: row groups (`path`, `row_group`) of an index in, the rows that are wanted out."""

    release: str
    wanted: Wanted

    @property
    def needs(self) -> tuple[str, ...]:
        """The columns that the index must have."""
        return NEEDED

    @property
    def reads(self) -> tuple[str, ...]:
        """All columns that are read of a row group with wanted rows."""
        return tuple(dict.fromkeys((*self.wanted.columns, *NEEDED, *OPTIONAL)))

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"index": schema_of(IndexRow)}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        import pyarrow as pa

        found: list[pa.RecordBatch] = []
        for path, rows in groupby(enumerate(batch.to_pylist()), lambda row: row[1]["path"]):
            with open_index(path) as parquet:
                for number, row in rows:
                    at(number)
                    found += self._rows(parquet, row["row_group"], partial(at, number))
        table = pa.Table.from_batches(found, schema=schema_of(IndexRow)).combine_chunks()
        return {"index": table.to_batches()[0] if table.num_rows else _empty()}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        problem = f"{batch.column('path')[0].as_py()}: {why}"
        return {"index": batch_of([IndexRow(self.release, "", "", "", "", 0, problem=problem)], IndexRow)}

    def _rows(
        self, parquet: pq.ParquetFile, group: int, tick: Callable[[], None]
    ) -> Iterator[pa.RecordBatch]:
        """The wanted rows of a row group; if there are none, only the columns that decide are read."""
        import pyarrow.compute as pc

        read = partial(parquet.iter_batches, BATCH_ROWS, row_groups=[group], use_threads=False)
        masks = []
        for batch in read(columns=list(self.wanted.columns)):
            tick()
            masks.append(self.wanted.mask(batch))
        if not any(pc.any(mask).as_py() for mask in masks):
            return
        columns = [name for name in (*NEEDED, *OPTIONAL) if name in parquet.schema_arrow.names]
        for batch, mask in zip(read(columns=columns), masks, strict=True):
            tick()
            yield _index_rows(batch.filter(mask), self.release)


@contextmanager
def open_index(path: str) -> Iterator[pq.ParquetFile]:
    """A file of the index, its footer read once for all of its row groups."""
    import pyarrow.parquet as pq

    with open_input(path) as file, pq.ParquetFile(file, pre_buffer=True) as parquet:
        yield parquet


def _index_rows(batch: pa.RecordBatch, release: str) -> pa.RecordBatch:
    """Rows of the index in our own names; a column that a release does not have yet is empty."""
    import pyarrow as pa
    import pyarrow.compute as pc

    def text(*names: str) -> Any:
        known = [pc.cast(batch.column(name), pa.string()) for name in names if name in batch.schema.names]
        return pc.coalesce(*known, pa.scalar("")) if known else pa.array([""] * batch.num_rows, pa.string())

    size = batch.num_rows
    times = batch.column("fetch_time") if "fetch_time" in batch.schema.names else pa.array([EPOCH] * size)
    columns: Mapping[str, Any] = {
        "release": pa.array([release] * size, pa.string()),
        "url": text("url"),
        # As `site_of` has it: the host without www., unless nothing but a top-level domain were left.
        "site": pc.replace_substring_regex(text("url_host_name"), r"^www\.(.*\..*)$", r"\1"),
        "languages": text("content_languages"),
        "mime": text("content_mime_detected", "content_mime_type"),
        "length": batch.column("warc_record_length"),
        "status": batch.column("fetch_status"),
        "truncated": text("content_truncated"),
        "charset": text("content_charset"),
        "digest": text("content_digest"),
        "time": _utc(times),
        "filename": text("warc_filename"),
        "offset": batch.column("warc_record_offset"),
        "problem": pa.array([""] * size, pa.string()),
    }
    schema = schema_of(IndexRow)
    return pa.RecordBatch.from_arrays(
        [_cast(columns[field.name], field.type) for field in schema], schema=schema
    )


def _cast(column: Any, kind: pa.DataType) -> Any:
    return column if column.type == kind else column.cast(kind, safe=False)


def _utc(times: Any) -> Any:
    import pyarrow.compute as pc

    return times if times.type.tz else pc.assume_timezone(times, "UTC")


def _empty() -> pa.RecordBatch:
    return batch_of([], IndexRow)
