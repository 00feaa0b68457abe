"""Archives that were fetched into the corpus folder, noted as an import like any other."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import xxhash

from corpulyzer.corpus.imports import ARCHIVE, Imported, note
from corpulyzer.storage import Storage
from corpulyzer.warc.names import ENDING


def note_fetched(storage: Storage, name: str, path: str, reasons: Mapping[str, int]) -> Imported | None:
    """Note the closed archives `imports/NAME-….warc.gz` as a source; None if there is none yet.

    From then on `process` makes documents of them. `path` says where they came from.
    """
    archives = [file for file in storage.list("imports", ENDING) if file.startswith(f"imports/{name}-")]
    if not archives:
        return None
    sizes = [_size(storage, file) for file in archives]
    stamp = "\n".join(f"{file}\0{size}" for file, size in zip(archives, sizes, strict=True))
    imported = Imported(
        name=name,
        path=path,
        kind=ARCHIVE,
        files=len(archives),
        bytes=sum(sizes),
        version=xxhash.xxh3_128_hexdigest(stamp.encode())[:8],
        modified=datetime.now(UTC).isoformat(timespec="seconds"),
        archives=tuple(archives),
        refused=sum(reasons.values()),
        reasons=dict(reasons),
    )
    note(storage, imported)
    return imported


def _size(storage: Storage, file: str) -> int:
    with storage.open_input(file) as opened:
        return int(opened.size())
