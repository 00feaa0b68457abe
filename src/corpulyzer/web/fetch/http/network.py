"""Whether a host that cannot be reached is at fault itself, or the network is away.

A name that cannot be looked up and a connection that cannot be made look the same in both cases. So such a
failure is held back until some host answers: then the network is there, and the failure is the host's own.
If no other request is open, or twenty hosts in a row cannot be reached, the hosts that answered last are
tried. If none of them can be connected to either, the network is away, and no site is blamed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from corpulyzer.web.fetch.http.address_guard import Guard, is_literal
from corpulyzer.web.fetch.http.resolve import CachedResolver

NETWORK = "network"
"""Why a URL is left for later whose host could not be reached while the network was away."""

UNREACHED = frozenset(("dns", "connect", "timeout_connect"))
MANY_HOSTS = 20
KNOWN_HOSTS = 8
GRACE_SECONDS = 5.0
PROBE_SECONDS = 5.0

Place = tuple[str, int]
"""A host and a port."""


@dataclass
class Network:
    """What a run knows of the network: whether any host has answered in it, and the last ones that did."""

    has_answered: bool = False
    hosts: deque[Place] = field(default_factory=lambda: deque(maxlen=KNOWN_HOSTS))

    def remember(self, place: Place) -> None:
        """Note a host that answered, be it in an earlier run."""
        if place not in self.hosts:
            self.hosts.append(place)


@dataclass(frozen=True, slots=True)
class Probe:
    """Tries to connect to hosts; nothing is sent to them."""

    guard: Guard
    resolver: CachedResolver
    seconds: float = PROBE_SECONDS

    async def __call__(self, network: Network) -> bool:
        """Whether one of the hosts that answered last can be reached.

        Where all answers came through a proxy there is none to try, and the network counts as being there.
        """
        if not network.hosts:
            return network.has_answered
        tries = [asyncio.ensure_future(self._reaches(*place)) for place in network.hosts]
        try:
            for found in asyncio.as_completed(tries):
                if await found:
                    network.has_answered = True
                    return True
            return False
        finally:
            for each in tries:
                each.cancel()

    async def _reaches(self, host: str, port: int) -> bool:
        try:
            async with asyncio.timeout(self.seconds):
                # Past the cache: whether names can be looked up now is half of the question.
                found = (host.strip("[]"),) if is_literal(host) else await self.resolver.ask(host)
                public = [address for address in found if not self.guard.refusal(address)]
                if not public:
                    return False
                _, connection = await asyncio.open_connection(public[0], port)
        except Exception:  # noqa: BLE001 - whatever it was, the host was not reached
            return False
        connection.close()
        return True


class Doubt:
    """The failures of one fetch list that are held back. Belongs to the running loop; close it at last."""

    def __init__(self, network: Network, probe: Probe, on_away: Callable[[], None]) -> None:
        self._network = network
        self._probe = probe
        self._on_away = on_away
        self._lanes = 0
        self._held: dict[asyncio.Future[str], str] = {}
        self._dead: set[str] = set()
        self._is_away = False
        self._patience: asyncio.TimerHandle | None = None
        self._probing: asyncio.Task[None] | None = None

    def begin(self, lanes: int) -> None:
        """Expect answers from so many lanes."""
        self._lanes = lanes

    def end_lane(self) -> None:
        """Expect nothing more from a lane."""
        self._lanes -= 1
        self._look()

    def answered(self, place: Place | None) -> None:
        """A host has answered (`place` is None by proxy), so the failures held back are their hosts' own."""
        self._network.has_answered = True
        if place is not None:
            self._network.remember(place)
        self._settle("")

    async def judge(self, host: str) -> str:
        """Why the failure to reach a host says nothing of it; empty if it is the host's own.

        `stop` waits for it too, for seconds: soon no other request is open, and the network is probed.
        """
        if host in self._dead or self._is_away:
            return "" if host in self._dead else NETWORK
        verdict: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._held[verdict] = host
        self._look()
        try:
            return await verdict
        finally:
            self._held.pop(verdict, None)

    def close(self) -> None:
        """End what is under way."""
        self._end_patience()
        if self._probing is not None:
            self._probing.cancel()

    def _look(self) -> None:
        """Probe the network if no open request is left, or shortly if too many hosts have failed."""
        if self._probing is not None or self._is_away:
            return
        if self._nobody_is_left():
            self._ask()
        elif self._patience is None and self._are_many():
            # Shortly: failures come faster than answers.
            self._patience = asyncio.get_running_loop().call_later(GRACE_SECONDS, self._ask)

    def _nobody_is_left(self) -> bool:
        return bool(self._held) and len(self._held) >= self._lanes

    def _are_many(self) -> bool:
        return len(set(self._held.values())) >= MANY_HOSTS

    def _ask(self) -> None:
        self._end_patience()
        if self._probing is None:
            self._probing = asyncio.ensure_future(self._asked())

    async def _asked(self) -> None:
        there = await self._probe(self._network)
        self._probing = None
        if there:
            self._settle("")
        elif self._nobody_is_left() or self._are_many():
            self._is_away = True
            self._settle(NETWORK)
            self._on_away()

    def _settle(self, reason: str) -> None:
        self._end_patience()
        held, self._held = self._held, {}
        for verdict, host in held.items():
            if not verdict.done():
                verdict.set_result(reason)
            if not reason:
                self._dead.add(host)

    def _end_patience(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
