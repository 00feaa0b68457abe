"""Servers on loopback that speak the protocols of search engines, errors and quotas included."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class Asked:
    """A request as a service sees it."""

    path: str
    parameters: dict[str, str]
    headers: dict[str, str]


@dataclass(frozen=True)
class Reply:
    """What a service answers; `cut` closes the connection after so many bytes of the body."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    cut: int | None = None


Service = Callable[[Asked], Reply]


@dataclass
class Server:
    """A service that listens: where, and what it was asked so far."""

    url: str
    asked: list[Asked] = field(default_factory=list)


@contextmanager
def serve(service: Service) -> Iterator[Server]:
    """The service on a port of its own, for as long as the context lasts."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            parameters = {name: values[-1] for name, values in parse_qs(parts.query).items()}
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(parts.path, parameters, headers)
            server.asked.append(asked)
            self._send(service(asked))

        def do_HEAD(self) -> None:
            self.do_GET()

        def _send(self, reply: Reply) -> None:
            self.send_response(reply.status)
            for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(reply.body[: reply.cut])
            if reply.cut is not None:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Tests print nothing."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listening.daemon_threads = True
    server = Server(f"http://127.0.0.1:{listening.server_address[1]}")
    thread = threading.Thread(target=listening.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        listening.shutdown()
        listening.server_close()
        thread.join()


def as_json(value: object, status: int = 200, **headers: str) -> Reply:
    return Reply(status, json.dumps(value, ensure_ascii=False).encode(), headers)


Page = tuple[str, str, str]
"""The URL, title and snippet of a result."""


@dataclass(frozen=True)
class SearXng:
    """SearXNG's /search with `format=json`, which an instance may have switched off."""

    pages: Sequence[Page]
    formats: tuple[str, ...] = ("html", "json")

    def __call__(self, asked: Asked) -> Reply:
        if asked.path != "/search":
            return Reply(404, b"<h1>Not found</h1>")
        if asked.parameters.get("format") not in self.formats:
            return Reply(403, b"<!doctype html><title>403 Forbidden</title>Forbidden")
        number = int(asked.parameters.get("pageno", "1"))
        shown = self.pages[(number - 1) * 10 : number * 10]
        results = [
            {
                "url": url,
                "title": title,
                "content": snippet,
                "engine": "one",
                "engines": ["one"],
                "score": 1.0,
            }
            for url, title, snippet in shown
        ]
        return as_json(
            {
                "query": asked.parameters["q"],
                "number_of_results": 0,
                "results": results,
                "unresponsive_engines": [],
            }
        )


@dataclass
class Google:
    """Custom Search JSON: a key, an engine, ten results a page, so many requests a day."""

    pages: Sequence[Page]
    key: str = "good-key"
    per_day: int = 100
    used: int = 0

    def __call__(self, asked: Asked) -> Reply:
        if asked.parameters.get("key") != self.key:
            return self._error(
                400, "API key not valid. Please pass a valid API key.", "badRequest", "INVALID_ARGUMENT"
            )
        if "cx" not in asked.parameters:
            return self._error(400, "Request contains an invalid argument.", "badRequest", "INVALID_ARGUMENT")
        self.used += 1
        if self.used > self.per_day:
            words = "Quota exceeded for quota metric 'Queries' and limit 'Queries per day' of service 'customsearch.googleapis.com'"
            return self._error(429, words, "rateLimitExceeded", "RESOURCE_EXHAUSTED")
        start, count = int(asked.parameters.get("start", "1")), int(asked.parameters.get("num", "10"))
        shown = self.pages[start - 1 : start - 1 + count]
        items = [
            {"kind": "customsearch#result", "title": title, "link": url, "snippet": snippet}
            for url, title, snippet in shown
        ]
        answer = {
            "kind": "customsearch#search",
            "queries": {"request": [{"searchTerms": asked.parameters["q"], "count": len(items)}]},
            "searchInformation": {"totalResults": str(len(self.pages))},
        }
        return as_json({**answer, "items": items} if items else answer)

    def _error(self, code: int, message: str, reason: str, status: str) -> Reply:
        errors = [{"message": message, "domain": "global", "reason": reason}]
        return as_json(
            {"error": {"code": code, "message": message, "errors": errors, "status": status}}, code
        )


@dataclass
class Brave:
    """Brave Search: a token in a header, one request a second, so many a month."""

    pages: Sequence[Page]
    token: str = "good-token"
    busy: int = 0
    left: int = 1000

    def __call__(self, asked: Asked) -> Reply:
        if asked.headers.get("x-subscription-token") != self.token:
            return self._error(
                422, "SUBSCRIPTION_TOKEN_INVALID", "The provided subscription token is invalid."
            )
        if self.busy:
            self.busy -= 1
            reply = self._error(429, "RATE_LIMITED", "Request rate limit exceeded for plan.")
            return Reply(429, reply.body, {"X-RateLimit-Reset": "1, 1419704", "Retry-After": "0"})
        if not self.left:
            reply = self._error(429, "QUOTA_LIMITED", "Monthly quota has been used up.")
            return Reply(
                429, reply.body, {"X-RateLimit-Reset": "1, 1419704", "X-RateLimit-Remaining": "1, 0"}
            )
        self.left -= 1
        count, offset = int(asked.parameters.get("count", "20")), int(asked.parameters.get("offset", "0"))
        shown = self.pages[offset * count : (offset + 1) * count]
        results = [
            {
                "type": "search_result",
                "title": title,
                "url": url,
                "description": f"<strong>{snippet}</strong>",
            }
            for url, title, snippet in shown
        ]
        answer = {
            "type": "search",
            "query": {"original": asked.parameters["q"], "more_results_available": False},
        }
        return as_json({**answer, "web": {"type": "search", "results": results}} if results else answer)

    def _error(self, status: int, code: str, detail: str) -> Reply:
        error = {"id": "0", "status": status, "code": code, "detail": detail}
        return as_json({"type": "ErrorResponse", "error": error}, status)
