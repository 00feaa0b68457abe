"""A web of made-up hosts: a proxy on loopback that answers for all of them."""

import threading
from collections import Counter
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class ProxiedWeb(ThreadingHTTPServer):
    """A proxy that is the whole web. `answer` gives status, headers and body of a URL; `hits` counts requests."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Answer)
        self.hits = Counter()

    @property
    def proxy(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def answer(self, url):
        raise NotImplementedError

    @contextmanager
    def serving(self):
        with self:
            threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()
            yield self
            self.shutdown()


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.hits[self.path] += 1
        status, headers, body = self.server.answer(self.path)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
