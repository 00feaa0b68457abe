"""Tasks that work on one list side by side, and how all of them are stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable

from corpulyzer.web.fetch.ask import Asker, Tools


class Workers:
    """One list on its way through several tasks; runs once."""

    def __init__(self, tools: Tools, *, deadline: float, patience_seconds: float) -> None:
        self._tools = tools
        self._asker = Asker(tools, deadline=deadline, patience_seconds=patience_seconds)
        self._stopping = ""
        self._tasks: list[asyncio.Task[None]] = []

    def stop(self, reason: str = "stopped") -> None:
        """Begin nothing more, and ask for nothing more."""
        self._stopping = self._stopping or reason
        self._asker.stop(self._stopping)

    def abort(self) -> None:
        """Drop what is under way."""
        self._stopping = "aborted"
        for task in self._tasks:
            task.cancel()

    async def _work_all(self, work: Iterable[Coroutine[None, None, None]]) -> None:
        """Do all of it at once; what one raises ends the others, and is raised."""
        self._tasks = [asyncio.ensure_future(each) for each in work]
        if self._tools.doubt is not None:
            self._tools.doubt.begin(len(self._tasks))
        try:
            if self._tasks:
                await asyncio.wait(self._tasks, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            await _ended(self._tasks)


async def _ended(tasks: Iterable[asyncio.Task[None]]) -> None:
    """End all tasks, and raise what one of them raised."""
    for task in tasks:
        task.cancel()
    for end in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(end, BaseException) and not isinstance(end, asyncio.CancelledError):
            raise end
