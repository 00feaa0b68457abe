"""What a round brought, worked into the frontier: new URLs, new evidence, new states, new sums.

The files of a frontier carry its version in their names, and only a later commit makes a version the present
one. So an update that is killed leaves the frontier as it was, and is simply done again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from corpulyzer.engine import Dataset, Engine, Source, Unit
from corpulyzer.frontier.evidence import Reader, ReadLinks, place_of
from corpulyzer.frontier.opic import SEED_CASH
from corpulyzer.frontier.queries import (
    CELLS_SQL,
    CLUES_SQL,
    FETCHES_SQL,
    JUDGED_SQL,
    LINKS_SQL,
    MERGE_SQL,
    SITES_SQL,
    SUMMARY_SQL,
)
from corpulyzer.frontier.state import ReadFetches, Recrawl
from corpulyzer.frontier.tables import BUCKETS, Cell, Clue, Known, Site, State
from corpulyzer.record import schema_of
from corpulyzer.storage import ParquetSink, Storage
from corpulyzer.url import url_id

ROUNDS_APART = 8
"""For so many rounds a cell's sums are kept apart, so that what it gave lately can be told from before."""

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
            return [self.bucket(number) for number in range(BUCKETS)]
        return [f"{table}/{self.version}.parquet"]

    def bucket(self, number: int) -> str:
        """The file of one bucket."""
        return f"frontier/bucket={number:02d}/{self.version}.parquet"

    def table(self, name: str) -> Dataset:
        """One of its tables, for queries: `frontier`, `prefixes`, `sites`."""
        return _dataset(self.storage, self.files(name), TABLES[name])

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
    """Makes the next version of a frontier. `work` is a folder of the corpus for what is needed meanwhile."""

    reader: Reader
    engine: Engine
    work: str
    recrawl: Recrawl = field(default_factory=Recrawl)

    def inject(self, before: Frontier, version: str, round: int, seeds: Iterable[str]) -> Frontier:
        """The frontier with these canonical URLs as seeds of the round (CZ-1)."""
        import pyarrow as pa

        self._clear(before.storage)
        rows = [_seed(self.reader, url) for url in sorted(set(seeds))]
        with ParquetSink(self._path(before, "clues"), schema_of(Clue)) as sink:
            sink.write(pa.RecordBatch.from_pylist(rows, schema=schema_of(Clue)))
        return self._next(before, version, round, Dataset((), schema_of(State)))

    def __call__(self, before: Frontier, version: str, round: int, brought: Brought) -> Updated:
        """The frontier after a round, and what the round came to."""
        self._clear(before.storage)
        named = {name: getattr(brought, name) for name in ("links", "fetches", "documents", "listed")}
        links, fetches = self._path(before, "links"), self._path(before, "fetches")
        self.engine.query(LINKS_SQL, named, links)
        fetched = {name: table for name, table in named.items() if name != "links"}
        self.engine.query(FETCHES_SQL, fetched, fetches)
        clues, states = self._path(before, "clues"), self._path(before, "states")
        self.engine.map(ReadLinks(self.reader), [Unit(Source(path=links), {"clues": clues})])
        read = ReadFetches(self.reader, self.recrawl)
        redirects = self._path(before, "redirects")
        self.engine.map(read, [Unit(Source(path=fetches), {"redirects": redirects, "states": states})])
        judged = self._path(before, "judged")
        tables = {"states": self._made(before, ["states"], State), "frontier": before.table("frontier")}
        self.engine.query(JUDGED_SQL, tables, judged)
        made = self._made(before, ["judged"], State)
        (sums,) = self.engine.query(SUMMARY_SQL, {"states": made}).to_pylist()
        after = self._next(before, version, round, made)
        return Updated(after, {name: value or 0 for name, value in sums.items()})

    def _next(self, before: Frontier, version: str, round: int, states: Dataset) -> Frontier:
        """The version after `before`: its buckets one by one, since all at once would not fit in memory."""
        storage, after = before.storage, replace(before, version=version)
        summed = self._path(before, "summed")
        made = [name for name in ("clues", "redirects") if storage.exists(f"{self.work}/{name}.parquet")]
        self.engine.query(CLUES_SQL, {"clues": self._made(before, made, Clue)}, summed)
        clues = self._made(before, ["summed"], Clue)
        for number in range(BUCKETS):
            old = [before.bucket(number)] if before.version else []
            tables = {"frontier": _dataset(storage, old, Known), "clues": clues, "states": states}
            sql = MERGE_SQL.format(round=round, bucket=number)
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

    def _made(self, frontier: Frontier, names: Iterable[str], record: type) -> Dataset:
        return _dataset(frontier.storage, [f"{self.work}/{name}.parquet" for name in names], record)

    def _clear(self, storage: Storage) -> None:
        for file in storage.list(self.work, ".parquet"):
            storage.delete(file)


def _seed(reader: Reader, url: str) -> dict[str, Any]:
    nothing = dict.fromkeys(schema_of(Clue).names, 0)
    return nothing | place_of(reader, url, url_id(url), 0) | {"seed": 1, "cash": SEED_CASH}


def _dataset(storage: Storage, files: Iterable[str], record: type) -> Dataset:
    return Dataset(tuple(storage.path(file) for file in files), schema_of(record))
