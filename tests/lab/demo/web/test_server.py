"""The built-in web over real sockets, as a proxy and by virtual host."""

import gzip
import http.client
import json
import signal
import socket
import subprocess
import sys
import time

import pytest

from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.lab.demo.web.server import LogLine
from corpulyzer.lab.demo.web.sites import Place


@pytest.fixture(scope="module")
def web():
    return BuiltInWeb("hrv", seed=2, sites=40, pages=1_500)


@pytest.fixture(scope="module")
def server(web):
    with web.serve(slowness=0.2) as server:
        yield server


@pytest.fixture
def client(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    yield connection
    connection.close()


def get(client, url, method="GET", **headers):
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    client.request(method, url, headers=names)
    response = client.getresponse()
    return response, response.read()


def article(web, status=200):
    for site in web.plan:
        for edition in site.editions:
            for number in range(edition.size):
                url = web.addresses.article(site, edition, number)
                if web.truth(url).status == status:
                    return url
    raise AssertionError(f"no article with status {status}")


def test_the_proxy_serves_what_the_web_has_over_one_connection(web, client, server):
    before = len(server.log)
    for url in web.seeds(10):
        response, body = get(client, url)
        assert response.status == 200 and body == web.page(url).body
        assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert [line.url for line in server.log[before:]] == list(web.seeds(10))
    assert {line.status for line in server.log[before:]} == {200}


def test_a_virtual_host_is_told_by_its_name(web, client):
    url = web.seeds(1)[0]
    _, host, path = url.replace("http://", "/").split("/", 2)
    response, body = get(client, f"/{path}", Host=host)
    assert response.status == 200 and body == web.page(url).body


def test_head_has_the_length_and_no_body(web, client):
    url = web.seeds(1)[0]
    response, body = get(client, url, "HEAD")
    assert body == b"" and int(response.headers["Content-Length"]) == len(web.page(url).body)
    assert get(client, url)[0].status == 200


def test_gzip_is_sent_to_those_who_accept_it(web, client):
    url = web.seeds(1)[0]
    response, body = get(client, url, Accept_Encoding="gzip, br")
    assert response.headers["Content-Encoding"] == "gzip"
    assert len(body) == int(response.headers["Content-Length"]) < len(web.page(url).body)
    assert gzip.decompress(body) == web.page(url).body


def test_an_unchanged_page_is_not_sent_again(web, client):
    url = web.seeds(1)[0]
    first, _ = get(client, url)
    again, body = get(client, url, If_None_Match=first.headers["ETag"])
    assert (again.status, body) == (304, b"")
    again, body = get(client, url, If_Modified_Since=first.headers["Last-Modified"])
    assert (again.status, body) == (304, b"")
    assert get(client, url, If_None_Match='"another"')[0].status == 200


def test_redirects_and_errors(web, client):
    moved = article(web, 301)
    response, _ = get(client, moved)
    assert response.status == 301 and response.headers["Location"] == web.truth(moved).location
    assert get(client, article(web, 404))[0].status == 404
    assert get(client, article(web, 500))[0].status == 500
    assert get(client, "http://gone1.test/")[0].status == 502


def test_a_reset_is_a_reset_and_is_logged(web, client, server):
    url = article(web, 0)
    with pytest.raises(ConnectionResetError):
        get(client, url)
    assert (server.log[-1].url, server.log[-1].status) == (url, 0)


def test_robots_txt_is_served_for_each_host(web, client):
    host = next(site.editions[0].host for site in web.plan if site.disallow)
    response, body = get(client, f"http://{host}/robots.txt")
    assert response.headers["Content-Type"] == "text/plain" and b"Disallow" in body


def test_slow_sites_are_slow_and_hold_up_nobody_else(web, server):
    slow = next(site for site in web.plan if site.kind == "slow")
    url = web.addresses.of(Place(slow, slow.editions[0], "home"))
    waiting = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    start = time.monotonic()
    waiting.request("GET", url)
    quick = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    get(quick, f"http://{slow.editions[0].host}/robots.txt")
    between = time.monotonic() - start
    assert waiting.getresponse().read() == web.page(url).body
    assert time.monotonic() - start >= slow.slowness * 0.2 * 0.9
    assert between < time.monotonic() - start
    for connection in (waiting, quick):
        connection.close()


def test_requests_sent_at_once_are_answered_in_order(web, server):
    first, second = web.seeds(2)
    wish = f"GET {first} HTTP/1.1\r\nHost: a\r\n\r\nGET {second} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as plain:
        plain.sendall(wish.encode())
        received = b""
        while part := plain.recv(65_536):
            received += part
    assert received.index(web.page(first).body) < received.index(web.page(second).body)


def test_what_is_no_get_is_refused(server):
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as plain:
        plain.sendall(b"CONNECT a.example:443 HTTP/1.1\r\n\r\n")
        assert plain.recv(100).startswith(b"HTTP/1.1 501")


def test_the_log_can_be_a_file_too(web, tmp_path):
    with web.serve(log_path=tmp_path / "log.jsonl") as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        get(connection, web.seeds(1)[0], User_Agent="reader/1")
        connection.close()
    (written,) = (tmp_path / "log.jsonl").read_text("utf-8").splitlines()
    line = LogLine(**json.loads(written))
    assert line == server.log[0]
    assert (line.url, line.status, line.agent) == (web.seeds(1)[0], 200, "reader/1")


def test_a_person_can_serve_a_web_and_is_told_how_it_was_crawled(tmp_path):
    command = [
        sys.executable,
        "-m",
        "corpulyzer.lab.demo.web",
        "--target",
        "slv",
        "--sites",
        "20",
        "--pages",
        "200",
    ]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        port = int(process.stdout.readline().rpartition(":")[2])
        seeds = (tmp_path / "seeds.txt").read_text().split()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        for url in seeds[:10]:
            assert get(connection, url)[0].status == 200
        connection.close()
        process.send_signal(signal.SIGINT)
        printed = process.communicate(timeout=600)[0]
    assert "10 requests, 10 good pages: yield 1.000" in printed and "breaches: 0 of robots.txt" in printed


def test_the_port_is_free_again_when_the_block_ends(web):
    with web.serve() as server:
        port = server.port
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=2)
