"""What a round brought, worked into the frontier: new URLs, new evidence, new states, new sums.

The files of a frontier carry its version in their names, and only a later commit makes a version the present
one. So an update that is killed leaves the frontier as it was, and is simply done again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from corpulyzer.engine import Dataset, Engine, Map, Source, Unit
from corpulyzer.errors import UserError
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import ParquetSink, Storage, open_input
from corpulyzer.url import canonical, spelling_of, url_id
from corpulyzer.web.frontier.clues import Counted, ReadCounts, Reader, ReadLinks, place_of
from corpulyzer.web.frontier.queries import (
    CELLS_SQL,
    CLUES_SQL,
    FETCHES_SQL,
    JUDGED_SQL,
    LINKS_SQL,
    MERGE_SQL,
    NEW_SITES_SQL,
    READ_SQL,
    SCORES_SQL,
    SITES_SQL,
    SUMMARY_SQL,
)
from corpulyzer.web.frontier.reschedule import Reschedule
from corpulyzer.web.frontier.state import ReadFetches, Recrawl
from corpulyzer.web.frontier.strategies.opic import SEED_CASH
from corpulyzer.web.frontier.tables import Cell, Clue, Known, Site, State
from corpulyzer.web.frontier.traps import OTHER_VIEW, PAGE_LIST

ROUNDS_APART = 8
"""A cell's sums are kept by round for so many rounds, so that what it gave lately can be told."""

ROWS_PER_UNIT = 200_000
MOST_BUCKETS = 16
ONE_BUCKET_ROWS = 500_000
"""Up to so many rows a frontier is one file: sixteen would cost a second a round."""

TABLES = {"frontier": Known, "prefixes": Cell, "sites": Site}


@dataclass(frozen=True, slots=True)
class Frontier:
    """The frontier of a corpus at one version; an empty version is the frontier before the first seed."""

    storage: Storage
    version: str = ""

    def files(self, table: str) -> list[str]:
        """The files of one of its tables, relative to the corpus folder."""
        if not self.version:
            return []
        if table == "frontier":
            return self.storage.list("frontier", f"/{self.version}.parquet")
        return [f"{table}/{self.version}.parquet"]

    def bucket(self, number: int) -> str:
        """The file of one bucket."""
        return f"frontier/bucket={number:02d}/{self.version}.parquet"

    def __len__(self) -> int:
        """How many URLs it knows."""
        import pyarrow.parquet as pq

        rows = 0
        for file in self.files("frontier"):
            with self.storage.open_input(file) as opened:
                rows += pq.read_metadata(opened).num_rows
        return rows

    def broken(self) -> str:
        """The name of a file that is missing or not whole; empty if all are there."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        if not self.version:
            return ""
        buckets = self.files("frontier")
        if len(buckets) not in (1, MOST_BUCKETS):
            return next(file for file in map(self.bucket, range(MOST_BUCKETS)) if file not in buckets)
        for file in (*buckets, *self.files("prefixes"), *self.files("sites")):
            try:
                with self.storage.open_input(file) as opened:
                    pq.read_metadata(opened)
            except (OSError, pa.ArrowException):
                return file
        return ""

    def must_be_whole(self) -> None:
        """Return if nothing of it is missing; UserError if something is."""
        if file := self.broken():
            raise UserError(
                f"The frontier is damaged: {self.storage.path(file)} is missing or not whole.",
                "`corpulyzer process` makes it again from the archives, without the network.",
            )

    def table(self, name: str) -> Dataset:
        """One of its tables, for queries: `frontier`, `prefixes`, `sites`."""
        return _dataset(self.storage, self.files(name), TABLES[name])

    def forget(self) -> None:
        """Delete its files."""
        for table in TABLES:
            for file in self.files(table):
                self.storage.delete(file)

    def forget_others(self) -> None:
        """Delete the files of all other versions."""
        kept = {file for table in TABLES for file in self.files(table)}
        for table in TABLES:
            for file in self.storage.list(table, ".parquet"):
                if file not in kept:
                    self.storage.delete(file)


@dataclass(frozen=True, slots=True)
class Brought:
    """What a round brought: the tables made of its archives, and the list that it worked through."""

    fetches: Dataset
    documents: Dataset
    links: Dataset
    listed: Dataset


@dataclass(frozen=True, slots=True)
class Updated:
    """The frontier after a round, and the sums over the round's URLs."""

    frontier: Frontier
    sums: dict[str, int]


@dataclass(frozen=True, slots=True)
class Update:
    """Makes the next version of a frontier. `work` is a folder of the corpus for intermediate results."""

    reader: Reader
    engine: Engine
    work: str
    recrawl: Recrawl = field(default_factory=Recrawl)

    def inject(self, before: Frontier, version: str, round: int, seeds: Iterable[str]) -> Frontier:
        """The frontier with these URLs, however they are spelled, as seeds of the round (CZ-1)."""
        import pyarrow as pa

        self._clear(before.storage)
        rows = [_seed(self.reader, url) for url in sorted(set(seeds))]
        with ParquetSink(self._path(before, "clues"), schema_of(Clue)) as sink:
            sink.write(pa.RecordBatch.from_pylist(rows, schema=schema_of(Clue)))
        return self._next(before, version, round, Dataset((), schema_of(State)))

    def reschedule(self, frontier: Frontier, version: str, before: Recrawl) -> Frontier:
        """The frontier with what was fetched under the intervals `before` due by those of today (CZ-9)."""
        storage, after = frontier.storage, replace(frontier, version=version)
        step = Reschedule(before, self.recrawl)
        for number, file in enumerate(frontier.files("frontier")):
            unit = Unit(Source(path=storage.path(file)), {"frontier": storage.path(after.bucket(number))})
            self.engine.map(step, [unit])
        for name in ("prefixes", "sites"):
            (file,) = frontier.files(name)
            storage.write(after.files(name)[0], storage.read(file))
        return after

    def __call__(self, before: Frontier, version: str, round: int, brought: Brought) -> Updated:
        """The frontier after a round, and what the round came to."""
        self._clear(before.storage)
        named = {name: getattr(brought, name) for name in ("links", "fetches", "documents", "listed")}
        links, fetches, scores = (self._path(before, name) for name in ("links", "fetches", "scores"))
        self.engine.query(SCORES_SQL, {"documents": brought.documents}, scores)
        self._map(before, ReadCounts(), scores)
        counted = {"counted": self._made(before, "counted", Counted)}
        self.engine.query(LINKS_SQL, named | counted, links)
        known = {"frontier": before.table("frontier")}
        fetched = {name: table for name, table in named.items() if name != "links"}
        self.engine.query(FETCHES_SQL, fetched | known, fetches)
        self._map(before, ReadLinks(self.reader), links)
        self._map(before, ReadFetches(self.reader, self.recrawl, self.reader.target), fetches)
        states = {"states": self._made(before, "states", State)}
        self.engine.query(JUDGED_SQL, states | known, self._path(before, "judged"))
        made = self._made(before, "judged", State)
        (sums,) = self.engine.query(SUMMARY_SQL, {"states": made}).to_pylist()
        (read,) = self.engine.query(READ_SQL, {"documents": brought.documents}).to_pylist()
        after = self._next(before, version, round, made)
        sites = {"sites": after.table("sites")}
        (new,) = self.engine.query(NEW_SITES_SQL.format(round=round), sites).to_pylist()
        return Updated(after, {name: value or 0 for name, value in (sums | read | new).items()})

    def _next(self, before: Frontier, version: str, round: int, states: Dataset) -> Frontier:
        """The version after `before`: its buckets one by one, since all at once would not fit in memory."""
        storage, after = before.storage, replace(before, version=version)
        summed = self._path(before, "summed")
        self.engine.query(CLUES_SQL, {"clues": self._made(before, "clues", Clue)}, summed)
        clues = self._made(before, "summed", Clue)
        files = before.files("frontier")
        buckets = MOST_BUCKETS if len(files) == MOST_BUCKETS or len(before) > ONE_BUCKET_ROWS else 1
        for number in range(buckets):
            old = [files[number]] if len(files) == buckets else files
            tables = {"frontier": _dataset(storage, old, Known), "clues": clues, "states": states}
            sql = MERGE_SQL.format(round=round, bucket=number, buckets=buckets)
            self.engine.query(sql, tables, storage.path(after.bucket(number)))
        cells = {"cells": before.table("prefixes"), "states": states}
        apart = round - ROUNDS_APART
        self.engine.query(CELLS_SQL.format(round=round, apart=apart), cells, self._to(after, "prefixes"))
        sites = {"sites": before.table("sites"), "states": states}
        self.engine.query(SITES_SQL.format(round=round), sites, self._to(after, "sites"))
        self._clear(storage)
        return after

    def _to(self, after: Frontier, table: str) -> str:
        return after.storage.path(after.files(table)[0])

    def _path(self, frontier: Frontier, name: str) -> str:
        return frontier.storage.path(f"{self.work}/{name}.parquet")

    def _made(self, frontier: Frontier, name: str, record: type) -> Dataset:
        files = frontier.storage.list(self.work, ".parquet")
        return _dataset(
            frontier.storage, [file for file in files if file.startswith(f"{self.work}/{name}")], record
        )

    def _map(self, frontier: Frontier, step: Map, path: str) -> None:
        """Run a step over a file, in this process where there is little to do: workers take half a second."""
        import pyarrow.parquet as pq

        with open_input(path) as file:
            rows = pq.read_metadata(file).num_rows
        units = []
        for number, start in enumerate(range(0, max(1, rows), ROWS_PER_UNIT)):
            targets = {name: self._path(frontier, f"{name}-{number:05d}") for name in step.outputs}
            units.append(Unit(Source(path=path, start=start, stop=min(rows, start + ROWS_PER_UNIT)), targets))
        if len(units) > 1:
            self.engine.map(step, units)
        else:
            self.engine.map_here(step, units)

    def _clear(self, storage: Storage) -> None:
        for file in storage.list(self.work, ".parquet"):
            storage.delete(file)


def _seed(reader: Reader, spelled: str) -> dict[str, Any]:
    url = canonical(spelled) or spelled
    nothing = dict.fromkeys(schema_of(Clue).names, 0) | {"spelling": spelling_of(spelled, url)}
    place = place_of(reader, url, url_id(url), 0)
    if place["refused"] in (OTHER_VIEW, PAGE_LIST):  # whoever names it knows that it is a page
        place["refused"] = ""
    return nothing | place | {"seed": 1, "cash": SEED_CASH}


def _dataset(storage: Storage, files: Iterable[str], record: type) -> Dataset:
    return Dataset(tuple(storage.path(file) for file in files), schema_of(record))
