"""What was derived from documents that are removed: they are taken out of it, or it is thrown away.

Keys of duplicates and the view without copies have rows of single documents, which are taken out. Counts of
text are made part by part, and a part has nothing of what is in others: those that held what goes are
forgotten, and made again. All that was made of several parts is thrown away: labels of copies, sums,
measures, the report.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePath

from corpulyzer.annotate.follow import FOLDER as ANNOTATED
from corpulyzer.annotate.follow import WORK, memory_of
from corpulyzer.corpus.folder import CARD
from corpulyzer.corpus.without_copies import STATE, read_state, write_state
from corpulyzer.dedup import FOLDER as DUPLICATES
from corpulyzer.engine.derived.log import FOLDER as LOGS
from corpulyzer.engine.derived.table import Table
from corpulyzer.jobs.analyze.fits import FOLDER as FITS
from corpulyzer.jobs.analyze.run import FOLDER as ANALYSIS
from corpulyzer.jobs.analyze.run import LASTING
from corpulyzer.jobs.dedup.follow_view import DECIDED
from corpulyzer.jobs.remove.tables import filter_table, follow, forget_unlogged
from corpulyzer.measure.panels import PANELS
from corpulyzer.measure.text.counts import FOLDER as TEXT
from corpulyzer.storage import Storage

THROWN_AWAY = (ANALYSIS, "report", DUPLICATES, "sentences", f"{LOGS}/{DUPLICATES}")
DOCUMENT = {"paragraphs": "document", "sentences": "document"}
"""The column that has the id of a document, in the tables where it is not `id`."""


def forget_derived(storage: Storage, parts: Collection[str] | None, spared: Collection[str] = ()) -> None:
    """Throw away what was made of documents in these parts, of all where nobody knows in which they were.

    `spared` are the paths of files that have nothing of them any more.
    """
    spared = set(spared)
    for table in _counts(storage) if parts is not None else ():
        spared |= _forget_parts(table, parts or ())
    for folder in THROWN_AWAY:
        for file in storage.list(folder):
            if storage.path(file) not in spared:
                storage.delete(file)
    storage.delete(CARD)  # it names sites


def forget_fits(storage: Storage) -> None:
    """Throw away what may quote a document that left the corpus by itself: fits are kept for a while."""
    fits = {name for panel in PANELS if panel.fit for name in (panel.name, *panel.results)}
    for file in (*storage.list(ANALYSIS), *storage.list("report")):
        if not file.startswith(f"{ANALYSIS}/") or PurePath(file).stem in fits or file.startswith(FITS):
            storage.delete(file)


def forget_annotated(storage: Storage, ids: set[int], new: dict[str, str]) -> None:
    """Take documents out of what annotations remember; `new` are versions of `corpus/` by earlier ones."""
    memory = memory_of(storage)
    forget_unlogged(memory)
    filter_table(memory, "id", ids)
    follow(memory, new)
    for file in storage.list(f"{ANNOTATED}/{WORK}"):
        storage.delete(file)


def take_out_of_duplicates(storage: Storage, ids: set[int], new: Mapping[str, str]) -> set[str]:
    """Take documents out of the keys of duplicates and out of the view without copies.

    So the next labels are made of these, and of the view only what is decided otherwise is judged again. Of
    the state nothing but the view is left. `new` has the versions of the documents by those that they had: a
    part that is not among them counts as stale. Returns the paths of what may stay.
    """
    view = read_state(storage).get("view", {})
    tables = [(Table(storage, f"{DUPLICATES}/{name}"), DOCUMENT.get(name, "id")) for name in _keys(storage)]
    if view.get("folder"):
        tables.append((Table(storage, view["folder"]), "id"))
        write_state(storage, {"view": view})
    else:
        storage.delete(STATE)
    stay = {storage.path(STATE), *map(storage.path, storage.list(DECIDED))}
    for table, column in tables:
        forget_unlogged(table)
        filter_table(table, column, ids)
        follow(table, new)
        stay |= _paths(table)
    return stay


def _keys(storage: Storage) -> list[str]:
    """The tables of keys of duplicates, of which a part is made of one part of the documents."""
    logs = f"{LOGS}/{DUPLICATES}/"
    names = [log.removeprefix(logs).removesuffix(".jsonl") for log in storage.list(logs[:-1], ".jsonl")]
    return [name for name in names if "/" not in name]  # others are views


def _counts(storage: Storage) -> Iterator[Table]:
    """The tables of counts of text."""
    counts = Storage(storage.path(f"{LASTING}/{TEXT}"))
    for log in counts.list(LOGS, ".jsonl"):
        yield Table(counts, log.removeprefix(f"{LOGS}/").removesuffix(".jsonl"))


def _forget_parts(table: Table, parts: Collection[str]) -> set[str]:
    """Forget parts of a table, and changes of them; return the paths of all files that it has left."""
    forget_unlogged(table)
    known = table.log.read() or {}
    table.forget([name for name in known if "/".join(name.split("/")[-2:]) in parts])
    table.log.forget_past()
    return _paths(table)


def _paths(table: Table) -> set[str]:
    """The paths of the files that a table has by its log, and of the log."""
    log, left = table.log.file, table.log.read() or {}
    start = log.removesuffix(".jsonl")
    logs = table.storage.list(log.rpartition("/")[0])
    logs = [file for file in logs if file == log or file.startswith(f"{start}.checkpoint-")]
    return {*map(table.storage.path, logs), *map(table.path, left)}
