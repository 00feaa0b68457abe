"""A libcurl handle and the transfer that it makes at the moment; made once, used for thousands of pages."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from datetime import datetime
from math import ceil

import pycurl

from corpulyzer.storage.http import system_certificates
from corpulyzer.warc.heads import HEAD_LIMIT
from corpulyzer.web.fetch.http.address_guard import Guard
from corpulyzer.web.fetch.http.exchange import Exchange, failure_name, truncation
from corpulyzer.web.fetch.settings import FetchSettings

MEDIA_BYTES = 4096
"""How much of a picture, sound or film is fetched: enough to tell its type; the rest holds no text."""

RELAY_SECONDS = 2
"""A connection to a proxy that was idle for longer is not used again: the proxy may be about to close it."""

# libcurl's default.
_SITE_SECONDS = 118

_BUFFER = 128 << 10
_MEDIA = (b"image/", b"audio/", b"video/", b"font/")


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be fetched, how, and who waits for it."""

    url: str
    headers: tuple[str, ...]
    resolve: str
    proxy: str
    exempt: tuple[str, ...]
    max_bytes: int
    date: datetime
    begun: float
    answer: asyncio.Future[Exchange]

    @property
    def is_relayed(self) -> bool:
        """Whether a proxy reads the request, rather than passing bytes on."""
        return self.proxy.startswith("http") and self.url.startswith("http://")

    @property
    def connections(self) -> str:
        """Which connection it may use: a kept one to the `site`, or to a proxy (`relay`), or a `new` one."""
        if not self.proxy:
            return "site"
        return "relay" if self.is_relayed and self.proxy.startswith("http://") else "new"

    @property
    def target(self) -> str:
        """The request target, given to libcurl as it is: by itself it would put escapes in capitals."""
        return self.url if self.is_relayed else self.url[self.url.index("/", len("https://")) :]

    @property
    def request(self) -> bytes:
        """The request as libcurl sends it, which a test compares with what a server has seen."""
        host = self.url.partition("://")[2].partition("/")[0]
        lines = (f"GET {self.target} HTTP/1.1", f"Host: {host}", *self.headers)
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


class Slot:
    """Makes one transfer after the other: takes head and body within their limits, checks every connect."""

    def __init__(self, settings: FetchSettings, guard: Guard) -> None:
        self._settings = settings
        self._guard = guard
        self._headers: tuple[str, ...] = ()
        self._proxy: str | None = None
        self._connections = ""
        self.task: Task
        self.easy = _handle(settings)
        self.easy.setopt(pycurl.HEADERFUNCTION, self._on_head)
        self.easy.setopt(pycurl.WRITEFUNCTION, self._on_body)
        self.easy.setopt(pycurl.OPENSOCKETFUNCTION, self._on_connect)
        self.easy.setopt(pycurl.PREREQFUNCTION, self._on_request)

    def prepare(self, task: Task) -> None:
        """Make the handle ready for a task; options that have not changed are left alone."""
        self.task = task
        self._head: list[bytes] = []
        self._head_bytes = 0
        self._head_done = False
        self._body: list[bytes] = []
        self._body_bytes = 0
        self._max_bytes = task.max_bytes
        self._cut = ""
        self._refusal = ""
        self._asked = 0
        self._window = (task.begun, 0)
        self.easy.setopt(pycurl.URL, task.url)
        self.easy.setopt(pycurl.REQUEST_TARGET, task.target)
        if task.headers != self._headers:
            self._headers = task.headers
            self.easy.setopt(pycurl.HTTPHEADER, [*task.headers, "Proxy-Connection:"])
        self.easy.setopt(pycurl.RESOLVE, [task.resolve])
        if task.proxy != self._proxy:
            self._proxy = task.proxy
            self.easy.setopt(pycurl.PROXY, task.proxy)
        if task.connections != self._connections:
            self._keep(task.connections)

    def _keep(self, connections: str) -> None:
        """Keep connections to sites, and for a while those to a proxy that relays for one site; no others."""
        self._connections = connections
        fresh = int(connections == "new")
        self.easy.setopt(pycurl.FRESH_CONNECT, fresh)
        self.easy.setopt(pycurl.FORBID_REUSE, fresh)
        self.easy.setopt(pycurl.MAXAGE_CONN, RELAY_SECONDS if connections == "relay" else _SITE_SECONDS)

    def is_stalled(self, now: float) -> bool:
        """Whether the first byte is overdue, or too few came since the last look; `_cut` says which."""
        since, had = self._window
        got = self._head_bytes + self._body_bytes
        if not got:
            connected = self.easy.getinfo(pycurl.PRETRANSFER_TIME)
            self._window = (now, 0)
            overdue = now - self.task.begun - connected > self._settings.first_byte_seconds
            self._cut = "timeout_first_byte" if connected and overdue else ""
        elif now - since >= self._settings.slow_seconds:
            self._window = (now, got)
            self._cut = "too_slow" if got - had < self._settings.slow_bytes else ""
        return bool(self._cut)

    def exchange(self, code: int, message: str) -> Exchange:
        """What came of the task: a response, perhaps cut, or the reason why there is none."""
        task = self.task
        head, body = b"".join(self._head), b"".join(self._body)
        outcome, detail = self._outcome(code, message)
        has_response = self._head_done and not self._tunnel_failed() and (not outcome or bool(body))
        if not outcome and not self._head_done:
            outcome, detail = "bad_response", "the connection ended within the head"
        whole = Exchange(
            url=task.url,
            date=task.date,
            milliseconds=ceil((task.answer.get_loop().time() - task.begun) * 1000),
            ip="" if task.proxy else self.easy.getinfo(pycurl.PRIMARY_IP) or "",
            status=self.easy.getinfo(pycurl.RESPONSE_CODE) if has_response else 0,
            request=task.request if has_response else b"",
            head=head if has_response else b"",
            body=body if has_response else b"",
            truncated=truncation(outcome) if has_response and outcome else "",
            outcome="" if has_response else outcome,
            detail=detail,
        )
        self._head, self._body = [], []
        return whole

    def _outcome(self, code: int, message: str) -> tuple[str, str]:
        """The name of what went wrong and its words; both empty if nothing did."""
        if self._refusal:
            return "guard_refused", self._refusal
        if self._is_repeated():
            return "reset", "the connection ended before a byte of the response"
        if self._cut:
            return self._cut, f"{self._body_bytes} bytes of the body came"
        if not code:
            return "", ""
        if self._tunnel_failed():
            return "proxy", message
        if code == pycurl.E_OPERATION_TIMEDOUT:
            return self._phase(), message
        return failure_name(code), message

    def _phase(self) -> str:
        if not self.easy.getinfo(pycurl.REQUEST_SIZE):
            return "timeout_connect"
        return "timeout_total" if self._head else "timeout_first_byte"

    def _tunnel_failed(self) -> bool:
        """Whether a proxy refused to connect: its response is then all there is, and not the site's."""
        return bool(self._proxy) and self.easy.getinfo(pycurl.HTTP_CONNECTCODE) >= 300

    def _is_repeated(self) -> bool:
        return self._asked > 1 and self._connections == "relay"

    def _on_request(self, *_ends: str | int) -> int:
        """Let the first request of a task go. It is called before each, on new and on kept connections.

        When a kept connection is reset, libcurl asks again on another one. Behind a proxy it must not: the
        server would see more than we record.
        """
        self._asked += 1
        return int(pycurl.PREREQFUNC_ABORT if self._is_repeated() else pycurl.PREREQFUNC_OK)

    def _on_head(self, line: bytes) -> int:
        if line.startswith(b"HTTP/") and not self._body:
            # What came before was an interim response, or a proxy's answer to CONNECT.
            self._head, self._head_done = [], False
        if self._head_done:
            return len(line)
        self._head_bytes += len(line)
        if self._head_bytes > HEAD_LIMIT:
            self._cut = "head_too_large"
            return 0
        self._head.append(line)
        self._head_done = line in (b"\r\n", b"\n")
        if line[:13].lower() == b"content-type:" and line[13:].strip().lower().startswith(_MEDIA):
            self._max_bytes = min(self.task.max_bytes, MEDIA_BYTES)
        return len(line)

    def _on_body(self, piece: bytes) -> int:
        room = self._max_bytes - self._body_bytes
        self._body_bytes += len(piece)
        if len(piece) > room:
            self._body.append(piece[:room])
            self._cut = "length"
            return 0
        self._body.append(piece)
        return len(piece)

    def _on_connect(
        self, _purpose: int, address: tuple[int, int, int, tuple[str | bytes, int]]
    ) -> socket.socket | int:
        family, kind, protocol, place = address
        ip = place[0] if isinstance(place[0], str) else place[0].decode("latin-1")
        if ip not in self.task.exempt:
            refusal = self._guard.refusal(ip)
            if refusal:
                self._refusal = refusal
                return int(pycurl.SOCKET_BAD)
        self._refusal = ""
        try:
            return socket.socket(family, kind, protocol)
        except OSError:
            # Out of file handles, or no such address family here: libcurl reports a failed connect.
            return int(pycurl.SOCKET_BAD)


def _handle(settings: FetchSettings) -> pycurl.Curl:
    easy = pycurl.Curl()
    easy.setopt(pycurl.NOSIGNAL, 1)
    easy.setopt(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
    easy.setopt(pycurl.FOLLOWLOCATION, 0)
    easy.setopt(pycurl.PATH_AS_IS, 1)
    easy.setopt(pycurl.HTTP_VERSION, pycurl.CURL_HTTP_VERSION_2TLS)
    easy.setopt(pycurl.HTTP_TRANSFER_DECODING, 0)
    easy.setopt(pycurl.HTTP_CONTENT_DECODING, 0)
    easy.setopt(pycurl.BUFFERSIZE, _BUFFER)
    easy.setopt(pycurl.NOPROXY, "")
    easy.setopt(pycurl.CONNECTTIMEOUT_MS, round(settings.connect_seconds * 1000))
    easy.setopt(pycurl.TIMEOUT_MS, round(settings.total_seconds * 1000))
    certificates = settings.certificates or system_certificates()
    easy.setopt(pycurl.CAINFO, certificates)
    easy.setopt(pycurl.PROXY_CAINFO, certificates)
    return easy
