"""An S3 server by moto. It compares an object and then puts another: here nobody comes between the two, as in S3."""

import threading
from collections.abc import Iterable
from typing import Any

from moto import server

CHANGING = threading.Lock()


class ByTurns(server.DomainDispatcherApplication):
    """Answers one request at a time, except for those that only read."""

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] in ("GET", "HEAD"):
            return super().__call__(environ, start_response)
        with CHANGING:
            return super().__call__(environ, start_response)


server.DomainDispatcherApplication = ByTurns
server.main()
