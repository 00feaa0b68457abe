"""A Delta table of the corpus: its own Parquet files, and the log that makes a table of them.

Nothing is written anew: the files of `corpus/` are linked, or copied by the object store that has them. They
are whole and never changed, so the table stays as it is when the corpus grows. The log is that of the Delta
protocol, https://github.com/delta-io/delta/blob/master/PROTOCOL.md, with one commit and no further features.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from corpulyzer.engine import Dataset
from corpulyzer.engine.derived import Part
from corpulyzer.errors import UserError
from corpulyzer.export.files import Written, noted, write_file
from corpulyzer.export.formats import Blocks, Format, Options, Work, by_split
from corpulyzer.export.shares import Write
from corpulyzer.records import Document
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import Storage

if TYPE_CHECKING:
    import pyarrow as pa

COMMIT = f"_delta_log/{0:020d}.json"
PROTOCOL = {"minReaderVersion": 1, "minWriterVersion": 2}
BEFORE_THE_VOTE = ("license", "licenses", "license_basis")


def delta(options: Options) -> Format:
    """The files of the corpus as they are, as a Delta table."""
    if options.compress:
        raise UserError(
            "The format delta takes no --compress.", "The files of the corpus are handed on as they are."
        )
    return Format("delta", Blocks(_nothing, by_split), CollectParts(options.kept), follows=True)


def _nothing(_material: object) -> bytes:
    return b""


@dataclass(frozen=True, slots=True)
class CollectParts:
    """Puts the parts of the corpus into the export's folder, and writes the log."""

    kept: Callable[[], tuple[Storage, Sequence[Part], Dataset]] | None

    def __call__(self, work: Work) -> list[Written]:
        assert self.kept is not None, "whoever exports says where the files are"
        storage, parts, table = self.kept()
        filled = sorted((part for part in parts if part.rows), key=lambda part: part.file)
        names = [part.file for part in filled]

        def write(share: slice, _mark: str) -> Write:
            return partial(_put, storage, work.place, names[share])

        files = work.in_shares(table.some(tuple(map(storage.path, names))), write)
        lines = log(files, [part.rows for part in filled], work.about.name, work.about.created)
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        return [*files, write_file(work.place, COMMIT, text.encode())]


def _put(storage: Storage, place: Storage, names: Sequence[str]) -> list[Written]:
    for name in names:
        storage.put_in(place, name)
    return [noted(place, name) for name in names]


def log(files: Sequence[Written], rows: Sequence[int], name: str, created: str) -> list[dict[str, Any]]:
    """The actions of the first commit of a table."""
    at = int(datetime.fromisoformat(created).timestamp() * 1000)
    adds = [
        {
            "path": quote(file.path),
            "partitionValues": {},
            "size": file.bytes,
            "modificationTime": at,
            "dataChange": True,
            "stats": json.dumps({"numRecords": count}),
        }
        for file, count in zip(files, rows, strict=True)
    ]
    described = {
        "id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{name} {created}")),
        "name": name,
        "format": {"provider": "parquet", "options": {}},
        "schemaString": json.dumps(type_of_schema(columns())),
        "partitionColumns": [],
        "configuration": {},
        "createdTime": at,
    }
    info = {"timestamp": at, "operation": "WRITE", "operationParameters": {"mode": "ErrorIfExists"}}
    return [
        {"commitInfo": info},
        {"protocol": PROTOCOL},
        {"metaData": described},
        *({"add": add} for add in adds),
    ]


def columns() -> pa.Schema:
    """What a reader gets to see of the files. Licenses are in them as they were before their sites' vote."""
    import pyarrow as pa

    return pa.schema([field for field in schema_of(Document) if field.name not in BEFORE_THE_VOTE])


def type_of_schema(fields: pa.Schema | pa.StructType) -> dict[str, Any]:
    """Columns as Delta writes them down."""
    columns = [
        {"name": field.name, "type": type_of(field.type), "nullable": True, "metadata": {}}
        for field in fields
    ]
    return {"type": "struct", "fields": columns}


def type_of(kind: pa.DataType) -> Any:
    """A type as Delta writes it down."""
    import pyarrow.types as types

    if types.is_struct(kind):
        return type_of_schema(kind)
    if types.is_list(kind):
        return {"type": "array", "elementType": type_of(kind.value_type), "containsNull": True}
    return NAMES[str(kind)]


NAMES = {
    "int64": "long",
    "int32": "integer",
    "double": "double",
    "string": "string",
    "binary": "binary",
    "bool": "boolean",
    "timestamp[us, tz=UTC]": "timestamp",
}
"""What Delta calls the types that a table may have."""
