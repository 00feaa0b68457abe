"""Lists that give each of several languages the same number of requests, whatever their scores.

Which language a URL is expected in is learned from documents: it is the one that most requests for its
pattern have brought; where they brought none, for its section, or its site. A site without a document in any
language is expected in the language of a page that links there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from corpulyzer.web.frontier.store.arrays import places_in, positions, starts_of, summed_by
from corpulyzer.web.frontier.tables import OTHER_LANGUAGE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpulyzer.web.frontier import Columns, Ints
    from corpulyzer.web.frontier.store.arrays import Flags

UNKNOWN = 0
LEVELS = ("prefix_id", "section_id", "site_id")


@dataclass(frozen=True, slots=True)
class Expected:
    """The language that each cell is expected in, and the requests that each language has had."""

    language: Ints
    requests: Mapping[int, int]

    @classmethod
    def of(cls, cells: Columns, referrers: Columns, spoken: Columns) -> Expected:
        """What is expected of cells, given the requests for each pattern by language.

        `referrers` has for each cell the pattern, section and site of a page that links to it. A request that
        brought no document of ours counts for the language that is expected where it went.
        """
        known = {name: column[spoken["language"] != UNKNOWN] for name, column in spoken.items()}
        ours = ~np.isin(spoken["language"], (UNKNOWN, OTHER_LANGUAGE))
        language = np.where(ours, spoken["language"], expected(spoken, known))
        keys, where = np.unique(language, return_inverse=True)
        tries = np.bincount(where, spoken["tries"], len(keys)).astype(np.int64)
        requests = dict(zip(keys.tolist(), tries.tolist(), strict=True))
        is_new = ~np.isin(cells["site_id"], known["site_id"])
        return cls(np.where(is_new, expected(referrers, known), expected(cells, known)), requests)

    def with_open(self, taken: Ints) -> Expected:
        """The same with what an open round has taken of each cell, as if it had been asked for."""
        keys, where = np.unique(self.language, return_inverse=True)
        counts = np.bincount(where, taken, len(keys)).astype(np.int64).tolist()
        requests = Counter(self.requests)
        requests.update(dict(zip(keys.tolist(), counts, strict=True)))
        return Expected(self.language, requests)

    def groups(self) -> Iterator[Flags]:
        """Which cells are of no known language, and of each language."""
        for language in np.union1d([UNKNOWN], self.language):
            yield self.language == language

    def evenly(self, cells: Ints, size: int) -> Ints:
        """The places of the rows that a list of `size` takes; `cells` are those of rows, the best first.

        Languages that have had fewer requests come level with the others, as far as there are rows. Rows of
        no known language get as many places as their scores reach, and no more than one language more would;
        but no place of a list is left empty.
        """
        language = self.language[cells]
        ours = language != UNKNOWN
        left = dict(
            zip(*(each.tolist() for each in np.unique(language[ours], return_counts=True)), strict=True)
        )
        others = np.flatnonzero(~ours[:size])[: size // (len(left) + 1)]
        shares = level(self.requests, left, size - len(others))
        share = np.array([shares.get(code, 0) for code in language.tolist()], np.int64)
        taken = ours & (places_in(language, np.arange(len(language))) <= share)
        taken[others] = True
        taken[np.flatnonzero(~taken)[: max(0, size - int(taken.sum()))]] = True
        return np.flatnonzero(taken)


def expected(rows: Columns, spoken: Columns) -> Ints:
    """The language that each row is expected in; UNKNOWN where most documents were in none of ours.

    `spoken` has requests that brought a document in a known language.
    """
    found = np.full(len(rows["site_id"]), UNKNOWN, np.int64)
    tried = np.zeros(len(found), np.bool_)
    for key in LEVELS:
        sums = summed_by({name: spoken[name] for name in (key, "language", "tries")}, (key, "language"), ())
        by = np.lexsort((sums["language"], sums["language"] == OTHER_LANGUAGE, -sums["tries"], sums[key]))
        first = by[starts_of(sums[key][by])]
        place = positions(rows[key], sums[key][first])
        found = np.where(tried, found, np.append(sums["language"][first], UNKNOWN)[place])
        tried |= place >= 0
    return np.where(found == OTHER_LANGUAGE, UNKNOWN, found)


def level(had: Mapping[int, int], supply: Mapping[int, int], places: int) -> dict[int, int]:
    """How many of so many places each language gets, of those that have a supply, so that all come level.

    >>> level({1: 90, 2: 10}, {1: 50, 2: 5, 3: 50}, 20)
    {3: 15, 2: 5}
    """
    given: dict[int, int] = {}
    behind = [(had.get(language, 0), language) for language in supply]
    heapify(behind)
    while behind and places:
        count, language = heappop(behind)
        given[language] = given.get(language, 0) + 1
        places -= 1
        if given[language] < supply[language]:
            heappush(behind, (count + 1, language))
    return given
