"""An outage of the network: who waits for its end, and when the crawl gives up."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpulyzer.jobs.crawl.fetching import Interrupt
    from corpulyzer.jobs.crawl.resume import Memory
    from corpulyzer.web.fetch.settings import FetchSettings

FIRST_PAUSE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 60.0
GIVE_UP_SECONDS = 6 * 3600.0
"""After this long without a network the crawl ends; the same command resumes it later."""

ALONE_SECONDS = 600.0
"""The same where only one host has ever answered, because that host may be what is away."""


class NoNetworkError(Exception):
    """The network is away: no host could be reached, and no page is to be blamed for it."""

    hint = (
        "No host could be reached by name or connection: the network is away, or all these sites are gone. "
        "No page is marked as failed. Check the network, or else the seeds, and run the same command again."
    )


@dataclass(frozen=True, slots=True)
class Outage:
    """Waits for a network that has gone away, and asks after it from time to time."""

    settings: FetchSettings
    memory: Memory
    interrupt: Interrupt
    tell: Callable[[str, dict[str, Any]], None]
    first_seconds: float = FIRST_PAUSE_SECONDS

    def is_over(self, seconds: float, wait: float = 0.0) -> bool:
        """Return True when the network is back; False if someone wishes to stop or `seconds` have passed.

        It is asked after when `wait` seconds have passed. NoNetworkError if nobody has answered since the
        crawl was started, or if it takes too long.
        """
        if not self.memory.network.has_answered:
            raise NoNetworkError
        if self.interrupt.wishes:
            return False
        begun, pause = time.monotonic(), self.first_seconds
        hosts = sorted({host for host, _ in self.memory.network.hosts})
        patience = GIVE_UP_SECONDS if len(hosts) > 1 else ALONE_SECONDS
        self.tell("network", {"state": "away", "hosts": hosts})
        while True:
            end = min(time.monotonic() + wait, begun + seconds)
            if not self._sleep(end) or time.monotonic() >= begun + seconds:
                return False
            if self._is_back():
                break
            if time.monotonic() - begun > patience:
                raise NoNetworkError
            wait, pause = pause, longer(pause)
        self.memory.resolver.forget_missing()
        self.tell("network", {"state": "back", "seconds": round(time.monotonic() - begun, 1)})
        return True

    def _is_back(self) -> bool:
        from corpulyzer.web.fetch.http.address_guard import Guard
        from corpulyzer.web.fetch.http.network import Probe

        guard = Guard(self.settings.allow_private, self.settings.allow)
        return asyncio.run(Probe(guard, self.memory.resolver)(self.memory.network))

    def _sleep(self, until: float) -> bool:
        """Sleep until a time; False as soon as someone wishes to stop."""
        woken = threading.Event()
        self.interrupt.wake = woken.set
        try:
            while not self.interrupt.wishes and (rest := until - time.monotonic()) > 0:
                woken.wait(rest)
                woken.clear()
            return not self.interrupt.wishes
        finally:
            self.interrupt.wake = lambda: None


def longer(pause: float) -> float:
    """The pause that follows on one that was not enough."""
    return min(2 * pause, LONGEST_PAUSE_SECONDS)
