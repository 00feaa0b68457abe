"""No request leaves for an address that is not public, by whatever name, notation or detour."""

from __future__ import annotations

import asyncio

import pytest
from known_names import StaticResolver

from corpulyzer.errors import UserError
from corpulyzer.url import canonical
from corpulyzer.web.fetch.http.address_guard import Guard, special_kind
from corpulyzer.web.fetch.http.client import Client, Route
from corpulyzer.web.fetch.settings import FetchSettings

SPECIAL = {
    "0.0.0.0": "unspecified",
    "10.1.2.3": "private",
    "100.64.0.1": "carrier-grade NAT",
    "127.0.0.1": "loopback",
    "127.255.255.254": "loopback",
    "169.254.169.254": "link-local",
    "172.31.255.255": "private",
    "192.168.0.1": "private",
    "192.0.0.8": "reserved",
    "192.88.99.1": "6to4",
    "198.19.0.1": "benchmarking",
    "224.0.0.251": "multicast",
    "240.0.0.1": "reserved",
    "255.255.255.255": "reserved",
    "::": "reserved",
    "::1": "loopback",
    "::ffff:127.0.0.1": "loopback",
    "::ffff:a01:203": "private",
    "::7f00:1": "reserved",
    "64:ff9b::7f00:1": "NAT64",
    "64:ff9b:1::1": "NAT64",
    "100::1": "reserved",
    "2001::1": "Teredo",
    "2001:10::1": "reserved",
    "2001:db8::1": "documentation",
    "2002:7f00:1::": "6to4",
    "fc00::1": "private",
    "fd12:3456::1": "private",
    "fe80::1": "link-local",
    "fec0::1": "reserved",
    "ff02::1": "multicast",
    "not an address": "no address",
}


@pytest.mark.parametrize("address", SPECIAL)
def test_special_addresses_are_known_by_kind(address):
    assert special_kind(address) == SPECIAL[address]
    assert Guard().refusal(address)


@pytest.mark.parametrize(
    "address",
    "1.1.1.1 172.32.0.1 172.15.255.255 100.128.0.1 192.0.1.1 223.255.255.255 2606:4700::1111 "
    "2001:4860:4860::8888 2a00::1 ::ffff:8.8.8.8".split(),
)
def test_public_addresses_pass(address):
    assert Guard().refusal(address) == ""


def test_what_is_named_is_allowed_and_nothing_else():
    guard = Guard(allow=("10.0.0.5", "192.168.0.0/16", "fd00::/8"))
    assert (
        not guard.refusal("10.0.0.5")
        and not guard.refusal("::ffff:192.168.7.7")
        and not guard.refusal("fd00::9")
    )
    assert guard.refusal("10.0.0.6") and guard.refusal("127.0.0.1")


def test_the_guard_can_be_lifted_as_a_whole():
    assert not any(Guard(allow_private=True).refusal(address) for address in SPECIAL)


def test_a_name_among_the_allowed_addresses_is_an_error_that_says_how():
    with pytest.raises(UserError, match="localhost"):
        Guard(allow=("localhost",))


@pytest.mark.parametrize(
    "literal",
    "127.0.0.2 2130706434 0x7f000002 0177.0.0.2 127.2 0x7f.2 [::1] [::ffff:127.0.0.2] [::ffff:7f00:2] "
    "[2002:7f00:2::] [64:ff9b::7f00:2] 169.254.169.254 １２７.0.0.2 127.0.0.2.".split(),
)
def test_literals_in_any_notation_are_refused(crawl, literal):
    url = canonical(f"http://{literal}/latest/meta-data/")
    done = crawl(url)
    assert done.outcomes() == [(url, "guard_refused")]
    assert not done.outcomes("robots")


@pytest.mark.parametrize("host", ["127.0.0.2", "[::1]", "localhost.test", "0x7f.0.0.2"])
def test_a_redirect_to_a_private_address_goes_nowhere(server, make_server, crawl, host):
    crawl.resolver = StaticResolver({"a.test": ("127.0.0.1",), "localhost.test": ("127.0.0.2",)})
    url = server.on("a.test", lambda c: c.redirect(f"http://{host}:{server.port}/secret"))
    target = crawl(url).of(url).fetch.location
    done = crawl(target)
    assert done.outcomes() == [(target, "guard_refused")]
    assert [seen.path for seen in server.seen] == ["/robots.txt", "/page"]


def test_a_name_that_starts_to_point_inwards_is_refused_from_then_on(server, crawl):
    answers = iter([("127.0.0.1",), ("127.0.0.2",), ("127.0.0.2",)])

    async def rebinding(_host):
        return next(answers)

    crawl.resolver = rebinding
    first, second = server.url("rebind.test", "/1"), server.url("rebind.test", "/2")
    assert crawl(first).outcomes() == [(first, "ok")]
    assert crawl(second).outcomes() == [(second, "guard_refused")]


def test_of_several_addresses_only_the_public_ones_are_tried(server, crawl):
    crawl.resolver = StaticResolver({"*": ("10.0.0.1", "127.0.0.1", "::1")})
    url = server.url("mixed.test")
    done = crawl(url)
    assert done.outcomes() == [(url, "ok")] and done.seconds < 8


def test_the_connect_itself_is_guarded(server):
    """What a resolver said is not trusted again: the socket is refused by the address it would go to."""

    async def fetch(address):
        client = Client(FetchSettings(contact="t@example.org", allow=("127.0.0.1",)))
        try:
            return await client.get(server.url("a.test"), Route("a.test", server.port, (address,)))
        finally:
            client.close()

    assert asyncio.run(fetch("127.0.0.1")).status == 200
    refused = asyncio.run(fetch("127.0.0.2"))
    assert (refused.outcome, refused.detail) == ("guard_refused", "127.0.0.2 is loopback")
    assert len(server.seen) == 1


@pytest.mark.parametrize("port", [22, 25, 6379])
def test_ports_of_other_protocols_are_refused(crawl, port):
    url = f"http://a.test:{port}/"
    assert crawl(url).outcomes() == [(url, "guard_refused")]


def test_credentials_in_a_url_are_not_sent(server, crawl):
    url = canonical(server.url("user:secret@a.test"))
    assert crawl(url).of(url).fetch.outcome == "ok"
    assert not any("authorization" in seen.headers for seen in server.seen)


def test_only_http_and_https_are_fetched(crawl):
    from corpulyzer.web.fetch.recorder import Request

    done = crawl(Request("ftp://a.test/x", 1, "a.test"), Request("file:///etc/passwd", 2, ""))
    assert {outcome for _, outcome in done.outcomes()} == {"invalid_url"}
