"""Rows as Arrow tables with columns of a known type, where there are no rows too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa


def table_of(rows: Iterable[Mapping[str, Any]], kinds: Mapping[str, str]) -> pa.Table:
    """Rows as a table; `kinds` are string, int64, double or bool, `[string]` is a list of them.

    >>> table_of([{"site": "a"}], {"site": "string", "pages": "int64"}).to_pylist()
    [{'site': 'a', 'pages': None}]
    """
    import pyarrow as pa

    schema = pa.schema([(name, _type(kind)) for name, kind in kinds.items()])
    return pa.Table.from_pylist([dict(row) for row in rows], schema=schema)


def _type(kind: str) -> pa.DataType:
    import pyarrow as pa

    if kind.startswith("["):
        return pa.list_(_type(kind[1:-1]))
    kinds: dict[str, pa.DataType] = {
        "string": pa.string(),
        "int64": pa.int64(),
        "double": pa.float64(),
        "bool": pa.bool_(),
    }
    return kinds[kind]
