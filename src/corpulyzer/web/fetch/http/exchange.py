"""One request and what came of it, and the names of the ways in which that can fail."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import pycurl

# libcurl's numbers that pycurl has no names for.
_E_TOO_LARGE = 100
_E_PROXY = 97
_E_HTTP2_STREAM = 92

_NAMES = {
    pycurl.E_COULDNT_RESOLVE_HOST: "dns",
    pycurl.E_COULDNT_RESOLVE_PROXY: "proxy",
    _E_PROXY: "proxy",
    pycurl.E_COULDNT_CONNECT: "connect",
    pycurl.E_GOT_NOTHING: "reset",
    pycurl.E_RECV_ERROR: "reset",
    pycurl.E_SEND_ERROR: "reset",
    pycurl.E_PARTIAL_FILE: "reset",
    pycurl.E_URL_MALFORMAT: "invalid_url",
    pycurl.E_SSL_CONNECT_ERROR: "tls",
    pycurl.E_PEER_FAILED_VERIFICATION: "tls",
    pycurl.E_SSL_CACERT_BADFILE: "tls",
    pycurl.E_SSL_CERTPROBLEM: "tls",
    pycurl.E_SSL_CIPHER: "tls",
    pycurl.E_SSL_ISSUER_ERROR: "tls",
    pycurl.E_SSL_INVALIDCERTSTATUS: "tls",
    pycurl.E_FTP_WEIRD_SERVER_REPLY: "bad_response",
    pycurl.E_UNSUPPORTED_PROTOCOL: "bad_response",
    pycurl.E_HTTP2: "bad_response",
    _E_HTTP2_STREAM: "bad_response",
    _E_TOO_LARGE: "head_too_large",
}
_TRUNCATED = {"timeout_total": "time", "too_slow": "time", "length": "length"}


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request as sent, and the response as received; or with an `outcome`, the reason why there is none.

    `truncated` says why a body is cut, in the words of WARC-Truncated; empty for a whole one.
    """

    url: str
    date: datetime
    milliseconds: int
    request: bytes = b""
    head: bytes = b""
    body: bytes = b""
    status: int = 0
    ip: str = ""
    truncated: str = ""
    outcome: str = ""
    detail: str = ""

    @property
    def begun(self) -> float:
        return self.date.timestamp()

    @property
    def seconds(self) -> float:
        return self.milliseconds / 1000


def failure_name(code: int) -> str:
    """The outcome that an error of libcurl stands for."""
    return _NAMES.get(code, "failed")


def truncation(outcome: str) -> str:
    """Why a body that began to arrive is not whole."""
    return _TRUNCATED.get(outcome, "disconnect")
