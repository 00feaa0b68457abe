"""The archives that came in from outside, as `imports/` notes them: a small file for each source."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from corpulyzer.errors import UserError
from corpulyzer.storage import Storage, exists
from corpulyzer.warc.names import archive_name


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive of the corpus: the name that its tables carry, where it is, and its round (0: imported)."""

    name: str
    path: str
    round: int = 0


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


def archives(storage: Storage) -> list[Archive]:
    """The archives of everything imported, by name."""
    found = []
    for source in sources(storage):
        for place in source.archives:
            inside = place.startswith("imports/")
            path = storage.path(place) if inside else place
            found.append(Archive(archive_name(place) if inside else f"{source.name}-{source.version}", path))
    return sorted(found, key=lambda archive: archive.name)


def check(found: Sequence[Archive]) -> None:
    """Guarantee that every archive is where it was; UserError names the first that is not."""
    gone = [archive.path for archive in found if not exists(archive.path)]
    if gone:
        others = f" and {len(gone) - 1:,} more" if len(gone) > 1 else ""
        raise UserError(
            f"The archive {gone[0]}{others} is no longer there.",
            "Put it back, or import it from its new place with `corpulyzer import PATH`.",
        )


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
