"""Rows of JSONL and Parquet files, as streams; a bad row is reported, and reading goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.jobs.importing.files import pieces_of
from corpulyzer.storage import open_input
from corpulyzer.warc.scan import BrokenRecordError

if TYPE_CHECKING:
    import pyarrow as pa

MAX_LINE_BYTES = 64 << 20
PARQUET_ROWS = 64


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a file: its number from 1, its values, and how many bytes of the file are read."""

    number: int
    values: Mapping[str, Any]
    at: int


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that could not be read, and why."""

    number: int
    why: str


def jsonl_rows(path: str) -> Iterator[Row | BadRow]:
    """The objects of a JSONL file, packed or not, in memory bounded by its longest line."""
    progress = [0]
    number = 0
    try:
        for number, line in enumerate(_lines(pieces_of(path, progress)), 1):
            if line is None:
                yield BadRow(number, f"longer than {MAX_LINE_BYTES:,} bytes")
            elif line.strip():
                yield _parsed(number, line, progress[0])
    except BrokenRecordError as broken:
        yield BadRow(number + 1, f"the file is damaged from here on ({broken})")


def parquet_rows(path: str) -> Iterator[Row | BadRow]:
    """The rows of a Parquet file, a few at a time."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    number = 0
    try:
        with open_input(path) as file:
            table = pq.ParquetFile(file)
            share = file.size() / max(1, table.metadata.num_rows)
            for batch in table.iter_batches(PARQUET_ROWS, use_threads=False):
                for values in _values(batch):
                    number += 1
                    yield Row(number, values, int(number * share))
    except (pa.ArrowException, OSError) as error:
        yield BadRow(number + 1, f"the file is damaged from here on ({str(error).partition(chr(10))[0]})")


def _values(batch: pa.RecordBatch) -> list[dict[str, Any]]:
    """The rows of a batch; what Python has no type for (nanoseconds, far-off years) as text."""
    import pyarrow as pa

    try:
        return batch.to_pylist()
    except (ValueError, OverflowError):
        columns = [
            column.cast(pa.string()) if pa.types.is_temporal(column.type) else column
            for column in batch.columns
        ]
        return pa.RecordBatch.from_arrays(columns, names=batch.schema.names).to_pylist()


def _parsed(number: int, line: bytes, at: int) -> Row | BadRow:
    try:
        values = json.loads(line.removeprefix(b"\xef\xbb\xbf"))
    except UnicodeDecodeError as error:
        return BadRow(number, f"not UTF-8 ({error.reason} at byte {error.start})")
    except (ValueError, RecursionError) as error:
        return BadRow(number, f"no JSON ({error})")
    return Row(number, values, at) if isinstance(values, dict) else BadRow(number, "no JSON object")


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes | None]:
    """Lines without their newlines; None for one that is too long to keep."""
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        first, *rest = piece.split(b"\n")
        size += len(first)
        held = [*held, first] if size <= MAX_LINE_BYTES else []
        for line in rest:
            yield b"".join(held) if size <= MAX_LINE_BYTES else None
            held, size = [line], len(line)
    if size:
        yield b"".join(held) if size <= MAX_LINE_BYTES else None
