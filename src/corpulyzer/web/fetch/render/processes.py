"""The processes of a browser: which they are, what memory they take, and their end. Read from /proc."""

from __future__ import annotations

import os
import signal
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")


def process_with(mark: str) -> int:
    """The process whose arguments hold a mark; 0 if there is none."""
    wanted = mark.encode()
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                if wanted in (entry / "cmdline").read_bytes():
                    return int(entry.name)
    return 0


def tree_of(root: int) -> list[int]:
    """A process and all that it has started, as far as they live."""
    children = defaultdict(list)
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            with suppress(OSError, ValueError):
                # The name stands in brackets and may hold anything; the parent is the second field behind it.
                fields = (entry / "stat").read_text("latin-1").rpartition(")")[2].split()
                children[int(fields[1])].append(int(entry.name))
    found = [root] if (PROC / str(root)).exists() else []
    for process in found:
        found += children[process]
    return found


def memory_bytes(processes: list[int]) -> int:
    """The memory that belongs to some processes alone; what they map from files and share is not counted."""
    total = 0
    for process in processes:
        with suppress(OSError, ValueError, StopIteration):
            lines = (PROC / str(process) / "status").read_text("latin-1").splitlines()
            total += int(next(line for line in lines if line.startswith("RssAnon:")).split()[1]) << 10
    return total


def end(processes: list[int]) -> None:
    """Kill processes at once, the first of them first."""
    for process in processes:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)
