"""From names to addresses, apart from the transfers: a dead name delays nobody but its own site.

Answers are kept, also that there is none, so that a hundred pages of a dead site cost one question.
"""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

MAX_NAME = 253
MAX_LABEL = 63


class UnresolvedError(Exception):
    """A name without address; `lasting` if asking again soon is of no use."""

    def __init__(self, detail: str, *, lasting: bool = True) -> None:
        super().__init__(detail)
        self.detail = detail
        self.lasting = lasting


class Resolver(Protocol):
    """Finds the addresses of a name, best first; UnresolvedError if there are none."""

    async def __call__(self, host: str) -> tuple[str, ...]: ...


@dataclass(slots=True)
class SystemResolver:
    """Asks the machine's own resolver, in a thread for each question.

    Threads of an executor would be waited for at exit, and a few dead names would hold all of them.
    """

    timeout_seconds: float = 15.0
    at_once: int = 256
    _loop: asyncio.AbstractEventLoop | None = None
    _running: asyncio.Semaphore = field(default_factory=asyncio.Semaphore)

    async def __call__(self, host: str) -> tuple[str, ...]:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            # A semaphore stays with its first loop; a notebook may have had another one before.
            self._loop, self._running = loop, asyncio.Semaphore(self.at_once)
        async with self._running:
            answer: asyncio.Future[tuple[str, ...]] = loop.create_future()
            threading.Thread(target=_ask, args=(host, loop, answer), daemon=True).start()
            try:
                return await asyncio.wait_for(answer, self.timeout_seconds)
            except TimeoutError:
                raise UnresolvedError("the name server does not answer", lasting=False) from None


@dataclass(slots=True)
class CachedResolver:
    """Remembers the answers of another resolver, and asks it once for all who wait for the same name."""

    ask: Resolver
    keep_seconds: float = 600.0
    keep_missing_seconds: float = 3600.0
    keep_failure_seconds: float = 60.0
    clock: Callable[[], float] = time.monotonic
    max_names: int = 1 << 17
    _answers: dict[str, tuple[float, tuple[str, ...] | UnresolvedError]] = field(default_factory=dict)
    _asking: dict[str, asyncio.Task[tuple[str, ...]]] = field(default_factory=dict)

    async def __call__(self, host: str) -> tuple[str, ...]:
        known = self._answers.get(host)
        if known is None or known[0] <= self.clock():
            return await self._asked(host)
        if isinstance(known[1], UnresolvedError):
            raise known[1]
        return known[1]

    def forget_missing(self) -> None:
        """Forget which names had no address: it may have been the network that was away."""
        found = {host: known for host, known in self._answers.items() if isinstance(known[1], tuple)}
        self._answers = found

    async def _asked(self, host: str) -> tuple[str, ...]:
        task = self._asking.get(host)
        if task is None or task.done():
            task = self._asking[host] = asyncio.ensure_future(self._learn(host))
            task.add_done_callback(lambda _: self._asking.pop(host, None))
        return await asyncio.shield(task)

    async def _learn(self, host: str) -> tuple[str, ...]:
        answer: tuple[str, ...] | UnresolvedError
        try:
            answer, keep = await self.ask(host), self.keep_seconds
        except UnresolvedError as error:
            answer, keep = error, self.keep_missing_seconds if error.lasting else self.keep_failure_seconds
        if len(self._answers) >= self.max_names:
            self._answers.clear()
        self._answers[host] = (self.clock() + keep, answer)
        if isinstance(answer, UnresolvedError):
            raise answer
        return answer


def check_name(host: str) -> None:
    """Refuse a name that no name server can know, before one is asked."""
    labels = host.rstrip(".").split(".")
    if len(host) > MAX_NAME:
        raise UnresolvedError(f"the name has {len(host)} characters, {MAX_NAME} are possible")
    if not all(labels):
        raise UnresolvedError("the name has an empty part")
    longest = max(map(len, labels))
    if longest > MAX_LABEL:
        raise UnresolvedError(f"a part of the name has {longest} characters, {MAX_LABEL} are possible")


def _ask(host: str, loop: asyncio.AbstractEventLoop, answer: asyncio.Future[tuple[str, ...]]) -> None:
    """Runs in a thread. The loop may be gone by the time there is an answer: then nobody wants it."""
    found: tuple[str, ...] = ()
    error: UnresolvedError | None = None
    try:
        found = _addresses(host)
    except UnresolvedError as unresolved:
        error = unresolved
    try:
        loop.call_soon_threadsafe(_tell, answer, found, error)
    except RuntimeError:
        return


def _addresses(host: str) -> tuple[str, ...]:
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        raise UnresolvedError(str(error.strerror), lasting=error.errno != socket.EAI_AGAIN) from None
    except (UnicodeError, OSError) as error:
        raise UnresolvedError(str(error), lasting=False) from None
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


def _tell(
    answer: asyncio.Future[tuple[str, ...]], found: tuple[str, ...], error: UnresolvedError | None
) -> None:
    if answer.done():
        return
    if error is not None:
        answer.set_exception(error)
    else:
        answer.set_result(found)
