"""A step behind its guard: batches in, outputs out, whatever the rows do."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import IO, Self

import pyarrow as pa

from corpulyzer.engine import Limits, Map, Outputs, StepError, TakesMore
from corpulyzer.engine.child import STEP, to_bytes
from corpulyzer.engine.wire import receive_to_keep, unpacked
from corpulyzer.errors import UserError

MAX_DEATHS = 5
GRACE_SECONDS = 2.0
# One worker is one thread, and its memory is what malloc gave it: Arrow's other allocators reserve a
# gigabyte of addresses at a time, which the limit of a page would count.
ENVIRONMENT = {"ARROW_DEFAULT_MEMORY_POOL": "system", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


class Guarded:
    """Calls a step in processes of its own. A guard that dies is replaced and its batch done again."""

    def __init__(self, step: Map, limits: Limits) -> None:
        self._limits = limits
        self._guard: Guard | None = None
        self._closed = False
        self.take(step)

    def take(self, step: Map) -> None:
        """Call this step from now on, in the same process: to start one takes a quarter of a second."""
        self._name = type(step).__name__
        limits = step.limits(self._limits) if isinstance(step, TakesMore) else self._limits
        self._message = pickle.dumps((step, limits))
        self._schemas = dict(step.outputs)

    def __call__(self, batch: pa.RecordBatch) -> list[Outputs]:
        """The outputs of a batch, part by part in order of its rows, in the types that the step declares."""
        if self._closed:
            raise StepError(f"the workers of {self._name} were ended")
        content, deaths = to_bytes(batch), 0
        while True:
            guard = self._guard = self._guard or Guard()
            try:
                if self._closed:
                    raise EOFError
                parts = list(guard.run(self._message, content, batch.num_rows))
            except (EOFError, ConnectionError):
                deaths, self._guard, last_words = deaths + 1, None, guard.end()
                if deaths == MAX_DEATHS or self._closed:
                    raise StepError(f"the guard of {self._name} died {deaths} times. {last_words}") from None
            else:
                return [self._typed(part) for part in parts]

    def close(self) -> None:
        """End the guard and its child. From another thread too: a call that waits for them then fails."""
        self._closed = True
        if self._guard is not None:
            self._guard.end()

    def _typed(self, part: Outputs) -> Outputs:
        if part.keys() != self._schemas.keys():
            raise StepError(f"{self._name} declares {sorted(self._schemas)} but gives {sorted(part)}")
        return {name: self._cast(name, batch) for name, batch in part.items()}

    def _cast(self, name: str, batch: pa.RecordBatch) -> pa.RecordBatch:
        """An output in its declared schema, columns matched by name: later code goes by position."""
        schema = self._schemas[name]
        if batch.schema.equals(schema, check_metadata=False):
            return batch.replace_schema_metadata(schema.metadata)
        missing = sorted(set(schema.names) - set(batch.schema.names))
        if missing:
            raise StepError(f"output {name!r} of {self._name} has no column {', '.join(missing)}")
        return batch.select(schema.names).cast(schema)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Guard:
    """A guard process, from its start to its end."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by end()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "corpulyzer.engine.guard", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=[theirs.fileno()],
                env={
                    **os.environ,
                    **ENVIRONMENT,
                    "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path)),
                },
                start_new_session=True,  # Ctrl-C is for the engine, which then ends its guards
            )
        self._connection = Connection(ours.detach())
        self._message = b""  # the step that it has

    def run(self, message: bytes, batch: bytes, rows: int) -> Iterator[Outputs]:
        """The outputs of a batch by name, part by part, of the step that a message holds."""
        if message != self._message:
            self._connection.send_bytes(STEP)
            self._connection.send_bytes(message)
            self._hear()
            self._message = message
        self._connection.send_bytes(b"%d" % rows)
        self._connection.send_bytes(batch)
        while self._hear() != b"done":
            yield unpacked(receive_to_keep(self._connection.fileno()))

    def end(self) -> str:
        """Hang up, so that it ends its child and itself, or else kill it; return what it had to say.

        A guard that is killed does not wait for its child, whose CPU time would then be counted nowhere.
        """
        with contextlib.suppress(OSError), socket.socket(fileno=os.dup(self._connection.fileno())) as line:
            line.shutdown(socket.SHUT_RDWR)
        try:
            self._process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._errors.closed:
            return ""
        self._errors.seek(0)
        with self._errors:
            return self._errors.read()[-2000:].decode("utf-8", "replace")

    def _hear(self) -> bytes:
        word = self._connection.recv_bytes()
        if word == b"error":
            raise StepError(self._connection.recv_bytes().decode())
        if word == b"user error":
            raise UserError(*json.loads(self._connection.recv_bytes()))
        return word
