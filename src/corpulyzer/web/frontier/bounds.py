"""Limits for every strategy: what brought next to no new text, and lists that lead to no page that is new.

Lists of pages, sitemaps and feeds hold no text of their own: what speaks for them is what they lead to. A
site has many that lead to the same pages: by day, by month, by tag, by author, and a feed for each page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corpulyzer.web.frontier.clues import SIBLING
from corpulyzer.web.frontier.store.arrays import ints, piece, places_in, positions
from corpulyzer.web.frontier.traps import PAGE_LIST

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from corpulyzer.web.frontier import Columns, Ints
    from corpulyzer.web.frontier.store.arrays import Flags
    from corpulyzer.web.frontier.traps import Traps


LAST = 4
"""So many in a row that lead to nothing new are enough to leave the others of their kind alone."""


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


@dataclass(frozen=True, slots=True)
class Hubs:
    """The ids of sites whose lists are no longer wanted, and of patterns whose maps are not."""

    sites: Ints
    patterns: Ints


def spent_hubs(front: pa.Table) -> Hubs:
    """What leads nowhere: where the last ones brought nothing new, and lists where maps name most pages.

    Pages that a list or map has brought are those first seen there.
    """
    last = front.filter(hubs_of(front, LAST))
    kind, is_list = _kinds(last)
    is_page = _are(front, "") & (ints(front, "maps") == 0)
    ids = ints(last, "id")
    place = positions(ints(front, "referrer")[is_page], ids)
    brought = np.bincount(place[place >= 0], minlength=len(ids))
    spent = {}
    for number in (0, 1):
        kinds, where = np.unique(kind[is_list == number], return_inverse=True)
        seen = np.bincount(where, minlength=len(kinds))
        led = np.bincount(where, brought[is_list == number], len(kinds))
        spent[number] = kinds[(seen >= LAST) & (led == 0)]
    sites, where = np.unique(ints(front, "site_id")[is_page], return_inverse=True)
    named = np.bincount(where, ints(front, "listed")[is_page] > 0, len(sites))
    return Hubs(
        np.union1d(spent[1], sites[4 * named > 3 * np.bincount(where, minlength=len(sites))]), spent[0]
    )


def first_brought(front: pa.Table, hubs: Flags) -> Flags:
    """One page that each of these lists and maps brought, if any: by it one tells that it led to some."""
    ids, referrer = ints(front, "id")[hubs], ints(front, "referrer")
    pages = _are(front, "") & (ints(front, "maps") == 0) & (positions(referrer, ids) >= 0)
    found = np.zeros(front.num_rows, np.bool_)
    found[np.flatnonzero(pages)[np.unique(referrer[pages], return_index=True)[1]]] = True
    return found


def hubs_of(front: pa.Table, last: int) -> Flags:
    """Which rows are among the last lists of a site, or maps of a pattern, that were read.

    The last are those of the latest rounds, and within a round those of the lowest ids: the times of fetches
    differ from run to run, and with them what is fetched next would.
    """
    hubs = (ints(front, "fetches") > 0) & ((ints(front, "maps") > 0) | _are(front, PAGE_LIST))
    some = front.filter(hubs)
    kind, is_list = _kinds(some)
    place = places_in(kind ^ is_list, -ints(some, "fetch_round"), ints(some, "id"))
    hubs[hubs] = place <= last
    return hubs


def _kinds(hubs: pa.Table) -> tuple[Ints, Ints]:
    """The site of each list, or the pattern of each map, and 1 for lists."""
    is_list = _are(hubs, PAGE_LIST)
    return np.where(is_list, ints(hubs, "site_id"), ints(hubs, "prefix_id")), is_list.astype(np.int64)


def _are(rows: pa.Table, refused: str) -> Flags:
    """Which rows are refused with these words."""
    words = piece(rows, "refused").dictionary_encode()
    code = words.dictionary.index(refused).as_py() if len(words) else -1
    found: Flags = words.indices.to_numpy(zero_copy_only=False) == code
    return found


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
