"""The fetch list of a round: the URLs with the best scores, at most so many of a site.

URLs that a strategy cannot tell apart are scored together, as a cell. There are far fewer cells than URLs, so
the strategy itself is plain Python over a small table. Only URLs in the front of the frontier are looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from corpulyzer.engine import Engine
from corpulyzer.records.columns import schema_of
from corpulyzer.web.frontier import UNWANTED, Scorer, Scores, Situation
from corpulyzer.web.frontier.bounds import Hubs, barren_patterns, copying_sites, mirrored_sites, spent_hubs
from corpulyzer.web.frontier.clues import EVIDENCE
from corpulyzer.web.frontier.store.arrays import (
    as_table,
    at,
    distinct,
    ints,
    piece,
    places_in,
    positions,
    read,
    starts_of,
)
from corpulyzer.web.frontier.store.versions import Frontier
from corpulyzer.web.frontier.strategies.balance import LEVELS, Expected
from corpulyzer.web.frontier.tables import Known, Listed
from corpulyzer.web.frontier.traps import PAGE_LIST, Traps

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from corpulyzer.web.frontier import Columns, Ints
    from corpulyzer.web.frontier.store.arrays import Flags

KEY = f"""
4 * (<own>) + case when sibling = 1 and fetches = 0 then 1 else 0 end
+ case when refused = '{PAGE_LIST}' and fetches = 0 then 2 else 0 end
"""
"""The strategy's own key, whether the URL is unread and another view of a page that was read, and whether it
is unread and a list of pages. What was read falls due again as pages do."""

DUE = """
select id, <key> as evidence, <evidence> as shown
from frontier where due <= {now} and refused in ('', '<list>') <pages>
"""
"""The URLs that are due, in any order, with the cell of each in its pattern."""


SEEN = sorted(
    {column.name for column in fields(Listed)}.intersection(column.name for column in fields(Known))
    | {"fetch_round", "listed", "maps", "referrer", "referrer_bytes", "refused"}
)
"""The columns of the frontier that a list is made of, beside those in the keys of strategies."""


@dataclass(frozen=True, slots=True)
class Generate:
    """Makes fetch lists (CZ-1). `shut` are the ids of sites that must be left alone for now.

    `taken` are the ids of URLs that a round has which is not yet worked into the frontier. They count where
    a site, pattern or stem may grow only as fast as it proves itself.
    With `even` the languages of a corpus come level in requests.
    """

    scorer: Scorer
    engine: Engine
    per_site: int = 100
    traps: Traps = field(default_factory=Traps)
    shut: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()
    even: bool = False

    def __call__(self, frontier: Frontier, size: int, now: int, situation: Situation) -> pa.Table:
        """The list of at most `size` URLs that are due at `now`, seconds since 1970; best first."""
        due, cells, scores, _ = self._scored(frontier, now, situation)
        ranked, score = self._best(frontier, due, cells, scores, size)
        found = due.rows.take(ranked)
        columns: dict[str, Any] = {
            name: piece(found, name) for name in schema_of(Listed).names if name in found.column_names
        }
        columns |= {"place": np.arange(len(ranked)), "evidence": due.shown[ranked], "score": score}
        return as_table(columns, schema_of(Listed))

    def _best(
        self, frontier: Frontier, due: Due, cells: Columns, scores: Scores, size: int
    ) -> tuple[Ints, Ints]:
        """The rows of what is due that the list has, best first, and their scores."""
        if not self.even:
            rows, score = _ranked(due, scores, _chosen(scores, cells, size))
            return rows[:size], score[:size]
        expected = Expected.of(cells, due.referrers(len(cells["prefix_id"])), frontier.spoken())
        expected = expected.with_open(cells["taken"])
        chosen = [_chosen(scores, cells, size, among) for among in expected.groups()]
        rows, score = _ranked(due, scores, np.concatenate(chosen))
        taken = expected.evenly(due.cell[rows], size)
        return rows[taken], score[taken]

    def held_back(self, frontier: Frontier, now: int, situation: Situation) -> dict[str, int]:
        """How many URLs are due at `now` and yet not wanted, by reason."""
        _, cells, scores, reasons = self._scored(frontier, now, situation)
        left = scores.score <= UNWANTED
        found = {}
        for reason, cause in {**reasons, "that the strategy does not want": left}.items():
            if count := int(cells["supply"][left & cause].sum()):
                found[reason] = count
            left = left & ~cause
        return found

    def due_sql(self, now: int) -> str:
        """The query that tells the cell of each URL that is due."""
        return self._filled(DUE).format(now=now)

    def _filled(self, sql: str) -> str:
        parts = {
            "<key>": KEY.replace("<own>", self.scorer.key),
            "<list>": PAGE_LIST,
            "<evidence>": EVIDENCE,
            "<pages>": "" if self.scorer.reads_maps else "and maps = 0",
        }
        for name, part in parts.items():
            sql = sql.replace(name, part)
        return sql

    def _scored(
        self, frontier: Frontier, now: int, situation: Situation
    ) -> tuple[Due, Columns, Scores, dict[str, Flags]]:
        """What is due and its cells, their scores, and where each limit that all strategies have held."""
        order = self.scorer.order
        front = read(frontier.front(), sorted({*SEEN, *(name.removeprefix("-") for name in order)}))
        found = self.engine.query(self.due_sql(now), {"frontier": frontier.front()})
        found = found.take(np.argsort(ints(found, "id"), kind="stable"))
        due, cells = Due.of(front, found, order, np.isin(ints(found, "id"), np.array(self.taken, np.int64)))
        past = frontier.cells(distinct(ints(front, "site_id")))
        reasons = self._limits(cells, past, spent_hubs(front))
        held = np.logical_or.reduce(list(reasons.values()))
        own = {**cells, "evidence": cells["evidence"] // 4, "lists": cells["evidence"] // 2 % 2, "held": held}
        return due, cells, self._bounded(self.scorer(own, past, situation), cells, past, held), reasons

    def _limits(self, cells: Columns, past: Columns, hubs: Hubs) -> dict[str, Flags]:
        """Why cells are not to be fetched, in words that follow a number of URLs."""
        site, pattern = cells["site_id"], cells["prefix_id"]
        views = np.isin(site, mirrored_sites(self.traps, past)) & (cells["evidence"] % 2 == 1)
        lists = np.isin(site, hubs.sites) & (cells["evidence"] // 2 % 2 == 1)
        return {
            "of sites that want to be left alone for now": np.isin(site, np.array(self.shut, np.int64)),
            "of patterns that brought no new text": np.isin(pattern, barren_patterns(self.traps, past)),
            "that are other views of pages which are there": views,
            "that list pages which are known": lists | np.isin(pattern, hubs.patterns),
        }

    def _bounded(self, scores: Scores, cells: Columns, past: Columns, held: Flags) -> Scores:
        """The scores under the limits of all strategies: URLs of a site, and what is held back."""
        _, site = np.unique(cells["site_id"], return_inverse=True)
        taken = np.bincount(site, cells["taken"])[site].astype(np.int64) if len(site) else cells["taken"]
        return replace(
            scores,
            score=np.where(held, UNWANTED, scores.score),
            quota=np.maximum(0, scores.quota - cells["taken"]),
            site_quota=np.clip(scores.site_quota - taken, 0, self.per_site),
            stem_quota=np.where(np.isin(cells["site_id"], copying_sites(past)), 1, scores.stem_quota),
        )


@dataclass(frozen=True, slots=True)
class Due:
    """The URLs that are due: their rows, cells, evidence, and their places among URLs with equal scores.

    `rivals` counts for each the URLs of its stem that are taken.

    `front` has these rows and all others.
    """

    front: pa.Table
    rows: pa.Table
    cell: Ints
    shown: Ints
    place: Ints
    rivals: Ints

    @classmethod
    def of(cls, front: pa.Table, found: pa.Table, order: Sequence[str], taken: Flags) -> tuple[Due, Columns]:
        """What was found due in the front, by id, and is not taken; and its cells."""
        rows = front.take(positions(ints(found, "id"), ints(front, "id"))).combine_chunks()
        pattern, evidence = ints(rows, "prefix_id"), ints(found, "evidence")
        by = np.lexsort((evidence, pattern))
        starts = starts_of(pattern[by], evidence[by])
        sizes = np.diff(np.append(starts, len(by)))
        cell = np.empty(len(by), np.int64)
        cell[by] = np.repeat(np.arange(len(starts)), sizes)
        gone = np.bincount(cell[taken], minlength=len(starts))
        best = np.maximum.reduceat(ints(rows, "referrer_bytes")[by], starts) if len(by) else sizes
        cells = {name: ints(rows, name)[by][starts] for name in ("prefix_id", "section_id", "site_id")}
        cells |= {"evidence": evidence[by][starts], "supply": sizes - gone, "taken": gone}
        cells["referrer_bytes"] = best
        stems, rivals = np.unique(ints(rows, "stem")[taken], return_counts=True)
        rivals = at(rivals, positions(ints(rows, "stem"), stems))
        shown, place = ints(found, "shown"), _places(rows, order)
        free = ~taken
        rows = rows.filter(free) if taken.any() else rows
        return cls(front, rows, cell[free], shown[free], place[free], rivals[free]), cells

    def referrers(self, cells: int) -> dict[str, Ints]:
        """The pattern, section and site of a page that links to each cell; 0 where none is in the front."""
        found, first = np.unique(self.cell, return_index=True)
        place = np.full(cells, -1)  # all of a cell may be taken
        place[found] = positions(ints(self.rows, "referrer")[first], ints(self.front, "id"))
        return {name: at(ints(self.front, name), place) for name in LEVELS}


def _places(rows: pa.Table, order: Sequence[str]) -> Ints:
    """The place of each row, of rows by id, in the order of a strategy."""
    columns = [-ints(rows, name[1:]) if name.startswith("-") else ints(rows, name) for name in order]
    place = np.empty(rows.num_rows, np.int64)
    place[np.lexsort(columns[::-1])] = np.arange(rows.num_rows)
    return place


def _ranked(due: Due, scores: Scores, chosen: Ints) -> tuple[Ints, Ints]:
    """All of what is due in the chosen cells, best first, within the quotas; and their scores."""
    wanted = np.zeros(len(scores.score), np.bool_)
    wanted[chosen] = True
    rows = np.flatnonzero(wanted[due.cell])
    rows = rows[places_in(due.cell[rows], due.place[rows]) <= scores.quota[due.cell[rows]]]
    cell, place = due.cell[rows], due.place[rows]
    score = scores.score[cell]
    in_site = places_in(ints(due.rows, "site_id")[rows], -score, place)
    in_stem = places_in(ints(due.rows, "stem")[rows], -score, place)
    in_stem += due.rivals[rows]
    kept = (in_site <= scores.site_quota[cell]) & (in_stem <= scores.stem_quota[cell])
    best = np.lexsort((place[kept], -score[kept]))
    return rows[kept][best], score[kept][best]


def _chosen(scores: Scores, cells: Columns, size: int, among: Flags | Literal[True] = True) -> Ints:
    """The cells that can reach the list: the best, until they hold `size` URLs, and all equal to the last."""
    order = np.lexsort((cells["evidence"], cells["prefix_id"], -scores.score))
    order = order[((scores.score > UNWANTED) & among)[order]]
    room = np.minimum(cells["supply"], scores.quota)
    left: dict[int, int] = {}
    taken, last = 0, len(order)
    for place, cell in enumerate(order):
        site = int(cells["site_id"][cell])
        quota = left.get(site, int(scores.site_quota[cell]))
        take = min(int(room[cell]), quota)
        left[site] = quota - take
        taken += take
        if taken >= size:
            last = place + 1
            break
    while last < len(order) and scores.score[order[last]] == scores.score[order[last - 1]]:
        last += 1
    return np.sort(order[:last])
