"""The frontier made again from seeds, fetch lists and the tables of each round, without the network."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import regex

from corpulyzer.corpus import rounds
from corpulyzer.corpus.rounds import Round
from corpulyzer.jobs.crawl.phases import (
    FORWARD,
    bring_forward_again,
    has_seeds,
    inject_into,
    intervals_noted,
    made_by,
    update_with,
)

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.storage import Storage
    from corpulyzer.web.frontier.store.versions import Frontier

AGAIN = ".again"
"""What the names of versions that were made again have before a number."""


def why_stale(corpus: CorpusFolder) -> str:
    """What is wrong with the frontier: lost, damaged, or made under other settings; empty if nothing is."""
    begun = reversed(rounds.rounds(corpus.storage))  # of many rounds only the last is asked for
    notes = next((noted for each in begun if (noted := each.read("commit") or each.read("inject"))), None)
    if notes is None:
        return ""
    if file := rounds.frontier(corpus.storage).broken():
        return f"The frontier is damaged: {file} is missing or not whole."
    fresh = corpus.holds(notes.get("made_by", ""), made_by(corpus.config))
    return "" if fresh else "The frontier is older than the settings."


def rebuild(corpus: CorpusFolder, engine: Engine) -> int:
    """Make the frontier again, round by round; return how many rounds there were.

    The old one stays the present one until the last round is worked in.
    """
    from corpulyzer.web.frontier.store.versions import Frontier

    done = [each for each in rounds.rounds(corpus.storage) if each.done("inject") or each.done("commit")]
    present = rounds.frontier(corpus.storage)
    frontier, notes, mark = Frontier(corpus.storage), [], _unused_mark(corpus.storage)
    for each in done:
        frontier, phases = _replayed(corpus, engine, each, frontier, mark)
        notes.append((each, phases))
        frontier.forget_others(present)
    for each, phases in notes:
        for phase, changed in phases.items():
            each.write(phase, {**each.read(phase), **changed})
    if done:
        frontier.forget_others()
    return len(done)


def _replayed(
    corpus: CorpusFolder, engine: Engine, each: Round, frontier: Frontier, mark: str
) -> tuple[Frontier, dict[str, dict[str, Any]]]:
    """The frontier after a round, and what its phases must note."""
    phases: dict[str, dict[str, Any]] = {}
    marks = {"made_by": made_by(corpus.config), **intervals_noted(corpus.config)}
    if each.done("inject"):
        version = _own(each.read("inject")["version"].partition(FORWARD)[0]) + mark
        if has_seeds(corpus, each):
            frontier = inject_into(corpus, engine, each, frontier, version)
        frontier = bring_forward_again(corpus, engine, each, frontier, version)
        phases["inject"] = {"version": frontier.version, **marks}
    if each.done("commit"):
        version = _own(each.read("commit")["version"]) + mark
        updated = update_with(corpus, engine, each, frontier, version)
        frontier = replace(frontier, version=version, known=None)
        phases["commit"] = {"version": version, **marks, **updated}
    return frontier, phases


def _own(version: str) -> str:
    """The name that a round gave to a version, whichever rebuild made it again."""
    return version.partition(AGAIN)[0]


def _unused_mark(storage: Storage) -> str:
    """What the names of a rebuild's versions end with: no file has it, not one that a killed rebuild left."""
    from corpulyzer.web.frontier.store.versions import FOLDERS

    files = [file for folder in FOLDERS for file in storage.list(folder) if AGAIN in file]
    numbers = [regex.match("[0-9]*", file.partition(AGAIN)[2]) for file in files]
    return f"{AGAIN}{1 + max((int(found[0] or 1) for found in numbers if found), default=0)}"
