"""The child of a guard: runs the step, publishes where it is, and may die without harm."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import mmap
import os
import pickle
import resource
import signal
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import NoReturn

import pyarrow as pa

from corpulyzer.engine import Limits, Map
from corpulyzer.engine.wire import Room, packed, receive, send
from corpulyzer.errors import UserError

PIPE_BYTES = 1 << 20
STEP = b"step"  # sent to a guard before a step; before a batch, its number of rows is sent
PAGE_BYTES = resource.getpagesize()
PR_SET_PDEATHSIG = 1
# Loaded before the fork: after it, and under a memory limit, a library might not load.
LIBC = ctypes.CDLL(None)


@dataclass(frozen=True, slots=True)
class Finished:
    """The outputs of a run, as one message; valid until the next run overwrites it."""

    outputs: memoryview


@dataclass(frozen=True, slots=True)
class Child:
    """The forked process as its guard sees it."""

    pid: int
    requests: Connection
    replies: Connection
    place: memoryview
    baseline: int
    limits: Limits

    def start(self, batch: bytes, start: int, stop: int, why: str) -> None:
        """Hand out rows `start` to `stop` of a batch: to work on, or to give up because of `why`."""
        self.place[0] = 0
        self.requests.send_bytes(pickle.dumps((start, stop, why)))
        self.requests.send_bytes(batch)

    def result(self, room: Room) -> Finished | str:
        """The outputs, or what was raised in words."""
        if self.replies.recv_bytes() == b"finished":
            return Finished(receive(self.replies.fileno(), room))
        return self.replies.recv_bytes().decode()

    @property
    def row(self) -> int:
        """The row of the run that was touched last."""
        return int(self.place[0])

    @property
    def beat(self) -> int:
        """A number that changes with every sign of life."""
        return int(self.place[1])

    def cpu_seconds(self) -> float:
        """The CPU time that the process has used, by its own clock (Linux builds its id from the pid)."""
        return time.clock_gettime((~self.pid << 3) | 2)

    def spent(self) -> bool:
        """Whether it holds so much memory that a new one is better, be it leaked or only fragmented."""
        return resident_bytes(self.pid) - self.baseline > self.limits.page_megabytes << 19

    def end(self) -> str:
        """Kill it if it still lives, and say how it ended."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        self.requests.close()
        self.replies.close()
        code = os.waitstatus_to_exitcode(status)
        return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def fork(step: Map, limits: Limits, client: Connection) -> Child:
    """A new child of this process, ready for work."""
    place = memoryview(mmap.mmap(-1, 16)).cast("q")
    (take, give), (receive, reply) = os.pipe(), os.pipe()
    for pipe in (give, reply):
        with contextlib.suppress(OSError):  # a machine may allow less
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    guard = os.getpid()
    pid = os.fork()
    if pid == 0:
        for handle in (give, receive, client.fileno()):
            os.close(handle)
        worker = Worker(
            step, limits, place, Connection(take, writable=False), Connection(reply, readable=False)
        )
        worker.live(guard)
    os.close(take)
    os.close(reply)
    requests, replies = Connection(give, readable=False), Connection(receive, writable=False)
    return Child(pid, requests, replies, place, resident_bytes(pid), limits)


@dataclass(slots=True)
class Worker:
    """The forked process as it sees itself."""

    step: Map
    limits: Limits
    place: memoryview
    requests: Connection
    replies: Connection
    room: Room = field(default_factory=Room)
    hard: int = field(default_factory=lambda: resource.getrlimit(resource.RLIMIT_AS)[1])

    def live(self, guard: int) -> NoReturn:
        """Work until the guard ends, however it ends."""
        try:
            LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != guard:  # it died before prctl was called
                os._exit(1)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # a crashing library's messages are not for users
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            while True:
                start, stop, why = pickle.loads(self.requests.recv_bytes())
                content = self.run(self.requests.recv_bytes(), start, stop, why)
                if isinstance(content, memoryview):
                    self.replies.send_bytes(b"finished")
                    send(self.replies.fileno(), content)
                else:
                    self.replies.send_bytes(b"raised")
                    self.replies.send_bytes(content.encode("utf-8", "replace"))
        except (EOFError, BrokenPipeError):
            os._exit(0)
        finally:
            os._exit(1)

    def run(self, batch: bytes, start: int, stop: int, why: str) -> memoryview | str:
        """The outputs of some rows, or the exception in words."""
        self.at(0)
        try:
            rows = pa.ipc.open_stream(pa.py_buffer(batch)).read_next_batch().slice(start, stop - start)
            self._limit(address_space_bytes() + (self.limits.page_megabytes << 20))
            outputs = self.step.failed(rows, why) if why else self.step(rows, self.at)
            return packed(outputs, self.room)
        except MemoryError:
            self._limit(self.hard)
            return f"needed more than {self.limits.page_megabytes} MB"
        except BaseException as error:  # noqa: BLE001 - whatever a row raises costs that row, never the run
            self._limit(self.hard)
            return describe(error)

    def at(self, row: int) -> None:
        """Publish the row that is about to be touched."""
        self.place[0] = row
        self.place[1] += 1

    def _limit(self, size: int) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (size, self.hard))


def to_bytes(batch: pa.RecordBatch) -> bytes:
    """A batch with its schema, as an Arrow IPC stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return sink.getvalue().to_pybytes()


def return_free_memory() -> None:
    """Give the system what this process has freed, where the C library knows how to."""
    pa.default_memory_pool().release_unused()
    trim = getattr(LIBC, "malloc_trim", None)
    if trim is not None:
        trim(0)


def describe(error: BaseException) -> str:
    """The type of an exception and the first line of its message, which is all where it is for users.

    >>> describe(ValueError("no such charset\\n  at 17")), describe(UserError("It is gone.", "Look for it."))
    ('ValueError: no such charset', 'It is gone.')
    """
    words = str(error).strip().partition("\n")[0]
    if isinstance(error, UserError):
        return words
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def address_space_bytes() -> int:
    """The size of this process' address space, which is what RLIMIT_AS bounds."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[0]) * PAGE_BYTES


def resident_bytes(pid: int) -> int:
    """The memory that a process holds."""
    with open(f"/proc/{pid}/statm", "rb") as file:
        return int(file.read().split()[1]) * PAGE_BYTES
