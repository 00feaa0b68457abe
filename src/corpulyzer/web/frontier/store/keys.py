"""A set of 64-bit keys that grows with a crawl: sorted runs of them, of which few are ever merged.

It answers what would otherwise need a scan of all that is known: whether a URL was seen or fetched, a text
was read, or another view of a page was. A run is merged with the one before it when that is at most twice as
long, so there are few runs, and a key is written again only as often as the set doubles. What is looked up
touches only the pages of memory-mapped files on the way to it, and runs are merged block by block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from corpulyzer.storage import AtomicFile, Storage, is_remote
from corpulyzer.web.frontier.store.arrays import distinct

if TYPE_CHECKING:
    from corpulyzer.web.frontier import Ints
    from corpulyzer.web.frontier.store.arrays import Flags

TYPE = np.dtype("<i8")
BLOCK = 1 << 20
"""So many keys of the longest run are merged at a time, whatever the length of the runs."""


class Of(IntEnum):
    """What a key stands for: its hash is mixed with the number, so that one set holds all."""

    PARKED = 0x243F6A8885A308D3
    FETCHED = 0x13198A2E03707344
    TEXT = 0x2406F7A9E5B3C291
    STEM_READ = 0x082EFA98EC4E6C89
    SITE = 0x3E5466CF34E90C6C


@dataclass(frozen=True, slots=True)
class Keys:
    """The set at one version: its files, oldest and longest first, each with the number of its keys."""

    storage: Storage
    runs: tuple[tuple[str, int], ...] = ()

    def has(self, kind: Of, hashes: Ints) -> Flags:
        """For each hash whether the set has it."""
        keys = hashes ^ np.int64(kind)
        by = np.argsort(keys)  # neighbours are looked up one after the other
        wanted, found = keys[by], np.zeros(len(by), np.bool_)
        for run in map(self._read, self.runs):
            place = np.minimum(np.searchsorted(run, wanted), len(run) - 1)
            found |= run[place] == wanted
        answer = np.empty(len(by), np.bool_)
        answer[by] = found
        return answer

    def has_one(self, kind: Of, key: int) -> bool:
        """Whether the set has a hash."""
        return bool(self.has(kind, np.array([key], np.int64))[0])

    def plus(self, new: Sequence[tuple[Of, Ints]], file: str) -> Keys:
        """The set with further keys; one file is written."""
        fresh = [hashes ^ np.int64(kind) for kind, hashes in new]
        keys = distinct(np.concatenate([*fresh, np.zeros(0, np.int64)]))
        runs, parts, most = list(self.runs), [keys], len(keys)
        if not len(keys):
            return self
        while runs and runs[-1][1] <= 2 * most:
            most += runs[-1][1]
            parts.append(self._read(runs.pop()))
        count = 0
        with AtomicFile(self.storage.path(file)) as temporary, open(temporary, "wb") as out:
            for block in _merged(parts):
                out.write(block.astype(TYPE, copy=False).data)
                count += len(block)
        return Keys(self.storage, (*runs, (file, count)))

    def _read(self, run: tuple[str, int]) -> Ints:
        path = self.storage.path(run[0])
        if is_remote(path):
            return np.frombuffer(self.storage.read(run[0]), TYPE)
        return np.memmap(path, TYPE, "r")


def _merged(runs: Sequence[Ints]) -> Iterator[Ints]:
    """The keys of sorted runs in order, each once, in blocks."""
    longest = max(runs, key=len)
    bounds = longest[BLOCK::BLOCK]
    ends = [np.append(np.searchsorted(run, bounds), len(run)).tolist() for run in runs]
    starts = [[0, *end[:-1]] for end in ends]
    for number in range(len(bounds) + 1):
        some = [run[s[number] : e[number]] for run, s, e in zip(runs, starts, ends, strict=True)]
        yield distinct(np.concatenate(some))
