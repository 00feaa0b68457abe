"""Which proxy a URL goes through: the one that was set, or what the usual variables say.

libcurl ignores `HTTP_PROXY` in capitals, other tools read only that; so the environment is read here.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address, ip_network
from itertools import takewhile
from urllib.parse import SplitResult, urlsplit

from corpulyzer.errors import UserError

PROXY = "proxy"
"""The reason for leaving a request whose proxy cannot be reached."""

CONNECT_SECONDS = 5.0
TRIES = 3
_SCHEMES = ("http", "https", "socks5", "socks5h", "socks4a")


@dataclass(frozen=True, slots=True)
class Proxies:
    """A proxy's URL for each scheme, empty for none, and the hosts that are reached without one."""

    http: str = ""
    https: str = ""
    without: tuple[str, ...] = ()

    def for_host(self, scheme: str, host: str) -> str:
        """The proxy that a request goes through; empty for none."""
        proxy = self.https if scheme == "https" else self.http
        return "" if not proxy or (self.without and self._is_excepted(host)) else proxy

    def _is_excepted(self, host: str) -> bool:
        bare = host.strip("[]")
        return any(entry == "*" or _covers(entry, bare) for entry in self.without)


def proxies(setting: str, environment: Mapping[str, str]) -> Proxies:
    """The proxies to use: the setting for everything, else the environment's, in either case of letters.

    >>> proxies("", {"HTTP_PROXY": "squid:3128", "no_proxy": ".pk"}).for_host("http", "dawn.pk")
    ''
    """
    if setting:
        proxy = _checked(setting, "The proxy setting")
        return Proxies(proxy, proxy)
    everything = _variable(environment, "all_proxy")
    without = _variable(environment, "no_proxy")
    return Proxies(
        _checked(_variable(environment, "http_proxy") or everything, "The variable http_proxy"),
        _checked(_variable(environment, "https_proxy") or everything, "The variable https_proxy"),
        tuple(entry.strip().lower() for entry in without.split(",") if entry.strip()),
    )


def must_be_there(found: Proxies, pause_seconds: float = 1.0) -> None:
    """Return if every proxy takes connections, tried three times; UserError if one does not.

    Behind a dead proxy every page would be recorded as failed.
    """
    for proxy in sorted({found.http, found.https} - {""}):
        host, port = address_of(proxy)
        problems = (_problem(host, port, pause_seconds * number) for number in range(TRIES))
        if len(tried := list(takewhile(bool, problems))) == TRIES:
            raise UserError(
                f"The proxy {host}:{port} cannot be reached: {tried[-1]}.",
                "Start it, or name another with --proxy or http_proxy; then the same command goes on.",
            )


def _problem(host: str, port: int, pause_seconds: float) -> str:
    """Why the port takes no connection, tried after a pause; empty if it does."""
    time.sleep(pause_seconds)
    try:
        socket.create_connection((host, port), CONNECT_SECONDS).close()
    except OSError as error:
        return error.strerror or str(error) or type(error).__name__
    return ""


@lru_cache(maxsize=1 << 14)
def proxy_named_for(proxy: str, host: str) -> str:
    """The URL of a proxy under a name made for one host, which cannot be looked up: hand over its address.

    >>> proxy_named_for("http://u:w@squid:3128", "a.pk")
    'http://u:w@a.pk.via.squid:3128'
    """
    parts = urlsplit(proxy)
    name, port = address_of(proxy)
    user, at, _ = parts.netloc.rpartition("@")
    alias = f"{host}.via.{name}".replace(":", "-").replace("[", "").replace("]", "")
    return f"{parts.scheme}://{user}{at}{alias}:{port}"


@lru_cache(maxsize=1 << 14)
def address_of(proxy: str) -> tuple[str, int]:
    """The host and port of a proxy's URL."""
    parts = urlsplit(proxy)
    default = {"http": 80, "https": 443}.get(parts.scheme, 1080)
    return parts.hostname or "", parts.port or default


def _variable(environment: Mapping[str, str], name: str) -> str:
    return environment.get(name) or environment.get(name.upper()) or ""


def _checked(proxy: str, origin: str) -> str:
    if not proxy:
        return ""
    url = proxy if "://" in proxy else f"http://{proxy}"
    if not _is_usable(url):
        raise UserError(
            f"{origin} names {proxy!r}, which is no proxy.",
            "Write it as http://HOST:PORT, or leave it empty.",
        )
    return url


def _is_usable(url: str) -> bool:
    try:
        parts: SplitResult = urlsplit(url)
        return parts.scheme in _SCHEMES and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False


def _covers(entry: str, host: str) -> bool:
    try:
        return ip_address(host) in ip_network(entry, strict=False)
    except ValueError:
        suffix = entry.removeprefix("*").lstrip(".").partition(":")[0]
        return host == suffix or host.endswith("." + suffix)
