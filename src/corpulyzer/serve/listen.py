"""The explorer on a socket: on this machine only, or with a token."""

from __future__ import annotations

import ipaddress
import secrets
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from corpulyzer.api.corpus import open_corpus
from corpulyzer.errors import UserError
from corpulyzer.serve.explorer import Explorer
from corpulyzer.serve.security import Gate

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")


def explorer_at(folder: str, host: str) -> Explorer:
    """The explorer of a corpus folder; with a token if others than this machine can reach it."""
    open_corpus(folder)  # says what is wrong with it before anybody waits for a page
    token = "" if _is_loopback(host) else secrets.token_urlsafe(18)
    return Explorer(folder, Gate(tuple(dict.fromkeys((*LOOPBACK_NAMES, host.lower()))), token))


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that listens; UserError if it cannot."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        opened = socket.create_server((host, port), family=family)
    except OSError as error:
        hint = "Choose another with --port, or --port 0 for one that is free."
        raise UserError(f"Cannot listen on {host} port {port}: {error.strerror}.", hint) from None
    with opened:
        yield opened


def run(explorer: Explorer, opened: socket.socket, address: str = "") -> None:
    """Serve until interrupted; with an address, a browser is sent there."""
    import uvicorn

    from corpulyzer.serve.app import application

    config = uvicorn.Config(
        application(explorer),
        log_level="warning",
        lifespan="off",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=2,
    )
    sys.stdout.flush()
    if address:
        import webbrowser

        webbrowser.open(address)
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[opened])


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
