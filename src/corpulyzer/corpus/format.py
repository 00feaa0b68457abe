"""The format of a corpus folder: a number in `format.json`, raised when its files change their form.

Beside it stand fingerprints that an earlier version left in the folder, with those that mean the same today:
files that carry them need not be made again, nor even be written anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from corpulyzer.errors import UserError
from corpulyzer.storage import Storage, exists

FILE = "format.json"
FORMAT = 4
# A folder without a number that has none of these is new; with one of them, it is of the time before numbers.
MADE = ("fetches", "documents", "rounds", "imports")


class Format(NamedTuple):
    """The format of a folder, and fingerprints of earlier versions with those that mean the same today."""

    number: int
    accepted: Mapping[str, str]


def opened(storage: Storage) -> Mapping[str, str]:
    """The earlier fingerprints that hold in a folder; UserError if it has another format than today's."""
    found = read(storage)
    if found.number < FORMAT:
        raise UserError(
            f"{storage.root} was made by an earlier version.",
            f"Run `corpulyzer upgrade --project {storage.root}`: nothing is fetched, and no document is made "
            "again.",
        )
    if not storage.exists(FILE):
        with suppress(OSError):  # where nothing can be written, nothing will be made either
            write(storage, {})
    return found.accepted


def read(storage: Storage) -> Format:
    """The format of a folder; UserError if it is one of a later version."""
    if not storage.exists(FILE):
        return Format(1 if any(exists(storage.path(made)) for made in MADE) else FORMAT, {})
    try:
        content = json.loads(storage.read(FILE))
        number = int(content["format"])
    except (ValueError, KeyError, TypeError):
        raise UserError(
            f"{storage.path(FILE)} is damaged.",
            f"Delete it and run `corpulyzer upgrade --project {storage.root}`, which writes it anew.",
        ) from None
    if number > FORMAT:
        raise UserError(
            f"{storage.root} was made by a later version of Corpulyzer.", "Run `pip install -U corpulyzer`."
        )
    return Format(number, content.get("accepted", {}))


def write(storage: Storage, accepted: Mapping[str, str]) -> None:
    """Note that a folder has today's format."""
    content = {"format": FORMAT, **({"accepted": dict(accepted)} if accepted else {})}
    storage.write(FILE, json.dumps(content, indent=1, sort_keys=True).encode())
