"""What came in from outside, as `imports/` notes it.

Archives that stay where they are stand in lists, thousands in a file, since a release has a hundred thousand.
Every other source has a small file of its own, and so has an archive that was changed after it was listed:
what that file says goes before what a list says. Each says when it was written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import partial

from corpulyzer.errors import UserError
from corpulyzer.records.fingerprint import digest
from corpulyzer.storage import Storage, is_remote

ARCHIVE = "archive"
"""The kind of a source that is an archive already, and stays where it is."""
LIST = ".jsonl"
AT_ONCE = 16
"""So many notes in a store are read at the same time: what it takes is waiting."""
OF_A_LIST = ("name", "path", "bytes", "version", "modified")
"""What a line of a list has of each archive, before the time at which it was written."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a source. `archives` are paths or URIs outside the corpus, or places in its folder.

    `noted` is when it came into the corpus as it is, `came` the same of archives that came before that, by
    their places; earlier versions said neither.
    """

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
    noted: str = ""
    came: dict[str, str] = field(default_factory=dict)

    def by(self, until: datetime) -> Imported | None:
        """The source with the archives that had come by a time; None if nothing of it had."""
        if _not_after(self.noted, until):
            return self
        found = tuple(place for place in self.archives if _not_after(self.came.get(place, self.noted), until))
        return replace(self, files=len(found), archives=found) if found else None


def sources(storage: Storage) -> list[Imported]:
    """Every source that the corpus has taken in, by name."""
    found = {source.name: source for _, said in notes(storage) for source in said}
    return [found[name] for name in sorted(found)]


def notes(storage: Storage) -> list[tuple[str, list[Imported]]]:
    """The files of `imports/` that say what was taken in, each with its sources; lists come first."""
    files = storage.list("imports")
    lists = [(file, list(_listed(storage, file))) for file in files if file.endswith(LIST)]
    alone = [file for file in files if file.endswith(".json")]
    read = partial(_read, storage)
    if not is_remote(storage.root):
        return lists + [(file, [read(file)]) for file in alone]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return lists + [(file, [said]) for file, said in zip(alone, pool.map(read, alone), strict=True)]


def note(storage: Storage, source: Imported) -> None:
    """Write the file of a source, which has just come in."""
    storage.write(f"imports/{source.name}.json", written(replace(source, noted=_now())))


def written(source: Imported) -> bytes:
    """The file of a source."""
    content = {name: value for name, value in asdict(source).items() if name != "known"}
    return json.dumps(content, indent=1, ensure_ascii=False).encode()


def note_of(storage: Storage, name: str) -> Imported | None:
    """What the file of a source says; None if it has none."""
    file = f"imports/{name}.json"
    return _read(storage, file) if storage.exists(file) else None


def note_listed(storage: Storage, archives: Sequence[Imported]) -> None:
    """Write a list of archives that stay where they are, in one step."""
    now = _now()
    rows = ([*(getattr(each, name) for name in OF_A_LIST), now] for each in archives)
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    name = digest([each.name for each in archives])
    storage.write(f"imports/archives-{name}{LIST}", "".join(f"{line}\n" for line in lines).encode())


def _not_after(noted: str, until: datetime) -> bool:
    """Whether a time is not after another; what earlier versions took in has none, and was always there."""
    return not noted or datetime.fromisoformat(noted) <= until


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _listed(storage: Storage, file: str) -> Iterator[Imported]:
    try:
        for line in storage.read_lines(file):
            name, path, size, version, modified, *noted = json.loads(line)
            yield Imported(name, path, ARCHIVE, 1, size, version, modified, (path,), noted="".join(noted))
    except (ValueError, TypeError) as error:
        raise _damaged(storage, file, error) from None


def _read(storage: Storage, file: str) -> Imported:
    try:
        values = json.loads(storage.read(file))
        return Imported(
            **{**values, "archives": tuple(values["archives"]), "examples": tuple(values["examples"])}
        )
    except (ValueError, TypeError, KeyError) as error:
        raise _damaged(storage, file, error) from None


def _damaged(storage: Storage, file: str, error: Exception) -> UserError:
    hint = "Delete it and import its source again."
    return UserError(f"{storage.path(file)} is damaged: {error}.", hint)
