"""The locks of a corpus folder: whoever changes it holds one, and says who they are.

`changing` is for commands that write tables, archives, reports or exports: one at a time. `editing` is for
the small files that people change while a crawl runs (seeds, settings, labels): each change waits for the one
before it. A command that only reads takes neither. `working` is for whoever runs commands one after another
for somebody who watches from elsewhere.

A corpus in an object store has no locks, since nothing there is freed when a process dies: whoever starts two
commands that change such a corpus must keep them apart.
"""

from __future__ import annotations

import fcntl
import json
import os
import struct
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from corpulyzer.errors import UserError
from corpulyzer.storage import Storage
from corpulyzer.storage.location import is_remote

CHANGE, EDIT, WORK = "logs/lock", "logs/edit.lock", "logs/work.lock"
CHANGE_SECONDS, EDIT_SECONDS = 0.0, 60.0
POLL_SECONDS = 0.05
NOT_SAID = {"command": "another command", "pid": "unknown", "since": "a moment ago"}


# `struct flock` as the system has it, and where its type stands: Linux, and the BSDs with macOS.
_FLOCK, _TYPE = ("hhqqi0q", 0) if sys.platform.startswith("linux") else ("qqihh", 3)


class HeldError(UserError):
    """Somebody else is changing the corpus."""


@dataclass
class _Hold:
    """A lock within this process; `depth` counts the nested contexts of the thread that holds it."""

    thread: Any = field(default_factory=threading.RLock)
    depth: int = 0
    handle: int = -1


_HOLDS: dict[str, _Hold] = {}
_GUARD = threading.Lock()


@contextmanager
def changing(storage: Storage, command: str) -> Iterator[None]:
    """Hold a corpus for a command that changes it; HeldError names the one that has it.

    Within one thread contexts may be nested, and the outermost gives its name. A process that is killed
    leaves the lock free.
    """
    with _held(storage, CHANGE, command, CHANGE_SECONDS):
        yield


@contextmanager
def editing(storage: Storage, command: str) -> Iterator[None]:
    """Hold the seeds, settings and labels of a corpus for a moment; waits for whoever else has them."""
    with _held(storage, EDIT, command, EDIT_SECONDS):
        yield


@contextmanager
def working(storage: Storage, command: str) -> Iterator[None]:
    """Hold the right to run commands for those who watch a corpus; HeldError if somebody has it."""
    with _held(storage, WORK, command, CHANGE_SECONDS):
        yield


def holder(storage: Storage, file: str = CHANGE) -> dict[str, object] | None:
    """Who holds a lock of a corpus now: command, pid and since when; None if nobody does."""
    if is_remote(storage.root) or not os.path.exists(storage.path(file)):
        return None
    with _GUARD:
        hold = _HOLDS.setdefault(os.path.realpath(storage.path(file)), _Hold())
    if not hold.thread.acquire(blocking=False):
        return NOT_SAID | _read(hold.handle)
    try:
        # While no other thread can take it: to close a handle would free the lock of this process.
        return NOT_SAID | _read(hold.handle) if hold.depth else _holder_elsewhere(storage.path(file))
    finally:
        hold.thread.release()


def _holder_elsewhere(path: str) -> dict[str, object] | None:
    """Which other process holds a lock file; asked without taking it."""
    handle = os.open(path, os.O_RDWR)
    try:
        wanted = [0] * 5
        wanted[_TYPE] = fcntl.F_WRLCK
        found = struct.unpack(_FLOCK, fcntl.fcntl(handle, fcntl.F_GETLK, struct.pack(_FLOCK, *wanted)))
        return None if found[_TYPE] == fcntl.F_UNLCK else NOT_SAID | _read(handle)
    finally:
        os.close(handle)


@contextmanager
def _held(storage: Storage, file: str, command: str, seconds: float) -> Iterator[None]:
    if is_remote(storage.root):
        yield
        return
    with _GUARD:
        hold = _HOLDS.setdefault(os.path.realpath(storage.path(file)), _Hold())
    deadline = time.monotonic() + seconds
    if not hold.thread.acquire(timeout=seconds):
        raise _refusal(storage, _read(hold.handle) if hold.depth else {})
    try:
        if not hold.depth:
            hold.handle = _taken(storage, file, command, deadline)
        hold.depth += 1
        try:
            yield
        finally:
            hold.depth -= 1
            if not hold.depth:
                os.close(hold.handle)
    finally:
        hold.thread.release()


def _taken(storage: Storage, file: str, command: str, deadline: float) -> int:
    """The handle of the lock file, locked; the file says which command holds it.

    A POSIX lock, not one of flock: workers would inherit that, and hold it for a moment after this process
    was killed. Closing any handle of the file in this process frees it, hence one handle a file.
    """
    handle = _opened(storage, file)
    while True:
        try:
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except OSError:
            if time.monotonic() >= deadline:
                said = _read(handle)
                os.close(handle)
                raise _refusal(storage, said) from None
        time.sleep(POLL_SECONDS)
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    os.ftruncate(handle, 0)
    os.pwrite(handle, json.dumps({"command": command, "pid": os.getpid(), "since": now}).encode(), 0)
    return handle


def _opened(storage: Storage, file: str) -> int:
    path = storage.path(file)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise UserError(
            f"{storage.root} cannot be changed: {error.strerror}.",
            "Give yourself the right to write there, or work on a copy of the folder.",
        ) from None


def _read(handle: int) -> dict[str, object]:
    """Who holds the lock, as far as they have said so."""
    try:
        found = json.loads(os.pread(handle, 1_000, 0))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _refusal(storage: Storage, said: dict[str, object]) -> HeldError:
    who = NOT_SAID | said
    return HeldError(
        f"`corpulyzer {who['command']}` (process {who['pid']}) has been changing {storage.root} since "
        f"{who['since']}.",
        "Wait until it has ended, or stop it; `corpulyzer status` and what else only reads works meanwhile.",
    )
