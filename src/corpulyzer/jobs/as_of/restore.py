"""The folder of a corpus as it was: archives, rounds and parts of tables, linked to those of the corpus.

On a disk nothing is copied; an object store copies the files itself. Files are only ever replaced as a whole,
so a link keeps the bytes that it was made for, and `remove` must delete these folders: see `forget_all`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.archives import IMPORTED, archives, crawled
from corpulyzer.corpus.imports import LIST, Imported, notes, written
from corpulyzer.corpus.rounds import Round
from corpulyzer.corpus.subcorpora import FOLDER as SUBCORPORA
from corpulyzer.corpus.tables import TABLES
from corpulyzer.corpus.takedowns import entries as removals
from corpulyzer.engine.derived.table import Table
from corpulyzer.errors import UserError
from corpulyzer.storage import Storage
from corpulyzer.web.seeds import FILE as SEEDS
from corpulyzer.web.seeds import sightings

if TYPE_CHECKING:
    from corpulyzer.jobs.as_of.moment import Moment

FOLDER = "as_of"
NOTE = "as_of.json"
"""In the folder of a moment: which one it is."""
RESTORED = ("imports", "warc", "rounds")
BESIDE = ("ranks", "evaluations", "sentences")
"""Folders of small files that are as they are today, like the settings."""
OF_TODAY = (".toml", ".csv", ".py", ".jsonl", "format.json", "calibration.json")


def folder_of(storage: Storage, moment: Moment) -> Storage:
    """Where the corpus of a moment stands: the same place for all moments between two changes.

    UserError if nothing had come in by then.
    """
    noted = [sources for _, sources in _notes_by(storage, moment)]
    if not noted and not moment.round:
        raise UserError(
            f"Nothing was in the corpus as of {moment.words}.",
            "Name a later time, or a round: `corpulyzer status` tells how many there are.",
        )
    imported = sum(len(each.archives) for sources in noted for each in sources)
    return Storage(storage.path(f"{FOLDER}/round={moment.round:05d}-imported={imported:05d}"))


def restore(storage: Storage, moment: Moment, there: Storage) -> None:
    """Have in a folder all that had come in up to a moment, and the tables that are made of it file by file.

    What is there already stays, and what was changed or removed in the corpus since is as it is now.
    """
    for file in _of_today(storage):
        content = _seeds_by(storage, moment) if file == SEEDS else storage.read(file)
        if there.read_if_there(file) != content:
            there.write(file, content)
    found = {file for folder in RESTORED for file in there.list(folder)}
    noted = dict(_notes_by(storage, moment))
    for file, sources in noted.items():
        content = storage.read(file) if file.endswith(LIST) else written(*sources)
        if file not in found or there.read(file) != content:
            there.write(file, content)
    wanted = {*_imported(noted.values()), *_crawled(storage, moment)}
    storage.put_all_in(there, sorted(wanted - found))
    for file in found - wanted - set(noted):
        there.delete(file)
    names = {archive.name for archive in archives(there)}
    for table in TABLES:
        _restore_table(Table(storage, table), Table(there, table), names)


def _restore_table(whole: Table, own: Table, archived: set[str]) -> None:
    """Have the parts of these archives in a table, as the whole one has them."""
    lost, known = set(whole.lost()), own.entries()
    parts = {
        name: entry
        for name, entry in whole.entries().items()
        if name not in lost and name.rpartition("/")[2].rsplit(".", 2)[0] in archived
    }
    changed = [entry for name, entry in parts.items() if known.get(name) != entry]
    own.set_aside(entry.name for entry in changed)
    whole.storage.put_all_in(own.storage, [whole.file(entry.name) for entry in changed])
    own.restate(changed)
    own.forget([name for name in known if name not in parts])


def _of_today(storage: Storage) -> Iterator[str]:
    """The settings and lists of a corpus, and what people put beside its documents."""
    yield from (file for file in storage.files() if file.endswith(OF_TODAY))
    yield from (file for folder in BESIDE for file in storage.list(folder))
    yield from (file for file in storage.list(SUBCORPORA) if file.count("/") == 1)


def _seeds_by(storage: Storage, moment: Moment) -> bytes:
    """The lines of the seeds that went into the rounds up to a moment."""
    found = (seed for seed in sightings(storage) if seed.round <= moment.round)
    return "".join(json.dumps(asdict(seed), ensure_ascii=False) + "\n" for seed in found).encode()


def _imported(noted: Iterable[list[Imported]]) -> Iterator[str]:
    """The archives of sources that are in the corpus folder."""
    places = (place for sources in noted for each in sources for place in each.archives)
    return (place for place in places if place.startswith("imports/"))


def _crawled(storage: Storage, moment: Moment) -> Iterator[str]:
    """The files of the rounds up to a moment."""
    root = len(storage.path("x").partition("?")[0]) - 1
    for number in range(IMPORTED + 1, moment.round + 1):
        folder = Round(storage, number).folder
        yield from (file for file in storage.list(folder) if file.count("/") == folder.count("/") + 1)
        yield from (archive.path.partition("?")[0][root:] for archive in crawled(storage, number))


def _notes_by(storage: Storage, moment: Moment) -> Iterator[tuple[str, list[Imported]]]:
    """What notes imports of a moment, and the sources in it with the archives that had come."""
    for file, sources in notes(storage):
        if came := [each for source in sources if (each := source.by(moment.until))]:
            yield file, came


def note(there: Storage, moment: Moment) -> None:
    """Write down which moment a folder is of."""
    there.write(NOTE, json.dumps({**asdict(moment), "until": moment.until.isoformat()}).encode())


def about(storage: Storage) -> dict[str, Any]:
    """Of which moment a folder is, and what was removed since, from it too; empty if it is of today."""
    content = storage.read_if_there(NOTE)
    if content is None:
        return {}
    found: dict[str, Any] = json.loads(content)
    until = datetime.fromisoformat(found["until"])
    since = [each for each in removals(storage) if datetime.fromisoformat(each["when"]) > until]
    told = ("name", "when")
    found["removed_since"] = [
        {**{name: each[name] for name in told}, "documents": each["counts"]["documents"]} for each in since
    ]
    return {**found, "says": _said(found)}


def _said(found: dict[str, Any]) -> str:
    """The same in sentences."""
    said = f"This is the corpus as of {found['words']}, under the settings of today."
    if not found["removed_since"]:
        return said
    names = ", ".join(f"{each['name']} ({each['documents']:,} documents)" for each in found["removed_since"])
    return f"{said} Removed since then, from here too: {names}."


def all_there(storage: Storage) -> list[Storage]:
    """The folders of moments that there are."""
    return [Storage(storage.path(f"{FOLDER}/{name}")) for name in storage.folders(FOLDER)]


def forget_all(storage: Storage) -> None:
    """Delete the folders of all moments; each is made again when it is asked for."""
    for file in storage.list(FOLDER):
        storage.delete(file)
