"""Work that goes on in a thread of its own, a few items ahead of whoever takes them."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from queue import Empty, Queue
from typing import TypeVar

T = TypeVar("T")
AHEAD = 32


def ahead(items: Iterable[T], most: int = AHEAD) -> Iterator[T]:
    """The same items, made in a thread while those before are worked on; at most so many wait.

    What making them raises is raised here. Whoever stops early ends the thread, too.

    >>> list(ahead(n * n for n in range(4)))
    [0, 1, 4, 9]
    """
    waiting: Queue[tuple[T] | BaseException | None] = Queue(most)
    stopped = threading.Event()

    def make() -> None:
        try:
            for item in items:
                waiting.put((item,))
                if stopped.is_set():
                    return
            waiting.put(None)
        except BaseException as error:  # noqa: BLE001 - it is raised where the items are taken
            waiting.put(error)

    maker = threading.Thread(target=make, name="ahead", daemon=True)
    maker.start()
    try:
        while (found := waiting.get()) is not None:
            if isinstance(found, BaseException):
                raise found
            yield found[0]
    finally:
        stopped.set()
        while maker.is_alive():
            with suppress(Empty):
                waiting.get(timeout=0.01)
