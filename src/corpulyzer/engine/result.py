"""Query results in the types that both engines can give, whatever each calls them."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.types as types


def portable_schema(schema: pa.Schema) -> pa.Schema:
    """The schema of a result: integers as int64, other numbers as double, times in microseconds and UTC.

    DuckDB's sum of int64 is a 128-bit integer, Spark's row_number 32 bits: the same numbers all the same.
    """
    return pa.schema([pa.field(field.name, portable_type(field.type)) for field in schema])


def portable_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
    """A batch in portable types; a number that does not fit is an error, not a wrong number."""
    schema = portable_schema(batch.schema)
    # A cast imports all of pyarrow.compute, even where there is nothing to change.
    return batch if batch.schema.equals(schema) else batch.cast(schema)


def portable_type(kind: pa.DataType) -> pa.DataType:
    """The portable type for an Arrow type."""
    if types.is_integer(kind) or (types.is_decimal(kind) and kind.scale == 0):
        return pa.int64()
    if types.is_floating(kind) or types.is_decimal(kind):
        return pa.float64()
    if types.is_timestamp(kind):
        return pa.timestamp("us", tz="UTC")
    if types.is_large_string(kind) or types.is_string_view(kind):
        return pa.string()
    if types.is_large_binary(kind) or types.is_binary_view(kind):
        return pa.binary()
    if types.is_struct(kind):
        return pa.struct([pa.field(inner.name, portable_type(inner.type)) for inner in kind])
    if types.is_list(kind) or types.is_large_list(kind):
        return pa.list_(portable_type(kind.value_type))
    return kind
