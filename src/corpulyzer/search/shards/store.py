"""The shards of an index: listed in SQLite, so that a change of both is one change.

A new file is written before the list names it, and deleted after the list no longer does; what a killed
process leaves is deleted by the next that writes. Documents that were taken out stay in their shard, where
nothing finds them, until it is merged; `purge` is for those of which nothing may be left.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.search.shards import counts
from corpulyzer.search.shards.arrays import contents_of
from corpulyzer.search.shards.column import MOST_DOCUMENTS
from corpulyzer.search.shards.gather import Gathered
from corpulyzer.search.shards.merge import merged
from corpulyzer.search.shards.shard import SUFFIX, Shard, opened, read, write

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TABLES = f"""{counts.TABLE}
create table shards (first integer primary key, name text, documents integer, places integer);
create table gone (number integer primary key);
"""
MOST_PLACES = 28_000_000
"""The most words of a shard that is made of others, so that memory stays flat."""
AT_ONCE = 8
"""So many shards of about one size are merged."""
ENOUGH_TO_FILL = 4
"""Where fewer fill a shard, so many are."""
SIMILAR = 3
"""A shard so many times as large is none of about the same size."""
MOST_GONE = 0.2
"""A shard is written anew when so much of it was taken out."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A shard in the list."""

    first: int
    name: str
    documents: int
    places: int


@dataclass(slots=True)
class Store:
    """The shards in an open transaction. Whoever changes them calls `finish` before it, and `clean` after."""

    folder: Path
    connection: sqlite3.Connection
    gathered: Gathered = field(default_factory=Gathered)
    written: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    open_ones: list[Shard] = field(default_factory=list)

    def listed(self) -> list[Listed]:
        """The shards, in the order of their documents."""
        rows = self.connection.execute("select first, name, documents, places from shards order by first")
        return [Listed(*row) for row in rows]

    def is_whole(self) -> bool:
        """Whether every shard can be read; one that is merged meanwhile is in the list no more."""
        lost = {each.name for each in self.listed() if not _is_readable(self.folder, each.name)}
        return not lost or not lost & {each.name for each in self.listed()}

    def open(self) -> None:
        """Open the shards for the questions to come, whatever becomes of their files."""
        self.open_ones = opened(self.folder, [each.name for each in self.listed()])

    def shards(self) -> list[Shard]:
        """The shards that were opened."""
        return self.open_ones

    def gone(self) -> NDArray[np.int64]:
        """The documents that were taken out, in order."""
        import numpy as np

        rows = self.connection.execute("select number from gone order by number")
        return np.array([number for (number,) in rows], dtype=np.int64)

    def last(self) -> int:
        """The highest number of a document that was ever given, of those of which nothing is left too."""
        sql = (
            "select max(number) from documents union all select max(number) from gone "
            "union all select cast(value as integer) from meta where name = 'last purged'"
        )
        return max(number or 0 for (number,) in self.connection.execute(sql))

    def add(
        self,
        number: int,
        date: int,
        columns: Mapping[str, Sequence[str]],
        marks: Mapping[str, Sequence[int]],
    ) -> None:
        """Take in a document whose number is higher than all others."""
        self.gathered.add(number, date, columns, marks)
        if self.gathered.enough:
            self._flush()

    def take_out(self, numbers: Iterable[int]) -> None:
        """Let nothing find these documents any more; what they hold is counted no longer."""
        import numpy as np

        wanted = np.array(sorted(numbers), dtype=np.int64)
        self.connection.executemany("insert into gone values (?)", ((number,) for number in wanted.tolist()))
        for each in self.listed() if len(wanted) else []:
            shard = read(self.folder, each.name)
            counts.take_off(self.connection, shard, shard.places_of(wanted))

    def finish(self) -> None:
        """Write what is gathered, and merge what is small or of which much is gone."""
        self._flush()
        gone = self.gone()
        for each in self.listed():
            if len(gone) and self._share(each, gone) > MOST_GONE:
                self._put([each], gone)
        while small := self._of_one_size():
            self._put(small, self.gone())

    def tidy(self) -> None:
        """Merge all that can be, up to the size that a shard may have."""
        run = list[Listed]()
        for each in [*self.listed(), None]:
            if each is None or not _fits([*run, each]):
                if len(run) > 1:
                    self._put(run, self.gone())
                run = []
            if each is not None:
                run.append(each)

    def purge(self) -> None:
        """Write those shards anew that have documents which are gone, so that nothing is left of these."""
        gone = self.gone()
        for each in self.listed():
            if self._share(each, gone) > 0:
                self._put([each], gone)

    def clean(self) -> None:
        """Delete the files that the list no longer names; after the change is committed."""
        _delete(self.folder, self.dropped)

    def undo(self) -> None:
        """Delete the files that were written; if the change is not committed."""
        _delete(self.folder, self.written)

    def sweep(self) -> None:
        """Delete what a killed process has left; nobody else may write."""
        _delete(self.folder, leftovers(self.folder, self.connection))

    def _share(self, each: Listed, gone: NDArray[np.int64]) -> float:
        return len(read(self.folder, each.name).places_of(gone)) / each.documents

    def _of_one_size(self) -> list[Listed]:
        """The shards at the end that it is time to merge: enough of about one size, or enough to fill one."""
        found = list[Listed]()
        for each in reversed(self.listed()):
            if not _fits([each, *found]):
                return found if len(found) >= ENOUGH_TO_FILL else []
            if found and each.places > SIMILAR * max(other.places for other in found):
                break
            found.insert(0, each)
        return found if len(found) >= AT_ONCE else []

    def _flush(self) -> None:
        if self.gathered.numbers:
            arrays = self.gathered.arrays()
            self._list(arrays)
            counts.put_in(self.connection, arrays)
            self.gathered = Gathered()

    def _put(self, some: Sequence[Listed], gone: NDArray[np.int64]) -> None:
        """Put one shard in the place of some."""
        import numpy as np

        shards = [read(self.folder, each.name) for each in some]
        self.connection.execute("insert or replace into meta values ('last purged', ?)", (str(self.last()),))
        self.connection.executemany("delete from shards where first = ?", ((each.first,) for each in some))
        for shard in shards:
            taken = shard.numbers[shard.places_of(gone)]
            self.connection.executemany("delete from gone where number = ?", ((int(n),) for n in taken))
            self.dropped.append(shard.name)
        if any(len(shard.places_of(gone)) < shard.documents for shard in shards):
            self._list(merged(shards, np.asarray(gone)))

    def _list(self, arrays: Mapping[str, NDArray[np.generic]]) -> None:
        name = write(self.folder, arrays)
        self.written.append(name)
        row = (int(arrays["numbers"][0]), name, len(arrays["numbers"]), len(arrays["words.low"]))
        self.connection.execute("insert into shards values (?, ?, ?, ?)", row)


def _is_readable(folder: Path, name: str) -> bool:
    try:
        contents_of(folder / f"{name}{SUFFIX}")
    except (OSError, ValueError):
        return False
    return True


def _fits(some: Sequence[Listed]) -> bool:
    """Whether shards may be one."""
    few = sum(each.documents for each in some) <= MOST_DOCUMENTS
    return few and sum(each.places for each in some) <= MOST_PLACES


def leftovers(folder: Path, connection: sqlite3.Connection) -> list[str]:
    """The files that the list does not name: those of a change that goes on, or was cut short."""
    listed = {name for (name,) in connection.execute("select name from shards")}
    return [file.stem for file in folder.glob(f"*{SUFFIX}") if file.stem not in listed]


def _delete(folder: Path, names: Iterable[str]) -> None:
    for name in names:
        with suppress(FileNotFoundError):
            (folder / f"{name}{SUFFIX}").unlink()
