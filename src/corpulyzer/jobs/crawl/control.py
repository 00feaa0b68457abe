"""A crawl and those who watch it speak through two small files in the corpus folder.

`logs/control` holds what is wished of the crawl, `logs/crawl.state` what the crawl is doing; the crawl renews
the latter every second, so that one which was killed is not taken for one that runs.
"""

from __future__ import annotations

import json
import os
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, get_args

from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.fetching import Interrupt
from corpulyzer.storage import Storage, is_remote

Wish = Literal["run", "pause", "stop"]
State = Literal["running", "pausing", "paused", "stopping", "ended"]
CONTROL, STATE = "logs/control", "logs/crawl.state"
POLL_SECONDS = 0.4
STALE_SECONDS = 5.0
POLL_SECONDS_REMOTE, STALE_SECONDS_REMOTE = 2.0, 30.0
"""In an object store each look is a request, and the clocks of two machines differ."""


def wish(storage: Storage, what: str) -> None:
    """Ask the crawl of a folder to pause, to go on, or to stop when its round ends."""
    if what not in get_args(Wish):
        raise UserError(f"A crawl cannot {what!r}.", f"It can: {', '.join(get_args(Wish))}.")
    storage.write(CONTROL, what.encode())


def state(storage: Storage) -> State:
    """What the crawl of a folder is doing; `ended` if there is none."""
    try:
        noted = json.loads(storage.read(STATE))
        if is_remote(storage.root):
            fresh = time.time() - noted["at"] < STALE_SECONDS_REMOTE
        else:
            fresh = time.time() - Path(storage.path(STATE)).stat().st_mtime < STALE_SECONDS
    except (OSError, ValueError):
        return "ended"
    found: State = noted["state"] if fresh else "ended"
    return found


@dataclass
class Watch:
    """Listens for wishes while a crawl runs; a context manager."""

    storage: Storage
    interrupt: Interrupt
    _over: threading.Event = field(default_factory=threading.Event)
    _waiting: bool = False
    _thread: threading.Thread | None = None

    @property
    def wants_pause(self) -> bool:
        """Whether somebody wishes the crawl to pause."""
        return self._wished() == "pause"

    def hold(self) -> None:
        """Return when the crawl may go on: at once, or when nobody wishes it to pause any more."""
        self._waiting = True
        while self.wants_pause and not self.interrupt.wishes:
            time.sleep(POLL_SECONDS)
        self._waiting = False

    def __enter__(self) -> Self:
        wish(self.storage, "run")
        self._note("run")
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()
        self.storage.delete(STATE)

    def _listen(self) -> None:
        """Pass wishes on to the crawl, repeatedly: it reacts to them only while it fetches."""
        seconds = POLL_SECONDS_REMOTE if is_remote(self.storage.root) else POLL_SECONDS
        while not self._over.wait(seconds):
            wished = self._wished()
            if wished == "stop" and not self.interrupt.wishes:
                self.interrupt()
            elif wished != "run" or self.interrupt.wishes:
                self.interrupt.wake()
            self._note(wished)

    def _wished(self) -> str:
        try:
            return self.storage.read(CONTROL).decode().strip()
        except OSError:
            return "run"

    def _note(self, wished: str) -> None:
        """Renew the note of what the crawl is doing; the crawl goes on if it cannot be written."""
        if self.interrupt.wishes:
            now = "stopping"
        elif wished == "pause":
            now = "paused" if self._waiting else "pausing"
        else:
            now = "running"
        noted = json.dumps({"state": now, "pid": os.getpid(), "at": time.time()})
        with suppress(OSError):
            if is_remote(self.storage.root):
                self.storage.write(STATE, noted.encode())
                return
            # Unlike other files it is not synced to disk before the rename: it is rewritten soon anyway.
            path = Path(self.storage.path(STATE))
            path.with_name(".crawl.state").write_text(noted)
            path.with_name(".crawl.state").replace(path)
