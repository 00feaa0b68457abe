"""Load pages in browsers, and record each as it came out; what cannot be done in time comes back."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from functools import partial
from math import ceil
from typing import NamedTuple

from corpulyzer.records import RENDERED, Fetch
from corpulyzer.url import canonical
from corpulyzer.web.fetch.ask import BACKOFF, PostponedError, Tools
from corpulyzer.web.fetch.recorder import Request, Result
from corpulyzer.web.fetch.render.browser import Browser, BrowserError
from corpulyzer.web.fetch.render.gate import Answer, Gate
from corpulyzer.web.fetch.workers import Workers

FAILED = "render_failed"
KEPT_BYTES = 64 << 20
"""Answers that are kept for the next page that asks for the same: the pages of a site share their scripts."""

PART = "part"
NO_BROWSER = "browser"
LOST = "lost"
PAGES_OF_A_BROWSER = 100
"""After so many pages a browser is started anew, as it never gives back all memory."""

Read = Callable[[Fetch], Answer | None]
"""The page that a fetch has recorded; None if it cannot be read any more."""


class Unrendered(NamedTuple):
    """A page that was not loaded.

    `reason` is `deadline`, `network`, `proxy`, `browser` (none starts), `lost`, `stopped` or `aborted`.
    """

    page: Fetch
    reason: str


class Renderings(Workers):
    """Pages on their way through browsers; runs once."""

    def __init__(self, tools: Tools, *, deadline: float, patience_seconds: float) -> None:
        super().__init__(tools, deadline=deadline, patience_seconds=patience_seconds)
        self._deadline = deadline
        self._known = Known(KEPT_BYTES)
        self._left: list[Unrendered] = []

    async def run(self, pages: Iterable[Fetch], read: Read) -> list[Unrendered]:
        """Render everything that can be, and return what is left."""
        waiting = deque(pages)
        workers = min(self._tools.settings.render_browsers, len(waiting))
        await self._work_all(self._work(waiting, read) for _ in range(workers))
        rest = self._stopping or "deadline"
        return [*self._left, *(Unrendered(page, rest) for page in waiting)]

    async def _work(self, waiting: deque[Fetch], read: Read) -> None:
        """Load pages in one browser after the other, until there are none or no time is left."""
        try:
            while waiting and self._goes_on:
                async with Browser(self._tools.settings) as browser:
                    await self._with(browser, waiting, read)
        finally:
            if self._tools.doubt is not None:
                self._tools.doubt.end_lane()

    async def _with(self, browser: Browser, waiting: deque[Fetch], read: Read) -> None:
        """Load pages in a browser, as long as it does not fail."""
        for number in range(PAGES_OF_A_BROWSER):
            if not waiting or not self._goes_on:
                return
            page = waiting.popleft()
            try:
                if not number:
                    await self._start(browser)
                await self._render(browser, page, read)
            except BrowserError as error:
                now = self._asker.now()
                self._tools.on_result(self._tools.log.refusal(page.url, FAILED, str(error), now, RENDERED))
                return
            except PostponedError as postponed:
                self._left.append(Unrendered(page, postponed.reason))
                if postponed.reason != LOST:  # else it holds for all pages
                    self.stop(postponed.reason)
            except asyncio.CancelledError:
                self._left.append(Unrendered(page, self._stopping))
                raise

    @property
    def _goes_on(self) -> bool:
        return not self._stopping and self._tools.clock() < self._deadline

    async def _start(self, browser: Browser) -> None:
        """Start a browser; where that fails no page is to blame, and all that wait are left."""
        try:
            await browser.start()
        except BrowserError:
            raise PostponedError(NO_BROWSER) from None

    async def _render(self, browser: Browser, page: Fetch, read: Read) -> None:
        received, begun = read(page), self._tools.clock()
        if received is None:
            raise PostponedError(LOST)
        gate = Gate(received, partial(self._part, page.url), self._tools.settings.render_requests)
        html, cut = await browser.load(page.url, gate)
        if gate.failure is not None:
            raise gate.failure
        now, took = self._asker.now(), ceil((self._tools.clock() - begun) * 1000)
        detail = f"{gate.answered} of {gate.asked} requests of its scripts were answered"
        result = self._tools.log.rendered(page, html, now, took_ms=took, detail=detail, truncated=cut)
        self._tools.on_result(result)

    async def _part(self, page: str, url: str, headers: tuple[str, ...]) -> Answer | None:
        """The answer to a request of a page's scripts, redirects followed; None if there is none."""
        for _ in range(self._tools.settings.max_redirects + 1):
            url = url.partition("#")[0]
            if (known := self._known.get(url)) is not None:
                return known
            if not canonical(url):
                return None
            result = await self._asked(Request.of(url, page=page), headers)
            if result is None:
                return None
            self._tools.on_result(result)
            if not result.fetch.location:
                return self._answer(url, result)
            url = result.fetch.location
        return None

    async def _asked(self, request: Request, headers: tuple[str, ...]) -> Result | None:
        """The recorded result of a request; None where its site wants to be left alone for long."""
        try:
            return await self._asker.page(request, purpose=PART, headers=headers)
        except PostponedError as postponed:
            if postponed.reason != BACKOFF:
                raise
            return None
        except Exception as error:
            if not self._tools.on_result.is_of_site(error):
                raise
            return self._asker.fault(request, error, PART)

    def _answer(self, url: str, result: Result) -> Answer | None:
        if result.fetch.kind != "response":
            return None
        body = result.decoded(self._tools.settings.max_bytes)
        answer = Answer(result.fetch.status, result.headers, body)
        if answer.status == 200:
            self._known.keep(url, answer)
        return answer


class Known:
    """Answers by URL; those that were not asked for longest go when there are too many bytes."""

    def __init__(self, most_bytes: int) -> None:
        self._answers: OrderedDict[str, Answer] = OrderedDict()
        self._room = most_bytes

    def get(self, url: str) -> Answer | None:
        """The answer of a URL, if it is kept."""
        if (found := self._answers.get(url)) is not None:
            self._answers.move_to_end(url)
        return found

    def keep(self, url: str, answer: Answer) -> None:
        """Keep an answer, at the cost of others."""
        if url in self._answers:
            return
        self._answers[url] = answer
        self._room -= len(answer.body)
        while self._room < 0:
            _, dropped = self._answers.popitem(last=False)
            self._room += len(dropped.body)
