"""Records as Arrow columns: the schema of a record class, records as a batch of it, and a row as a record."""

from __future__ import annotations

import sys
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import cache
from itertools import accumulate
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from corpulyzer.native import compiled
from corpulyzer.records.without_pandas import without_pandas

if TYPE_CHECKING:
    import pyarrow as pa


@cache
def schema_of(record: type) -> pa.Schema:
    """The Arrow schema of a record class, field by field, in the types that both engines share."""
    import pyarrow as pa

    without_pandas()
    struct = _arrow_type(record)
    return pa.schema([struct.field(i) for i in range(struct.num_fields)])


def batch_of(records: Iterable[Any], record: type) -> pa.RecordBatch:
    """Records of one class as an Arrow batch of its schema."""
    import pyarrow as pa

    columns = _array(list(records), record)
    return pa.RecordBatch.from_struct_array(columns)


def record_of(cls: type, row: Mapping[str, Any]) -> Any:
    """The record of class `cls` that a row of its Arrow schema stands for."""
    return _reader(cls)(row)


_SCALARS = {int: "int64", str: "string", float: "float64", bool: "bool_", bytes: "binary"}


@cache
def _arrow_type(annotation: Any) -> pa.DataType:
    import pyarrow as pa

    if annotation in _SCALARS:
        return typing.cast("pa.DataType", getattr(pa, _SCALARS[annotation])())
    if annotation is datetime:
        return pa.timestamp("us", tz="UTC")
    if _is_record(annotation):
        return pa.struct([pa.field(name, _arrow_type(hint)) for name, hint in _hints(annotation).items()])
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is tuple:
        return pa.list_(_arrow_type(arguments[0]))
    if origin is Mapping:
        return pa.list_(pa.struct([("name", pa.string()), ("value", _arrow_type(arguments[1]))]))
    raise TypeError(f"no Arrow type for {annotation!r}")


def _array(values: Sequence[Any], annotation: Any) -> Any:
    """Values of one type as an Arrow array, column by column: half the cost of going row by row."""
    import pyarrow as pa

    if _is_record(annotation):
        hints = _hints(typing.cast(type, annotation))
        columns = [_array(list(map(attrgetter(name), values)), hint) for name, hint in hints.items()]
        return pa.StructArray.from_arrays(columns, fields=list(schema_of(typing.cast(type, annotation))))
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is tuple:
        if (made := _in_c(values, arguments[0])) is not None:
            return made
        flat = _array([item for items in values for item in items], arguments[0])
        return pa.ListArray.from_arrays(_offsets(values), flat)
    if origin is Mapping:
        names = pa.array([name for items in values for name in items], pa.string())
        flat = _array([value for items in values for value in items.values()], arguments[1])
        pairs = pa.StructArray.from_arrays([names, flat], names=["name", "value"])
        return pa.ListArray.from_arrays(_offsets(values), pairs)
    return pa.array(values, _arrow_type(annotation))


def _in_c(groups: Sequence[Any], record: Any) -> Any:
    """Groups of named tuples as an Arrow array, at a tenth of the cost; None where C cannot do it."""
    kinds = _kinds(record)
    found = compiled.columns(groups, kinds) if compiled is not None and kinds else None
    if found is None:
        return None
    import pyarrow as pa

    ends, columns = found
    size = int.from_bytes(ends[-4:], sys.byteorder)
    made = [_column(kind, size, column) for kind, column in zip(kinds, columns, strict=True)]
    flat = pa.StructArray.from_arrays(made, fields=list(schema_of(record)))
    return pa.ListArray.from_arrays(_numbers(pa.int32(), ends), flat)


@cache
def _kinds(record: Any) -> str:
    """The types of a named tuple's fields, a letter each for the C code; empty if it lacks one of them."""
    if not hasattr(record, "_fields"):
        return ""
    known = {int: "q", float: "d", str: "s", Mapping[str, int]: "m"}
    kinds = [known.get(hint) for hint in _hints(record).values()]
    return "".join(map(str, kinds)) if all(kinds) else ""


def _column(kind: str, size: int, column: Any) -> Any:
    """A column of `size` values, from the buffers that Arrow needs for it."""
    import pyarrow as pa

    if kind == "s":
        offsets, data = column
        return pa.StringArray.from_buffers(size, pa.py_buffer(offsets), pa.py_buffer(data))
    if kind == "m":
        ends, texts, numbers = column
        sizes = _numbers(pa.int64(), numbers)
        pairs = pa.StructArray.from_arrays([_column("s", len(sizes), texts), sizes], names=["name", "value"])
        return pa.ListArray.from_arrays(_numbers(pa.int32(), ends), pairs)
    return _numbers(pa.int64() if kind == "q" else pa.float64(), column)


def _numbers(type_: pa.DataType, buffer: bytes) -> Any:
    import pyarrow as pa

    return pa.Array.from_buffers(type_, len(buffer) * 8 // type_.bit_width, [None, pa.py_buffer(buffer)])


def _offsets(values: Sequence[Sized]) -> Any:
    import pyarrow as pa

    return pa.array([0, *accumulate(map(len, values))], pa.int32())


def _is_record(annotation: Any) -> bool:
    return is_dataclass(annotation) or hasattr(annotation, "_fields")


@cache
def _hints(record: type) -> dict[str, Any]:
    """The fields of a record with their types, in order."""
    hints = typing.get_type_hints(record)
    names = [f.name for f in fields(record)] if is_dataclass(record) else list(hints)
    return {name: hints[name] for name in names}


@cache
def _reader(annotation: Any) -> Callable[[Any], Any]:
    """The function that makes a value of this type from that of a row; built once per type."""
    if _is_record(annotation):
        return _record_reader(annotation)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is tuple:
        read = _reader(arguments[0])
        return lambda items: tuple(read(item) for item in items)
    if origin is Mapping:
        return lambda items: {item["name"]: item["value"] for item in items}
    return _as_it_is


def _as_it_is(value: Any) -> Any:
    return value


def _record_reader(record: Any) -> Callable[[Any], Any]:
    """The reader of a record; most fields are taken as they are, without a call for each."""
    cls = typing.cast(Callable[..., Any], record)
    readers = {name: _reader(hint) for name, hint in _hints(record).items()}
    changed = [(name, read) for name, read in readers.items() if read is not _as_it_is]
    if not changed:
        return lambda row: cls(**{name: row[name] for name in readers})

    def read_record(row: Any) -> Any:
        values = {name: row[name] for name in readers}
        for name, read in changed:
            values[name] = read(values[name])
        return cls(**values)

    return read_record
