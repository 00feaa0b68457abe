"""The explorer or the desk on a socket: on this machine only, or with a token."""

from __future__ import annotations

import ipaddress
import secrets
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from corpulyzer.api.corpus import open_corpus
from corpulyzer.errors import UserError
from corpulyzer.serve.desk.app import Desk
from corpulyzer.serve.desk.corpora import is_corpus
from corpulyzer.serve.explorer import Explorer
from corpulyzer.serve.security import Gate
from corpulyzer.storage import is_remote

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")


def served_at(folder: str, host: str) -> Explorer | Desk:
    """The explorer of a corpus folder, or the desk of a folder that is none but may have some in it.

    With a token if others than this machine can reach it.
    """
    token = "" if _is_loopback(host) else secrets.token_urlsafe(18)
    gate = Gate(tuple(dict.fromkeys((*LOOPBACK_NAMES, host.lower()))), token)
    if not is_remote(folder) and Path(folder).is_dir() and not is_corpus(Path(folder)):
        return Desk(Path(folder).resolve(), gate)
    open_corpus(folder)  # says what is wrong with it before anybody waits for a page
    return Explorer(folder, gate)


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


def run(served: Explorer | Desk, opened: socket.socket, address: str = "") -> None:
    """Serve until interrupted; with an address, a browser is sent there."""
    import uvicorn

    from corpulyzer.serve import app
    from corpulyzer.serve.desk import app as desk

    config = uvicorn.Config(
        desk.application(served) if isinstance(served, Desk) else app.application(served),
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
