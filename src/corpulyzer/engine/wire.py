"""Outputs on their way from a child through its guard to the engine: megabytes, so each copy counts.

A sender writes from the memory that holds them, a receiver reads into the memory that keeps them. A process
that only passes them on reuses one buffer, because new memory costs more than the copy into it.
"""

from __future__ import annotations

import os
import pickle
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pyarrow as pa

_SIZE = struct.Struct("<q")
_ALIGNED = 64  # as Arrow wants its columns


@dataclass(slots=True)
class Room:
    """A buffer for one message at a time, used again for the next."""

    _bytes: bytearray = field(default_factory=bytearray)

    def __call__(self, size: int) -> memoryview:
        """Memory for a message of this size; the one before is overwritten."""
        if len(self._bytes) < size:
            self._bytes = bytearray(size + size // 4)
        return memoryview(self._bytes)[:size]


def packed(outputs: Mapping[str, pa.RecordBatch], room: Room) -> memoryview:
    """Batches by name, as one message."""
    sizes = {name: _stream_bytes(batch) for name, batch in outputs.items()}
    head = pickle.dumps(sizes)
    at = _aligned(_SIZE.size + len(head))
    message = room(at + sum(map(_aligned, sizes.values())))
    message[:at] = (_SIZE.pack(len(head)) + head).ljust(at, b"\0")
    for name, batch in outputs.items():
        with pa.FixedSizeBufferWriter(pa.py_buffer(message[at : at + sizes[name]])) as sink:
            _write(batch, sink)
        at += _aligned(sizes[name])
    return message


def unpacked(message: pa.Buffer) -> dict[str, pa.RecordBatch]:
    """The batches of a message, not copied: they use its memory."""
    (head,) = _SIZE.unpack(message.slice(0, _SIZE.size))
    at, batches = _aligned(_SIZE.size + head), {}
    for name, size in pickle.loads(message.slice(_SIZE.size, head)).items():
        batches[name] = pa.ipc.open_stream(message.slice(at, size)).read_next_batch()
        at += _aligned(size)
    return batches


def send(handle: int, message: memoryview) -> None:
    """Send a message, whole."""
    todo: list[memoryview] = [memoryview(_SIZE.pack(len(message))), message]
    while todo:
        sent = os.writev(handle, todo)
        while todo and sent >= len(todo[0]):
            sent -= len(todo.pop(0))
        if todo:
            todo[0] = todo[0][sent:]


def receive(handle: int, room: Callable[[int], memoryview]) -> memoryview:
    """The next message, in the room that is made for it; EOFError if there is no whole one."""
    size = memoryview(bytearray(_SIZE.size))
    _fill(handle, size)
    message = room(*_SIZE.unpack(size))
    _fill(handle, message)
    return message


def receive_to_keep(handle: int) -> pa.Buffer:
    """The next message, in memory of its own."""
    kept: list[pa.Buffer] = []

    def allocated(size: int) -> memoryview:
        kept.append(pa.allocate_buffer(size, pa.system_memory_pool()))
        return memoryview(kept[0]).cast("B")

    receive(handle, allocated)
    return kept[0]


def _fill(handle: int, room: memoryview) -> None:
    while room:
        got = os.readv(handle, [room])
        if not got:
            raise EOFError
        room = room[got:]


def _stream_bytes(batch: pa.RecordBatch) -> int:
    sink = pa.MockOutputStream()
    _write(batch, sink)
    return int(sink.size())


def _write(batch: pa.RecordBatch, sink: pa.NativeFile) -> None:
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)


def _aligned(size: int) -> int:
    return -(-size // _ALIGNED) * _ALIGNED
