"""What a page in the browser may ask for, and the answers: the only way out of the browser.

Scripts and what they fetch are asked for by our own fetcher. Style sheets are answered with nothing, as some
applications wait for them; pictures, fonts, films, frames, windows and everything else are refused unasked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.async_api import Request, Route

ASKED = frozenset(("script", "fetch", "xhr"))
FLOOD = 20
"""A page that tries so many times the requests that it may make is given up."""

# They count visitors, show advertisements or ask for consent, and bring no text.
UNNEEDED = (
    *("google-analytics.com", "googletagmanager.com", "googlesyndication.com", "doubleclick.net"),
    *("googleadservices.com", "connect.facebook.net", "hotjar.com", "clarity.ms", "mc.yandex.ru"),
    *("scorecardresearch.com", "quantserve.com", "chartbeat.com", "taboola.com", "outbrain.com"),
    *("cookielaw.org", "cookiebot.com", "sentry.io", "newrelic.com", "nr-data.net", "segment.com"),
)

# What a browser must know of an answer to use it; nothing that sets, moves or encodes.
PASSED = ("content-type", "content-language", "content-security-policy", "x-content-type-options")


@dataclass(frozen=True, slots=True)
class Answer:
    """What the browser is told: a status, headers and a body without encodings."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def passed(self) -> dict[str, str]:
        """The headers that the browser sees."""
        return {name: value for name, value in self.headers.items() if name.lower() in PASSED}


Ask = Callable[[str, tuple[str, ...]], Awaitable[Answer | None]]
"""Asks for a URL with some headers; None where there is nothing to answer with."""


@dataclass(eq=False)  # without slots: Playwright puts an attribute of its own on it
class Gate:
    """Answers all requests of one page, whose first is for itself. Belongs to the running loop."""

    page: Answer
    ask: Ask
    most: int
    asked: int = 0
    answered: int = 0
    tried: int = 0
    failure: Exception | None = None
    quiet_since: float = 0.0
    _opened: bool = False
    _pending: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def is_busy(self) -> bool:
        """Whether a request is not answered yet."""
        return bool(self._pending)

    @property
    def is_flooded(self) -> bool:
        """Whether the page tries more than any real one."""
        return self.tried > FLOOD * max(1, self.most)

    async def __call__(self, route: Route, request: Request) -> None:
        """Answer one request; called by the browser.

        Being cancelled is not hidden: Playwright would then wait for an answer that never comes.
        """
        from playwright.async_api import Error

        task = asyncio.current_task()
        assert task is not None
        self._pending.add(task)
        try:
            await self._answer(route, request)
        except Error:
            return  # the page or its browser is gone, and nobody waits for an answer
        except Exception as error:  # noqa: BLE001 - whoever loads the page has to hear of it
            self.failure = self.failure or error
        finally:
            self._pending.discard(task)
            self.quiet_since = asyncio.get_running_loop().time()

    async def close(self) -> None:
        """Give up what is under way."""
        for task in list(self._pending):
            task.cancel()
        await asyncio.gather(*self._pending, return_exceptions=True)

    async def _answer(self, route: Route, request: Request) -> None:
        self.tried += 1
        if request.is_navigation_request():
            await self._navigate(route)
        elif request.resource_type == "stylesheet":
            await route.fulfill(status=200, headers={"content-type": "text/css"}, body="")
        elif (found := await self._found(request)) is not None:
            self.answered += 1
            await route.fulfill(status=found.status, headers=found.passed, body=found.body)
        else:
            await route.abort()

    async def _navigate(self, route: Route) -> None:
        """Open the page itself, once. Frames and other pages stay empty, and the page stays where it is."""
        if self._opened:
            await route.fulfill(status=204)
            return
        self._opened = True
        await route.fulfill(status=200, headers=self.page.passed, body=self.page.body)

    async def _found(self, request: Request) -> Answer | None:
        url = request.url
        may = (
            request.resource_type in ASKED and request.method == "GET" and url.startswith(("http:", "https:"))
        )
        if not may or self.asked >= self.most or _host(url).endswith(UNNEEDED):
            return None
        self.asked += 1
        accept = request.headers.get("accept", "")
        return await self.ask(url, (f"Accept: {accept}",) if _is_sendable(accept) else ())


def _host(url: str) -> str:
    return "." + url.partition("://")[2].partition("/")[0].rpartition("@")[2].partition(":")[0].lower()


def _is_sendable(value: str) -> bool:
    return 0 < len(value) < 500 and value.isascii() and value.isprintable()
