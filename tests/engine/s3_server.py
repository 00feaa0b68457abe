"""A local S3 server, in a process of its own: in ours, a client that holds the interpreter would wait for itself."""

import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ports import free_port
from processes import wait_for

KEYS = {"AWS_ACCESS_KEY_ID": "someone", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}

SERVER = Path(__file__).with_name("moto_by_turns.py")
LOG = "S3_SERVER_LOG"
"""The variable that says where the server writes a line for each request."""


@contextmanager
def s3_server(log: Path) -> Iterator[Mapping[str, str]]:
    """A server without buckets; gives the environment that leads to it."""
    port = free_port()
    command = [sys.executable, str(SERVER), "-H", "127.0.0.1", "-p", str(port)]
    with log.open("wb") as said:
        server = subprocess.Popen(command, stdout=said, stderr=said)
    endpoint = f"http://127.0.0.1:{port}"
    try:
        wait_for(lambda: server.poll() is not None or _answers(endpoint), 180)
        assert server.poll() is None, "the server ended at once: is moto[s3,server] installed?"
        yield {**KEYS, "AWS_ENDPOINT_URL": endpoint, LOG: str(log)}
    finally:
        server.kill()
        server.wait()


def make_bucket(variables: Mapping[str, str], name: str) -> str:
    """An empty bucket on the server that these variables lead to; returns its URI."""
    asked = urllib.request.Request(f"{variables['AWS_ENDPOINT_URL']}/{name}", method="PUT")
    urllib.request.urlopen(asked, timeout=60).close()
    return f"s3://{name}"


@contextmanager
def requests(variables: Mapping[str, str]) -> Iterator[list[str]]:
    """The requests that the server gets while the context lasts, in the list when it has ended."""
    log, found = Path(variables[LOG]), list[str]()
    begun = log.stat().st_size
    yield found
    lines = log.read_bytes()[begun:].decode("utf-8", "replace").splitlines()
    found += [line.split('"')[1] for line in lines if "HTTP/1" in line]


def _answers(endpoint: str) -> bool:
    try:
        urllib.request.urlopen(endpoint, timeout=5).close()
    except (urllib.error.URLError, OSError):
        return False
    return True


@contextmanager
def environment(variables: Mapping[str, str]) -> Iterator[None]:
    """These variables for as long as the context lasts."""
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
