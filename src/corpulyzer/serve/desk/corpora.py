"""The corpora in a folder, as the desk shows them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import regex

from corpulyzer.api.corpus import open_corpus
from corpulyzer.corpus.settings.file import FILE
from corpulyzer.corpus.without_copies import current_parts
from corpulyzer.errors import UserError
from corpulyzer.jobs.advice import missing_to_crawl
from corpulyzer.jobs.crawl.control import state as crawl_state
from corpulyzer.serve.explorer import NotFoundError
from corpulyzer.serve.work import steps
from corpulyzer.storage.lock import holder

MOST_BYTES = 200
"""Of the name of a folder. Most file systems take 255, and temporary files add to theirs."""
_NAME = regex.compile(r"[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]{0,99}")


@dataclass(frozen=True, slots=True)
class Card:
    """What the desk tells of a corpus; `problem` says why it cannot be opened."""

    folder: str
    name: str = ""
    language: str = ""
    own_name: str = ""
    pages: int = 0
    state: str = ""
    missing: tuple[str, ...] = ()
    problem: str = ""


def cards(folder: Path) -> list[Card]:
    """The corpora directly below a folder, by name."""
    return [_card(each) for each in sorted(folder.iterdir()) if each.name[:1] != "." and is_corpus(each)]


def is_corpus(folder: Path) -> bool:
    """Whether a folder is a corpus folder; one that may not be read is none."""
    return os.path.isfile(folder / FILE)


def named(folder: Path, name: str) -> Path:
    """The corpus of a name directly below a folder."""
    if not _NAME.fullmatch(name) or not is_corpus(folder / name):
        raise NotFoundError(f"There is no corpus {name[:100]!r} here.", "Go back to the desk.")
    return folder / name


def new_place(folder: Path, name: str) -> Path:
    """Where a new corpus of a name would be; UserError if it cannot be there."""
    if not _NAME.fullmatch(name) or name.endswith((".", " ")):
        raise UserError(
            f"{name[:100]!r} cannot be the name of a folder here.", "Use letters, digits, - and _ only."
        )
    if len(name.encode()) > MOST_BYTES:
        raise UserError("That name is too long for a folder.", "Give the corpus a shorter one.")
    if (folder / name).exists():
        raise UserError(f"There is a folder {name!r} already.", "Give the corpus another name.")
    return folder / name


def _card(folder: Path) -> Card:
    try:
        corpus = open_corpus(folder)
        storage, together = corpus.storage, corpus.targets.together
        running = steps.is_running(storage) or holder(storage) is not None
        crawl = crawl_state(storage)
        was_cut_off = any(step.state == "cut off" for step in steps.read(storage))
        return Card(
            folder.name,
            corpus.name,
            together.name,
            together.own_name if together.own_name != together.name else "",
            sum(part.rows for part in current_parts(storage)),
            crawl if crawl != "ended" else "working" if running else "cut off" if was_cut_off else "",
            tuple(missing_to_crawl(corpus)),
        )
    except UserError as error:
        return Card(folder.name, folder.name, problem=f"{error.message} {error.hint}".strip())
    except OSError as error:
        return Card(folder.name, folder.name, problem=f"It cannot be read: {error.strerror}.")
