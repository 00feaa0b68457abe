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
    """The files of the documents, where copies have been dropped those that say so."""
    view = read_state(storage).get("view", {})
    folder, parts = view.get("folder", ""), set(view.get("parts", ()))
    return [
        f"{folder}/{name}" if (name := file.removeprefix("documents/")) in parts else file for file in files
    ]


def forget_view(storage: Storage) -> None:
    """Void what was decided about duplicates, because documents are about to change."""
    storage.delete(STATE)
