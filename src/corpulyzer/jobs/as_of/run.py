"""A corpus as it was: what had come in by then, under the settings of now, as a corpus of its own.

Archives are the log, and all else is made of them. So a moment is told by the archives that were there, and
the rest (frontier, dead pages, copies, measures) is what the other jobs make of those.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from corpulyzer.corpus.takedowns import as_written, unfinished
from corpulyzer.corpus.without_copies import levels_asked, read_state
from corpulyzer.engine.progress import Progress, silent
from corpulyzer.errors import UserError
from corpulyzer.jobs.as_of.moment import Moment, moment_of
from corpulyzer.jobs.as_of.restore import folder_of, note, restore
from corpulyzer.jobs.dedup.current_labels import as_asked, stale_levels
from corpulyzer.jobs.dedup.run import deduplicate
from corpulyzer.jobs.process import process
from corpulyzer.storage.lock import changing

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.storage import Storage

Folder = TypeVar("Folder", bound="CorpusFolder")


def as_of(corpus: Folder, asked: str, engine: Engine, progress: Progress = silent) -> Folder:
    """The corpus as it was at the end of a round or at a time, with all that a corpus has, up to date.

    UserError if that is no moment in its life, or while a removal is not finished.
    """
    storage = corpus.storage
    if name := as_written(unfinished(storage)):
        raise UserError(
            f"The removal of {name} was cut short, so what it takes out may still be here.",
            f"Finish it first: `corpulyzer remove {name} --project {storage.root}`.",
        )
    moment = moment_of(storage, asked)
    with changing(storage, "as-of"):
        there = folder_of(storage, moment)
        with changing(there, "as-of"):
            restore(storage, moment, there)
            found = _named(corpus, there, moment)
            process(found, engine, progress=progress)
            _find_copies(found, read_state(storage), engine, progress)
            note(there, moment)
    return found


def _find_copies(found: CorpusFolder, state: dict[str, object], engine: Engine, progress: Progress) -> None:
    """Label copies at the levels at which the whole corpus has been looked at."""
    flags = state.get("flags", {})
    levels = set(levels_asked(state))
    corpus = as_asked(found, flags if isinstance(flags, dict) else {})
    if levels - set(levels_asked(read_state(found.storage))) or stale_levels(corpus):
        deduplicate(corpus, engine, levels, progress)


def _named(corpus: Folder, there: Storage, moment: Moment) -> Folder:
    own = replace(corpus.config.corpus, name=f"{corpus.name} as of {moment.words}")
    return replace(corpus, storage=there, config=replace(corpus.config, corpus=own))
