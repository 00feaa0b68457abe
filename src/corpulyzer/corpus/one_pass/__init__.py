"""Archives read once: fetches, documents and links come out of the same reading, in a guarded worker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from corpulyzer.corpus.takedowns import Removed
from corpulyzer.page.maps import ProcessPages, is_read
from corpulyzer.records import Fetch
from corpulyzer.records.columns import batch_of, record_of, schema_of
from corpulyzer.warc import ArchiveReader, Record
from corpulyzer.warc.forward import Found, OpenArchive
from corpulyzer.warc.read import scanned_record

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.warc.scan import Scan


class Place(NamedTuple):
    """A fetch by where it is in its archive: so many fetches behind the offset `start`."""

    archive: str
    path: str
    round: int
    start: int
    number: int


@dataclass(frozen=True, slots=True)
class ReadArchives:
    """Map: places of fetches in, the fetches with their documents and links out; nothing behind the last one.

    Each record is unpacked once. The archive stays open for the batch that goes on where this one ends.
    """

    pages: ProcessPages
    removed: Removed = field(default_factory=Removed)
    _open: OpenArchive = field(default_factory=OpenArchive, compare=False, repr=False)

    def prepare(self) -> None:
        """Load, before workers are forked, what they then share."""
        self.pages.prepare()

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"fetches": schema_of(Fetch), **self.pages.outputs}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        fetches: list[Fetch] = []
        last: list[Scan | None] = [None]

        def with_pages() -> Iterator[Fetch]:
            for number, (fetch, last[0]) in enumerate(self._found(batch, at)):
                fetches.append(fetch)
                if is_read(fetch):
                    at(number)
                    yield fetch

        def read(fetch: Fetch) -> Record:
            scan = last[0]
            return (scanned_record(scan) if scan is not None else None) or reader.read(fetch)

        first = _first(batch)
        with ArchiveReader({first.archive: first.path}) as reader:
            tables = self.pages.tables(with_pages(), read)
        return {"fetches": batch_of(fetches, Fetch), **tables}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """The fetches without what is on their pages; if they cannot be found, no page is at fault."""
        fetches = [fetch for fetch, _ in self._found(batch, _unwatched)]
        return {"fetches": batch_of(fetches, Fetch), **self.pages.lost(filter(is_read, fetches), why)}

    def _found(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> Iterator[Found]:
        """The fetches at the places of a batch, which are neighbours, and their records."""
        first = _first(batch)
        self._open.go_to(first.path, first.start, first.archive, first.round)
        for number in range(-first.number, batch.num_rows):
            at(max(0, number))
            found = self._open.next(partial(at, max(0, number)))
            if found is None:
                return
            if number >= 0:
                yield self.removed.blank(found[0]), found[1]


def _first(batch: pa.RecordBatch) -> Place:
    first: Place = record_of(Place, batch.slice(0, 1).to_pylist()[0])
    return first


def _unwatched(_row: int) -> None:
    """Ignores the row, where nobody watches."""
