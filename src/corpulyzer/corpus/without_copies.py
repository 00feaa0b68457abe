"""The corpus as the policy for duplicates leaves it: documents with copies dropped, beside the documents.

`documents/` never changes by it. Parts with copies are written again below `duplicates/view/`, and a state
file that is replaced in one step says which of them hold.
"""

from __future__ import annotations

import json
from typing import Any

from corpulyzer.corpus.living import living_parts
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


def current_parts(storage: Storage) -> dict[str, str]:
    """The file of each part of the documents, by its name below `documents/`: without dead pages and copies.

    Parts with dropped copies stand below `duplicates/view/`.
    """
    view = read_state(storage).get("view", {})
    folder, parts = view.get("folder", ""), set(view.get("parts", ()))
    return {
        name: f"{folder}/{name}" if name in parts else file for name, file in living_parts(storage).items()
    }


def part_marks(storage: Storage) -> dict[str, str]:
    """Each part of the documents, by its name below `documents/`, with a mark: file, size and time.

    The file is the one in use now. A mark changes whenever the documents of a part may have changed.
    """
    parts = current_parts(storage)
    filesystem, _ = storage.filesystem()
    infos = filesystem.get_file_info([storage.inner_path(file) for file in parts.values()])
    return {
        name: f"{file}\t{info.size}\t{info.mtime_ns}"
        for (name, file), info in zip(parts.items(), infos, strict=True)
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
