"""A local S3 server, in a process of its own: in ours, a client that holds the interpreter would wait for itself."""

import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from ports import free_port
from processes import wait_for

KEYS = {"AWS_ACCESS_KEY_ID": "someone", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}


@contextmanager
def s3_server() -> Iterator[Mapping[str, str]]:
    """A server without buckets; gives the environment that leads to it."""
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    endpoint = f"http://127.0.0.1:{port}"
    try:
        wait_for(lambda: server.poll() is not None or _answers(endpoint), 180)
        assert server.poll() is None, "the server ended at once: is moto[s3,server] installed?"
        yield {**KEYS, "AWS_ENDPOINT_URL": endpoint}
    finally:
        server.kill()
        server.wait()


def make_bucket(variables: Mapping[str, str], name: str) -> str:
    """An empty bucket on the server that these variables lead to; returns its URI."""
    asked = urllib.request.Request(f"{variables['AWS_ENDPOINT_URL']}/{name}", method="PUT")
    urllib.request.urlopen(asked, timeout=60).close()
    return f"s3://{name}"


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
