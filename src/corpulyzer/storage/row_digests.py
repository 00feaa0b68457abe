"""The identity of single rows: a digest of each, from the buffers of their columns and without a copy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Bounds = NDArray[np.int64]
    Piece = tuple[memoryview, list[int]]

ARRAY_BITS = 40
"""The number of an array stands in the bits above those of a place."""


def digests_of_rows(batch: pa.RecordBatch) -> list[bytes]:
    """The digest of each row: equal for equal rows, wherever in a batch they stand.

    Lengths stand before what has a length, and the places of nulls behind all values, so that no two rows
    give the same bytes.
    """
    import numpy as np
    import xxhash

    bounds = np.arange(batch.num_rows + 1, dtype=np.int64)
    nulls: list[Piece | None] = []
    pieces = [piece for column in batch.columns for piece in _pieces(column, bounds, nulls)]
    pieces += [piece for piece in nulls if piece is not None]
    pieces = _fewer(pieces, batch.num_rows)
    return [
        xxhash.xxh3_128_digest(b"".join([view[ends[row] : ends[row + 1]] for view, ends in pieces]))
        for row in range(batch.num_rows)
    ]


def _fewer(pieces: list[Piece], rows: int) -> list[Piece]:
    """The same bytes of each row in fewer pieces: none that are empty, and numbers side by side as one."""
    import numpy as np

    found: list[Piece] = []
    side_by_side: list[NDArray[np.uint8]] = []

    def join() -> None:
        if side_by_side:
            joined = np.concatenate(side_by_side, axis=1)
            width = joined.shape[1]
            found.append((memoryview(joined.tobytes()), list(range(0, (rows + 1) * width, width))))
            side_by_side.clear()

    for view, ends in pieces:
        width = ends[1] - ends[0] if rows else 0
        if not rows or ends[-1] == ends[0]:
            continue
        if width and ends == list(range(ends[0], ends[0] + (rows + 1) * width, width)):
            side_by_side.append(np.frombuffer(view, np.uint8)[ends[0] : ends[-1]].reshape(rows, width))
        else:
            join()
            found.append((view, ends))
    join()
    return found


def _pieces(array: Any, bounds: Bounds, nulls: list[Piece | None]) -> Iterator[Piece]:
    """The buffers that hold the values of an array, each with the bytes at which its rows begin and end.

    Row `n` of the batch has the values from `bounds[n]` to `bounds[n + 1]`. `nulls` gets what says where
    there are none, an entry for each array.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = array.type
    nulls.append(_null_places(array, bounds, len(nulls)) if array.null_count else None)
    if pa.types.is_struct(kind):
        for field in array.flatten():
            yield from _pieces(field, bounds, nulls)
    elif pa.types.is_list(kind):
        lengths = _filled(pc.list_value_length(array), 0)
        yield _numbers(lengths, bounds)
        yield from _pieces(array.flatten(), _ends(lengths)[bounds], nulls)
    elif pa.types.is_string(kind) or pa.types.is_binary(kind):
        array = _filled(array, "" if pa.types.is_string(kind) else b"")
        lengths = pc.binary_length(array)
        yield _numbers(lengths, bounds)
        _, offsets, values = array.buffers()
        first = np.frombuffer(offsets, np.int32)[array.offset] if len(array) else 0
        yield memoryview(values or b""), (_ends(lengths)[bounds] + first).tolist()
    elif pa.types.is_boolean(kind):
        yield _numbers(_filled(array, False).cast(pa.uint8()), bounds)
    elif pa.types.is_timestamp(kind):
        yield _numbers(_filled(array.cast(pa.int64()), 0), bounds)
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind):
        yield _numbers(_filled(array, 0), bounds)
    else:
        raise TypeError(f"rows with a column of {kind} have no digest")


def _numbers(array: Any, bounds: Bounds) -> Piece:
    width = array.type.bit_width // 8
    return memoryview(array.buffers()[1] or b""), ((bounds + array.offset) * width).tolist()


def _null_places(array: Any, bounds: Bounds, number: int) -> Piece:
    """Where in its row each null of an array is, with the number of the array."""
    import numpy as np

    places = np.flatnonzero(array.is_null().to_numpy(zero_copy_only=False))
    rows = np.searchsorted(bounds, places, "right") - 1
    said = (places - bounds[rows]) | (number << ARRAY_BITS)
    ends = np.searchsorted(rows, np.arange(len(bounds))) * said.itemsize
    return memoryview(said.tobytes()), ends.tolist()


def _ends(lengths: Any) -> Bounds:
    """Where values of these lengths begin and end, one after the other."""
    import numpy as np

    return np.concatenate([[0], np.cumsum(lengths.to_numpy(), dtype=np.int64)])


def _filled(array: Any, value: object) -> Any:
    """The array with a value for each null."""
    return array.fill_null(value) if array.null_count else array
