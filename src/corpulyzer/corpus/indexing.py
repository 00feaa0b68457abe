"""What is in the archives: one row of `fetches` for every page, failure and damage.

`IndexArchives` reads an archive for them; a crawl or an import that has just written one hands them over.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from corpulyzer.corpus.takedowns import Removed
from corpulyzer.records import Fetch, int64_hash
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.storage import ParquetSink, is_remote
from corpulyzer.warc import fetch_of, index_file
from corpulyzer.warc.forward import PAUSE_SECONDS, Ticking
from corpulyzer.warc.window import open_archive

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.engine.derived.table import Table
    from corpulyzer.storage import Storage

ROWS = 5_000
"""Fetches held as objects before they become Arrow, which is ten times smaller."""


@dataclass(frozen=True, slots=True)
class IndexArchives:
    """Map: archives (`archive`, `path`, `round`, all as text) in, their fetches out.

    Fetches of removed URLs say only that something was removed. An archive that a store does not give, or not
    to its end, is read again from its start, some times.
    """

    removed: Removed = field(default_factory=Removed)

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"fetches": schema_of(Fetch)}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        parts: list[pa.RecordBatch] = []
        for number, row in enumerate(batch.to_pylist()):
            at(number)
            parts += self._indexed(row, partial(at, number))
        return {"fetches": _joined(parts)}

    def _indexed(self, row: Mapping[str, object], tick: Callable[[], None]) -> list[pa.RecordBatch]:
        for pause in (*PAUSE_SECONDS, None):
            try:
                return list(_batches(map(self.removed.blank, _fetches(row, tick))))
            except OSError:
                if pause is None or not is_remote(str(row["path"])):
                    raise
                tick()
                time.sleep(pause)
        raise AssertionError("the last try returns or raises")

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        return {"fetches": batch_of([_unreadable(row, why) for row in batch.to_pylist()], Fetch)}


def left_out(storage: Storage, fetches: Table, names: Iterable[str]) -> dict[str, str]:
    """Those of the parts of `fetches` that stand for an archive that could not be read at all, and why."""
    import pyarrow.parquet as pq

    known = fetches.entries()
    found = {}
    for name in names:
        if name in known and known[name].rows == 1:
            with storage.open_input(fetches.file(name)) as file:
                (row,) = pq.read_table(file, columns=["outcome", "length", "detail"]).to_pylist()
            if row["outcome"] == "damaged" and not row["length"]:
                found[name] = str(row["detail"])
    return found


def write_fetches(target: str, fetches: Iterable[Fetch], removed: Removed, made_of: str) -> None:
    """Write the file that the step would make of an archive, out of rows that are known already."""
    in_order = sorted(fetches, key=lambda fetch: fetch.offset)
    with ParquetSink(target, schema_of(Fetch), made_of) as sink:
        for batch in _batches(map(removed.blank, in_order)):
            sink.write(batch)


def _fetches(row: Mapping[str, object], tick: Callable[[], None]) -> Iterator[Fetch]:
    archive, path, round = str(row["archive"]), str(row["path"]), int(str(row["round"]))
    with open_archive(path) as file:
        for entry in index_file(Ticking(file, tick), path):
            fetch = fetch_of(entry, archive, round)
            if fetch is not None:
                yield fetch


def _batches(fetches: Iterator[Fetch]) -> Iterator[pa.RecordBatch]:
    held: list[Fetch] = []
    for fetch in fetches:
        held.append(fetch)
        if len(held) == ROWS:
            yield batch_of(held, Fetch)
            held.clear()
    yield batch_of(held, Fetch)


def _joined(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    import pyarrow as pa

    table = pa.Table.from_batches(batches, schema=schema_of(Fetch)).combine_chunks()
    return table.to_batches()[0] if table.num_rows else batch_of([], Fetch)


def _unreadable(row: Mapping[str, object], why: str) -> Fetch:
    """A whole archive that gives nothing, as one damaged fetch that says so."""
    archive = str(row["archive"])
    return Fetch(
        id=int64_hash(archive, "0"),
        url_id=0,
        url="",
        site="",
        round=int(str(row["round"])),
        archive=archive,
        offset=0,
        length=0,
        kind="",
        outcome="damaged",
        detail=why,
    )
