"""TLS is verified, HTTP/2 is spoken, and what fails says why."""

from __future__ import annotations

import socket
import ssl
from datetime import UTC, datetime

import h2.config
import h2.connection
import h2.events
import pytest
import trustme
from fastwarc.warc import ArchiveIterator


@pytest.fixture(scope="module")
def authority():
    return trustme.CA()


@pytest.fixture
def trusted(authority, tmp_path):
    file = tmp_path / "authority.pem"
    authority.cert_pem.write_to_path(str(file))
    return str(file)


def wrapper(certificate, *protocols):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    if protocols:
        context.set_alpn_protocols(list(protocols))
    return lambda connection: context.wrap_socket(connection, server_side=True)


@pytest.mark.smoke
def test_a_valid_certificate_is_accepted(make_server, crawl, authority, trusted):
    server = make_server(wrapper(authority.issue_cert("a.test")))
    url = server.url("a.test", scheme="https")
    assert crawl(url, certificates=trusted).outcomes() == [(url, "ok")]


@pytest.mark.parametrize("fault", ["unknown authority", "other name", "expired"])
def test_a_bad_certificate_is_a_recorded_failure(make_server, crawl, authority, trusted, fault):
    certificate = {
        "unknown authority": lambda: trustme.CA().issue_cert("a.test"),
        "other name": lambda: authority.issue_cert("b.test"),
        "expired": lambda: authority.issue_cert("a.test", not_after=datetime(2020, 1, 1, tzinfo=UTC)),
    }[fault]()
    server = make_server(wrapper(certificate))
    url = server.url("a.test", scheme="https")
    done = crawl(url, certificates=trusted)
    assert done.outcomes() == [(url, "robots_unreachable")] and done.of(url).fetch.detail == "tls"
    robots = done.of(server.url("a.test", "/robots.txt", "https")).fetch
    assert robots.outcome == "tls" and "certificate" in robots.detail
    assert not server.seen


def test_a_server_that_speaks_no_tls_is_a_tls_failure(make_server, crawl, trusted):
    def plain(connection: socket.socket) -> socket.socket:
        connection.recv(1 << 16)
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        return connection

    url = make_server(plain).url("a.test", scheme="https")
    done = crawl(url, certificates=trusted)
    assert done.outcomes("robots")[0][1] == "tls"


def test_a_handshake_that_never_ends_is_a_timeout(make_server, crawl, trusted):
    def stall(connection: socket.socket) -> socket.socket:
        connection.recv(1 << 16)
        connection.recv(1 << 16)
        return connection

    url = make_server(stall).url("a.test", scheme="https")
    done = crawl(url, certificates=trusted, connect_seconds=1.0)
    assert done.outcomes("robots")[0][1] == "timeout_connect"


def speak_http2(connection: socket.socket) -> socket.socket:
    """Answer requests in HTTP/2 until the other side ends; the server's own loop then sees no more bytes."""
    state = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    state.initiate_connection()
    connection.sendall(state.data_to_send())
    while data := connection.recv(1 << 16):
        for event in state.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                status = "404" if dict(event.headers)[b":path"] == b"/robots.txt" else "200"
                state.send_headers(event.stream_id, [(":status", status), ("content-type", "text/html")])
                state.send_data(event.stream_id, b"<p>two</p>", end_stream=True)
        connection.sendall(state.data_to_send())
    return connection


def test_http_2_is_spoken_and_stored_so_that_all_can_read_it(make_server, crawl, authority, trusted):
    wrap = wrapper(authority.issue_cert("a.test"), "h2", "http/1.1")
    server = make_server(lambda connection: speak_http2(wrap(connection)))
    url = server.url("a.test", scheme="https")
    done = crawl(url, certificates=trusted)
    assert done.outcomes() == [(url, "ok")] and done.of(url).body == b"<p>two</p>"
    (file,) = done.folder.glob("*.warc.gz")
    with open(file, "rb") as stream:
        page = next(
            r for r in ArchiveIterator(stream, parse_http=False) if r.headers.get("WARC-Target-URI") == url
        )
        assert page.headers["WARC-Protocol"] == "h2"
        assert page.reader.read().startswith(b"HTTP/1.1 200")
