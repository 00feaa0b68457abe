"""Through a forward proxy, by setting or by environment, without looking up a single name."""

from __future__ import annotations

import socket
import threading
import time

import pytest

from corpulyzer.errors import UserError
from corpulyzer.web.fetch.http.proxy import Proxies, address_of, must_be_there, proxies
from corpulyzer.web.fetch.http.resolve import UnresolvedError


async def nobody(host):
    raise AssertionError(f"{host} was looked up")


@pytest.fixture
def behind(server, crawl):
    """A crawl through the test server as a proxy: absolute requests come in with the sites' own names."""
    crawl.resolver = nobody
    crawl.settings["proxy"] = f"http://127.0.0.1:{server.port}"
    return crawl


def test_pages_come_through_the_proxy_and_no_name_is_looked_up(server, behind):
    urls = [f"http://s{n}.example/page" for n in range(30)]
    done = behind(*urls)
    assert sorted(done.outcomes()) == sorted((url, "ok") for url in urls)
    assert {seen.raw.split(b" ")[1] for seen in server.seen} >= {url.encode() for url in urls}


def test_the_request_is_stored_as_the_proxy_saw_it(server, behind):
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    done = behind("http://a.example/x")
    (file,) = done.folder.glob("*.warc.gz")
    with open(file, "rb") as stream:
        sent = [
            r.reader.read()
            for r in ArchiveIterator(stream, record_types=WarcRecordType.request, parse_http=False)
        ]
    assert sorted(sent) == sorted(seen.raw for seen in server.seen)
    assert b"GET http://a.example/x HTTP/1.1\r\n" in b"".join(sent)


def test_a_proxys_connection_serves_one_page_after_the_other(server, behind):
    ports = set()

    def note(c):
        ports.add(c.connection.getpeername()[1])
        c.reply()

    server.on("a.example", note)
    done = behind(*(f"http://a.example/{n}" for n in range(5)))
    assert [outcome for _, outcome in done.outcomes()] == ["ok"] * 5
    assert len(ports) == 1


def test_a_request_that_a_kept_connection_loses_is_not_repeated(server, behind):
    """libcurl would ask again on another connection, and the server see more than we record."""
    hosts = [f"s{n}.example" for n in range(8)]
    for host in hosts:
        server.on(host, lambda c: c.reset() if c.path == "/lost" else (time.sleep(0.05), c.reply()))
    done = behind(*(f"http://{host}/{path}" for host in hosts for path in ("kept", "lost", "after")))
    wanted = {"kept": "ok", "lost": "reset", "after": "ok"}
    assert {(url.rpartition("/")[2], outcome) for url, outcome in done.outcomes()} == set(wanted.items())
    assert [len(server.pages_of(host)) for host in hosts] == [3] * 8


@pytest.mark.parametrize("pause", [0.0, 0.05])
def test_what_comes_behind_a_response_is_not_taken_for_another_sites(server, behind, pause):
    forged = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"

    def two_answers(c):
        c.reply()
        time.sleep(pause)
        c.send(forged)

    server.on("evil.example", two_answers)
    urls = [f"http://{host}.example/{n}" for n in range(5) for host in ("evil", "good")]
    done = behind(*urls, delay_seconds=0.1)
    of_good = [result for result in done.results if result.fetch.site == "good.example"]
    assert len(of_good) == 6 and b"forged" not in {result.body for result in of_good}


def test_behind_a_proxy_each_site_still_has_its_own_pace(server, behind):
    hosts = ["a.example", "b.example", "c.example"]
    done = behind(*(f"http://{host}/{n}" for host in hosts for n in range(2)), delay_seconds=1.0)
    assert len(done.outcomes()) == 6 and 2 <= done.seconds < 7
    assert all(server.most_at_once[host] == 1 for host in hosts)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.2/x",
        "http://[::1]/",
        "http://localhost/",
        "http://metadata.google.internal/",
        "http://nas/",
    ],
)
def test_local_addresses_and_names_are_refused_before_the_proxy(server, behind, url):
    assert behind(url).outcomes() == [(url, "guard_refused")]
    assert not server.seen


def test_the_guard_can_be_lifted_behind_a_proxy(server, behind):
    done = behind("http://127.0.0.2/x", "http://nas/", allow_private=True)
    assert sorted(outcome for _, outcome in done.outcomes()) == ["ok", "ok"]


def test_only_the_proxys_own_address_is_exempt(server, crawl):
    """Guarded against everything, with a proxy on loopback: the proxy is reached, the rest is not."""
    crawl.settings.update(proxy=f"http://127.0.0.1:{server.port}", allow=())
    assert crawl("http://a.example/").outcomes() == [("http://a.example/", "ok")]
    assert crawl("http://127.0.0.1/").outcomes() == [("http://127.0.0.1/", "guard_refused")]


@pytest.mark.parametrize("name", ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"])
def test_the_environment_names_the_proxy_in_either_case(server, crawl, name):
    crawl.resolver = nobody
    crawl.options["environment"] = {name: f"http://127.0.0.1:{server.port}"}
    assert crawl("http://a.example/").outcomes() == [("http://a.example/", "ok")]


def test_the_environment_of_the_process_alone_changes_nothing(server, crawl, monkeypatch):
    """libcurl must not read variables behind our back."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "nothing")
    url = server.url("a.test")
    assert crawl(url).outcomes() == [(url, "ok")]


def test_hosts_can_be_excepted(server, crawl):
    crawl.options["environment"] = {"http_proxy": "http://127.0.0.1:9", "NO_PROXY": "other, .test"}
    url = server.url("a.test")
    assert crawl(url).outcomes() == [(url, "ok")]


@pytest.mark.parametrize(
    "entry, host, excepted",
    [
        ("a.pk", "a.pk", True),
        ("a.pk", "x.a.pk", True),
        ("a.pk", "ba.pk", False),
        (".a.pk", "x.a.pk", True),
        ("*.a.pk", "x.a.pk", True),
        ("*", "anything", True),
        ("10.0.0.0/8", "10.9.9.9", True),
        ("10.0.0.0/8", "11.9.9.9", False),
        ("::1", "[::1]", True),
        ("a.pk:8080", "a.pk", True),
    ],
)
def test_exceptions(entry, host, excepted):
    assert (Proxies("http://p:1", "http://p:1", (entry,)).for_host("http", host) == "") == excepted


def test_https_is_asked_of_its_own_variable():
    found = proxies("", {"http_proxy": "p:1", "HTTPS_PROXY": "http://q:2"})
    assert found.for_host("http", "a") == "http://p:1" and found.for_host("https", "a") == "http://q:2"
    assert address_of("http://p") == ("p", 80) and address_of("http://u:w@p:3128") == ("p", 3128)


@pytest.mark.parametrize("bad", ["ftp://x", "http://", "http://x:port", "http://x:0"])
def test_what_is_no_proxy_is_an_error_that_says_how(bad):
    with pytest.raises(UserError, match="HOST:PORT"):
        proxies(bad, {})


def test_a_proxy_that_is_not_there_says_nothing_about_the_pages_behind_it(crawl, make_server):
    gone = make_server()
    gone.close()
    done = crawl("http://a.example/", "https://b.example/", proxy=f"http://127.0.0.1:{gone.port}")
    assert not done.results
    assert {(left.request.url, left.reason) for left in done.left} == {
        ("http://a.example/", "proxy"),
        ("https://b.example/", "proxy"),
    }


def test_a_proxy_whose_name_is_unknown_says_nothing_about_the_pages_behind_it(crawl):
    async def unknown(_host):
        raise UnresolvedError("no such name")

    crawl.resolver = unknown
    done = crawl("http://a.example/", proxy="http://proxy.example:3128")
    assert not done.results and [left.reason for left in done.left] == ["proxy"]


def test_a_proxy_must_take_connections(server, make_server):
    must_be_there(proxies("", {}))
    must_be_there(proxies(f"http://127.0.0.1:{server.port}", {}))
    gone = make_server()
    gone.close()
    with pytest.raises(UserError, match=f"127.0.0.1:{gone.port} cannot be reached") as error:
        must_be_there(proxies(f"http://user:word@127.0.0.1:{gone.port}", {}), pause_seconds=0)
    assert "--proxy" in error.value.hint and "word" not in str(error.value)


class Tunnel:
    """A proxy that connects to one port for whatever is asked, or refuses."""

    def __init__(
        self, port: int, answer: bytes = b"HTTP/1.1 200 Connection established\r\nVia: t\r\n\r\n"
    ) -> None:
        self.asked: list[bytes] = []
        self._port, self._answer = port, answer
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            connection, _ = self._socket.accept()
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        self.asked.append(connection.recv(1 << 16).split(b"\r\n")[0])
        connection.sendall(self._answer)
        if b" 200 " not in self._answer:
            connection.close()
            return
        other = socket.create_connection(("127.0.0.1", self._port))
        threading.Thread(target=_pump, args=(connection, other), daemon=True).start()
        _pump(other, connection)


def _pump(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(1 << 16):
            target.sendall(data)
    except OSError:
        return


def test_https_goes_through_a_tunnel(make_server, crawl, tmp_path):
    import ssl

    import trustme

    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("a.example").configure_cert(context)
    server = make_server(lambda connection: context.wrap_socket(connection, server_side=True))
    tunnel = Tunnel(server.port)
    crawl.resolver = nobody
    done = crawl("https://a.example/page", proxy=tunnel.url, certificates=str(tmp_path / "ca.pem"))
    assert done.outcomes() == [("https://a.example/page", "ok")]
    assert tunnel.asked[0] == b"CONNECT a.example:443 HTTP/1.1"
    assert b"Via" not in done.of("https://a.example/page").body


def test_a_proxy_that_refuses_a_tunnel_is_not_mistaken_for_the_site(crawl, server):
    tunnel = Tunnel(server.port, b"HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\n\r\nnono")
    crawl.resolver = nobody
    done = crawl("https://a.example/page", proxy=tunnel.url)
    assert done.outcomes("robots")[0][1] == "proxy"
    assert done.outcomes() == [("https://a.example/page", "robots_unreachable")]
