"""A rate limit that all connections share: a pause between requests, and a wait if the server asks for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping

from corpulyzer.storage.http import retry_after


class Gate:
    """Lets requests pass one after the other, `pause_seconds` apart."""

    def __init__(self, pause_seconds: float, longest_seconds: float) -> None:
        self._pause = pause_seconds
        self._longest = longest_seconds
        self._lock = threading.Lock()
        self._next = 0.0
        self._closed = threading.Event()

    @property
    def closed(self) -> bool:
        """Whether nothing more is to be asked."""
        return self._closed.is_set()

    def enter(self) -> None:
        """Wait for one's turn."""
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next)
            self._next = turn + self._pause
        time.sleep(max(0.0, turn - now))

    def hold(self, headers: Mapping[str, str]) -> None:
        """Make everybody wait for as long as a busy server asks, a second if it does not say."""
        said = retry_after(headers)
        seconds = 1.0 if said is None else min(said, self._longest)
        with self._lock:
            self._next = max(self._next, time.monotonic() + seconds)

    def close(self) -> None:
        """Let no request pass from now on."""
        self._closed.set()
