"""What happens in a crawl, told to whoever listens and written to `logs/crawl.jsonl`, an event a line."""

from __future__ import annotations

import contextlib
import json
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from corpulyzer.storage import Storage, is_remote
from corpulyzer.url import site_of

LOG = "logs/crawl.jsonl"

EVENTS = "logs/crawl"
"""Where a crawl in an object store has its events, one a file, without those of single pages."""

OnEvent = Callable[[str, dict[str, Any]], None]
"""Called with the name of what happened and its numbers."""


def ignore(_name: str, _numbers: dict[str, Any]) -> None:
    """Events that nobody listens to."""


@dataclass(frozen=True, slots=True)
class CrawlLog:
    """Tells events to `on_event` and to the log, one after the other, whichever thread they come from."""

    storage: Storage
    on_event: OnEvent
    turn: threading.RLock = field(default_factory=threading.RLock)

    def tell(self, name: str, numbers: dict[str, Any]) -> None:
        """Write an event to the log, and tell of it."""
        with self.turn:
            self._write(name, numbers)
            self.on_event(name, numbers)

    def fault(self, url: str, error: Exception) -> None:
        """Log an error of our own code at a URL."""
        lines = traceback.format_exception(error)
        numbers = {"url": url, "site": site_of(url), "error": _words(error), "traceback": "".join(lines)}
        self.tell("internal", numbers)

    def set_aside(self, site: str) -> None:
        """Log that a site is left alone until the crawl is started anew."""
        self.tell("aside", {"site": site})

    def skipped(self, record: str, why: str) -> None:
        """Log that a record of an archive cannot be replayed."""
        self.tell("skipped", {"record": record, "why": why})

    def broke_off(self, error: Exception) -> None:
        """Log an error that ended the crawl; listeners are not told, since one of them may have caused it."""
        lines = traceback.format_exception(error)
        with contextlib.suppress(OSError):
            self._write("broke off", {"error": _words(error), "traceback": "".join(lines)})

    def _write(self, name: str, numbers: dict[str, Any]) -> None:
        event = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "event": name, **numbers}
        if is_remote(self.storage.root):
            # Nothing can be appended there, and what was fetched is in the table.
            if name != "page":
                line = json.dumps(event, default=str)
                self.storage.write(f"{EVENTS}/{event['time']}-{name}.json", line.encode())
            return
        path = Path(self.storage.path(LOG))
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(json.dumps(event, ensure_ascii=False, default=str) + "\n")


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".removesuffix(": ")
