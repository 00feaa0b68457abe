"""How a URL is reached: its scheme, host and addresses, each checked before anything is sent."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from corpulyzer.web.fetch.http.address_guard import Guard, is_literal
from corpulyzer.web.fetch.http.client import Route
from corpulyzer.web.fetch.http.proxy import PROXY, Proxies, address_of
from corpulyzer.web.fetch.http.resolve import Resolver, UnresolvedError, check_name
from corpulyzer.web.fetch.robots.permission import origin_of

_PORTS = {"http": 80, "https": 443}


class RefusedRouteError(Exception):
    """There is no way to a URL, or none that may be taken; `outcome` is the name of the reason."""

    def __init__(self, outcome: str, detail: str) -> None:
        super().__init__(f"{outcome}: {detail}")
        self.outcome = outcome
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Router:
    """Finds the route to a URL. Behind a proxy no name but the proxy's own is ever looked up."""

    guard: Guard
    resolver: Resolver
    proxies: Proxies

    async def __call__(self, url: str) -> Route:
        """The route to a canonical URL; RefusedRouteError if there is none."""
        if not url.isascii() or not url.isprintable():
            raise RefusedRouteError("invalid_url", "it is not in canonical form")
        scheme, host, port = _parts(origin_of(url))
        proxy = self.proxies.for_host(scheme, host)
        refusal = self.guard.refusal_of_host(host, port, by_proxy=bool(proxy))
        if refusal:
            raise RefusedRouteError("guard_refused", refusal)
        if proxy:
            return Route(host, port, await self._addresses(address_of(proxy)[0], PROXY), proxy)
        addresses = await self._addresses(host, "dns")
        public = tuple(address for address in addresses if not self.guard.refusal(address))
        if not public:
            raise RefusedRouteError("guard_refused", f"{host}: {self.guard.refusal(addresses[0])}")
        return Route(host, port, public)

    async def _addresses(self, host: str, outcome: str) -> tuple[str, ...]:
        if is_literal(host):
            return (host.strip("[]"),)
        try:
            check_name(host)
            return await self.resolver(host)
        except UnresolvedError as error:
            raise RefusedRouteError(outcome, f"{host}: {error.detail}") from None


def place_of(url: str) -> tuple[str, int]:
    """The host and the port of a canonical URL; RefusedRouteError if it has none."""
    return _parts(origin_of(url))[1:]


@lru_cache(maxsize=1 << 14)
def _parts(origin: str) -> tuple[str, str, int]:
    try:
        parts = urlsplit(origin)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise RefusedRouteError("invalid_url", str(error)) from None
    if parts.scheme not in _PORTS:
        raise RefusedRouteError("invalid_url", f"the scheme {parts.scheme} is not the web's")
    if not host:
        raise RefusedRouteError("invalid_url", "it names no host")
    return parts.scheme, host, port or _PORTS[parts.scheme]
