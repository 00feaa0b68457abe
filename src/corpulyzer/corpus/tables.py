"""The tables that are made from archives: fetches, documents and links, part by part."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.parts import (
    Wanted,
    archive_of,
    cut_by,
    part_name,
    stale_from,
    wanted_documents,
    wanted_fetches,
)
from corpulyzer.corpus.settings.config import Config
from corpulyzer.corpus.takedowns import removed
from corpulyzer.corpus.without_copies import forget_view
from corpulyzer.engine.derived import holds, orphans, stale
from corpulyzer.engine.derived.table import Table, make
from corpulyzer.engine.progress import Progress, silent
from corpulyzer.errors import UserError
from corpulyzer.records import Document, Edge, Fetch
from corpulyzer.storage import Storage, is_remote

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.corpus.archives import Archive
    from corpulyzer.engine import Engine, Unit
    from corpulyzer.page.maps import ProcessPages

TABLES = {"fetches": Fetch, "documents": Document, "links": Edge}


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of one corpus, and the engine that makes them."""

    storage: Storage
    config: Config
    engine: Engine
    progress: Progress = silent

    def bring_up_to_date(
        self, archives: list[Archive], start: str | None = None, *, try_again: bool = False
    ) -> int:
        """Index archives that have no fetches yet, make parts that are stale, and return how many were made.

        All parts are made again from group `start` on; `index` is before all groups. With `try_again`
        archives that could not be read when they were indexed are indexed once more.
        """
        made = self._index(archives, start == "index", try_again)
        places = {each.name: each.path for each in archives}
        first = "extract" if start == "index" else start
        return made + self._make_documents(archives, places, first, self._without_orphans)

    def make_round(self, archives: list[Archive], places: Mapping[str, str]) -> int:
        """The same for the archives of a round of a crawl; `places` says where every archive is."""
        from corpulyzer.corpus.indexing import IndexArchives

        # Archives of our own are read without workers, which take half a second to start.
        step = IndexArchives(removed(self.storage))
        fetches = self._table("fetches")
        units = self._units_to_index(archives, fetches.adopt(wanted_fetches(archives)))
        make({"fetches": fetches}, units, partial(self.engine.map_here, step))
        return self._make_documents(archives, places, None, self._without_other_sizes)

    def left_out(self, archives: Sequence[Archive]) -> dict[str, str]:
        """The paths of the archives that could not be read at all, and why."""
        from corpulyzer.corpus.indexing import left_out

        paths = {part_name(archive): archive.path for archive in archives}
        found = left_out(self.storage, self._table("fetches"), paths)
        return {paths[name]: why for name, why in found.items()}

    def _index(self, archives: list[Archive], again: bool, try_again: bool) -> int:
        """Find the records of archives that have no fetches yet, and make documents of some on the way."""
        from corpulyzer.corpus.indexing import IndexArchives, left_out

        fetches = self._table("fetches")
        made = self._without_orphans(fetches, wanted_fetches(archives))
        if try_again and not again:
            failed = left_out(self.storage, fetches, made)
            made = {name: mark for name, mark in made.items() if name not in failed}
        once = {} if again else self._read_once(archives, made)
        units = self._units_to_index(archives, {} if again else {**made, **wanted_fetches(list(once))})
        run = self._runner(IndexArchives(removed(self.storage)), "indexing archives", len(units))
        make({"fetches": fetches}, units, run)
        return len(units) + len(once) + sum(once.values())

    def _read_once(self, archives: list[Archive], made: Mapping[str, str]) -> dict[Archive, int]:
        """Make all tables of new archives, where a core can be left alone with each.

        Return those that could be read, and how many parts of documents each has.
        """
        from corpulyzer.corpus.archives import check
        from corpulyzer.corpus.one_pass import ReadArchives
        from corpulyzer.corpus.one_pass.files import evenly, write_archives

        todo = set(stale(made, wanted_fetches(archives)))
        if not todo:
            return {}
        known = {archive_of(name) for name in self._table("documents").made()}
        todo = {name for name in todo if archive_of(name) not in known}
        new = [archive for archive in archives if part_name(archive) in todo]
        chosen = evenly(new, self.engine.cores)
        check([archive for archive in chosen if not is_remote(archive.path)])
        step = ReadArchives(self._pages({}), removed(self.storage))
        tell = self._counted("megabytes read", sum(archive.bytes for archive in chosen), each=10**6)
        run = partial(self.engine.do, step, progress=tell)
        return write_archives(self.storage, chosen, cut_by(self.config), run)

    def _units_to_index(self, archives: list[Archive], made: Mapping[str, str]) -> dict[str, Unit]:
        """The parts of `fetches` that are stale, by name."""
        from corpulyzer.corpus.archives import check
        from corpulyzer.engine import Source, Unit

        wanted = wanted_fetches(archives)
        todo = set(stale(made, wanted))
        units = {}
        for archive in archives:
            name = part_name(archive)
            if name in todo:
                if not is_remote(archive.path):  # what a store does not give is left out, and said
                    check([archive])
                row = _row_of(archive=archive.name, path=archive.path, round=str(archive.round))
                target = {"fetches": self._table("fetches").path(name)}
                units[name] = Unit(Source(table=row), target, {"fetches": wanted[name]})
        return units

    def _make_documents(
        self,
        archives: list[Archive],
        places: Mapping[str, str],
        start: str | None,
        look: Callable[[Table, Mapping[str, str]], dict[str, str]],
    ) -> int:
        from corpulyzer.page.maps import ProcessDocuments
        from corpulyzer.page.pipeline import GROUPS
        from corpulyzer.page.settings import page_tables

        if start is not None and start not in GROUPS:
            raise UserError(f"There is no stage {start!r}.", f"Stages: index, {', '.join(GROUPS)}.")
        if start == "identify" and self.config.identify.keep == "target":
            start = "extract"  # the paragraphs to identify were taken out of the documents
        fetches, made = self._table("fetches").entries(), self._table("documents").made()
        wanted = wanted_documents(self.config, archives, fetches, {} if start == "extract" else made)
        documents = look(self._table("documents"), {name: part.documents for name, part in wanted.items()})
        links = look(self._table("links"), {name: part.links for name, part in wanted.items()})
        todo = self._stale(wanted, documents, links, start)
        self._check([wanted[name].archive for name in todo["extract"]])
        again = {name for units in todo.values() for name in units if name in documents}
        before = self._versions(again) if again else {}
        settings = page_tables(self.config)
        steps: list[tuple[str, Any]] = [
            ("extract", self._pages(places)),
            *((group, ProcessDocuments(settings, group)) for group in GROUPS[1:]),
        ]
        for group, step in steps:
            names = ("links", "documents") if group == "extract" else ("documents",)
            rows = sum(wanted[name].stop - wanted[name].first for name in todo[group])
            run = self._runner(step, "making documents", rows)
            make({name: self._table(name) for name in names}, todo[group], run)
        if again and self._versions(again) != before:
            forget_view(self.storage)
        return sum(map(len, todo.values()))

    def _check(self, archives: Sequence[Archive]) -> None:
        """Guarantee that archives whose pages are about to be read are where they were."""
        from corpulyzer.corpus.archives import check
        from corpulyzer.corpus.indexing import left_out

        by_part = {part_name(archive): archive for archive in archives}
        remote = [name for name, archive in by_part.items() if is_remote(archive.path)]
        failed = left_out(self.storage, self._table("fetches"), remote) if remote else {}
        check([archive for name, archive in by_part.items() if name not in failed])

    def _stale(
        self,
        wanted: Mapping[str, Wanted],
        documents: Mapping[str, str],
        links: Mapping[str, str],
        start: str | None,
    ) -> dict[str, dict[str, Unit]]:
        """The parts to be made, by the group of stages to start from, and by name."""
        from corpulyzer.page.pipeline import GROUPS

        todo: dict[str, dict[str, Unit]] = {group: {} for group in GROUPS}
        for name, part in wanted.items():
            linked = holds(links.get(name, ""), part.links)
            found = stale_from(documents.get(name, ""), part.documents) if linked else "extract"
            group = _earlier(found, start)
            if group is not None:
                todo[group][name] = self._unit(name, part, group)
        return todo

    def _unit(self, name: str, part: Wanted, group: str) -> Unit:
        """The work that makes a part from a group of stages on."""
        from corpulyzer.engine import Source, Unit

        documents = self._table("documents").path(name)
        if group != "extract":
            return Unit(Source(path=documents), {"documents": documents}, {"documents": part.documents})
        fetches = self._table("fetches").path(part_name(part.archive))
        return Unit(
            Source(path=fetches, start=part.first, stop=part.stop),
            {"links": self._table("links").path(name), "documents": documents},
            {"links": part.links, "documents": part.documents},
        )

    def _without_orphans(self, table: Table, wanted: Mapping[str, str]) -> dict[str, str]:
        """What each part was made of, when those of archives that are no longer in the corpus are removed."""
        made = table.mend(wanted)
        gone = orphans(made, wanted)
        if gone:
            forget_view(self.storage)
        table.forget(gone)
        return made

    def _without_other_sizes(self, table: Table, wanted: Mapping[str, str]) -> dict[str, str]:
        """What each part was made of, when those are removed that the same archives had in another size."""
        made = table.adopt(wanted)
        own = {archive_of(name) for name in wanted}
        gone = [name for name in made if name not in wanted and archive_of(name) in own]
        if gone:
            forget_view(self.storage)
            table.forget(gone)
        return {name: mark for name, mark in made.items() if name not in gone}

    def _versions(self, names: Collection[str]) -> dict[str, str]:
        """The versions of some parts of the documents, as far as they are there."""
        return {part.name: part.version for part in self._table("documents").parts() if part.name in names}

    def _pages(self, places: Mapping[str, str]) -> ProcessPages:
        """The step that makes documents of pages; `places` says where their archives are."""
        from corpulyzer.page.maps import ProcessPages
        from corpulyzer.page.settings import page_tables
        from corpulyzer.web.fetch.robots.rules import sitemaps_of

        return ProcessPages(page_tables(self.config), places, sitemaps_of)

    def _table(self, name: str) -> Table:
        return Table(self.storage, name)

    def _runner(self, step: Any, what: str, total: int) -> Callable[[list[Unit]], None]:
        """Runs a step on units, and tells of the progress over all of them."""
        advance = self._counted(what, total)

        def run(units: list[Unit]) -> None:
            advance(0)
            self.engine.map(step, units, advance)

        return run

    def _counted(self, what: str, total: int, each: int = 1) -> Callable[[int], None]:
        """Tells of the progress when it is called with how much more is done; `each` counts as one."""
        done = 0

        def advance(more: int) -> None:
            nonlocal done
            done += more
            self.progress(what, done // each, max(done, total) // each)

        return advance


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
