"""HTTP requests to services that the user names: connections are reused, and busy servers asked again.

No redirect is followed and no address is refused: whoever names a service may name a local one. Errors name
the host alone, because the rest of an address may hold a key.
"""

from __future__ import annotations

import os
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import corpulyzer

if TYPE_CHECKING:
    import pycurl

MAX_BYTES = 1 << 30
CONNECT_SECONDS = 20
MOST_DIGITS = 9
"""A Retry-After with more digits is ignored."""
# A transfer slower than this for so long has stalled.
SLOW_BYTES_A_SECOND, SLOW_SECONDS = 100, 30
BUSY = frozenset((429, 500, 502, 503, 504))

_handles = threading.local()


class ConnectionLostError(OSError):
    """There was no whole answer: the host could not be reached, or the connection broke off."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response: its status, its headers (names in lower case), and its whole body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Patience:
    """Asks again where a server is busy or a connection breaks, with pauses that double.

    What a server says in Retry-After wins over a pause of our own, up to `longest_seconds`.
    """

    tries: int = 6
    first_seconds: float = 0.5
    longest_seconds: float = 60.0
    sleep: Callable[[float], None] = time.sleep

    def __call__(self, ask: Callable[[], Answer]) -> Answer:
        """The first answer that is not `BUSY`, or the last; ConnectionLostError if there is none at all."""
        for number in range(self.tries):
            last = number == self.tries - 1
            try:
                answer = ask()
            except ConnectionLostError:
                if last:
                    raise
                self.sleep(self._pause(number))
                continue
            if last or answer.status not in BUSY:
                return answer
            said = retry_after(answer.headers)
            self.sleep(self._pause(number) if said is None else min(said, self.longest_seconds))
        raise ValueError("patience needs at least one try")

    def _pause(self, number: int) -> float:
        return float(min(self.first_seconds * 2**number, self.longest_seconds))


def get(
    url: str,
    *,
    headers: Sequence[str] = (),
    span: tuple[int, int] | None = None,
    max_bytes: int = MAX_BYTES,
) -> Answer:
    """The answer to one request; `span` asks for the bytes from the first up to, not with, the second."""
    import pycurl

    easy = _handle()
    head: list[bytes] = []
    body = bytearray()

    def take(piece: bytes) -> int | None:
        body.extend(piece)
        return None if len(body) <= max_bytes else -1

    easy.setopt(pycurl.URL, url)
    easy.setopt(pycurl.HTTPHEADER, [f"User-Agent: Corpulyzer/{corpulyzer.__version__}", *headers])
    easy.setopt(pycurl.HEADERFUNCTION, head.append)
    easy.setopt(pycurl.WRITEFUNCTION, take)
    if span is None:
        easy.unsetopt(pycurl.RANGE)
    else:
        easy.setopt(pycurl.RANGE, f"{span[0]}-{span[1] - 1}")
    try:
        easy.perform()
    except pycurl.error as error:
        if len(body) > max_bytes:
            raise ConnectionLostError(f"{host_of(url)} sends more than {max_bytes:,} bytes") from None
        raise ConnectionLostError(f"{host_of(url)}: {_why(error)}") from None
    return Answer(int(easy.getinfo(pycurl.RESPONSE_CODE)), _fields(head), bytes(body))


def host_of(url: str) -> str:
    """The host and port of a URL, without user name and password, so that messages can show it."""
    return urlsplit(url).netloc.rpartition("@")[2]


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that a server asks to be left alone; None where it says nothing.

    >>> retry_after({"retry-after": "3"}), retry_after({})
    (3.0, None)
    """
    said = headers.get("retry-after", "").strip()
    if said.isascii() and said.isdigit():
        return float(said[:MOST_DIGITS])
    try:
        return max(0.0, (parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def _handle() -> pycurl.Curl:
    """This thread's handle, with its connections; a forked process makes its own."""
    import pycurl

    owner = getattr(_handles, "owner", None)
    if owner == os.getpid():
        return _handles.easy
    easy = pycurl.Curl()
    easy.setopt(pycurl.NOSIGNAL, 1)
    easy.setopt(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
    easy.setopt(pycurl.FOLLOWLOCATION, 0)
    easy.setopt(pycurl.ACCEPT_ENCODING, "")
    easy.setopt(pycurl.CONNECTTIMEOUT, CONNECT_SECONDS)
    easy.setopt(pycurl.LOW_SPEED_LIMIT, SLOW_BYTES_A_SECOND)
    easy.setopt(pycurl.LOW_SPEED_TIME, SLOW_SECONDS)
    easy.setopt(pycurl.CAINFO, system_certificates())
    _handles.easy, _handles.owner = easy, os.getpid()
    return easy


def system_certificates() -> str:
    """The certificates that this machine trusts, else those that come with Python's packages."""
    paths = ssl.get_default_verify_paths()
    for file in (os.environ.get(paths.openssl_cafile_env), paths.cafile, paths.openssl_cafile):
        if file and os.path.exists(file):
            return file
    import certifi

    return certifi.where()


def _fields(lines: Sequence[bytes]) -> dict[str, str]:
    """The headers of the last response; interim ones (100 Continue) may come before it."""
    found: dict[str, str] = {}
    for line in lines:
        if line.startswith(b"HTTP/"):
            found = {}
        name, colon, value = line.decode("latin-1").partition(":")
        if colon:
            found[name.strip().lower()] = value.strip()
    return found


def _why(error: Exception) -> str:
    """What went wrong, in our own words: libcurl's message may quote the address, which may hold a key."""
    code = error.args[0] if error.args else 0
    names = {
        5: "its proxy cannot be found",
        6: "there is no such host",
        7: "nobody answers there",
        18: "the connection broke off",
        28: "it takes too long",
        35: "the encrypted connection failed",
        52: "it closed the connection without an answer",
        56: "the connection broke off",
        60: "its certificate is not trusted",
    }
    return names.get(code, f"the request failed (libcurl error {code})")
