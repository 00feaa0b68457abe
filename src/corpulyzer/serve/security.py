"""Who may talk to the explorer, and what its pages may do.

A page elsewhere on the web must not be able to read the corpus through the browser of whoever runs the
explorer: requests whose Host is another name are refused (DNS rebinding), so are posts without the secret of
this process, and, when it listens beyond this machine, all requests without the token.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlencode

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "corpulyzer"
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
CRAWLED_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'self'"
)
"""What a page of the web may do in its frame: be looked at. No script, no request, no form, no way out."""
REPORT_POLICY = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline' 'unsafe-eval'; "
    "img-src data:; font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
"""The report is ours and draws its figures by compiled expressions; it has no origin and no network."""
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-dns-prefetch-control": "off",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Gate:
    """Which requests come through: those to `hosts`, with the `token` if there is one."""

    hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "::1")
    token: str = ""
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    def refusal(self, method: str, headers: Mapping[str, str], query: Mapping[str, list[str]]) -> str:
        """Why a request is refused; empty if it is not. Posts are looked at again by `is_ours`."""
        if not self.knows(headers.get("host", "")):
            return "This explorer does not go by that name. Use the address that `corpulyzer serve` printed."
        site = headers.get("sec-fetch-site", "none")
        if method not in ("GET", "HEAD") and site not in ("none", "same-origin"):
            return "Another site has sent this request."
        if self.token and not self._has_token(headers, query):
            return "The token is missing. Use the address that `corpulyzer serve` printed."
        return ""

    def knows(self, host: str) -> bool:
        """Whether a Host header names this explorer, by a known name or behind a token by address."""
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        name = name.strip("[]").lower()
        if name in self.hosts:
            return True
        return bool(self.token) and _is_address(name)

    def is_ours(self, given: str) -> bool:
        """Whether a post carries the secret that only pages of this process know."""
        return secrets.compare_digest(given.encode(), self.secret.encode())

    def _has_token(self, headers: Mapping[str, str], query: Mapping[str, list[str]]) -> bool:
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        given = [*query.get("token", []), *([cookie.value] if cookie else [])]
        return any(secrets.compare_digest(each.encode(), self.token.encode()) for each in given)


@dataclass(frozen=True, slots=True)
class Guarded:
    """An application behind a gate; adds to every response what browsers must know."""

    app: App
    gate: Gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        query = parse_qs(scope["query_string"].decode("latin-1"))
        why = self.gate.refusal(scope["method"], headers, query)
        if why:
            await _answer(send, 403, why)
        elif self.gate.token and "token" in query:
            await self._enter(scope, query, send)
        else:
            await self.app(scope, receive, _with_headers(send))

    async def _enter(self, scope: Scope, query: Mapping[str, list[str]], send: Send) -> None:
        """Keep the token in a cookie, and take it out of the address."""
        rest = urlencode({name: values for name, values in query.items() if name != "token"}, doseq=True)
        cookie = f"{COOKIE}={self.gate.token}; HttpOnly; SameSite=Strict; Path=/"
        where = scope["path"] if scope["path"].startswith("/") and scope["path"][1:2] != "/" else "/"
        more = [
            (b"location", (where + (f"?{rest}" if rest else "")).encode()),
            (b"set-cookie", cookie.encode()),
        ]
        await _answer(send, 303, "", more)


def _with_headers(send: Send) -> Send:
    async def send_on(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            given = {name for name, _ in message["headers"]}
            more = {"content-security-policy": PAGE_POLICY, **HEADERS}
            message["headers"] = [
                *message["headers"],
                *((n.encode(), v.encode()) for n, v in more.items() if n.encode() not in given),
            ]
        await send(message)

    return send_on


async def _answer(send: Send, status: int, text: str, more: list[tuple[bytes, bytes]] | None = None) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *(more or [])]
    headers += [(name.encode(), value.encode()) for name, value in HEADERS.items()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
