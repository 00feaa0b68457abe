"""The corpus as the policy for duplicates leaves it: documents with copies dropped, beside the documents.

`documents/` never changes by it. Parts with copies are written again below `duplicates/view/`, and a state
file that is replaced in one step says which of them hold.
"""

from __future__ import annotations

import json
from typing import Any

from corpulyzer.storage import Storage

STATE = "duplicates/state.json"


def read_state(storage: Storage) -> dict[str, Any]:
    """What `corpulyzer dedup` has found and decided so far."""
    if not storage.exists(STATE):
        return {}
    state: dict[str, Any] = json.loads(storage.read(STATE))
    return state


def write_state(storage: Storage, state: dict[str, Any]) -> None:
    """Replace the state in one step."""
    storage.write(STATE, json.dumps(state, ensure_ascii=False, indent=1, sort_keys=True).encode())


def current_parts(storage: Storage, files: list[str]) -> list[str]:
    """The files of documents; of parts with dropped copies, those below `duplicates/view/` instead."""
    view = read_state(storage).get("view", {})
    folder, parts = view.get("folder", ""), set(view.get("parts", ()))
    return [
        f"{folder}/{name}" if (name := file.removeprefix("documents/")) in parts else file for file in files
    ]


def part_marks(storage: Storage) -> dict[str, str]:
    """Each part of the documents, by its name below `documents/`, with a mark: file, size and time.

    The file is the one in use now. A mark changes whenever the documents of a part may have changed.
    """
    names = storage.list("documents", ".parquet")
    files = current_parts(storage, names)
    filesystem, _ = storage.filesystem()
    infos = filesystem.get_file_info([storage.inner_path(file) for file in files])
    return {
        name.removeprefix("documents/"): f"{file}\t{info.size}\t{info.mtime_ns}"
        for name, file, info in zip(names, files, infos, strict=True)
    }


def forget_view(storage: Storage) -> None:
    """Void what was decided about duplicates, because documents are about to change.

    Which levels were looked at is remembered, so that everyone can say that they are out of date.
    """
    state = read_state(storage)
    if state:
        write_state(storage, {"asked": levels_asked(state), "flags": state.get("flags", {})})


def levels_asked(state: dict[str, Any]) -> list[str]:
    """The levels at which duplicates were ever labelled, even if those labels are void now."""
    return sorted({*state.get("levels", {}), *state.get("asked", ())})
