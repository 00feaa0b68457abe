"""The corpus without pages that are gone from the web (CZ-9), and as the policy for duplicates leaves it.

`documents/` is made from archives alone and never changes by it. Parts in which documents of dead pages are
dropped are written again below `gone/`, a table of its own. The policy for duplicates starts from these:
parts with copies are written again in a folder below `duplicates/view/`, a table of its own too, and a state
file that is replaced in one step says which folder holds.
"""

from __future__ import annotations

import json
from typing import Any

from corpulyzer.engine.derived import Part
from corpulyzer.engine.derived.table import Table, with_those_beside
from corpulyzer.errors import UserError
from corpulyzer.storage import Storage

DOCUMENTS, GONE = "documents", "gone"
STATE = "duplicates/state.json"


def living_parts(storage: Storage) -> list[Part]:
    """The parts of the documents; of those with dead pages, the ones below `gone/` instead."""
    return with_those_beside(Table(storage, DOCUMENTS).parts(), Table(storage, GONE))


def read_state(storage: Storage) -> dict[str, Any]:
    """What `corpulyzer dedup` has found and decided so far."""
    content = storage.read_if_there(STATE)
    if content is None:
        return {}
    try:
        state: dict[str, Any] = json.loads(content)
    except ValueError:
        raise UserError(
            f"{storage.path(STATE)} is damaged.",
            "Delete it and run `corpulyzer dedup`, which writes it anew.",
        ) from None
    return state


def write_state(storage: Storage, state: dict[str, Any]) -> None:
    """Replace the state in one step."""
    storage.write(STATE, json.dumps(state, ensure_ascii=False, indent=1, sort_keys=True).encode())


def current_parts(storage: Storage) -> list[Part]:
    """The parts of the living documents; of those with dropped copies, the ones below `duplicates/view/`."""
    folder = read_state(storage).get("view", {}).get("folder", "")
    living = living_parts(storage)
    return with_those_beside(living, Table(storage, folder)) if folder else living


def forget_view(storage: Storage) -> None:
    """Void what was decided about duplicates, because documents have changed.

    Which levels were looked at is remembered, so that everyone can say that they are out of date.
    """
    state = read_state(storage)
    if state:
        write_state(storage, {"asked": levels_asked(state), "flags": state.get("flags", {})})


def levels_asked(state: dict[str, Any]) -> list[str]:
    """The levels at which duplicates were ever labelled, even if those labels are void now."""
    return sorted({*state.get("levels", {}), *state.get("asked", ())})
