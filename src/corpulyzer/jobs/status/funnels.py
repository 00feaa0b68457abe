"""How many pages of a corpus each step kept, of all and of each language, counted once and kept.

Whoever looks finds it counted, or counts by the engine of this process: no cluster has to be there for it.
Jobs that change verdicts on a cluster count at their end, so that one machine need not read all documents.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, TypeVar

from corpulyzer.corpus.without_copies import current_parts
from corpulyzer.engine.derived.table import Table
from corpulyzer.measure.pages.by_language import LanguageCount, by_language, language_funnel
from corpulyzer.measure.pages.funnel import Funnel, Step, early_copies, funnel, step_words
from corpulyzer.measure.quality.content import kept_by_label
from corpulyzer.records.fingerprint import fingerprint
from corpulyzer.storage import is_remote

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.engine.derived import Part
    from corpulyzer.storage import Storage

Answer = TypeVar("Answer")
Noted = Mapping[str, Any]

FUNNEL, LANGUAGES = "parts/funnel.json", "parts/languages.json"
"""What was counted last, with what it follows from; deleting it costs time and no data."""
OF_LANGUAGE = "parts/funnel-{}.json"
"""The funnel of a single language, kept when it is first asked for."""


def count_on_cluster(corpus: CorpusFolder, engine: Engine) -> None:
    """Count what the next one who looks would; on one machine nothing is counted before it is asked for."""
    if engine.here is not engine:
        funnel_of(corpus, engine)


def languages_of(corpus: CorpusFolder, engine: Engine) -> list[LanguageCount]:
    """What a corpus of several languages has of each, and which others were found; of one, nothing."""
    if corpus.targets.only:
        return []
    of = _languages_made_of(corpus)
    kept = _kept(corpus, LANGUAGES, of, lambda noted: [LanguageCount(**each) for each in noted["languages"]])
    if kept is not None:
        return kept
    found = by_language(engine, corpus.table("documents"))
    if _languages_made_of(corpus) == of:
        _keep(corpus, LANGUAGES, of, {"languages": list(map(asdict, found))})
    return found


def _languages_made_of(corpus: CorpusFolder) -> str:
    return fingerprint("languages", {"documents": _stated(corpus.storage, current_parts(corpus.storage))})


def funnel_of(corpus: CorpusFolder, engine: Engine, language: str = "") -> Funnel:
    """How many pages each step kept, and why it dropped the others (HR-11); counted if anything is new.

    With a `language`, that of the pages which were found in it, in a corpus of several.
    """
    code = corpus.targets.named(language).code if language else ""
    if corpus.whole is not None or (code and not corpus.targets.only):
        return _language_funnel_of(corpus, engine, code or corpus.language.code)
    of = _funnel_made_of(corpus)
    if kept := _kept(corpus, FUNNEL, of, _funnel):
        return kept
    tables = corpus.table("fetches"), corpus.table("documents")
    config = corpus.config
    early, words = early_copies(config.dedup), step_words(config.identify)
    found = funnel(engine, *tables, config.every_filter, early, config.corpus.site, words)
    if lists := {file.label for file in config.label.content.files}:
        found = replace(found, labelled=kept_by_label(tables[1].files, lists))
    if _funnel_made_of(corpus) == of:  # nobody has changed the tables meanwhile
        _keep(corpus, FUNNEL, of, asdict(found))
    languages_of(corpus, engine)  # so that whoever asks next for all of it needs no engine
    return found


def _language_funnel_of(corpus: CorpusFolder, engine: Engine, code: str) -> Funnel:
    file, filters = OF_LANGUAGE.format(code), corpus.config.filters_of(code)

    def made_of() -> str:
        parts = _stated(corpus.storage, current_parts(corpus.storage))
        asked = {"documents": parts, "filter": filters, "words": filters.words, "language": code}
        asked["targets"] = corpus.targets.codes
        return fingerprint("funnel", asked)

    of = made_of()
    if kept := _kept(corpus, file, of, _funnel):
        return kept
    found = language_funnel(engine, corpus.table("documents"), filters, corpus.targets, code)
    if made_of() == of:
        _keep(corpus, file, of, asdict(found))
    return found


def _funnel(noted: Noted) -> Funnel | None:
    steps = tuple(Step(**step) for step in noted["steps"])
    return Funnel(steps, noted["tokens"], noted.get("labelled", {})) if steps else None


def _funnel_made_of(corpus: CorpusFolder) -> str:
    storage, config = corpus.storage, corpus.config
    tables = {name: Table(storage, name).parts() for name in ("fetches", "documents")}
    tables["living"] = current_parts(storage)
    asked: dict[str, object] = {
        **{name: _stated(storage, parts) for name, parts in tables.items()},
        "filter": config.every_filter,
        "early": early_copies(config.dedup),
        "site": config.corpus.site,
        "words": {**step_words(config.identify), **config.every_filter.words},
    }
    if labels := sorted({file.label for file in config.label.content.files}):
        asked["labels"] = labels
    return fingerprint("funnel", asked)


def _kept(corpus: CorpusFolder, file: str, of: str, read: Callable[[Noted], Answer | None]) -> Answer | None:
    """What was counted last, if it still holds; a file that is not as it should be holds nothing."""
    try:
        noted = json.loads(corpus.storage.read(file))
        return read(noted) if noted["of"] == of else None
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def _keep(corpus: CorpusFolder, file: str, of: str, counted: dict[str, Any]) -> None:
    """Keep what was counted, with what it follows from."""
    with suppress(OSError):  # a folder that may only be read
        corpus.storage.write(file, json.dumps({"of": of, **counted}, ensure_ascii=False).encode())


def _stated(storage: Storage, parts: Iterable[Part]) -> list[tuple[str, str, int]]:
    """The names, versions and sizes of parts, since somebody may have cut a file short or replaced it.

    A store is not asked for sizes.
    """
    is_here = not is_remote(storage.root)
    return [(part.name, part.version, _size(storage, part) if is_here else 0) for part in parts]


def _size(storage: Storage, part: Part) -> int:
    """The size of its file, or -1: who counts then says that it is missing."""
    try:
        return os.path.getsize(storage.path(part.file))
    except OSError:
        return -1
