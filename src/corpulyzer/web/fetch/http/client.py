"""One HTTP request at a time per call, as many calls at once as one likes, on libcurl.

Bodies are kept as they were received, chunks and encodings included. Redirects are not followed, cookies
are not kept, credentials are not sent. Every connect is checked by the guard.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from corpulyzer.web.fetch.http.address_guard import Guard
from corpulyzer.web.fetch.http.multi import Multi
from corpulyzer.web.fetch.http.proxy import address_of, proxy_named_for
from corpulyzer.web.fetch.http.slot import Slot, Task
from corpulyzer.web.fetch.settings import FetchSettings, user_agent

if TYPE_CHECKING:
    import pycurl

    from corpulyzer.web.fetch.http.exchange import Exchange

SWEEP_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Route:
    """How a host is reached: at which addresses, and through which proxy, empty for none.

    With a proxy the addresses are the proxy's own; they are exempt from the guard.
    """

    host: str
    port: int
    addresses: tuple[str, ...]
    proxy: str = ""

    def resolve(self, proxy: str) -> str:
        """The addresses in the form of CURLOPT_RESOLVE; the plus sign lets the entry expire."""
        host, port = address_of(proxy) if proxy else (self.host, self.port)
        return f"+{host}:{port}:{','.join([_bracketed(address) for address in self.addresses])}"

    def proxy_for(self, url: str) -> str:
        """The proxy's URL; where it relays plain requests, under a host name made for this host alone.

        libcurl reuses connections by host name. So no host gets a connection on which the rest of another
        host's response may still arrive.
        """
        if not self.proxy.startswith("http://") or not url.startswith("http://"):
            return self.proxy
        return proxy_named_for(self.proxy, self.host)


class Client:
    """Makes requests under one guard and one set of limits. Belongs to the running loop; close it at last."""

    def __init__(self, settings: FetchSettings) -> None:
        self._settings = settings
        self._guard = Guard(settings.allow_private, settings.allow)
        self._headers = _headers(settings)
        self._multi = Multi(self._on_done, 2 * settings.connections)
        self._idle: list[Slot] = []
        self._busy: dict[pycurl.Curl, Slot] = {}
        self._sweeper: asyncio.TimerHandle | None = None

    async def get(
        self,
        url: str,
        route: Route,
        *,
        headers: tuple[str, ...] = (),
        max_bytes: int = 0,
    ) -> Exchange:
        """The exchange for a URL, sent as it stands; whatever goes wrong is an outcome, not an exception.

        `headers` are sent too, in the place of those of the same name that are always sent.
        """
        slot = self._idle.pop() if self._idle else Slot(self._settings, self._guard)
        loop = asyncio.get_running_loop()
        proxy = route.proxy_for(url)
        task = Task(
            url=url,
            headers=_with(self._headers, headers),
            resolve=route.resolve(proxy),
            proxy=proxy,
            exempt=route.addresses if route.proxy else (),
            max_bytes=max_bytes or self._settings.max_bytes,
            begun=loop.time(),  # before the date: who is held up in between takes a request for longer
            date=datetime.now(UTC),
            answer=loop.create_future(),
        )
        slot.prepare(task)
        self._busy[slot.easy] = slot
        self._multi.start(slot.easy)
        self._keep_sweeping()
        try:
            return await task.answer
        except asyncio.CancelledError:
            self._give_up(slot)
            raise

    def close(self) -> None:
        """Drop what is under way and close all connections."""
        for slot in list(self._busy.values()):
            self._give_up(slot)
        if self._sweeper is not None:
            self._sweeper.cancel()
        self._multi.close()
        for slot in self._idle:
            slot.easy.close()

    def _on_done(self, easy: pycurl.Curl, code: int, message: str) -> None:
        slot = self._busy.pop(easy)
        answer = slot.task.answer
        try:
            exchange = slot.exchange(code, message)
        except Exception as error:  # noqa: BLE001 - who waits for the answer must hear of it, whatever it is
            if not answer.done():
                answer.set_exception(error)
            return
        self._idle.append(slot)
        if not answer.done():
            answer.set_result(exchange)

    def _give_up(self, slot: Slot) -> None:
        if self._busy.pop(slot.easy, None) is not None:
            self._multi.cancel(slot.easy)
            self._idle.append(slot)

    def _keep_sweeping(self) -> None:
        if self._sweeper is None:
            shortest = min(self._settings.first_byte_seconds, self._settings.slow_seconds)
            pause = min(SWEEP_SECONDS, shortest / 4)
            self._sweeper = asyncio.get_running_loop().call_later(pause, self._sweep)

    def _sweep(self) -> None:
        """End the transfers that wait too long for a first byte, or trickle: libcurl knows no such limits."""
        self._sweeper = None
        now = asyncio.get_running_loop().time()
        for slot in [slot for slot in self._busy.values() if slot.is_stalled(now)]:
            self._multi.cancel(slot.easy)
            self._on_done(slot.easy, -1, "")
        if self._busy:
            self._keep_sweeping()


def _headers(settings: FetchSettings) -> tuple[str, ...]:
    language = (f"Accept-Language: {settings.accept_language}",) if settings.accept_language else ()
    return (
        f"User-Agent: {user_agent(settings.contact)}",
        "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5",
        "Accept-Encoding: gzip, deflate, br, zstd",
        *language,
    )


def _with(usual: tuple[str, ...], headers: tuple[str, ...]) -> tuple[str, ...]:
    names = {header.partition(":")[0].lower() for header in headers}
    return (*(header for header in usual if header.partition(":")[0].lower() not in names), *headers)


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address
