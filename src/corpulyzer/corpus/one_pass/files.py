"""The files of archives that are read once, and which archives these are.

Parts of documents and links say of which fetches they were made, all those of their archive. So an archive is
read from its start to its end, and then all of its parts are completed together. What is amiss with a whole
archive is left to those who index it first (`tables.py`): nothing is written of it here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from heapq import heapreplace
from typing import TYPE_CHECKING

from corpulyzer.corpus.archives import Archive
from corpulyzer.corpus.one_pass import Place
from corpulyzer.corpus.parts import Cut, part_name, wanted_fetches
from corpulyzer.engine import Outputs, Run, StepError, Work
from corpulyzer.engine.derived import Entry
from corpulyzer.engine.derived.table import PARTS_AT_ONCE, Table
from corpulyzer.records import Document, Edge, Fetch
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.storage import ParquetSink, Storage

if TYPE_CHECKING:
    import pyarrow as pa

BATCH_ROWS = 100
UNEVEN = 1.1
"""So much longer than on average may a core be at work on its archives."""
USUAL_BYTES = 1 << 30
"""The size of an archive that nobody has looked at, as Common Crawl makes them."""
MOST_BYTES = 4 << 30
"""A larger archive is indexed first: its parts are then made one by one, and a kill costs only a few."""
UNSAID = "unsaid"


def evenly(archives: Sequence[Archive], cores: int) -> list[Archive]:
    """Those archives that can each be left to one core, when no core works much longer than others.

    The largest come first. The others are indexed first: then all cores share the pages of each.

    >>> sizes = [3, 1, 2, 9]
    >>> found = evenly([Archive(str(size), "", bytes=size) for size in sizes], cores=2)
    >>> [archive.bytes for archive in found]
    [3, 2, 1]
    """
    sizes = {archive: archive.bytes or USUAL_BYTES for archive in archives}
    most = UNEVEN * sum(sizes.values()) / cores
    loads = [0] * cores
    found = []
    for archive in sorted(archives, key=lambda archive: -sizes[archive]):
        size = sizes[archive]
        if size <= MOST_BYTES and loads[0] + size <= most:
            heapreplace(loads, loads[0] + size)
            found.append(archive)
    return found


def write_archives(
    storage: Storage, archives: Sequence[Archive], cut: Cut, run: Callable[[list[Work]], None]
) -> dict[Archive, int]:
    """Make the tables of new archives by `run`, and note them in their logs, some at a time.

    Return those archives that could be read, and how many parts of documents each has.
    """
    wanted = wanted_fetches(archives)
    tables = {name: Table(storage, name) for name in ("fetches", "links", "documents")}
    found = {}
    for start in range(0, len(archives), PARTS_AT_ONCE):
        some = {part_name(archive): archive for archive in archives[start : start + PARTS_AT_ONCE]}
        tables["fetches"].forget(tables["fetches"].there(list(some)))  # of an archive that nobody could read
        for table in tables.values():  # the first part of an archive is called as its fetches are
            table.set_aside(some)
        run([WriteArchive(storage, archive, wanted[name], cut) for name, archive in some.items()])
        made = tables["fetches"].note_made(list(some))
        entries = tables["fetches"].entries() if made else {}
        parts = {some[name]: list(cut.parts(some[name], entries[name])) for name in made}
        for name in ("links", "documents"):
            tables[name].note(each for names in parts.values() for each in names)
        found.update({archive: len(names) for archive, names in parts.items()})
    return found


@dataclass(frozen=True, slots=True)
class WriteArchive:
    """The work on one archive: its rows asked for, batch by batch, and all of its files written.

    `made_of` is what its fetches are made of. An engine does it, with a worker of its own for `ReadArchives`.
    """

    storage: Storage
    archive: Archive
    made_of: str
    cut: Cut

    def __call__(self, run: Run, tell: Callable[[int], None]) -> None:
        """Write the files, or none if the archive cannot be read; `tell` how many bytes of it are done."""
        with ExitStack() as opened:
            files = ArchiveFiles(self)
            opened.callback(files.discard)
            ahead = opened.enter_context(ThreadPoolExecutor(1))
            try:
                self._read(lambda batch: ahead.submit(run, batch), files, tell)
            except StepError:
                return
            files.commit()

    def _read(
        self,
        begin: Callable[[pa.RecordBatch], Future[list[Outputs]]],
        files: ArchiveFiles,
        tell: Callable[[int], None],
    ) -> None:
        """Have the archive read; while a batch is written, the next is being read."""
        start, asked = 0, self._asked(0)
        reading = begin(self._places(start, asked))
        while True:
            outputs = reading.result()
            found, end = _extent(outputs, start)
            if not start and not _has_record(outputs):
                raise StepError(f"{self.archive.path} does not begin as an archive does")
            is_end = found < asked
            asked = self._asked(files.rows + found)
            if not is_end:
                reading = begin(self._places(end, asked))
            files.write(outputs, found)
            tell(end - start)
            start = end
            if is_end:
                return

    def _asked(self, rows: int) -> int:
        """How many rows come next, so that no batch is of two parts."""
        return min(BATCH_ROWS, self.cut.pages - rows % self.cut.pages)

    def _places(self, start: int, count: int) -> pa.RecordBatch:
        archive = self.archive
        rows = (Place(archive.name, archive.path, archive.round, start, each) for each in range(count))
        return batch_of(rows, Place)


class ArchiveFiles:
    """The fetches of an archive and the parts of its documents and links, while they are written."""

    def __init__(self, work: WriteArchive) -> None:
        self._work = work
        self._name = part_name(work.archive)
        path = Table(work.storage, "fetches").path(self._name)
        self._fetches = ParquetSink(path, schema_of(Fetch), work.made_of)
        self._links: list[ParquetSink] = []
        self._documents: list[ParquetSink] = []
        self.rows = 0

    def write(self, outputs: Sequence[Outputs], rows: int) -> None:
        """Append the outputs of so many rows, all of one part."""
        if rows and not self.rows % self._work.cut.pages:
            self._begin_part()
        for each in outputs:
            self._fetches.write(each["fetches"])
            if rows:
                self._links[-1].write(each["links"])
                self._documents[-1].write(each["documents"])
        self.rows += rows

    def _begin_part(self) -> None:
        for sinks, table, record in (self._links, "links", Edge), (self._documents, "documents", Document):
            if sinks:
                sinks[-1].rest()
            path = Table(self._work.storage, table).path(part_name(self._work.archive, len(sinks)))
            sinks.append(ParquetSink(path, schema_of(record), UNSAID))

    def commit(self) -> None:
        """Complete the files and make them visible, the fetches first, of which all others are made."""
        self._fetches.finish()
        entry = Entry(self._name, self._work.made_of, self._fetches.version, self.rows)
        wanted = self._work.cut.parts(self._work.archive, entry).values()
        for part, links, documents in zip(wanted, self._links, self._documents, strict=True):
            links.made_of, documents.made_of = part.links, part.documents
            links.finish()
            documents.finish()
        for sink in self._all():
            sink.commit()

    def discard(self) -> None:
        """Leave nothing behind but what is in its place."""
        for sink in self._all():
            sink.discard()

    def _all(self) -> list[ParquetSink]:
        pairs = zip(self._links, self._documents, strict=True)
        return [self._fetches, *(sink for pair in pairs for sink in pair)]


def _extent(outputs: Sequence[Outputs], start: int) -> tuple[int, int]:
    """How many fetches there are in outputs, and where the last one ends; `start` if there is none."""
    fetches = [each["fetches"] for each in outputs if each["fetches"].num_rows]
    if not fetches:
        return 0, start
    last = fetches[-1].slice(fetches[-1].num_rows - 1).to_pylist()[0]
    return sum(each.num_rows for each in fetches), last["offset"] + last["length"]


def _has_record(outputs: Sequence[Outputs]) -> bool:
    """Whether something in outputs is a record: a file of nothing but damage may be no archive at all."""
    return any(kind for each in outputs for kind in each["fetches"].column("kind").to_pylist())
