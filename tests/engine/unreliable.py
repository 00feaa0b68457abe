"""A way to an S3 server on which requests and answers get lost, as a test wants it."""

import http.client
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEPT_APART = {"transfer-encoding", "connection", "content-length", "expect"}
CONDITIONS = {"if-match", "if-none-match"}
CONDITIONS_ARE = {"unknown": (501, "NotImplemented"), "refused": (400, "InvalidArgument")}


class Way(ThreadingHTTPServer):
    """`fault` is asked what befalls a put: nothing, its answer is `lost` or `late`, its condition is `ignored`.

    Or the store refuses it with a status and a code; if its condition is `unknown` or `refused`, with those of
    CONDITIONS_ARE. Gets may be lost as well.
    """

    daemon_threads = True
    fault: Callable[[], str | tuple[int, str]] = staticmethod(lambda: "")
    loses_gets = False

    def __init__(self, endpoint: str) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.server = endpoint.removeprefix("http://")
        self.is_over = threading.Event()

    def befall(self, *faults: str | tuple[int, str]) -> None:
        """Have the next puts meet these faults, one after the other, and those after them none."""
        left = iter(faults)
        self.fault = lambda: next(left, "")


class _Passing(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Way

    def do_GET(self) -> None:
        self._pass("lost" if self.server.loses_gets else "")

    def do_HEAD(self) -> None:
        self._pass("")

    def do_DELETE(self) -> None:
        self._pass("")

    def do_PUT(self) -> None:
        self._pass(self.server.fault())

    def _pass(self, fault: str | tuple[int, str]) -> None:
        body = self._body()
        if fault in CONDITIONS_ARE:
            fault = CONDITIONS_ARE[fault] if CONDITIONS & {name.lower() for name in self.headers} else ""
        if isinstance(fault, tuple):
            self._answer(fault[0], {}, f"<Error><Code>{fault[1]}</Code></Error>".encode())
            return
        left_out = KEPT_APART | (CONDITIONS if fault == "ignored" else set())
        store = http.client.HTTPConnection(self.server.server, timeout=60)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in left_out}
        store.request(self.command, self.path, body, headers)
        answer = store.getresponse()
        data = answer.read()
        store.close()
        if fault == "late":
            self.server.is_over.wait(120)
        if fault in ("late", "lost"):
            self.close_connection = True
            return
        size = answer.getheader("Content-Length", "0") if self.command == "HEAD" else str(len(data))
        self._answer(answer.status, dict(answer.getheaders()), data, size)

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        found = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            found += self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return found

    def _answer(self, status: int, headers: Mapping[str, str], data: bytes, size: str = "") -> None:
        self.send_response_only(status)
        for name, value in headers.items():
            if name.lower() not in KEPT_APART:
                self.send_header(name, value)
        self.send_header("Content-Length", size or str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def unreliable(variables: Mapping[str, str]) -> Iterator[tuple[Way, Mapping[str, str]]]:
    """Such a way to the server that an environment leads to, and the environment that leads there by it."""
    with Way(variables["AWS_ENDPOINT_URL"]) as way:
        thread = threading.Thread(target=way.serve_forever, daemon=True)
        thread.start()
        yield way, {**variables, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{way.server_address[1]}"}
        way.is_over.set()
        way.shutdown()
        thread.join()
