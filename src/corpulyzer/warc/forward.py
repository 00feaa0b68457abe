"""The fetches of an archive one after the other, each with its record, from any of them on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from corpulyzer.records import Fetch
from corpulyzer.storage import is_remote
from corpulyzer.warc.fetches import fetch_of
from corpulyzer.warc.index import scanned_file
from corpulyzer.warc.read import SCANNED_BYTES
from corpulyzer.warc.scan import Scan
from corpulyzer.warc.window import Input, open_archive

PAUSE_SECONDS = (1.0, 3.0)
"""How long to wait before what a store did not give is asked for a second time, and a third and last."""

Tick = Callable[[], None]
Found = tuple[Fetch, Scan | None]
"""A fetch and its record, which is None if it is not whole."""


@dataclass(frozen=True, slots=True)
class Ticking:
    """A file that calls `tick` before every read, so that the time limit holds for each chunk."""

    file: Input
    tick: Tick

    def read(self, size: int, /) -> bytes:
        self.tick()
        return self.file.read(size)

    def seek(self, offset: int, /) -> object:
        return self.file.seek(offset)


class OpenArchive:
    """An archive that stays open behind the fetch that was read last."""

    def __init__(self) -> None:
        self._place = ("", -1)
        self._archive, self._round = "", 0
        self._found: Iterator[Found] | None = None
        self._tick: Tick = _nothing

    def go_to(self, path: str, start: int, archive: str, round: int) -> None:
        """Stand at an offset at which a record begins; costs nothing behind the fetch that was read last."""
        if self._place != (path, start):
            self._place, self._archive, self._round, self._found = (path, start), archive, round, None

    def next(self, tick: Tick) -> Found | None:
        """The next fetch; None at the end. `tick` is called whenever the file is read."""
        self._tick = tick
        for pause in PAUSE_SECONDS:
            try:
                return self._next()
            except OSError:
                if not is_remote(self._place[0]):
                    raise
                tick()
                time.sleep(pause)
        return self._next()

    def _next(self) -> Found | None:
        if self._found is None:
            self._found = self._fetches(*self._place)
        try:
            found = next(self._found, None)
        except BaseException:
            self._found = None  # the next try opens it again, at the same place
            raise
        if found is not None:
            self._place = (self._place[0], found[0].offset + found[0].length)
        return found

    def _ticks(self) -> None:
        self._tick()

    def _fetches(self, path: str, start: int) -> Iterator[Found]:
        with open_archive(path) as file:
            ticking = Ticking(file, self._ticks)
            for entry, scan in scanned_file(ticking, path, start, SCANNED_BYTES):
                fetch = fetch_of(entry, self._archive, self._round)
                if fetch is not None:
                    yield fetch, scan


def _nothing() -> None:
    """What is called where nobody watches."""
