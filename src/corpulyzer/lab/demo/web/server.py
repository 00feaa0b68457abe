"""The built-in web over HTTP on loopback: a forward proxy for made-up hosts, and virtual hosts by name.

One thread with its own event loop; every request is logged as it arrives.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import threading
import time
import zlib
from dataclasses import asdict, dataclass
from http import HTTPStatus
from pathlib import Path
from typing import IO, TYPE_CHECKING

import xxhash

from corpulyzer.lab.demo.web.content import RESET

if TYPE_CHECKING:
    from corpulyzer.lab.demo.web import Answer, BuiltInWeb

LONGEST_HEAD = 64 << 10
GZIP_FROM_BYTES = 512
LAST_MODIFIED = "Mon, 05 Jan 2026 06:00:00 GMT"
START_SECONDS = 10


@dataclass(frozen=True, slots=True)
class LogLine:
    """A request as the server saw it: seconds since 1970 when it came, and what was answered.

    `wait` are the seconds that it was kept waiting for its answer.
    """

    time: float
    method: str
    host: str
    path: str
    status: int
    bytes: int
    agent: str = ""
    wait: float = 0.0

    @property
    def url(self) -> str:
        return f"http://{self.host}{self.path}"


class WebServer:
    """Serves a web while the `with` block lasts.

    >>> from corpulyzer.lab.demo.web import BuiltInWeb
    >>> with BuiltInWeb("urd", sites=16, pages=100).serve() as server:
    ...     server.proxy_url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(
        self, web: BuiltInWeb, *, port: int = 0, log_path: str | Path | None = None, slowness: float = 1.0
    ) -> None:
        self.web = web
        self.port = port
        self.slowness = slowness
        self.log: list[LogLine] = []
        self._log_path = log_path
        self._file: IO[str] | None = None
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="built-in web", daemon=True)

    @property
    def proxy_url(self) -> str:
        """The address to give to a crawler as its proxy."""
        return f"http://127.0.0.1:{self.port}"

    def note(self, line: LogLine) -> None:
        """Add a line to the log."""
        self.log.append(line)
        if self._file:
            self._file.write(json.dumps(asdict(line)) + "\n")

    def __enter__(self) -> WebServer:
        if self._log_path:
            self._file = open(self._log_path, "a", encoding="utf-8", buffering=1)
        listening = socket.create_server(("127.0.0.1", self.port), backlog=1024)
        self.port = listening.getsockname()[1]
        self._listening = listening
        self._thread.start()
        if not self._ready.wait(START_SECONDS):
            raise RuntimeError("the built-in web did not start: its event loop is stuck")
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        if self._file:
            self._file.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        made = self._loop.create_server(lambda: _Connection(self), sock=self._listening)
        server = self._loop.run_until_complete(made)
        self._ready.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()


class _Connection(asyncio.Protocol):
    """One client; requests are answered one after the other."""

    def __init__(self, server: WebServer) -> None:
        self.server = server
        self.buffer = b""
        self.busy = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        self._next()

    def _next(self) -> None:
        while not self.busy and not self.transport.is_closing():
            head, end, rest = self.buffer.partition(b"\r\n\r\n")
            if not end:
                if len(head) > LONGEST_HEAD:
                    self._refuse(431)
                return
            self.buffer = rest
            self._request(head.decode("latin-1"))

    def _request(self, head: str) -> None:
        first, *lines = head.split("\r\n")
        headers = {
            name.strip().lower(): value.strip() for name, _, value in (x.partition(":") for x in lines)
        }
        method, _, rest = first.partition(" ")
        wanted, _, version = rest.partition(" ")
        if method not in ("GET", "HEAD"):
            self._refuse(501)
            return
        if not wanted.startswith("http://"):
            wanted = f"http://{headers.get('host', '')}{wanted}"
        host, _, path = wanted.removeprefix("http://").partition("/")
        if "?" in host:
            host, _, query = host.partition("?")
            path = f"?{query}"
        url = f"http://{host}/{path}"
        answer = self.server.web.page(url)
        status, response = (0, b"") if answer.truth.status == RESET else _response(answer, method, headers)
        agent, wait = headers.get("user-agent", ""), answer.wait_seconds * self.server.slowness
        line = LogLine(time.time(), method, host, f"/{path}", status, len(response), agent, wait)
        self.server.note(line)
        close = version == "HTTP/1.0" or headers.get("connection", "").lower() == "close"
        self._send(wait, response, close)

    def _send(self, wait: float, response: bytes, close: bool) -> None:
        if wait:
            self.busy = True
            asyncio.get_running_loop().call_later(wait, self._write, response, close)
        else:
            self._write(response, close)

    def _write(self, response: bytes, close: bool) -> None:
        self.busy = False
        if not response:
            self._reset()
            return
        self.transport.write(response)
        if close:
            self.transport.close()
        else:
            self._next()

    def _reset(self) -> None:
        """End the connection so that the client sees a reset, not an end."""
        sock = self.transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    def _refuse(self, status: int) -> None:
        phrase = HTTPStatus(status).phrase
        self.transport.write(f"HTTP/1.1 {status} {phrase}\r\nContent-Length: 0\r\n\r\n".encode())
        self.transport.close()


def _response(answer: Answer, method: str, headers: dict[str, str]) -> tuple[int, bytes]:
    """The status and the bytes of a response to a request with these headers."""
    status, body = answer.truth.status, answer.body
    lines = [f"Content-Type: {answer.content_type}", *(f"{name}: {value}" for name, value in answer.headers)]
    if status == 200:
        tag = f'"{xxhash.xxh3_64_hexdigest(body)}"'
        lines += [f"ETag: {tag}", f"Last-Modified: {LAST_MODIFIED}"]
        if tag in headers.get("if-none-match", "") or (
            "if-none-match" not in headers and headers.get("if-modified-since") == LAST_MODIFIED
        ):
            return 304, _message(304, lines, b"")
    if len(body) >= GZIP_FROM_BYTES and "gzip" in headers.get("accept-encoding", ""):
        body = _gzip(body)
        lines.append("Content-Encoding: gzip")
    lines.append(f"Content-Length: {len(body)}")
    return status, _message(status, lines, b"" if method == "HEAD" else body)


def _message(status: int, lines: list[str], body: bytes) -> bytes:
    head = "\r\n".join((f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *lines, "", ""))
    return head.encode() + body


def _gzip(body: bytes) -> bytes:
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    return packer.compress(body) + packer.flush()
