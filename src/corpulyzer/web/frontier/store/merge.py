"""Clues summed up by their targets, and rows of the frontier with what a round adds to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from corpulyzer.records.columns import schema_of
from corpulyzer.web.frontier.store.arrays import as_table, at, ints, piece, positions, ranks, starts_of
from corpulyzer.web.frontier.tables import Clue, Known

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.web.frontier import Ints
    from corpulyzer.web.frontier.store.arrays import Column, Flags, Indices
    from corpulyzer.web.frontier.store.keys import Keys

SUMS = """
links outside from_target share anchors_target anchors_script anchors_other anchors_named alternates_target
alternates_other listed maps
""".split()
PLACE = ("site_id", "section_id", "prefix_id", "stem", "words")
STATE = "fetches fetched status failures pause due kept digest digest_2 digest_3 digest_4".split()
LAST_FETCH = (*STATE, "fetch_round")
"""What the last fetch of a URL leaves: its state, and the round that brought it."""
HIGHEST = np.iinfo(np.int64).max


def summed(clues: pa.Table) -> pa.Table:
    """One clue for each target, by id; the referrer is that with the largest share, then the lowest id."""
    by = np.argsort(ints(clues, "id"), kind="stable")
    starts = starts_of(ints(clues, "id")[by])
    if not len(starts):
        return clues
    sizes = np.diff(np.append(starts, len(by)))
    column = {name: ints(clues, name)[by] for name in clues.column_names if name not in STRINGS}
    found: dict[str, Any] = {name: column[name][starts] for name in ("id", *PLACE)}
    found |= {name: np.add.reduceat(column[name], starts) for name in (*SUMS, "cash")}
    found |= {name: np.maximum.reduceat(column[name], starts) for name in ("seed", "referrer_bytes")}
    found["hops"] = np.minimum.reduceat(column["hops"], starts)
    best = np.repeat(np.maximum.reduceat(column["share"], starts), sizes)
    referrer = np.where(column["share"] == best, column["referrer"], HIGHEST)
    found["referrer"] = np.minimum.reduceat(referrer, starts)
    found["url"] = piece(clues, "url").take(by[starts])
    code, words = ranks(piece(clues, "refused"))
    found["refused"] = words.take(np.minimum.reduceat(code[by], starts))
    code, words = ranks(piece(clues, "spelling"))
    nearest = column["hops"] == np.repeat(found["hops"], sizes)
    found["spelling"] = words.take(np.minimum.reduceat(np.where(nearest, code[by], HIGHEST), starts))
    return as_table(found, schema_of(Clue))


STRINGS = ("url", "spelling", "refused")


def merged(rows: pa.Table, clues: pa.Table, states: pa.Table, round: int, earlier: Keys | None) -> pa.Table:
    """Rows of the frontier, by id, with the clues and states of a round; `earlier` knows what was read.

    Without it new rows do not say whether another view of the page was read before.
    """
    return _Merge(rows, clues, states, round)(earlier)


class _Merge:
    """The rows of both, and where each of them stands in the tables; -1 where it does not."""

    def __init__(self, rows: pa.Table, clues: pa.Table, states: pa.Table, round: int) -> None:
        self.rows, self.clues, self.states, self.round = rows, clues, states, round
        old, new = ints(rows, "id"), ints(clues, "id")
        self.ids: Ints = np.sort(np.append(old, new[positions(new, old) < 0]))
        self.row, self.clue = positions(self.ids, old), positions(self.ids, new)
        self.state = positions(self.ids, ints(states, "id"))
        self.is_old, self.has_clue, self.has_state = self.row >= 0, self.clue >= 0, self.state >= 0

    def __call__(self, earlier: Keys | None) -> pa.Table:
        before, said = self._before, self._said
        found: dict[str, Any] = {name: self._first(name) for name in (*PLACE, "referrer")}
        found |= {name: before(name) + said(name) for name in SUMS}
        found |= {name: np.maximum(before(name), said(name)) for name in ("seed", "referrer_bytes")}
        found |= {
            name: np.where(self.has_state, at(ints(self.states, name), self.state), before(name))
            for name in STATE
        }
        found["fetch_round"] = np.where(self.has_state, self.round, before("fetch_round"))
        found["id"] = self.ids
        found["round"] = np.where(self.is_old, before("round"), self.round)
        found["hops"] = np.minimum(before("hops", HIGHEST), said("hops", HIGHEST))
        found["cash"] = said("cash") + np.where(self.has_state, 0, before("cash"))
        found["sibling"] = self._sibling(found["stem"], earlier)
        found["url"] = self._either("url", self.is_old)
        found["spelling"] = self._either("spelling", self.is_old & ~self._is_nearer())
        code, words = ranks(self._both("refused"))
        old, new = code[: self.rows.num_rows], code[self.rows.num_rows :]
        lowest = np.minimum(at(old, self.row, HIGHEST), at(new, self.clue, HIGHEST))
        found["refused"] = words.take(lowest)
        return as_table(found, schema_of(Known))

    def _before(self, name: str, default: int = 0) -> Ints:
        if not self.rows.num_rows:
            return np.full(len(self.ids), default)
        return at(ints(self.rows, name), self.row, default)

    def _said(self, name: str, default: int = 0) -> Ints:
        if not self.rows.num_rows:  # then the rows are those of the clues
            return ints(self.clues, name)
        return at(ints(self.clues, name), self.clue, default)

    def _first(self, name: str) -> Ints:
        """What was known before, else what the clue says."""
        return np.where(self.is_old, self._before(name), self._said(name))

    def _both(self, name: str) -> Column:
        import pyarrow as pa

        return pa.concat_arrays([piece(self.rows, name), piece(self.clues, name)])

    def _either(self, name: str, is_old: Flags) -> Column:
        """A string of the old row, or of the clue."""
        if not self.rows.num_rows:
            return piece(self.clues, name)
        place: Indices = np.where(is_old, self.row, self.rows.num_rows + self.clue)
        return self._both(name).take(place)

    def _is_nearer(self) -> Flags:
        """Whether the clue has the better spelling of a URL that is of this round too: nearer, then lower."""
        same = self.is_old & self.has_clue & (self._before("round") == self.round)
        near: Flags = same & (self._said("hops") < self._before("hops"))
        equal = np.flatnonzero(same & (self._said("hops") == self._before("hops")))
        old = piece(self.rows, "spelling").take(self.row[equal]).to_pylist()
        new = piece(self.clues, "spelling").take(self.clue[equal]).to_pylist()
        near[equal] = [str(a) > str(b) for a, b in zip(old, new, strict=True)]
        return near

    def _sibling(self, stem: Ints, earlier: Keys | None) -> Ints:
        """Whether another view of the page was read, in this round or before."""
        from corpulyzer.web.frontier.store.keys import Of

        known = self._before("sibling")
        new = ~self.is_old
        known[new] = 0 if earlier is None else earlier.has(Of.STEM_READ, stem[new])
        read = read_pages(self.states)
        by = np.lexsort((ints(read, "id"), ints(read, "stem")))
        stems, ids = ints(read, "stem")[by], ints(read, "id")[by]
        starts = starts_of(stems)
        if not len(starts):
            return known
        lowest, highest = ids[starts], ids[np.append(starts[1:], len(ids)) - 1]
        place = positions(stem, stems[starts])
        other = (lowest[place] != self.ids) | (highest[place] != self.ids)
        return np.where((place >= 0) & other, 1, known)


def read_pages(states: pa.Table) -> pa.Table:
    """The states of URLs whose page has text."""
    digest = ints(states, "digest")
    return states.filter((digest != 0) & (digest != ints(states, "id")))
