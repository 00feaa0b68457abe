"""A new corpus out of a form: its folder, its settings, its seeds, and the work that begins it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from corpulyzer.api.corpus import create
from corpulyzer.corpus.folder import write_settings
from corpulyzer.corpus.settings.config import preset_names
from corpulyzer.errors import UserError
from corpulyzer.jobs.advice import known_how_well
from corpulyzer.language import Language
from corpulyzer.serve.desk.corpora import new_place
from corpulyzer.serve.work import steps
from corpulyzer.serve.work.limits import settings
from corpulyzer.serve.work.seeds import SOURCES, add_pasted, commands, given, must_be_possible
from corpulyzer.storage import Storage

MOST_FOUND = 20
LEAST_SENTENCES = 100
"""From fewer nothing is learned; `corpulyzer identify train` says the same."""
OF_NO_CODE = "qaa"
"""The first of the codes that ISO 639 leaves to everybody, for a language that has none."""


@dataclass(frozen=True, slots=True)
class Found:
    """A language, and what identifies it and how well; empty if nothing does."""

    language: Language
    known: str


def found_languages(query: str) -> list[Found]:
    """The languages that a code or a part of a name in any of them means, the closest first."""
    query = query.strip()
    if not query:
        return []
    try:
        exact = [Language.find(query)]
    except UserError:
        exact = []
    rest = [each for each in Language.search(query) if each.code not in {one.code for one in exact}]
    return [Found(each, known_how_well(each)) for each in (*exact, *rest)[:MOST_FOUND]]


def chosen_languages(text: str) -> list[Found]:
    """The languages whose codes an address names, separated by commas."""
    named = [Language.find(each) for each in text.split(",") if each.strip()]
    return [Found(each, known_how_well(each)) for each in named]


def filled(form: Mapping[str, str]) -> defaultdict[str, str]:
    """A form as it was filled in; fields that it does not have are empty."""
    return defaultdict(str, form)


def begin(desk: Path, form: Mapping[str, str]) -> str:
    """Make the corpus that a form asks for, and begin with its work; returns the name of its folder.

    Everything is checked before anything is made, so that a mistake leaves nothing behind.
    """
    chosen = chosen_languages(form.get("language", ""))
    languages = [each.language for each in chosen]
    if not languages:
        raise UserError("No language was chosen.", "Go back and choose one.")
    place = new_place(desk, form.get("name", "").strip() or f"{_codes(languages)}web")
    preset = form.get("preset", "") or "default"
    if preset not in preset_names():
        raise UserError(f"There is no preset {preset[:40]!r}.", f"Presets: {', '.join(preset_names())}.")
    wanted = settings(form)
    must_be_possible(form)
    _must_suffice(form.get("sentences", ""))
    starts = form.get("then") == "crawl"
    if starts:
        _must_be_ready(chosen, form)
    codes = [each.code for each in languages]
    corpus = create("", place, preset, languages=codes) if codes[1:] else create(codes[0], place, preset)
    if wanted:
        write_settings(corpus.storage, wanted)
    work = _training(corpus.storage, codes[0], form) + commands(corpus.storage, form)
    add_pasted(corpus.reopened(), form.get("seeds", ""))
    if starts:
        work.append(("crawl",))
    if work:
        steps.begin(corpus.storage, work)
    return place.name


def _training(storage: Storage, code: str, form: Mapping[str, str]) -> list[tuple[str, ...]]:
    """The command that learns the language, if there are sentences of it."""
    if not form.get("sentences", "").strip():
        return []
    file = given(storage, "sentences.txt", form["sentences"])
    name = ("--name", form["language_name"].strip()) if form.get("language_name", "").strip() else ()
    return [("identify", "train", code, file, *name)]


def _must_suffice(sentences: str) -> None:
    count = sum(1 for line in sentences.splitlines() if line.strip())
    if 0 < count < LEAST_SENTENCES:
        raise UserError(
            f"{count:,} sentences are too few to learn a language from.",
            "Give 500 or more, one a line; a hundred at the very least.",
        )


def _must_be_ready(chosen: list[Found], form: Mapping[str, str]) -> None:
    """UserError if a crawl of what a form asks for could not begin, or would keep nothing."""
    without = "or make the corpus without starting."
    if not form.get("contact", "").strip():
        raise UserError(
            "A crawl needs a contact, so that the owner of a site can reach you.",
            f"Write a mail or web address, {without}",
        )
    if not any(form.get(each, "").strip() for each in ("seeds", *SOURCES)):
        raise UserError("A crawl needs seeds.", f"Paste addresses or tick a source, {without}")
    unknown = [each.language.name for each in chosen if not each.known]
    if unknown and not form.get("sentences", "").strip():
        raise UserError(
            f"Nothing here identifies {', '.join(unknown)}, so every page would be dropped.",
            f"Paste 500 sentences of it, {without}",
        )


def _codes(languages: list[Language]) -> str:
    return languages[0].code if len(languages) == 1 else ""
