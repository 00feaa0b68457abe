"""Outputs arrive as they were sent, and what breaks off is told."""

import os
import threading

import pyarrow as pa
import pytest

from corpulyzer.engine.wire import Room, packed, receive, receive_to_keep, send, unpacked


def batch(rows, size=10):
    return pa.RecordBatch.from_pylist(
        [{"id": number, "text": "ا" * size, "parts": [{"at": number}]} for number in range(rows)],
        schema=pa.schema(
            [("id", pa.int64()), ("text", pa.string()), ("parts", pa.list_(pa.struct([("at", pa.int32())])))]
        ),
    )


def sent(message):
    """What comes out of a pipe, written from another thread, as a pipe holds less than a message."""
    out, into = os.pipe()
    writer = threading.Thread(target=send, args=(into, message))
    writer.start()
    try:
        return receive_to_keep(out)
    finally:
        writer.join(10)
        os.close(out)
        os.close(into)


@pytest.mark.parametrize("sizes", [(0, 1), (3, 0), (2_000, 7)])
def test_batches_arrive_by_name_as_they_were(sizes):
    outputs = {"documents": batch(sizes[0], 300), "links": batch(sizes[1])}
    arrived = unpacked(sent(packed(outputs, Room())))
    assert arrived == outputs and list(arrived) == list(outputs)
    for each in arrived.values():
        each.validate(full=True)


def test_a_room_is_used_again_and_what_was_kept_stays():
    room = Room()
    first = sent(packed({"a": batch(500)}, room))
    second = sent(packed({"a": batch(3)}, room))
    assert unpacked(first)["a"] == batch(500) and unpacked(second)["a"] == batch(3)


def test_no_outputs_are_a_message_too():
    assert unpacked(sent(packed({}, Room()))) == {}


@pytest.mark.parametrize("whole", [0, 5, 8, 100])
def test_a_message_that_breaks_off_is_told(whole):
    out, into = os.pipe()
    message = packed({"a": batch(50)}, Room())
    os.write(into, (len(message).to_bytes(8, "little") + bytes(message))[:whole])
    os.close(into)
    with pytest.raises(EOFError):
        receive(out, Room())
    os.close(out)
