"""How deep the front of a frontier is: what goes behind it when it is full, and what comes back.

All of it follows from the numbers of rows and of rounds, never from the clock or the memory of a machine, so
that a frontier made again from the archives has the same front.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from corpulyzer.engine import Dataset
from corpulyzer.web.frontier.bounds import LAST, first_brought, hubs_of
from corpulyzer.web.frontier.store.arrays import (
    as_table,
    distinct,
    ints,
    piece,
    positions,
    read_file,
    write_file,
)
from corpulyzer.web.frontier.store.behind import (
    COUNT_SQL,
    SOME_SQL,
    SOONEST_SQL,
    Run,
    best_waiting,
    stored,
    stored_schema,
    turns,
    waiting,
)
from corpulyzer.web.frontier.store.keys import Of
from corpulyzer.web.frontier.store.versions import Frontier, Manifest
from corpulyzer.web.frontier.store.wholes import parts_of, whole, write_parts, write_run
from corpulyzer.web.frontier.tables import NEVER

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.engine import Engine
    from corpulyzer.web.frontier import Ints
    from corpulyzer.web.frontier.store.arrays import Flags


HUBS_AMONG = 4
"""Lists and maps that were read are at most one for so many URLs that stay in front."""


@dataclass(frozen=True, slots=True)
class Depth:
    """The bounds of a front, in URLs, and of what stands behind it.

    A front of more than `most` keeps `kept` of them; one with fewer than `least` that wait gets more. What
    fell due behind it comes forward every `rounds` rounds. The runs are merged into the base when they have
    more rows than it, and than `run_rows`.
    """

    most: int = 200_000
    kept: int = 100_000
    least: int = 25_000
    rounds: int = 32
    run_rows: int = 500_000

    def of(self, frontier: Frontier, engine: Engine, work: str) -> Levelling:
        """The work of an update on a frontier."""
        return Levelling(self, frontier, engine, work)

    def soonest(self, engine: Engine, frontier: Frontier, now: int) -> int:
        """When the first URL behind the front falls due after `now`."""
        behind = frontier.behind()
        if not behind.files:
            return NEVER
        (row,) = engine.query(SOONEST_SQL.format(now=now), {"base": behind}).to_pylist()
        return NEVER if row["soonest"] is None else int(row["soonest"])


@dataclass(slots=True)
class Levelling:
    """Rows on their way behind the front of a version, and forward. The version's manifest grows with it."""

    depth: Depth
    frontier: Frontier
    engine: Engine
    work: str

    def level(self, rows: pa.Table, added: pa.Table) -> tuple[pa.Table, Manifest, Ints]:
        """The front, the manifest with all runs behind it, and the ids that went there.

        `added` is what the round says of URLs behind the front.
        """
        now = int(ints(rows, "fetched").max(initial=0))
        ready = waiting(rows, now)
        front, spilled, left = rows, rows.slice(0, 0), int(ready.sum())
        if rows.num_rows > self.depth.most:
            kept = self._kept(rows, ready)
            front, spilled, left = rows.filter(kept), rows.filter(~kept), int((ready & kept).sum())
        self._put_behind(spilled, added, waiting=int(ready.sum()) - left, now=now)
        manifest = self._manifest
        is_low = left < self.depth.least and manifest.waiting > 0
        is_due = manifest.soonest <= now and manifest.round - manifest.filled >= self.depth.rounds
        if is_low or is_due:
            front, _ = self.filled(front, now)
        elif sum(run.rows for run in manifest.runs) > max(
            self.depth.run_rows, sum(run.rows for run in manifest.base)
        ):
            self._merge(now)
        return front, self._manifest, ints(spilled, "id")

    @property
    def _manifest(self) -> Manifest:
        return self.frontier.manifest

    def _note(self, **changes: object) -> None:
        self.frontier = replace(self.frontier, known=replace(self._manifest, **changes))  # type: ignore[arg-type]

    def _kept(self, rows: pa.Table, ready: Flags) -> Flags:
        """The rows that stay: those whose turn comes first, and the last lists and maps of their sites.

        Of each of those one page that it brought stays too. Where they are many, those read last stay.
        """
        kept = np.zeros(rows.num_rows, np.bool_)
        places = np.flatnonzero(ready)
        some = rows.filter(ready)
        turn = turns(some, self.frontier.sites())
        best = np.lexsort((ints(some, "id"), ints(some, "round"), ints(some, "hops"), turn))
        kept[places[best[: self.depth.kept]]] = True
        site = ints(rows, "site_id")
        hubs = np.flatnonzero(hubs_of(rows, LAST) & np.isin(site, distinct(site[kept])))
        latest = np.lexsort((ints(rows, "id")[hubs], -ints(rows, "fetch_round")[hubs]))
        some_hubs = np.zeros(rows.num_rows, np.bool_)
        some_hubs[hubs[latest[: self.depth.kept // HUBS_AMONG]]] = True
        return kept | some_hubs | first_brought(rows, some_hubs)

    def _put_behind(self, spilled: pa.Table, added: pa.Table, waiting: int, now: int) -> None:
        """Write a run with whole rows and with what is added to others."""
        count = spilled.num_rows + added.num_rows
        if not count:
            return
        manifest, version = self._manifest, self.frontier.version
        seq, file = manifest.seq + 1, f"frontier/behind/{version}.parquet"
        write_run(self.frontier.storage.path(file), stored(spilled, seq, 1), stored(added, seq, 0))
        due = ints(spilled, "due")
        self._note(
            runs=(*manifest.runs, Run(file, count)),
            seq=seq,
            waiting=manifest.waiting + waiting,
            soonest=min(manifest.soonest, int(due[due > now].min(initial=NEVER))),
        )

    def _merge(self, now: int) -> None:
        """Make the base anew of itself and the runs."""
        manifest, version = self._manifest, self.frontier.version
        rows = sum(run.rows for run in (*manifest.base, *manifest.runs))
        parts = parts_of(rows, len(manifest.base))
        files = [f"frontier/behind/{version}-{part:04d}.parquet" for part in range(parts)]
        base = write_parts(self.frontier.storage, manifest.base, manifest.runs, files)
        self._note(base=tuple(base), runs=(), seq=0)
        (row,) = self.engine.query(COUNT_SQL.format(now=now), {"base": self.frontier.behind()}).to_pylist()
        self._note(waiting=row["waiting"], soonest=self.depth.soonest(self.engine, self.frontier, now))

    def filled(self, front: pa.Table, now: int) -> tuple[pa.Table, Manifest]:
        """The front with the best that wait behind it, and the manifest."""
        import pyarrow as pa

        manifest = self._manifest
        if sum(run.rows for run in manifest.runs) * 8 >= sum(run.rows for run in manifest.base):
            self._merge(now)
        rows = self._forward(front, now)
        if rows.num_rows < max(1, self.depth.least) and self._manifest.runs:
            self._merge(now)
            rows = self._forward(front, now)
        left = self._manifest.waiting - rows.num_rows if rows.num_rows else 0
        self._note(waiting=max(0, left), filled=self._manifest.round)
        together = pa.concat_tables([front, rows])
        return together.take(np.argsort(ints(together, "id"))).combine_chunks(), self._manifest

    def with_listed(self, front: pa.Table, ids: Ints) -> pa.Table:
        """The front with what a list has from behind it: one that was made of another front."""
        import pyarrow as pa

        missing = ids[positions(ids, ints(front, "id")) < 0]
        missing = missing[self.frontier.keys().has(Of.PARKED, missing)]
        if not len(missing):
            return front
        together = pa.concat_tables([front, self._whole(missing)])
        return together.take(np.argsort(ints(together, "id"))).combine_chunks()

    def _whole(self, ids: Ints) -> pa.Table:
        storage, wanted = self.frontier.storage, self._ids("wanted", ids)
        some = storage.path(f"{self.work}/some.parquet")
        self.engine.query(SOME_SQL, {"behind": self.frontier.behind(), "wanted": wanted}, some)
        rows = whole(read_file(some))
        for name in ("wanted", "some"):
            storage.delete(f"{self.work}/{name}.parquet")
        return rows

    def _forward(self, front: pa.Table, now: int) -> pa.Table:
        """Rows that come forward: whole, waiting, and not in front yet."""
        storage = self.frontier.storage
        tables = {
            "base": Dataset([storage.path(run.file) for run in self._manifest.base], stored_schema()),
            "sites": self.frontier.site_sums(),
            "standing": self._ids("standing", ints(front, "id")),
        }
        wanted = self._ids("wanted", best_waiting(self.engine, tables, now, self.depth.kept))
        some = storage.path(f"{self.work}/some.parquet")
        self.engine.query(SOME_SQL, {"behind": self.frontier.behind(), "wanted": wanted}, some)
        rows = whole(read_file(some))
        for name in ("standing", "wanted", "some"):
            storage.delete(f"{self.work}/{name}.parquet")
        return self._with_siblings(rows.filter(waiting(rows, now)))

    def _ids(self, name: str, ids: Ints) -> Dataset:
        """Ids as a table for queries."""
        import pyarrow as pa

        path, table = (
            self.frontier.storage.path(f"{self.work}/{name}.parquet"),
            pa.table({"id": pa.array(ids)}),
        )
        write_file(path, table)
        return Dataset((path,), table.schema)

    def _with_siblings(self, rows: pa.Table) -> pa.Table:
        """The rows with whether another view of the page was read meanwhile."""
        unread = ints(rows, "fetches") == 0
        read = self.frontier.keys().has(Of.STEM_READ, ints(rows, "stem")) & unread
        columns: dict[str, Any] = {name: piece(rows, name) for name in rows.column_names}
        columns["sibling"] = np.maximum(ints(rows, "sibling"), read)
        return as_table(columns, rows.schema)
