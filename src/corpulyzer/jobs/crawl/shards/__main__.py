"""A fetcher as a process: shares come by standard input, and when that ends it stops at once.

Before them comes the version of who sends them; what another one has pickled might mean something else here.
"""

from __future__ import annotations

import pickle
import platform
import sys
import threading
from queue import SimpleQueue
from typing import IO, TYPE_CHECKING

import corpulyzer
from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.fetching import Interrupt

if TYPE_CHECKING:
    from corpulyzer.jobs.crawl.shards.share import Share


class Shares:
    """The shares as they come, and what interrupts the work on the present one when no more can come."""

    def __init__(self, line: IO[bytes]) -> None:
        self._line = line
        self._come: SimpleQueue[Share | None] = SimpleQueue()
        self._interrupt = Interrupt()
        self._is_over = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()

    def fetch_all(self) -> None:
        """Fetch one share after the other."""
        while (share := self._come.get()) is not None and not self._is_over.is_set():
            share.fetch(self._begin)

    def _begin(self, interrupt: Interrupt) -> None:
        self._interrupt = interrupt
        if self._is_over.is_set():
            interrupt.at_once()

    def _read(self) -> None:
        try:
            while True:
                self._come.put(pickle.load(self._line))
        except EOFError:
            self._is_over.set()
            self._interrupt.at_once()
        finally:
            self._come.put(None)


def main() -> None:
    """Fetch shares; an error that its user can mend is the last line of what is said."""
    # Not sys.stdin: at the end Python closes that, and aborts since a thread is reading it.
    line = open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115 - it is read until the end
    try:
        theirs = pickle.load(line)
    except EOFError:
        return
    if theirs != corpulyzer.__version__:
        here = platform.node()
        sys.exit(f"{here} has Corpulyzer {corpulyzer.__version__}, and the crawl has {theirs}")
    try:
        Shares(line).fetch_all()
    except UserError as error:
        sys.exit(error.message.rstrip("."))


if __name__ == "__main__":
    main()
