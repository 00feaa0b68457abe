"""Which pages of a round are good, and which are copies: a comparison with all pages that were read.

Of copies in one round the lowest id counts as the original, so that timing changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from corpulyzer.web.frontier.store.arrays import as_table, ints, piece, positions, starts_of
from corpulyzer.web.frontier.store.keys import Of

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.web.frontier import Ints
    from corpulyzer.web.frontier.store.keys import Keys

FURTHER = ("digest_2", "digest_3", "digest_4")
SUMS = ("tries", "pages", "good", "errors", "copies", "thin", "target_bytes")


def judged(states: pa.Table, earlier: Keys) -> pa.Table:
    """The states, by id, with `good` and `copies`, and without the tries that led to a page of the round."""
    page, digest = passages_of(states)
    total, new = _novelty(ints(states, "id"), page, digest, earlier)
    is_page, some = ints(states, "pages") == 1, total > 0
    kept = ints(states, "kept") == 1
    led = np.isin(ints(states, "leads_to"), ints(states, "id")[is_page])
    found: dict[str, Any] = {name: piece(states, name) for name in states.column_names}
    found |= {
        "good": (kept & is_page & some & (2 * new >= total)).astype(np.int64),
        "copies": (is_page & some & (2 * new < total)).astype(np.int64),
        "tries": np.where(led, 0, ints(states, "tries")),
    }
    return as_table(found, states.schema)


def passages_of(states: pa.Table) -> tuple[Ints, Ints]:
    """The digests of the pages' longest paragraphs, with the id of the page before each."""
    ids, first = ints(states, "id"), ints(states, "digest")
    columns = [np.where(first == ids, 0, first), *(ints(states, name) for name in FURTHER)]
    digest, page = np.concatenate(columns), np.tile(ids, len(columns))
    return page[digest != 0], digest[digest != 0]


def sums_of(states: pa.Table) -> dict[str, int]:
    """The sums over a round's URLs."""
    names = ("tries", "pages", "kept", "good", "errors", "copies", "target_bytes")
    return {"urls": states.num_rows} | {name: int(ints(states, name).sum()) for name in names}


def _novelty(ids: Ints, page: Ints, digest: Ints, earlier: Keys) -> tuple[Ints, Ints]:
    """For each page how many passages it has, and how many of them nobody had before it."""
    by = np.lexsort((page, digest))
    first = np.zeros(len(by), np.bool_)
    first[by[starts_of(digest[by])]] = True
    new = first & ~earlier.has(Of.TEXT, digest)
    place = positions(page, ids)
    counts = [np.bincount(place, weight, len(ids)).astype(np.int64) for weight in (None, new)]
    return counts[0], counts[1]
