"""A derived table on disk: its parts brought up to date, changed in place, and removed.

A file and its entry in the log cannot be replaced in one step, and the process may be killed in between. So
an empty entry is written before a file is made or replaced. For an entry that is empty the footer of the file
is read instead, which is written together with the rows and so always fits them.

On a disk the files are listed too, so that one that somebody deleted is made again. A listing of an object
store takes a request for each thousand files: there the log alone says what there is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpulyzer.engine import Dataset, Source, Unit
from corpulyzer.engine.derived import Entry, Part, holds, is_made_of, orphans, stale
from corpulyzer.engine.derived.log import FOLDER as LOGS
from corpulyzer.engine.derived.log import Log
from corpulyzer.storage import ParquetSink, Storage, exists, is_remote
from corpulyzer.storage.content import DamagedError, digest_of_rows, footer_of, open_parquet
from corpulyzer.storage.location import sizes_of

if TYPE_CHECKING:
    import pyarrow as pa

Change = Callable[["pa.RecordBatch"], "pa.RecordBatch"]
PARTS_AT_ONCE = 1_000
"""So many parts are made before the log is written."""
ROWS_AT_ONCE = 1_000
FOOTERS_AT_ONCE = 16
"""So many footers are asked for at the same time in an object store: what it takes is waiting."""


@dataclass(frozen=True, slots=True)
class Table:
    """The parts of a table below a folder of the storage, with their log."""

    storage: Storage
    folder: str

    @property
    def log(self) -> Log:
        return Log(self.storage, f"{LOGS}/{self.folder}.jsonl")

    def file(self, name: str) -> str:
        """Where the file of a part is, relative to the storage."""
        return f"{self.folder}/{name}"

    def path(self, name: str) -> str:
        """The same in full."""
        return self.storage.path(self.file(name))

    def entries(self) -> dict[str, Entry]:
        """The parts by name, from one read of the log; footers are read for entries that are empty."""
        return self._completed(self.log.read())

    def made(self) -> dict[str, str]:
        """What each part was made of."""
        return {name: entry.made_of for name, entry in self.entries().items()}

    def parts(self) -> list[Part]:
        """The parts in the order of their names, for what is made of them."""
        found = sorted(self.entries().values())
        return [
            Part(entry.name, self.file(entry.name), entry.version, entry.rows, entry.ranges)
            for entry in found
        ]

    def dataset(self, schema: pa.Schema) -> Dataset:
        """The table for a query."""
        known = self.log.read()
        if known is None:
            return Dataset(tuple(map(self.path, self.files())), schema)
        entries = self._completed(known)
        names = sorted(entries)
        sizes = [entries[name].bytes for name in names]
        noted = all(sizes)  # earlier versions did not
        return Dataset(tuple(map(self.path, names)), schema, sizes if noted else None)

    def files(self) -> list[str]:
        """The names of the files that are there, with entries or without."""
        return [file.removeprefix(f"{self.folder}/") for file in self.storage.list(self.folder, ".parquet")]

    def lost(self) -> list[str]:
        """The names of the parts that the log knows and whose files are gone."""
        if is_remote(self.storage.root):
            return []
        known = self.log.read() or {}
        return sorted({name for name, entry in known.items() if entry.version} - set(self.files()))

    def mend(self, wanted: Mapping[str, str]) -> dict[str, str]:
        """Bring the log in line with the files; return what each file was made of, empty if nobody knows.

        Entries of lost files are dropped. Where the log does not say that a file is as `wanted`, its footer
        is read, because the process that made it may have been killed before it wrote the log.
        """
        written = self.log.read()
        known = self._completed(written)
        listed = written is None or not is_remote(self.storage.root)
        there = self.files() if listed else sorted(known)
        kept = {name: known[name] for name in there if name in known}
        left = set(stale(_made(kept), wanted))
        kept |= self._as_wanted([name for name in there if name in left], wanted)
        if written is None:  # a log whose checkpoint is damaged would stay so
            self.log.delete()
            self.log.commit(kept.values(), (), dict)
        elif kept != written:
            before = written
            changed = [entry for name, entry in kept.items() if entry != before.get(name)]
            self._write(changed, [name for name in before if name not in kept])
        return dict.fromkeys(there, "") | _made(kept)

    def adopt(self, wanted: Mapping[str, str]) -> dict[str, str]:
        """The same for these parts alone; the folder is not listed."""
        known = self.made()
        left = [name for name in stale(known, wanted) if exists(self.path(name))]
        found = self._as_wanted(left, wanted)
        self._commit(found.values())
        return known | _made(found)

    def set_aside(self, names: Iterable[str]) -> None:
        """Write empty entries for files that are about to be made or replaced."""
        self._commit([Entry(name, "", "", 0) for name in names])

    def note(self, names: Iterable[str]) -> None:
        """Write entries for files that have been made, out of their footers."""
        self._commit(self._asked(names).values())

    def note_made(self, names: Sequence[str]) -> list[str]:
        """The same for files that may have been made; return the names of those that were."""
        made = self.there(names)
        self.note(made)
        return made

    def there(self, names: Sequence[str]) -> list[str]:
        """Those of some names under which there is a file, with an entry or without."""
        with ThreadPoolExecutor(FOOTERS_AT_ONCE) as pool:
            found = list(pool.map(exists, map(self.path, names)))
        return [name for name, is_there in zip(names, found, strict=True) if is_there]

    def rewrite(self, name: str, change: Change, made_of: str | None = None) -> None:
        """Replace the rows of a part by what a change makes of them.

        It counts as made of the same as before, or of `made_of`; its version is another if its rows are.
        """
        mark = self.entries()[name].made_of if made_of is None else made_of
        self.write(name, self.file(name), change, mark or "unknown")

    def write(self, name: str, source: str, change: Change, made_of: str) -> None:
        """Make a part, in this process, of what a change makes of the rows of a file of the storage."""
        self.set_aside([name])
        with open_parquet(self.storage.path(source)) as parquet:
            schema = parquet.schema_arrow.remove_metadata()
            with ParquetSink(self.path(name), schema, made_of) as sink:
                for batch in parquet.iter_batches(ROWS_AT_ONCE, use_threads=False):
                    sink.write(change(batch).cast(schema))
        self.note([name])

    @contextmanager
    def same_rows(self, names: Iterable[str]) -> Iterator[None]:
        """Files of parts are written anew within, with what counts as the same rows.

        The log says of them what it said before, but for their sizes. Until all are written it says none, so
        who is killed leaves no size that is wrong, and all else that may have been restated.
        """
        before = self.entries()
        known = [name for name in names if name in before]
        self.restate([before[name]._replace(bytes=0) for name in known])
        yield
        sizes = sizes_of([self.path(name) for name in known])
        self.restate([before[name]._replace(bytes=size) for name, size in zip(known, sizes, strict=True)])

    def restate(self, entries: Collection[Entry]) -> None:
        """Replace entries of parts whose rows are right for other inputs than those they were made of."""
        self._commit(entries)

    def forget(self, names: Sequence[str]) -> None:
        """Remove parts, and what the log says of them."""
        self._commit(drop=names)
        for name in names:
            self.storage.delete(self.file(name))

    def delete(self) -> None:
        """Remove the whole table."""
        self.log.delete()
        for name in self.files():
            self.storage.delete(self.file(name))

    def _completed(self, known: dict[str, Entry] | None) -> dict[str, Entry]:
        """All entries, those that are empty asked of their files; of a file that is not there, none."""
        if known is None:
            return self._asked(self.files())
        unsaid = [name for name, entry in known.items() if not entry.version]
        if not unsaid:
            return known
        said = {name: entry for name, entry in known.items() if entry.version}
        return said | self._asked(name for name in unsaid if exists(self.path(name)))

    def _commit(self, put: Collection[Entry] = (), drop: Collection[str] = ()) -> None:
        if put or drop:
            self._write(put, drop)

    def _write(self, put: Collection[Entry], drop: Collection[str]) -> None:
        self.log.commit(put, drop, lambda: self._asked(self.files()))

    def _as_wanted(self, names: Iterable[str], wanted: Mapping[str, str]) -> dict[str, Entry]:
        """The entries of those files that were made of what is wanted; a file that cannot be read was not."""
        found = {}
        for name in names:
            with suppress(DamagedError):
                entry = said_by(self.path(name), name)
                if holds(entry.made_of, wanted[name]):
                    found[name] = entry
        return found

    def _asked(self, names: Iterable[str]) -> dict[str, Entry]:
        def ask(name: str) -> Entry:
            return said_by(self.path(name), name)

        if not is_remote(self.storage.root):
            return {name: ask(name) for name in names}
        with ThreadPoolExecutor(FOOTERS_AT_ONCE) as pool:
            return {entry.name: entry for entry in pool.map(ask, names)}


def said_by(path: str, name: str) -> Entry:
    """What a file says of itself; the rows of one that says nothing are read, for their version."""
    said = footer_of(path)
    version = said.version or digest_of_rows(path)
    return Entry(name, said.made_of, version, said.rows, said.bytes, said.ranges)


def with_those_beside(parts: Sequence[Part], beside: Table) -> list[Part]:
    """The parts, some of them replaced by the part of the same name in another table.

    A part is replaced only if that other part was made of its present version.
    """
    made = beside.entries()

    def current(part: Part) -> Part:
        entry = made.get(part.name)
        if entry is None or not is_made_of(entry.made_of, part.version):
            return part
        return Part(part.name, beside.file(part.name), entry.version, entry.rows, entry.ranges)

    return list(map(current, parts))


def bring_up_to_date(
    tables: Mapping[str, Table],
    wanted: Mapping[str, str],
    source_of: Callable[[str], Source],
    run: Callable[[list[Unit]], None],
) -> int:
    """Make the parts that are stale, by `run`, and remove the orphans; return how many there were of both.

    `tables` are made together by one map, output by output, and have parts of the same names.
    """
    made = {output: table.mend(wanted) for output, table in tables.items()}
    todo = set().union(*(stale(each, wanted) for each in made.values()))
    units = {
        name: Unit(source_of(name), _paths(tables, name), dict.fromkeys(tables, wanted[name]))
        for name in wanted
        if name in todo
    }
    make(tables, units, run)
    gone = {output: orphans(made[output], wanted) for output in tables}
    for output, table in tables.items():
        table.forget(gone[output])
    return len(units) + len(set().union(*gone.values()))


def make(tables: Mapping[str, Table], units: Mapping[str, Unit], run: Callable[[list[Unit]], None]) -> None:
    """Make parts by their names, and note them in the logs of their tables, some at a time."""
    names = list(units)
    for start in range(0, len(names), PARTS_AT_ONCE):
        some = names[start : start + PARTS_AT_ONCE]
        for table in tables.values():
            table.set_aside(some)
        run([units[name] for name in some])
        for table in tables.values():
            table.note(some)


def _paths(tables: Mapping[str, Table], name: str) -> dict[str, str]:
    return {output: table.path(name) for output, table in tables.items()}


def _made(entries: Mapping[str, Entry]) -> dict[str, str]:
    return {name: entry.made_of for name, entry in entries.items()}
