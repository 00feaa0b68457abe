"""What was derived from documents that are removed: thrown away, as far as it may have their text.

Keys of duplicates and counts of text are made part by part, and a part has nothing of what is in others. So
only the parts that held what goes are forgotten, and made again. All that was made of several parts is thrown
away: labels of copies, the view without them, sums, measures, the report.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import PurePath

from corpulyzer.annotate.follow import FOLDER as ANNOTATED
from corpulyzer.annotate.follow import WORK, memory_of
from corpulyzer.dedup import FOLDER as DUPLICATES
from corpulyzer.engine.derived.log import FOLDER as LOGS
from corpulyzer.engine.derived.table import Table
from corpulyzer.jobs.analyze.fits import FOLDER as FITS
from corpulyzer.jobs.analyze.run import FOLDER as ANALYSIS
from corpulyzer.jobs.analyze.run import LASTING
from corpulyzer.jobs.remove.tables import filter_table, follow, forget_unlogged
from corpulyzer.measure.panels import PANELS
from corpulyzer.measure.text.counts import FOLDER as TEXT
from corpulyzer.storage import Storage

THROWN_AWAY = (ANALYSIS, "report", DUPLICATES, "sentences", f"{LOGS}/{DUPLICATES}")


def forget_derived(storage: Storage, parts: Collection[str] | None) -> None:
    """Throw away what was made of documents in these parts, of all where nobody knows in which they were."""
    spared: set[str] = set()
    for table in _by_part(storage) if parts is not None else ():
        spared |= _forget_parts(table, parts or ())
    for folder in THROWN_AWAY:
        for file in storage.list(folder):
            if storage.path(file) not in spared:
                storage.delete(file)


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


def _by_part(storage: Storage) -> Iterator[Table]:
    """The tables of which a part is made of one part of the documents."""
    for log in storage.list(f"{LOGS}/{DUPLICATES}", ".jsonl"):
        name = log.removeprefix(f"{LOGS}/{DUPLICATES}/").removesuffix(".jsonl")
        if "/" not in name:  # others are views, of which a state of all documents decides
            yield Table(storage, f"{DUPLICATES}/{name}")
    counts = Storage(storage.path(f"{LASTING}/{TEXT}"))
    for log in counts.list(LOGS, ".jsonl"):
        yield Table(counts, log.removeprefix(f"{LOGS}/").removesuffix(".jsonl"))


def _forget_parts(table: Table, parts: Collection[str]) -> set[str]:
    """Forget parts of a table, and changes of them; return the paths of all files that it has left."""
    forget_unlogged(table)
    known = table.log.read() or {}
    table.forget([name for name in known if "/".join(name.split("/")[-2:]) in parts])
    left = table.log.read() or {}
    return {table.storage.path(table.log.file), *(table.path(name) for name in left)}
