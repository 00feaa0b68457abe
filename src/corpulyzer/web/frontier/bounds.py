"""Limits for every strategy: patterns, and second views of pages, that brought next to no new text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corpulyzer.web.frontier.clues import SIBLING

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from corpulyzer.web.frontier import Columns, Ints
    from corpulyzer.web.frontier.traps import Traps


def barren_patterns(traps: Traps, past: Columns) -> Ints:
    """The ids of patterns of which all pages, or the last ones, brought next to no new text."""
    return _barren(traps, past["prefix_id"], past)


def mirrored_sites(traps: Traps, past: Columns) -> Ints:
    """The ids of sites whose second views of pages (another session, frame, order) were nearly all copies.

    Sites where such URLs turn out to be other languages, or other pages with the same number, are not among
    them, since those bring new text.
    """
    views = past["evidence"] >= SIBLING
    seen = {name: column[views] for name, column in past.items()}
    return _barren(traps, seen["site_id"], seen)


def copying_sites(past: Columns) -> Ints:
    """The ids of sites of which more than a tenth of the pages were copies."""
    keys, where = np.unique(past["site_id"], return_inverse=True)
    copies, pages = (np.bincount(where, past[name], len(keys)) for name in ("copies", "pages"))
    return keys[copies * 10 > pages]


def _barren(traps: Traps, groups: Ints, past: Columns) -> Ints:
    keys, where = np.unique(groups, return_inverse=True)
    pages, fresh = past["pages"] + past["errors"], past["pages"] - past["copies"] - past["thin"]
    last = _last_rows(where, past["round"], pages, traps.barren_pages)
    found = np.zeros(len(keys), np.bool_)
    for rows in (np.ones(len(where), np.bool_), last):
        seen = np.bincount(where, pages * rows, len(keys)).astype(np.int64)
        new = np.bincount(where, fresh * rows, len(keys)).astype(np.int64)
        found |= traps.barren(seen, new)
    return keys[found]


def _last_rows(where: Ints, rounds: Ints, pages: Ints, enough: int) -> NDArray[np.bool_]:
    """The rows of each group's last rounds, as few of them as hold `enough` pages."""
    order = np.lexsort((-rounds, where))
    before = np.cumsum(pages[order]) - pages[order]
    group = where[order]
    first = np.searchsorted(group, group)  # where the row's group begins
    rows = np.zeros(len(where), np.bool_)
    rows[order] = before - before[first] < enough
    return rows
