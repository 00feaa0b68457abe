"""What a holder of a shard fetched, sealed piece by piece: whoever comes next begins with these."""

from __future__ import annotations

import time
from collections.abc import Callable

from corpulyzer.records import Fetch
from corpulyzer.storage import Storage
from corpulyzer.warc.names import ENDING
from corpulyzer.warc.write import Packs, Written
from corpulyzer.web.fetch.shards.lease import Lease, Segment

SEAL_SECONDS = 3.0
SEAL_BYTES = 8 << 20
RENEWALS = 6
"""So often at least a lease is renewed while it lasts."""


class Segments:
    """An archive of which records count when they are sealed: `cut` what is there, then `seal` it.

    Records are written and cut in the thread that fetches; to seal them may take long, and may be done in
    another one.
    """

    def __init__(
        self, storage: Storage, folder: str, lease: Lease, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._storage, self._folder, self._lease = storage, folder, lease
        self._clock = clock
        self._members: list[bytes] = []
        self._bytes = 0
        self._number = 0
        self._begun = clock()

    def write(self, *drafts: Packs) -> list[Written]:
        """Append the records of one fetch."""
        places = []
        for draft in drafts:
            member = draft.packed()
            places.append(Written(self._name, self._bytes, len(member)))
            self._members.append(member)
            self._bytes += len(member)
        return places

    def note(self, fetch: Fetch) -> None:
        """Rows are made of the archives that segments are joined to, so this one is not kept."""

    @property
    def is_due(self) -> bool:
        """Whether it is time to seal what there is, and if there is nothing, to renew the lease."""
        seconds = min(SEAL_SECONDS, self._lease.shard.seconds / RENEWALS)
        return self._bytes >= SEAL_BYTES or self._clock() - self._begun >= seconds

    def cut(self) -> tuple[str, bytes]:
        """End the segment, and begin another; returns its name and what is in it."""
        name, content = self._name, b"".join(self._members)
        self._members, self._bytes, self._begun = [], 0, self._clock()
        self._number += 1
        return name, content

    def seal(self, name: str, content: bytes) -> None:
        """Store a segment and list it; renews the lease in any case, or raises LostLeaseError."""
        if not content:
            self._lease.renew()
            return
        self._lease.check()  # who has slept would store what nobody lists
        self._storage.write(f"{self._folder}/{name}", content)
        self._lease.renew(Segment(name, len(content)))

    @property
    def _name(self) -> str:
        """Unlike that of every other holder: one that was thought dead may still store a segment."""
        held = self._lease.shard
        return f"{held.number:05d}-{held.holder[:12]}-{self._number:05d}{ENDING}"
