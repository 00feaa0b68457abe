"""Looking at processes, and waiting for things to happen."""

import time
from collections.abc import Callable
from contextlib import suppress

import psutil


def processes_below(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have.

    By their parents: a thread's own list of its children misses some while another thread ends.
    """
    with suppress(psutil.NoSuchProcess):  # it ended while we looked
        return [process.pid for process in psutil.Process(pid).children(recursive=True)]
    return []


def wait_for(condition: Callable[[], bool], seconds: float = 120.0) -> None:
    """Return when the condition holds; fail if it does not within the time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
