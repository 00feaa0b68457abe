"""The guard: a process that runs a step in a child, which may crash, and never runs a row itself.

Started as `python -m corpulyzer.engine.guard`, because the ways of `multiprocessing` import the user's
main module again, which a notebook or a script without a main guard does not survive. It imports the
step's modules and then only waits and forks (about 15 ms), so it touches no file, least of all an object
store, whose client threads would not survive the fork.

The child publishes the row that it is about to touch in shared memory. One that takes too long is killed
and its row is blamed; one that dies is replaced, and its row tried once more alone, since the
cause may have been outside. Rows before and after are run again, so only the blamed row is lost.
"""

from __future__ import annotations

import gc
import json
import pickle
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait

from corpulyzer.engine import Limits, Map, Prepares
from corpulyzer.engine.child import STEP, Child, Finished, fork, return_free_memory
from corpulyzer.engine.wire import Room, send
from corpulyzer.errors import UserError
from corpulyzer.records.without_pandas import NoPandas, without_pandas

WALL_FACTOR = 10
FAIL_SECONDS = 60.0  # for `step.failed`, which is our own code: a page's limit does not apply


@dataclass(frozen=True, slots=True)
class Segment:
    """Rows `start` to `stop` of a batch that are still to be run, or one row that is blamed for `why`."""

    start: int
    stop: int
    why: str = ""
    tried: bool = False

    @property
    def alone(self) -> bool:
        return self.stop - self.start == 1

    def row(self, child: Child) -> int:
        """The row that the child says it was at, within the segment whatever it says."""
        return max(self.start, min(self.start + child.row, self.stop - 1))


@dataclass(frozen=True, slots=True)
class Stopped:
    """A run that did not finish: at which row, why, and whether the row is to blame beyond doubt."""

    row: int
    why: str
    certain: bool = False


def split(segment: Segment, stopped: Stopped) -> list[Segment]:
    """What is to be run after a segment stopped at a row, in order.

    Work on a whole batch (building its outputs) happens at its last row, so a segment that stops there is
    halved until a row is alone.
    """
    start, stop, row = segment.start, segment.stop, stopped.row
    if stopped.certain:
        blamed = Segment(row, row + 1, stopped.why)
    elif segment.alone:
        return [Segment(start, stop, stopped.why if segment.tried else "", tried=True)]
    elif row == stop - 1:
        middle = (start + stop) // 2
        return [Segment(start, middle), Segment(middle, stop)]
    else:
        blamed = Segment(row, row + 1, tried=True)
    parts = [Segment(start, row), blamed, Segment(row + 1, stop)]
    return [part for part in parts if part.start < part.stop]


@dataclass(slots=True)
class Supervisor:
    """Runs batches of one step in a child, and puts another in the place of one that is lost."""

    step: Map
    limits: Limits
    client: Connection
    child: Child | None = None
    room: Room = field(default_factory=Room)

    def run(self, batch: bytes, rows: int) -> Iterator[memoryview]:
        """The outputs of a batch, part by part, in the order of its rows; each is overwritten by the next."""
        todo = [Segment(0, rows)]
        while todo:
            segment = todo.pop(0)
            result = self._attempt(batch, segment)
            if isinstance(result, Finished):
                yield result.outputs
            elif segment.why:
                raise RuntimeError(f"{type(self.step).__name__}.failed did not work: {result.why}")
            else:
                todo = split(segment, result) + todo

    def _attempt(self, batch: bytes, segment: Segment) -> Finished | Stopped:
        if self.child is None:
            self.child = fork(self.step, self.limits, self.client)
        child = self.child
        try:
            child.start(batch, segment.start, segment.stop, segment.why)
            late = self._watch(child, segment)
            if late:
                self.drop()
                return late
            result = child.result(self.room)
        except (EOFError, OSError):
            return Stopped(segment.row(child), f"crashed: {self.drop()}")
        if child.spent():
            self.drop()
        if isinstance(result, Finished):
            return result
        return Stopped(segment.row(child), result)

    def _watch(self, child: Child, segment: Segment) -> Stopped | None:
        """Wait for the child's result; name the row that takes too long, and what it exceeds.

        That is the row whose time was taken, not the one that the child is at when it is ended.
        """
        seconds = FAIL_SECONDS if segment.why else self.limits.page_seconds
        beat, row, cpu, clock = -1, segment.start, 0.0, 0.0
        while True:
            ready = wait([child.replies, self.client], timeout=min(0.1, seconds / 10))
            if self.client in ready:  # it sends nothing during a run, so it hung up
                raise SystemExit(0)
            if ready:
                return None
            if child.beat != beat:
                beat, row = child.beat, segment.row(child)
                cpu, clock = child.cpu_seconds(), time.monotonic()
                continue
            used, passed = child.cpu_seconds() - cpu, time.monotonic() - clock
            if child.beat != beat:  # it got on while this process was kept waiting
                continue
            if used > seconds:
                return Stopped(row, f"took more than {seconds:g} s", certain=True)
            if passed > seconds * WALL_FACTOR:
                return Stopped(row, f"took more than {seconds * WALL_FACTOR:g} s by the clock", certain=True)

    def drop(self) -> str:
        """End the child and say how it ended."""
        child, self.child = self.child, None
        return child.end() if child else ""


def serve(client: Connection) -> None:
    """Take steps, and batches for each, until the client goes; answer with outputs or what went wrong."""
    sys.meta_path.insert(0, NoPandas())  # for whatever a step imports
    without_pandas()
    supervisor: Supervisor | None = None
    try:
        while True:
            word = client.recv_bytes()
            if supervisor is None or word == STEP:
                if supervisor is not None:
                    supervisor.drop()
                supervisor = prepared(client)
                client.send_bytes(b"ready")
            else:
                answer(client, supervisor, int(word))
    finally:
        if supervisor is not None:
            supervisor.drop()


def answer(client: Connection, supervisor: Supervisor, rows: int) -> None:
    """Send the outputs of the batch that the client sends."""
    for outputs in supervisor.run(client.recv_bytes(), rows):
        client.send_bytes(b"outputs")
        send(client.fileno(), outputs)
    client.send_bytes(b"done")


def prepared(client: Connection) -> Supervisor:
    """The supervisor of the step that the client sends, with all that its children will share."""
    step, limits = pickle.loads(client.recv_bytes())
    if isinstance(step, Prepares):
        step.prepare()
    gc.collect()
    return_free_memory()  # of the step before; children would share it
    gc.freeze()  # the collector must not touch, and so copy, what children share
    return Supervisor(step, limits, client)


def main(handle: int) -> None:
    """Serve on a socket that the client has left open under this number."""
    client = Connection(handle)
    try:
        serve(client)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # the client has gone
    except UserError as error:  # a name or a file in the settings that is not there
        client.send_bytes(b"user error")
        client.send_bytes(json.dumps([error.message, error.hint]).encode())
    except Exception:  # noqa: BLE001 - the client must hear of it, whatever it is
        client.send_bytes(b"error")
        client.send_bytes(traceback.format_exc().encode("utf-8", "replace"))


if __name__ == "__main__":
    main(int(sys.argv[1]))
