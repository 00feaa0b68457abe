"""What happens in a crawl, told to whoever listens and written to `logs/crawl.jsonl`, an event a line."""

from __future__ import annotations

import contextlib
import json
import threading
import traceback
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from typing import Any

from corpulyzer.storage import Storage, is_remote
from corpulyzer.url import site_of

LOG = "logs/crawl.jsonl"

EVENTS = "logs/crawl"
"""Where a crawl in an object store has its events, one a file, a folder an hour; there are none of pages."""

MARKS = ("round", "resumed", "fetched", "network", "broke off")
"""The events that say how far a crawl is.

A round is worked in while the next one is fetched, so `commit` says nothing of who waits for the network.
"""

MOST_HOURS = 24
"""No further than over so many hours in which there were any events is one of them looked for."""

OnEvent = Callable[[str, dict[str, Any]], None]
"""Called with the name of what happened and its numbers."""


def last_events(storage: Storage, names: Collection[str], since: str) -> list[dict[str, Any]]:
    """The last event of each of these names in an object store, in order of time.

    No hour is looked at before that of the last event called `since`, so that a long crawl costs no more
    requests.
    """
    last: dict[str, str] = {}
    for hour in reversed(storage.folders(EVENTS)[-MOST_HOURS:]):
        files = storage.list(f"{EVENTS}/{hour}", ".json")
        last = {file.rpartition("-")[2].removesuffix(".json"): file for file in files} | last
        if since in last:
            break
    return [
        json.loads(storage.read(file))
        for name, file in sorted(last.items(), key=itemgetter(1))
        if name in names
    ]


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
        with self.turn, contextlib.suppress(OSError):
            self._write("broke off", {"error": _words(error), "traceback": "".join(lines)})

    def _write(self, name: str, numbers: dict[str, Any]) -> None:
        now = datetime.now(UTC)
        event = {"time": now.isoformat(timespec="milliseconds"), "event": name, **numbers}
        if is_remote(self.storage.root):
            # Nothing can be appended there, and what was fetched is in the table.
            if name != "page":
                line = json.dumps(event, default=str)
                # By microseconds: what is written one after the other has names of its own, in that order.
                when = now.isoformat(timespec="microseconds")
                self.storage.write(f"{EVENTS}/{now:%Y-%m-%dT%H}/{when}-{name}.json", line.encode())
            return
        path = Path(self.storage.path(LOG))
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(json.dumps(event, ensure_ascii=False, default=str) + "\n")


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".removesuffix(": ")
