"""The tables that are made from archives: what is missing, or was made under other settings, is made again.

A part of a table is a Parquet file, renamed into place when it is whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.living import forget_dead
from corpulyzer.corpus.settings.config import Config
from corpulyzer.corpus.takedowns import removed
from corpulyzer.corpus.without_copies import forget_view
from corpulyzer.engine.progress import Progress, silent
from corpulyzer.errors import UserError
from corpulyzer.records import Document, Edge, Fetch
from corpulyzer.storage import Storage

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.corpus.archives import Archive
    from corpulyzer.engine import Engine, Unit

ROWS_PER_PART = 2_000
TABLES = {"fetches": Fetch, "documents": Document, "links": Edge}


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of one corpus, and the engine that makes them."""

    storage: Storage
    config: Config
    engine: Engine
    progress: Progress = silent
    accepted: Mapping[str, str] = field(default_factory=dict)

    def bring_up_to_date(self, archives: list[Archive], start: str | None = None) -> int:
        """Index archives that have no fetches yet, make parts that are stale, and return how many were made.

        All parts are made again from group `start` on; `index` is before all groups.
        """
        made = self._index(archives, start == "index") + self._forget_orphans(archives)
        places = {each.name: each.path for each in archives}
        return made + self._make_documents(archives, places, "extract" if start == "index" else start)

    def make_round(self, archives: list[Archive], places: Mapping[str, str]) -> int:
        """The same for the archives of a round of a crawl; `places` says where every archive is."""
        from corpulyzer.corpus.indexing import IndexArchives

        # Archives of our own are read without workers, which take half a second to start.
        units = self._units_to_index(archives, again=False)
        self.engine.map_here(IndexArchives(removed(self.storage)), units)
        return self._make_documents(archives, places, None)

    def _index(self, archives: list[Archive], again: bool) -> int:
        """Find the records of archives that have no fetches yet."""
        from corpulyzer.corpus.indexing import IndexArchives

        units = self._units_to_index(archives, again)
        self._run(IndexArchives(removed(self.storage)), units, "indexing archives", len(units))
        return len(units)

    def _units_to_index(self, archives: list[Archive], again: bool) -> list[Unit]:
        from corpulyzer.corpus.archives import check
        from corpulyzer.engine import Source, Unit

        units = []
        for archive in archives:
            target = part_path("fetches", archive)
            if again or not self.storage.exists(target):
                check([archive])
                row = _row_of(archive=archive.name, path=archive.path, round=str(archive.round))
                units.append(Unit(Source(table=row), {"fetches": self.storage.path(target)}))
        return units

    def _make_documents(self, archives: list[Archive], places: Mapping[str, str], start: str | None) -> int:
        from corpulyzer.page.pipeline import GROUPS, ProcessDocuments, ProcessPages
        from corpulyzer.web.fetch.robots.rules import sitemaps_of

        if start is not None and start not in GROUPS:
            raise UserError(f"There is no stage {start!r}.", f"Stages: index, {', '.join(GROUPS)}.")
        if start == "identify" and self.config.identify.keep == "target":
            start = "extract"  # the paragraphs to identify were taken out of the documents
        stale: dict[str, list[tuple[Unit, int]]] = {group: [] for group in GROUPS}
        for unit, rows, group in self._parts(archives, start):
            stale[group].append((unit, rows))
        steps: list[tuple[str, Any]] = [
            ("extract", ProcessPages(self.config, places, sitemaps_of)),
            *((group, ProcessDocuments(self.config, group)) for group in GROUPS[1:]),
        ]
        if any(self._is_there(unit) for found in stale.values() for unit, _ in found):
            forget_view(self.storage)
            forget_dead(self.storage)
        for group, step in steps:
            units = [unit for unit, _ in stale[group]]
            total = sum(rows for _, rows in stale[group])
            self._run(step, units, "making documents", total)
        return sum(map(len, stale.values()))

    def _parts(self, archives: list[Archive], start: str | None) -> Iterator[tuple[Unit, int, str]]:
        """Each part that is stale: its unit of work, its rows, and the group to start from."""
        import pyarrow.parquet as pq

        from corpulyzer.corpus.archives import check
        from corpulyzer.engine import Source, Unit

        for archive in archives:
            fetches = part_path("fetches", archive)
            with self.storage.open_input(fetches) as file:
                total = pq.ParquetFile(file).metadata.num_rows
            for number, first in enumerate(range(0, total, ROWS_PER_PART)):
                target = part_path("documents", archive, number)
                group = _earlier(self._stale_from(target), start)
                last = min(first + ROWS_PER_PART, total)
                documents = self.storage.path(target)
                if group == "extract":
                    check([archive])
                    source = Source(path=self.storage.path(fetches), start=first, stop=last)
                    links = self.storage.path(part_path("links", archive, number))
                    yield Unit(source, {"links": links, "documents": documents}), last - first, group
                elif group is not None:
                    yield Unit(Source(path=documents), {"documents": documents}), last - first, group

    def _stale_from(self, part: str) -> str | None:
        """The first group of stages whose settings differ from those that made the part, if any."""
        import pyarrow.parquet as pq

        from corpulyzer.page.pipeline import GROUPS, fingerprints

        if not self.storage.exists(part):
            return "extract"
        with self.storage.open_input(part) as file:
            metadata = pq.read_schema(file).metadata or {}
        made_by = {group: metadata.get(group.encode(), b"").decode() for group in GROUPS}
        wanted = fingerprints(self.config)
        return next(
            (group for group, mark in made_by.items() if self.accepted.get(mark, mark) != wanted[group]), None
        )

    def _is_there(self, unit: Unit) -> bool:
        """Whether a unit makes documents again that were there before."""
        from corpulyzer.storage import exists

        return exists(unit.targets["documents"])

    def _forget_orphans(self, archives: list[Archive]) -> int:
        """Delete parts of archives that are no longer in the corpus."""
        names = {archive.name for archive in archives}
        orphans = [
            file
            for table in TABLES
            for file in self.storage.list(table, ".parquet")
            if Path(file).name.rsplit(".", 2)[0] not in names
        ]
        if orphans:
            forget_view(self.storage)
            forget_dead(self.storage)
        for file in orphans:
            self.storage.delete(file)
        return len(orphans)

    def _run(self, step: Any, units: list[Unit], what: str, total: int) -> None:
        if not units:
            return
        done = 0

        def advance(rows: int) -> None:
            nonlocal done
            done += rows
            self.progress(what, done, total)

        self.progress(what, 0, total)
        self.engine.map(step, units, advance)


def part_path(table: str, archive: Archive, number: int = 0) -> str:
    """Where a part of a table stands in the corpus folder."""
    return f"{table}/round={archive.round:05d}/{archive.name}.{number:05d}.parquet"


def _row_of(**texts: str) -> pa.Table:
    """A table of one row. (`pa.array` would import pandas where that is installed, which takes .3 s.)"""
    import pyarrow as pa

    columns = []
    for text in texts.values():
        builder = pa.lib.StringBuilder()
        builder.append(text)
        columns.append(builder.finish())
    return pa.Table.from_batches([pa.RecordBatch.from_arrays(columns, list(texts))])


def _earlier(stale: str | None, start: str | None) -> str | None:
    """The earlier of two groups of stages; None stands for no group."""
    from corpulyzer.page.pipeline import GROUPS

    return next((group for group in GROUPS if group in (stale, start)), None)
