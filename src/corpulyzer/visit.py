"""The fetching of one round: an event loop of its own, and the wish to stop that reaches into it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corpulyzer.fetch.settings import FetchSettings

if TYPE_CHECKING:
    from corpulyzer.fetch.lanes import Left
    from corpulyzer.fetch.log import Archive, Request, Result
    from corpulyzer.recall import Memory

PATIENCE_SECONDS = 60.0


@dataclass
class Interrupt:
    """A wish to stop: one for the end of the round, a second for at once. `wake` is called each time."""

    wishes: int = 0
    wake: Callable[[], None] = field(default=lambda: None)

    def __call__(self) -> None:
        self.wishes += 1
        self.wake()


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
            self.settings, robots=self.memory.robots, sites=self.memory.sites, scope=self.scope
        )
        loop = asyncio.get_running_loop()

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
                        self.on_result,
                        archive=archive,
                        round=round,
                        seconds=seconds,
                        patience_seconds=PATIENCE_SECONDS,
                    )
                )
        finally:
            self.interrupt.wake = lambda: None
