"""Who may ask the sites of a shard, and what counts as fetched: one object, changed by compare-and-swap.

A lease lasts some seconds from before the change that began or renewed it, by the clock of its holder. Who
wants it next has to see the same object for as long, by a clock of their own: so the clocks of two machines
need not agree. A segment counts from the change that lists it on. A holder that was thought dead can change
nothing any more, since the object is no longer as it left it.
"""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace

from corpulyzer.records import int64_hash
from corpulyzer.storage import Storage
from corpulyzer.storage.swap import Seen, look, swap

Clock = Callable[[], float]

UNUSED_SHARE = 0.2
"""The last part of a lease, in which nothing is under way: clocks differ, and loops are late."""

RENEWALS = 6
"""So often at least a lease is renewed while it lasts."""

POLL_SECONDS = 0.5


def uptime() -> float:
    """Seconds that always go on, while the machine sleeps too, where the system has such a clock."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class LostLeaseError(Exception):
    """The lease has ended, or somebody else has it."""


def shard_of(site: str, shards: int) -> int:
    """The shard of a site, one of `shards`.

    >>> {shard_of(f"a{number}.pk", 2) for number in range(9)}
    {0, 1}
    """
    return int64_hash(site) % shards


@dataclass(frozen=True, slots=True)
class Segment:
    """A sealed piece of an archive: the name of its object, and its size."""

    name: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Shard:
    """A shard as its object says: who holds it for how long, and what was fetched.

    `number` is that of the lease, 0 before the first, and `change` grows with every change. `taken` is when
    it was last taken from a holder that had not ended, or when one ended at once, in seconds since 1970: any
    of its sites may have been asked unseen until then. `left` counts, once it is ended, the URLs that were
    not asked for, by reason.
    """

    number: int = 0
    holder: str = ""
    seconds: float = 0.0
    change: int = 0
    taken: float = 0.0
    segments: tuple[Segment, ...] = ()
    ended: bool = False
    left: Mapping[str, int] = field(default_factory=dict)

    @staticmethod
    def of(data: bytes) -> Shard:
        """The shard that an object describes."""
        found = json.loads(data)
        return Shard(**{**found, "segments": tuple(Segment(**each) for each in found["segments"])})

    def packed(self) -> bytes:
        """The object that describes it."""
        return json.dumps(asdict(self)).encode()


def shard_at(storage: Storage, name: str) -> Shard | None:
    """The shard that an object of this name describes; None if there is none."""
    seen = look(storage, name)
    return None if seen is None else Shard.of(seen.data)


def offer(storage: Storage, name: str) -> None:
    """Make the object of a shard that nobody has held yet."""
    swap(storage, name, Shard().packed(), None)


@dataclass
class Claim:
    """Somebody's wish to hold a shard for some seconds at a time.

    A shard without an object is nobody's: whoever wakes long after its round would begin it anew.
    """

    storage: Storage
    name: str
    seconds: float
    clock: Clock = uptime
    holder: str = field(default_factory=lambda: uuid.uuid4().hex)
    _seen: Seen | None = None
    _since: float = 0.0

    def wait(self, sleep: Callable[[float], None] = time.sleep) -> Lease | None:
        """The lease, as soon as nobody else can have it; None if all of the shard was fetched."""
        while True:
            lease = self.attempt()
            if lease is not None:
                return lease
            if (found := shard_at(self.storage, self.name)) is None or found.ended:
                return None
            sleep(POLL_SECONDS)

    def attempt(self) -> Lease | None:
        """The lease if it is to be had now. Call it again and again: it learns by looking."""
        now, seen = self.clock(), look(self.storage, self.name)
        if seen is None or (before := Shard.of(seen.data)).ended:
            return None
        if before.number and not self._has_waited(now, seen, before.seconds):
            return None
        after = replace(
            before,
            number=before.number + 1,
            holder=self.holder,
            seconds=self.seconds,
            change=before.change + 1,
            taken=time.time() if before.number else 0.0,
        )
        mine = swap(self.storage, self.name, after.packed(), seen)
        return None if mine is None else Lease(self.storage, self.name, after, mine, now, self.clock)

    def _has_waited(self, now: float, seen: Seen, seconds: float) -> bool:
        """Whether the object has been the same for so long."""
        if self._seen != seen:
            self._seen, self._since = seen, self.clock()  # after the look: the lease began before it
            return False
        return now >= self._since + seconds


class Lease:
    """A shard that is held; every change of it renews the lease, or raises LostLeaseError.

    Several threads may change it. One after the other does, and makes the change of an earlier one first if
    nobody has heard whether that was made: else its own would look like that of another holder.
    """

    def __init__(
        self, storage: Storage, name: str, shard: Shard, seen: Seen, begun: float, clock: Clock
    ) -> None:
        self.shard = shard
        self._storage, self._name = storage, name
        self._seen, self._clock = seen, clock
        self._begun = self._since = begun
        self._wanted = shard
        self._alone = threading.Lock()

    @property
    def left_seconds(self) -> float:
        """How long requests may still be under way; below 0 none may."""
        return self._begun + self.useful_seconds - self._clock()

    @property
    def useful_seconds(self) -> float:
        """For how long after each renewal requests may be under way."""
        return self.shard.seconds * (1 - UNUSED_SHARE)

    @property
    def is_due(self) -> bool:
        """Whether it is time to renew it."""
        return self._clock() - self._begun >= self.shard.seconds / RENEWALS

    def renew(self, *new: Segment) -> None:
        """Hold the shard for as long again, and list new segments."""
        with self._alone:
            self._settle()
            unlisted = [each for each in new if each not in self.shard.segments]
            if unlisted or not new:
                self._change(replace(self.shard, segments=(*self.shard.segments, *unlisted)))

    def end(self, left: Mapping[str, int], *, cut_off_at: float = 0.0) -> None:
        """Give the shard back for good; `cut_off_at` is when requests under way were ended, if so."""
        with self._alone:
            self._settle()
            if not self.shard.ended:
                taken = max(self.shard.taken, cut_off_at)
                self._change(replace(self.shard, ended=True, left=dict(left), taken=taken))

    def check(self) -> None:
        """Raise LostLeaseError if the time is over, whether or not somebody else has the shard."""
        if self._clock() >= self._begun + self.shard.seconds:
            raise LostLeaseError(f"the lease of {self._name} has ended")

    def _settle(self) -> None:
        """Make the last change if an earlier try may have made it; it counts from the first try."""
        self.check()
        if self._wanted != self.shard:
            self._swap()

    def _change(self, after: Shard) -> None:
        self._wanted, self._since = replace(after, change=self.shard.change + 1), self._clock()
        self._swap()

    def _swap(self) -> None:
        mine = swap(self._storage, self._name, self._wanted.packed(), self._seen)
        if mine is None:
            raise LostLeaseError(f"somebody else has taken {self._name}")
        self.shard, self._seen, self._begun = self._wanted, mine, self._since
