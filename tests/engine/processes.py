"""Looking at processes, and waiting for things to happen."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


def processes_below(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    own = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # it ended while we looked
            own += [int(child) for child in children.read_text().split()]
    return own + [grandchild for child in own for grandchild in processes_below(child)]


def wait_for(condition: Callable[[], bool], seconds: float = 120.0) -> None:
    """Return when the condition holds; fail if it does not within the time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
