"""The fetching of one round: an event loop of its own, and the wish to stop that reaches into it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corpulyzer.fetch.settings import FetchSettings

if TYPE_CHECKING:
    from corpulyzer.fetch.lanes import Left
    from corpulyzer.fetch.log import Archive, Request, Result
    from corpulyzer.recall import Memory

PATIENCE_SECONDS = 60.0
LEAST_SECONDS = 10.0
TIMES_THE_HALF = 5.0
"""A round ends after so many times what the first half of its list took, and after 10 s at the soonest."""


@dataclass
class Interrupt:
    """A wish to stop: one for the end of the round, a second for at once. `wake` is called each time."""

    wishes: int = 0
    wake: Callable[[], None] = field(default=lambda: None)

    def __call__(self) -> None:
        self.wishes += 1
        self.wake()


@dataclass
class Half:
    """Passes results on, and calls `when_done` when half of all pages are there.

    Then a few sites that want long pauses cannot hold up all others: `rest` is the time they still get.
    """

    pages: int
    on_result: Callable[[Result], None]
    when_done: Callable[[], object]
    begun: float = field(default_factory=time.monotonic)
    done: int = 0

    @property
    def rest(self) -> float:
        elapsed = time.monotonic() - self.begun
        return max(LEAST_SECONDS, TIMES_THE_HALF * elapsed) - elapsed

    def __call__(self, result: Result) -> None:
        self.on_result(result)
        self.done += result.fetch.purpose == "page"
        if self.done == (self.pages + 1) // 2:
            self.when_done()


@dataclass(frozen=True, slots=True)
class Visit:
    """One round's fetching, in an event loop of its own."""

    settings: FetchSettings
    memory: Memory
    scope: Callable[[str], str]
    interrupt: Interrupt
    on_result: Callable[[Result], None]

    async def __call__(
        self, requests: list[Request], archive: Archive, round: int, seconds: float
    ) -> list[Left]:
        """Fetch; what is left comes back."""
        from corpulyzer.fetch.web import WebFetcher

        fetcher = WebFetcher(
            self.settings,
            resolver=self.memory.resolver,
            robots=self.memory.robots,
            sites=self.memory.sites,
            scope=self.scope,
        )
        loop = asyncio.get_running_loop()
        half = Half(len(requests), self.on_result, lambda: loop.call_later(half.rest, fetcher.stop))

        def stop() -> None:
            (fetcher.abort if self.interrupt.wishes > 1 else fetcher.stop)()

        def wake() -> None:
            loop.call_soon_threadsafe(stop)

        self.interrupt.wake = wake
        try:
            async with fetcher:
                return list(
                    await fetcher.fetch(
                        requests,
                        half,
                        archive=archive,
                        round=round,
                        seconds=seconds,
                        patience_seconds=PATIENCE_SECONDS,
                    )
                )
        finally:
            self.interrupt.wake = lambda: None
