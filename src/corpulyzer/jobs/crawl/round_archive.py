"""The archives of a round, with the rows of `fetches` that stand for what is in them.

Whoever fetches knows these rows, so they become the table when an archive is closed, and it is not read for
them. An archive that was not closed in order has none: the next start closes it, and reads it once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Self

from corpulyzer.corpus.archives import Archive, crawled, left_open
from corpulyzer.corpus.indexing import write_fetches
from corpulyzer.corpus.parts import part_name, wanted_fetches
from corpulyzer.corpus.rounds import Round
from corpulyzer.corpus.takedowns import removed
from corpulyzer.engine.derived.table import Table
from corpulyzer.errors import UserError
from corpulyzer.records import Fetch
from corpulyzer.records.columns import record_of, schema_of
from corpulyzer.warc import ArchiveWriter, Entry, close_left_open, fetch_of, index
from corpulyzer.warc.names import archive_name

if TYPE_CHECKING:
    from corpulyzer.warc.compose import Draft
    from corpulyzer.warc.write import Written

DAMAGED = "damaged"

OnSkip = Callable[[str, str], None]
"""Called with the place of a record that is skipped, and why."""


class RoundArchive:
    """Writes what a round fetches, one archive after the other; a context manager.

    `note` must be told the row of everything written. Where it was not, the archive is read instead.
    """

    def __init__(self, of: Round, info: Mapping[str, str]) -> None:
        self._of = of
        self._writer = ArchiveWriter(of.storage.path(of.archives), of.prefix, info=info)
        self._written: Counter[str] = Counter()
        self._rows: dict[str, list[Fetch]] = {}

    def write(self, *drafts: Draft) -> list[Written]:
        """Append the records of one fetch; when this returns, they survive a kill."""
        places = self._writer.write(*drafts)
        self._written[archive_name(places[0].archive)] += 1
        return places

    def note(self, fetch: Fetch) -> None:
        """Keep the row of a fetch that was written."""
        self._rows.setdefault(fetch.archive, []).append(fetch)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()
        if kind is None:
            for archive in crawled(self._of.storage, self._of.number):
                if archive.name in self._written:
                    self._write_rows(archive)

    def _write_rows(self, archive: Archive) -> None:
        rows = self._rows.get(archive.name, [])
        is_whole = len(rows) == self._written[archive.name]
        write_rows(self._of, archive, rows if is_whole else fetches_in(archive))


def take_up(of: Round, on_skip: OnSkip) -> None:
    """Guarantee that a round's archives are closed and have their rows, whatever ended its fetching.

    As long as the round is not fetched to the end, archives that have rows are read all the same: a page
    whose record was damaged meanwhile is asked for again. `on_skip` is told of damage.
    """
    found = {archive.name: _closed(archive, on_skip) for archive in left_open(of.storage, of.number)}
    for archive in crawled(of.storage, of.number):
        if archive.name in found:
            write_rows(of, archive, _fetches(found[archive.name], archive))
        elif not of.done("fetched") or not of.storage.exists(f"fetches/{part_name(archive)}"):
            try:
                entries = list(index(archive.path))
            except UserError as error:
                on_skip(archive.path, error.message)
            else:
                _tell_damage(archive, entries, on_skip)
                write_rows(of, archive, _fetches(entries, archive))


def recorded(of: Round) -> list[Fetch]:
    """The fetches of a round whose records were whole, out of its table."""
    import pyarrow.parquet as pq

    found: list[Fetch] = []
    for file in of.table("fetches", Fetch).files:
        table = pq.read_table(file, schema=schema_of(Fetch), partitioning=None)
        found += [record_of(Fetch, row) for row in table.to_pylist()]
    return [fetch for fetch in found if fetch.outcome != DAMAGED]


def _closed(archive: Archive, on_skip: OnSkip) -> list[Entry]:
    """Close an archive that a kill left open; return the entries of what is left in it."""
    repaired = close_left_open(archive.path)
    if repaired.cut and not repaired.entries:
        # A kill within the first record, or a disk that lost all of them, leaves a file that is no archive.
        on_skip(archive.path, "there is no whole record in it")
    _tell_damage(archive, repaired.entries, on_skip)
    return [entry for entry in repaired.entries if entry.offset < repaired.kept]


def _tell_damage(archive: Archive, entries: Iterable[Entry], on_skip: OnSkip) -> None:
    for entry in entries:
        if entry.problem:
            on_skip(f"{archive.path} at {entry.offset}", entry.problem)


def fetches_in(archive: Archive) -> list[Fetch]:
    """The rows of what is in an archive."""
    return _fetches(index(archive.path), archive)


def _fetches(entries: Iterable[Entry], archive: Archive) -> list[Fetch]:
    rows = (fetch_of(entry, archive.name, archive.round) for entry in entries)
    return [fetch for fetch in rows if fetch is not None]


def write_rows(of: Round, archive: Archive, fetches: list[Fetch]) -> None:
    """Write the part of `fetches` that indexing the archive would make."""
    table, name = Table(of.storage, "fetches"), part_name(archive)
    table.set_aside([name])
    write_fetches(table.path(name), fetches, removed(of.storage), wanted_fetches([archive])[name])
    table.note([name])
