"""What came in from outside, as `imports/` notes it: a small file for each source."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from corpulyzer.errors import UserError
from corpulyzer.storage import Storage


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a source. `archives` are paths or URIs outside the corpus, or places in its folder."""

    name: str
    path: str
    kind: str
    files: int
    bytes: int
    version: str
    modified: str
    archives: tuple[str, ...]
    rows: int = 0
    refused: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    examples: tuple[dict[str, str | int], ...] = ()
    known: bool = False


def sources(storage: Storage) -> list[Imported]:
    """Every source that the corpus has taken in, by name."""
    return [_read(storage, file) for file in storage.list("imports", ".json")]


def _read(storage: Storage, file: str) -> Imported:
    try:
        values = json.loads(storage.read(file))
        return Imported(
            **{**values, "archives": tuple(values["archives"]), "examples": tuple(values["examples"])}
        )
    except (ValueError, TypeError, KeyError) as error:
        raise UserError(
            f"{storage.path(file)} is damaged: {error}.",
            "Delete it and import its source again.",
        ) from None
