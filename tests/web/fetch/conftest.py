"""A server that behaves as it is told, and a crawl of it that must leave a sound archive behind."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from corpulyzer.warc.fetches import fetch_of
from corpulyzer.warc.index import index
from corpulyzer.warc.names import archive_name
from corpulyzer.warc.write import ArchiveWriter
from corpulyzer.web.fetch.fetcher import WebFetcher
from corpulyzer.web.fetch.http.resolve import Resolver
from corpulyzer.web.fetch.lanes import Left
from corpulyzer.web.fetch.recorder import Request, Result
from corpulyzer.web.fetch.settings import FetchSettings

sys.path.append(str(Path(__file__).parent))

PAGE = b"<!DOCTYPE html><title>t</title><p>Some words, and then some more of them.</p>"


@dataclass
class Seen:
    """A request as the server saw it."""

    host: str
    path: str
    raw: bytes
    begun: float
    ended: float = 0.0

    @property
    def headers(self) -> dict[str, str]:
        lines = self.raw.decode("latin-1").split("\r\n")[1:]
        return {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}


class Conversation:
    """One request on one connection, for a script to answer as badly as it likes."""

    def __init__(self, connection: socket.socket, seen: Seen) -> None:
        self.connection = connection
        self.seen = seen
        self.path = seen.path
        self.keep = False

    def send(self, data: bytes) -> None:
        self.seen.ended = time.time()
        self.connection.sendall(data)

    def reply(self, body: bytes = PAGE, *headers: str, status: str = "200 OK") -> None:
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
        if not any(line.lower().startswith("content-type") for line in headers):
            lines.append("Content-Type: text/html; charset=utf-8")
        self.send("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        self.keep = True

    def redirect(self, location: str, status: str = "302 Found") -> None:
        self.reply(b"", f"Location: {location}", status=status)

    def trickle(self, pieces: Iterator[bytes], seconds: float) -> None:
        for piece in pieces:
            self.send(piece)
            time.sleep(seconds)

    def reset(self) -> None:
        """Close with a TCP reset instead of an orderly end."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()


Script = Callable[[Conversation], None]


def plain(conversation: Conversation) -> None:
    conversation.reply()


class Server:
    """Answers each host by its script; `/robots.txt` is not found and `/fine` is fine unless a script says."""

    def __init__(self, wrap: Callable[[socket.socket], socket.socket] | None = None) -> None:
        self.scripts: dict[str, Script] = {}
        self.robots: dict[str, Script] = {}
        self.seen: list[Seen] = []
        self.most_at_once: dict[str, int] = {}
        self._open: dict[str, int] = {}
        self._wrap = wrap
        self._lock = threading.Lock()
        self._connections: set[socket.socket] = set()
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port: int = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, host: str, path: str = "/page", scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"

    def on(self, host: str, script: Script, robots: Script | None = None) -> str:
        self.scripts[host] = script
        if robots is not None:
            self.robots[host] = robots
        return self.url(host)

    def pages_of(self, host: str) -> list[Seen]:
        return [seen for seen in self.seen if seen.host == host and seen.path != "/robots.txt"]

    def close(self) -> None:
        if self._socket.fileno() >= 0:
            self._socket.shutdown(socket.SHUT_RDWR)
            self._socket.close()
        for connection in list(self._connections):
            connection.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        self._connections.add(connection)
        try:
            if self._wrap is not None:
                connection = self._wrap(connection)
            self._converse(connection)
        except OSError:
            pass
        finally:
            self._connections.discard(connection)
            connection.close()

    def _converse(self, connection: socket.socket) -> None:
        rest = b""
        while True:
            while b"\r\n\r\n" not in rest:
                piece = connection.recv(1 << 16)
                if not piece:
                    return
                rest += piece
            raw, _, rest = rest.partition(b"\r\n\r\n")
            seen = _seen(raw + b"\r\n\r\n")
            self.seen.append(seen)
            conversation = Conversation(connection, seen)
            self._count(seen.host, 1)
            try:
                self._script(seen)(conversation)
            finally:
                self._count(seen.host, -1)
            if not conversation.keep:
                return

    def _script(self, seen: Seen) -> Script:
        if seen.path == "/robots.txt":
            return self.robots.get(seen.host, lambda c: c.reply(b"", status="404 Not Found"))
        return plain if seen.path == "/fine" else self.scripts.get(seen.host, plain)

    def _count(self, host: str, change: int) -> None:
        with self._lock:
            now = self._open[host] = self._open.get(host, 0) + change
            self.most_at_once[host] = max(now, self.most_at_once.get(host, 0))
            total = sum(self._open.values())
            self.most_at_once["*"] = max(total, self.most_at_once.get("*", 0))


def _seen(raw: bytes) -> Seen:
    line, _, rest = raw.decode("latin-1").partition("\r\n")
    target = line.split(" ")[1]
    host = next((v for v in rest.split("\r\n") if v.lower().startswith("host:")), "host:")[5:].strip()
    path = "/" + target.split("/", 3)[3] if target.startswith("http://") else target
    return Seen(host.rpartition(":")[0] or host, path, raw, time.time())


@dataclass
class Crawled:
    """What a crawl brought, and what it cost."""

    results: list[Result]
    left: list[Left]
    seconds: float
    extra_bytes: int
    folder: Path
    fetcher: WebFetcher | None = field(default=None, repr=False)

    def of(self, url: str) -> Result:
        return next(result for result in self.results if result.fetch.url == url)

    def outcomes(self, purpose: str = "page") -> list[tuple[str, str]]:
        return [(r.fetch.url, r.fetch.outcome) for r in self.results if r.fetch.purpose == purpose]


class Crawler:
    """Crawls URLs with timeouts that are short but not for a busy machine, then checks that the archive tells the same as the results did."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        from known_names import StaticResolver

        self.resolver: Resolver = StaticResolver({"*": ("127.0.0.1",)})
        self.settings: dict[str, object] = {
            "contact": "test@example.org",
            "delay_seconds": 0.0,
            "delay_per_second": 0.0,
            "failure_seconds": 0.0,
            "backoff_seconds": 0.1,
            "allow": ("127.0.0.1",),
            "connect_seconds": 10.0,
            "first_byte_seconds": 2.5,
            "slow_seconds": 1.5,
            "slow_bytes": 2000,
            "total_seconds": 10.0,
            "max_bytes": 1 << 20,
            "address_connections": 100,
        }
        self.options: dict[str, object] = {"environment": {}}
        self.rounds = 0

    def __call__(
        self, *requests: str | Request, seconds: float = 120, patience: float = 30, **settings
    ) -> Crawled:
        chosen = FetchSettings(**{**self.settings, **settings})
        asked = [Request.of(r) if isinstance(r, str) else r for r in requests]
        return asyncio.run(self._crawl(asked, chosen, seconds, patience))

    async def _crawl(
        self, asked: list[Request], settings: FetchSettings, seconds: float, patience: float, during=None
    ) -> Crawled:
        self.rounds += 1
        folder = self.folder / f"round={self.rounds}"
        results: list[Result] = []
        fetcher = WebFetcher(settings, resolver=self.resolver, **self.options)
        with ArchiveWriter(folder, "test") as archive, Memory() as memory:
            begun = time.monotonic()
            async with fetcher:
                if during is not None:
                    asyncio.get_running_loop().create_task(during(fetcher, results))
                left = await fetcher.fetch(
                    asked,
                    results.append,
                    archive=archive,
                    round=self.rounds,
                    seconds=seconds,
                    patience_seconds=patience,
                )
            took = time.monotonic() - begun
        self._check(folder, results)
        return Crawled(results, left, took, memory.extra_bytes, folder, fetcher)

    def during(self, asked: list[Request], action, seconds: float = 120, **settings) -> Crawled:
        """Crawl while `action(fetcher, results)` runs beside it."""
        chosen = FetchSettings(**{**self.settings, **settings})
        return asyncio.run(self._crawl(asked, chosen, seconds, 30, action))

    def _check(self, folder: Path, results: list[Result]) -> None:
        rows = []
        for file in sorted(folder.glob("*.warc.gz")):
            for entry in index(str(file)):
                assert not entry.problem, entry
                rows.append(fetch_of(entry, archive_name(file.name), self.rounds))
        kept = sorted((row for row in rows if row is not None), key=lambda row: row.offset)
        assert kept == sorted((result.fetch for result in results), key=lambda row: row.offset)


class Memory:
    """How far the process grew while the context was open, looked at a hundred times a second."""

    def __enter__(self) -> Memory:
        self.extra_bytes = 0
        self._before = _resident()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(0.01):
            self.extra_bytes = max(self.extra_bytes, _resident() - self._before)


def _resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.fixture
def make_server() -> Iterator[Callable[..., Server]]:
    made: list[Server] = []

    def make(wrap: Callable[[socket.socket], socket.socket] | None = None) -> Server:
        made.append(Server(wrap))
        return made[-1]

    yield make
    for server in made:
        server.close()


@pytest.fixture
def crawl(tmp_path: Path) -> Crawler:
    return Crawler(tmp_path)
