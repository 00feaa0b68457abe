"""Archives that were fetched into the corpus folder, noted as an import like any other."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import xxhash

from corpulyzer.corpus.imports import ARCHIVE, Imported, note, note_of
from corpulyzer.storage import Storage
from corpulyzer.storage.location import sizes_of
from corpulyzer.warc.names import ENDING


def note_fetched(storage: Storage, name: str, path: str, reasons: Mapping[str, int]) -> None:
    """Note the closed archives `imports/NAME-….warc.gz` as a source, if there are any yet.

    From then on `process` makes documents of them. `path` says where they came from. Archives that were noted
    before keep their time, and the note stays as it is where there are no others.
    """
    archives = [file for file in storage.list("imports", ENDING) if file.startswith(f"imports/{name}-")]
    if not archives:
        return
    sizes = sizes_of([storage.path(file) for file in archives])
    stamp = "\n".join(f"{file}\0{size}" for file, size in zip(archives, sizes, strict=True))
    version = xxhash.xxh3_128_hexdigest(stamp.encode())[:8]
    before = note_of(storage, name)
    if before is not None and before.version == version:
        return
    imported = Imported(
        name=name,
        path=path,
        kind=ARCHIVE,
        files=len(archives),
        bytes=sum(sizes),
        version=version,
        modified=datetime.now(UTC).isoformat(timespec="seconds"),
        archives=tuple(archives),
        refused=sum(reasons.values()),
        reasons=dict(reasons),
        came=_came(before),
    )
    note(storage, imported)


def _came(before: Imported | None) -> dict[str, str]:
    """When the archives of an earlier note came."""
    if before is None:
        return {}
    return {place: before.came.get(place, before.noted) for place in before.archives}
