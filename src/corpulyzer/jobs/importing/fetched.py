"""Archives that were fetched into the corpus folder, noted as an import like any other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime

import xxhash

from corpulyzer.corpus.imports import Imported
from corpulyzer.jobs.importing.plan import ARCHIVE
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
    content = {key: value for key, value in asdict(imported).items() if key != "known"}
    storage.write(f"imports/{name}.json", json.dumps(content, indent=1, ensure_ascii=False).encode())
    return imported


def _size(storage: Storage, file: str) -> int:
    with storage.open_input(file) as opened:
        return int(opened.size())
