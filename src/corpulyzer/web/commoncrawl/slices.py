"""Records fetched by tasks of an engine into a corpus in an object store, some slices of the list at a time.

A slice is a task. It writes an archive, and then the keys of what it has asked for; what has to be fetched is
the list minus these keys. As many slices are under way as there may be connections, and each waits so much
longer between its requests: so the rate is that of one machine, however many a cluster has. A server that
asks to be left alone is heeded by the slice that it tells; those beside it hear it by their own next request,
and no other slice begins before that one has waited and is done, or has given up and ends the fetch.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from corpulyzer.engine import Limits, Source, Unit
from corpulyzer.records.columns import batch_of, record_of, schema_of
from corpulyzer.records.fingerprint import digest
from corpulyzer.storage import Storage
from corpulyzer.storage.sink import AtomicFile
from corpulyzer.storage.temporary import temporary_folder
from corpulyzer.warc.names import ENDING
from corpulyzer.web.commoncrawl import FOLDER, CommonCrawlSettings
from corpulyzer.web.commoncrawl.fetch import Fetched, Fetcher, Wish, keys_in, on_hand
from corpulyzer.web.commoncrawl.gate import Gate
from corpulyzer.web.commoncrawl.mirror import Mirror

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.engine import Engine

Item = TypeVar("Item")
SLICE_RECORDS = 1_000
"""What is asked for again, at most, when a task is lost."""
NOTES_AT_ONCE = 16
"""So many notes of slices are read at the same time: what it takes is waiting."""
IMPORTS, ASKED = "imports", f"{FOLDER}-asked"


@dataclass(frozen=True, slots=True)
class Slice:
    """Records to be fetched, into archives whose names begin with this one."""

    name: str
    wishes: tuple[Wish, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of a slice: the keys of what need not be asked for again, and why it ended early, if so."""

    keys: tuple[int, ...] = ()
    records: int = 0
    bytes: int = 0
    missing: Mapping[str, int] = field(default_factory=dict)
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class FetchSlices:
    """Map: slices in, what came of them out; their records are in archives of the corpus at `root`.

    A slice that is done twice writes the same archives twice.
    """

    mirror: Mirror
    root: str
    pause_seconds: float

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"answered": schema_of(Answered)}

    def limits(self, usual: Limits) -> Limits:
        """A busy server is waited for, time and again."""
        patience = self.mirror.patience
        return replace(usual, page_seconds=max(usual.page_seconds, patience.tries * patience.longest_seconds))

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        found = []
        for number, row in enumerate(batch.to_pylist()):
            at(number)
            found.append(self._fetched(record_of(Slice, row), partial(at, number)))
        return {"answered": batch_of(found, Answered)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        return {"answered": batch_of([Answered(stopped=why)], Answered)}

    def _fetched(self, asked: Slice, tick: Callable[[], None]) -> Answered:
        patience = self.mirror.patience
        fetcher = Fetcher(self.mirror, 1, Gate(self.pause_seconds, patience.longest_seconds), patience)
        done = Fetched()
        with temporary_folder() as folder:
            fetcher(asked.wishes, done, Path(folder), asked.name, lambda _: tick())
            keys = on_hand(Path(folder), asked.name)
            for file in sorted(Path(folder).glob(f"*{ENDING}")):
                with AtomicFile(Storage(self.root).path(f"{IMPORTS}/{file.name}")) as copy:
                    shutil.copyfile(file, copy)
        return Answered(tuple(sorted(keys)), done.records, done.bytes, dict(done.missing), done.stopped)


@dataclass(frozen=True, slots=True)
class Slices:
    """The slices of a list of records, `name`, in a corpus; `settings` say how gently they are fetched."""

    storage: Storage
    mirror: Mirror
    settings: CommonCrawlSettings
    name: str

    def fetch(
        self, engine: Engine, wished: Iterator[Wish], done: Fetched, progress: Callable[[int], None]
    ) -> None:
        """Fetch the records that were not asked for before; `done` is kept up to date.

        Whoever notes the archives afterwards finds finished ones alone: another fetch would write the others
        anew, under names that the tables know already.
        """
        said = self._said({})
        self._forget_unfinished(said)
        try:
            self._fetch(engine, self._slices(wished, said, done, progress), done, progress)
        finally:
            self._forget_unfinished(self._said(said))

    def _fetch(
        self, engine: Engine, slices: Iterator[Slice], done: Fetched, progress: Callable[[int], None]
    ) -> None:
        at_once = self.settings.connections
        step = FetchSlices(self.mirror, self.storage.root, self.settings.pause_seconds * at_once)
        for some in _groups(slices, at_once):
            if done.stopped:
                return
            units = [
                Unit(Source(table=_table(each)), {"answered": self.storage.path(self._note(each.name))})
                for each in some
            ]
            engine.map(step, units)
            for each in some:
                self._add(each, done, progress)

    def _slices(
        self,
        wished: Iterator[Wish],
        said: Mapping[str, Answered],
        done: Fetched,
        progress: Callable[[int], None],
    ) -> Iterator[Slice]:
        """What was not asked for, in slices; a record that is wished for twice is in one of them."""
        held = {key for each in said.values() for key in each.keys} | self._brought()

        def new() -> Iterator[Wish]:
            for wish in wished:
                if wish.key in held:
                    done.known += 1
                    progress(1)
                else:
                    held.add(wish.key)
                    yield wish

        for some in _groups(new(), SLICE_RECORDS):
            yield Slice(f"{self.name}-{digest([wish.key for wish in some])}", some)

    def _add(self, each: Slice, done: Fetched, progress: Callable[[int], None]) -> None:
        said = self._read(self._note(each.name))
        done.records += said.records
        done.bytes += said.bytes
        done.missing.update(said.missing)
        done.stopped = done.stopped or said.stopped
        progress(len(said.keys))

    def _forget_unfinished(self, said: Mapping[str, Answered]) -> None:
        """Remove archives of slices that did not come to say what they have."""
        finished = {name for name, each in said.items() if each.keys}
        for file, stem in self._archives():
            if stem != self.name and stem not in finished:
                self.storage.delete(file)

    def _brought(self) -> set[int]:
        """The keys of what was fetched into a folder, by one process, before the corpus came here."""
        found: set[int] = set()
        for file, stem in self._archives():
            if stem == self.name:
                with self.storage.open_input(file) as archive:
                    found |= keys_in(archive, file)
        return found

    def _archives(self) -> Iterator[tuple[str, str]]:
        """The archives of this list, each with what its name begins with: that of a slice, or of the list."""
        for file in self.storage.list(IMPORTS, ENDING):
            stem = file.removeprefix(f"{IMPORTS}/").rpartition("-")[0]
            if stem == self.name or stem.startswith(f"{self.name}-"):
                yield file, stem

    def _said(self, known: Mapping[str, Answered]) -> dict[str, Answered]:
        """What came of all slices so far, by name; notes of those `known` to be done are not read again."""
        done = {name: each for name, each in known.items() if each.keys}
        new = [
            file
            for file in self.storage.list(f"{ASKED}/{self.name}", ".parquet")
            if Path(file).stem not in done
        ]
        with ThreadPoolExecutor(NOTES_AT_ONCE) as pool:
            return done | dict(zip((Path(file).stem for file in new), pool.map(self._read, new), strict=True))

    def _read(self, note: str) -> Answered:
        import pyarrow as pa
        import pyarrow.parquet as pq

        (row,) = pq.read_table(pa.BufferReader(self.storage.read(note))).to_pylist()
        said: Answered = record_of(Answered, row)
        return said

    def _note(self, name: str) -> str:
        return f"{ASKED}/{self.name}/{name}.parquet"


def _groups(items: Iterable[Item], size: int) -> Iterator[tuple[Item, ...]]:
    """The items, so many at a time."""
    left = iter(items)
    while some := tuple(islice(left, size)):
        yield some


def _table(each: Slice) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_batches([batch_of([each], Slice)])
