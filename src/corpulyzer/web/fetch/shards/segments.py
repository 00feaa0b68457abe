"""What a holder of a shard fetched, sealed piece by piece: whoever comes next begins with these."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from math import inf

from corpulyzer.records import Fetch
from corpulyzer.storage import Storage
from corpulyzer.warc.names import ENDING
from corpulyzer.warc.write import Packs, Written
from corpulyzer.web.fetch.shards.lease import RENEWALS, Lease, Segment

SEAL_SECONDS = 3.0
SEAL_BYTES = 8 << 20
"""A segment has so many at most, and what came with the last of them."""

MOST_UNSEALED_BYTES = 4 * SEAL_BYTES
"""While more than this waits to be sealed, the store is slower than the web, and no request should begin."""

STUCK_SECONDS = 300.0
"""A segment that takes longer will never be stored."""


class Segments:
    """An archive of which records count when they are sealed: `cut` a segment of it, then `seal` it.

    Records are written and cut in the thread that fetches; to seal them may take long, and may be done in
    another one. One segment is sealed at a time.
    """

    def __init__(
        self, storage: Storage, folder: str, lease: Lease, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._storage, self._folder, self._lease = storage, folder, lease
        self._clock = clock
        self._members: list[bytes] = []
        self._bytes = 0
        self._number = 0
        self._begun, self._cut_at = clock(), inf
        self._full: deque[tuple[str, bytes]] = deque()
        self._written = self._sealed = 0

    def write(self, *drafts: Packs) -> list[Written]:
        """Append the records of one fetch."""
        places = []
        if not self._members:
            self._begun = self._clock()
        for draft in drafts:
            member = draft.packed()
            places.append(Written(self._name, self._bytes, len(member)))
            self._members.append(member)
            self._bytes += len(member)
            self._written += len(member)
        if self._bytes >= SEAL_BYTES:
            self._full.append(self._ended())
        return places

    def note(self, fetch: Fetch) -> None:
        """Rows are made of the archives that segments are joined to, so this one is not kept."""

    @property
    def unsealed_bytes(self) -> int:
        """How much was written that does not count yet."""
        return self._written - self._sealed

    @property
    def is_due(self) -> bool:
        """Whether it is time to seal a segment."""
        seconds = min(SEAL_SECONDS, self._lease.shard.seconds / RENEWALS)
        return bool(self._full or (self._members and self._clock() - self._begun >= seconds))

    @property
    def is_stuck(self) -> bool:
        """Whether a segment has been on its way to the store for so long that it will never be there."""
        return self._clock() - self._cut_at >= STUCK_SECONDS

    def cut(self) -> tuple[str, bytes]:
        """The name of the oldest segment, which nothing is added to any more, and what is in it."""
        self._cut_at = self._clock()
        return self._full.popleft() if self._full else self._ended()

    def seal(self, name: str, content: bytes) -> None:
        """Store a segment and list it, which renews the lease; LostLeaseError if that cannot be."""
        self._lease.check()  # who has slept would store what nobody lists
        self._storage.write(f"{self._folder}/{name}", content)
        self._lease.renew(Segment(name, len(content)))
        self._sealed += len(content)
        self._cut_at = inf

    def _ended(self) -> tuple[str, bytes]:
        """End the present segment, and begin another; returns its name and what is in it."""
        name, content = self._name, b"".join(self._members)
        self._members, self._bytes = [], 0
        self._number += 1
        return name, content

    @property
    def _name(self) -> str:
        """Unlike that of every other holder: one that was thought dead may still store a segment."""
        held = self._lease.shard
        return f"{held.number:05d}-{held.holder[:12]}-{self._number:05d}{ENDING}"
