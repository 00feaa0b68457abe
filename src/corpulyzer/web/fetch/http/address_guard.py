"""Which addresses a crawler may connect to: those of the public web, and those that it was given by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from corpulyzer.errors import UserError

Network = IPv4Network | IPv6Network

# IANA's special-purpose registry. What is not here is public; 192.88.99.0/24 is the old 6to4 relay.
_SPECIAL_V4 = tuple(
    (IPv4Network(network), name)
    for network, name in (
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "carrier-grade NAT"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "6to4"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
    )
)
_SPECIAL_V6 = tuple(
    (IPv6Network(network), name)
    for network, name in (
        ("::1/128", "loopback"),
        ("64:ff9b::/96", "NAT64"),
        ("64:ff9b:1::/48", "NAT64"),
        ("2001::/32", "Teredo"),
        ("2001::/23", "reserved"),
        ("2001:db8::/32", "documentation"),
        ("2002::/16", "6to4"),
        ("3fff::/20", "documentation"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("ff00::/8", "multicast"),
    )
)
_GLOBAL_V6 = IPv6Network("2000::/3")

_LOCAL_ENDS = (".localhost", ".local", ".internal", ".intranet", ".lan", ".home.arpa")

# The ports that browsers refuse: they speak other protocols, which a request could be mistaken for.
_BAD_PORTS = frozenset(
    int(port)
    for port in (
        "1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 "
        "115 117 119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 "
        "556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6379 6566 "
        "6665 6666 6667 6668 6669 6679 6697 10080 "
    ).split()
)


@dataclass(frozen=True)
class Guard:
    """Says why an address is refused, or nothing. `allow` names addresses and networks that are not.

    Checked for a URL before it is asked for, for every address that a name resolves to, and once more at
    the connect itself, which no redirect, literal or changing name gets around.
    """

    allow_private: bool = False
    allow: tuple[str, ...] = ()
    _allowed: tuple[Network, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_allowed", tuple(_network(entry) for entry in self.allow))

    def refusal(self, address: str) -> str:
        """Why no connection to `address` may be made; empty if it may."""
        if self.allow_private:
            return ""
        kind = special_kind(address)
        return f"{address} is {kind}" if kind and not self._is_allowed(address) else ""

    def refusal_of_host(self, host: str, port: int, *, by_proxy: bool = False) -> str:
        """Why a URL's host and port are refused before any look-up; empty if nothing speaks against them.

        A proxy looks names up itself, so behind one a name that only means something locally is refused.
        """
        if port in _BAD_PORTS:
            return f"port {port} is not the web's"
        if self.allow_private:
            return ""
        if is_literal(host):
            return self.refusal(host.strip("[]"))
        if by_proxy and ("." not in host or host.endswith(_LOCAL_ENDS)):
            return f"{host} is a local name"
        return ""

    def _is_allowed(self, address: str) -> bool:
        try:
            plain = _unmapped(ip_address(address))
        except ValueError:
            return False
        return any(plain in network for network in self._allowed)


@lru_cache(maxsize=1 << 14)
def special_kind(address: str) -> str:
    """What an address is if not public, such as `loopback`; empty for a public one.

    >>> special_kind("::ffff:10.0.0.1"), special_kind("2002:7f00:1::"), special_kind("9.9.9.9")
    ('private', '6to4', '')
    """
    try:
        plain = _unmapped(ip_address(address))
    except ValueError:
        return "no address"
    if isinstance(plain, IPv4Address):
        return next((name for network, name in _SPECIAL_V4 if plain in network), "")
    found = next((name for network, name in _SPECIAL_V6 if plain in network), "")
    return found or ("" if plain in _GLOBAL_V6 else "reserved")


def is_literal(host: str) -> bool:
    """Whether a canonical URL's host is an address itself; other notations are gone by then."""
    return host.startswith("[") or ":" in host or (host[-1:].isdigit() and host.replace(".", "").isdigit())


def _unmapped(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def _network(entry: str) -> Network:
    try:
        return ip_network(entry, strict=False)
    except ValueError:
        raise UserError(
            f"fetch.allow names {entry!r}, which is neither an address nor a network.",
            'Write addresses or networks, such as allow = ["10.1.2.3", "192.168.0.0/16"].',
        ) from None
