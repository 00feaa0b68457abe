"""What a round brought, worked into the frontier: new URLs, new evidence, new states, new sums.

What it costs follows what the round brought and the front, which is bounded; not what is known in all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from corpulyzer.engine import Engine, Source, Unit
from corpulyzer.records.columns import schema_of
from corpulyzer.url import canonical, spelling_of, url_id
from corpulyzer.web.frontier.brought import Brought
from corpulyzer.web.frontier.clues import Reader, ReadLinks, place_of
from corpulyzer.web.frontier.reschedule import Reschedule
from corpulyzer.web.frontier.state import ReadFetches, Recrawl
from corpulyzer.web.frontier.store.arrays import ints, positions, read, read_file, write_file
from corpulyzer.web.frontier.store.behind import Run, stored_schema
from corpulyzer.web.frontier.store.cells import cells_of, folded
from corpulyzer.web.frontier.store.depth import Depth
from corpulyzer.web.frontier.store.judge import judged, passages_of, sums_of
from corpulyzer.web.frontier.store.keys import Of
from corpulyzer.web.frontier.store.merge import merged, read_pages, summed
from corpulyzer.web.frontier.store.sums import fold_sites, fold_spoken, sites_of, spoken_in, with_run
from corpulyzer.web.frontier.store.versions import Frontier, counted
from corpulyzer.web.frontier.strategies.opic import SEED_CASH
from corpulyzer.web.frontier.tables import Clue, Known, State
from corpulyzer.web.frontier.traps import OTHER_VIEW, PAGE_LIST

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.web.frontier.store.keys import Keys

ROWS_PER_UNIT = 200_000


@dataclass(frozen=True, slots=True)
class Updated:
    """The frontier after a round, and the sums over the round's URLs."""

    frontier: Frontier
    sums: dict[str, int]


@dataclass(frozen=True, slots=True)
class Round:
    """The front before a round, and what the round says of URLs: clues, and what became of those fetched."""

    front: pa.Table
    clues: pa.Table
    states: pa.Table


@dataclass(frozen=True, slots=True)
class Update:
    """Makes the next version of a frontier. `work` is a folder of the corpus for intermediate results.

    `depth` says how many URLs the front holds.
    """

    reader: Reader
    engine: Engine
    work: str
    recrawl: Recrawl = field(default_factory=Recrawl)
    depth: Depth = field(default_factory=Depth)

    def inject(self, before: Frontier, version: str, round: int, seeds: Iterable[str]) -> Frontier:
        """The frontier with these URLs, however they are spelled, as seeds of the round (CZ-1)."""
        import pyarrow as pa

        rows = [_seed(self.reader, url) for url in sorted(set(seeds))]
        clues = pa.Table.from_pylist(rows, schema=schema_of(Clue))
        front = read(before.front(), schema_of(Known).names)
        return self._next(before, version, round, Round(front, clues, schema_of(State).empty_table()))

    def bring_forward(self, frontier: Frontier, version: str, now: int) -> Frontier | None:
        """The frontier with more of what waits at `now` in its front; None if there is no more."""
        front = read(frontier.front(), schema_of(Known).names)
        after = replace(frontier, version=version, known=frontier.manifest)
        deeper, manifest = self.depth.of(after, self.engine, self.work).filled(front, now)
        if deeper.num_rows == front.num_rows:
            return None
        file = f"frontier/front/{version}.parquet"
        write_file(frontier.storage.path(file), deeper)
        return replace(after, known=None).write(replace(manifest, front=file))

    def reschedule(self, frontier: Frontier, version: str, before: Recrawl) -> Frontier:
        """The frontier with what was fetched under the intervals `before` due by those of today (CZ-9)."""
        storage, manifest = frontier.storage, frontier.manifest
        after = replace(frontier, version=version, known=None)

        def again(file: str, name: str, schema: pa.Schema) -> str:
            unit = Unit(Source(path=storage.path(file)), {"frontier": storage.path(name)})
            self.engine.map(Reschedule(before, self.recrawl, schema), [unit])
            return name

        front = again(manifest.front, f"frontier/front/{version}.parquet", schema_of(Known))
        schema = stored_schema()
        base, runs = (
            tuple(
                Run(
                    again(run.file, f"frontier/behind/{version}-{kind}-{place:04d}.parquet", schema), run.rows
                )
                for place, run in enumerate(of)
            )
            for kind, of in (("base", manifest.base), ("runs", manifest.runs))
        )
        manifest = replace(manifest, front=front, base=base, runs=runs)
        soonest = self.depth.soonest(self.engine, replace(after, known=manifest), 0)
        return after.write(replace(manifest, soonest=soonest))

    def __call__(self, before: Frontier, version: str, round: int, brought: Brought) -> Updated:
        """The frontier after a round, and what the round came to."""
        import pyarrow as pa

        found = brought.read(self.reader.targets)
        front = read(before.front(), schema_of(Known).names)
        front = self.depth.of(before, self.engine, self.work).with_listed(front, ints(found.listed, "id"))
        found = found.as_known(front)
        fetched = ReadFetches(self.reader, self.recrawl)
        states, redirects = fetched(found.fetched_pages(front))
        keys = before.keys()
        states = judged(states, keys)
        clues = pa.concat_tables([self._read_links(before, found.links_with_sources()), redirects])
        sites = np.unique(ints(states, "site_id"))
        sums = {"new_sites": int((~keys.has(Of.SITE, sites)).sum())}
        after = self._next(before, version, round, Round(front, clues, states))
        return Updated(after, sums_of(states) | found.counts() | sums)

    def _next(self, before: Frontier, version: str, number: int, new: Round) -> Frontier:
        """The version after `before`: its front with what is new, and further runs behind it."""
        storage, manifest, keys = before.storage, before.manifest, before.keys()
        clues = summed(new.clues)
        here, added = clues, new.front.slice(0, 0)
        if manifest.base or manifest.runs:
            apart = _behind(new.front, clues, keys)
            here = clues.filter(~apart)
            # Other views are looked up when the URLs come forward.
            added = merged(added, clues.filter(apart), new.states, number, None)
        rows = merged(new.front, here, new.states, number, keys)
        cells, sites = cells_of(new.states, number), sites_of(new.states, number)
        spoken = spoken_in(new.states if self.reader.targets.only is None else new.states.slice(0, 0))
        known = keys.plus(_news(new.states), f"frontier/keys/{version}.read.keys")
        manifest = replace(
            counted(manifest, new.front, rows, added, keys),
            round=number,
            keys=tuple(Run(*run) for run in known.runs),
            prefixes=with_run(
                storage,
                manifest.prefixes,
                cells,
                f"prefixes/{version}.arrow",
                lambda tables: folded(tables, number),
            ),
            sites=with_run(storage, manifest.sites, sites, f"sites/{version}.parquet", fold_sites),
            spoken=with_run(storage, manifest.spoken, spoken, f"spoken/{version}.parquet", fold_spoken),
        )
        work = self.depth.of(replace(before, version=version, known=manifest), self.engine, self.work)
        front, manifest, spilled = work.level(rows, added)
        runs = known.plus([(Of.PARKED, spilled)], f"frontier/keys/{version}.keys").runs
        file = f"frontier/front/{version}.parquet"
        write_file(storage.path(file), front)
        manifest = replace(manifest, front=file, keys=tuple(Run(*run) for run in runs))
        return replace(before, version=version, known=None).write(manifest)

    def _read_links(self, frontier: Frontier, links: pa.RecordBatch) -> pa.Table:
        """The clues of links: in this process where they are few, as workers take half a second to start."""
        import pyarrow as pa

        storage = frontier.storage
        if links.num_rows <= ROWS_PER_UNIT:
            return pa.Table.from_batches([_reading(self.reader)(links, _unwatched)["clues"]])
        units, table = [], pa.Table.from_batches([links])
        for number, start in enumerate(range(0, links.num_rows, ROWS_PER_UNIT)):
            path = storage.path(f"{self.work}/clues-{number:05d}.parquet")
            units.append(Unit(Source(table=table.slice(start, ROWS_PER_UNIT)), {"clues": path}))
        self.engine.map(ReadLinks(self.reader), units)
        clues = pa.concat_tables([read_file(unit.targets["clues"]) for unit in units])
        for file in storage.list(self.work, ".parquet"):
            storage.delete(file)
        return clues.combine_chunks()


@lru_cache(maxsize=1)
def _reading(reader: Reader) -> ReadLinks:
    """How links are read, with what it knows of URLs and anchors of earlier rounds: sites repeat theirs."""
    return ReadLinks(reader)


def _behind(front: pa.Table, clues: pa.Table, keys: Keys) -> Any:
    """Which clues are on URLs that stand behind the front."""
    ids = ints(clues, "id")
    absent = positions(ids, ints(front, "id")) < 0
    absent[absent] = keys.has(Of.PARKED, ids[absent])
    return absent


def _news(states: pa.Table) -> list[tuple[Of, Any]]:
    """What a round adds to what was fetched and read."""
    return [
        (Of.FETCHED, ints(states, "id")),
        (Of.TEXT, passages_of(states)[1]),
        (Of.STEM_READ, ints(read_pages(states), "stem")),
        (Of.SITE, ints(states, "site_id")),
    ]


def _seed(reader: Reader, spelled: str) -> dict[str, Any]:
    url = canonical(spelled) or spelled
    nothing = dict.fromkeys(schema_of(Clue).names, 0) | {"spelling": spelling_of(spelled, url)}
    place = place_of(reader, url, url_id(url), 0)
    if place["refused"] in (OTHER_VIEW, PAGE_LIST):  # whoever names it knows that it is a page
        place["refused"] = ""
    return nothing | place | {"seed": 1, "cash": SEED_CASH}


def _unwatched(_row: int) -> None:
    """Ignores the number of the row, which a guard would need."""
