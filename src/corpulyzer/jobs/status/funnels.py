"""How many pages of a corpus each step kept, of all and of each language, counted once and kept.

Jobs that change verdicts count at their end, on the engine that they have. Whoever looks finds it counted, or
counts by the engine of this process: no cluster has to be there for it.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.without_copies import current_parts
from corpulyzer.engine.derived.table import Table
from corpulyzer.measure.pages.by_language import LanguageCount, by_language, language_funnel
from corpulyzer.measure.pages.funnel import Funnel, Step, early_copies, funnel, step_words
from corpulyzer.measure.quality.content import kept_by_label
from corpulyzer.records.fingerprint import fingerprint
from corpulyzer.storage import is_remote
from corpulyzer.storage.content import is_whole

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.storage import Storage

FUNNEL, LANGUAGES = "parts/funnel.json", "parts/languages.json"
OF_LANGUAGE = "parts/funnel-{}.json"
"""What was counted last, with what it follows from; deleting it costs time and no data.

The funnel of a single language is kept when it is first asked for.
"""


def languages_of(corpus: CorpusFolder, engine: Engine) -> list[LanguageCount]:
    """What a corpus of several languages has of each, and which others were found; of one, nothing."""
    if corpus.targets.only:
        return []
    of = _languages_made_of(corpus)
    kept = _kept(corpus, LANGUAGES, of)
    if kept is not None:
        return [LanguageCount(**each) for each in kept["languages"]]
    found = by_language(engine, corpus.table("documents"))
    if _languages_made_of(corpus) == of:
        _keep(corpus, LANGUAGES, of, {"languages": list(map(asdict, found))})
    return found


def _languages_made_of(corpus: CorpusFolder) -> str:
    parts = [(part.name, part.version) for part in current_parts(corpus.storage)]
    return fingerprint("languages", {"documents": parts})


def funnel_of(corpus: CorpusFolder, engine: Engine, language: str = "") -> Funnel:
    """How many pages each step kept, and why it dropped the others (HR-11); counted if anything is new.

    With a `language`, that of the pages which were found in it, in a corpus of several.
    """
    code = corpus.targets.named(language).code if language else ""
    if corpus.whole is not None or (code and not corpus.targets.only):
        return _language_funnel_of(corpus, engine, code or corpus.language.code)
    of = _funnel_made_of(corpus)
    if kept := _kept_funnel(corpus, FUNNEL, of):
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
        parts = [(part.name, part.version) for part in current_parts(corpus.storage)]
        asked = {"documents": parts, "filter": filters, "targets": corpus.targets.codes, "language": code}
        return fingerprint("funnel", asked)

    of = made_of()
    if kept := _kept_funnel(corpus, file, of):
        return kept
    found = language_funnel(engine, corpus.table("documents"), filters, corpus.targets, code)
    if made_of() == of:
        _keep(corpus, file, of, asdict(found))
    return found


def _kept_funnel(corpus: CorpusFolder, file: str, of: str) -> Funnel | None:
    kept = _kept(corpus, file, of)
    if kept is None or not kept["steps"]:
        return None
    steps = tuple(Step(**step) for step in kept["steps"])
    return Funnel(steps, kept["tokens"], kept.get("labelled", {}))


def _funnel_made_of(corpus: CorpusFolder) -> str:
    storage, config = corpus.storage, corpus.config
    tables = {"documents": current_parts(storage), "fetches": Table(storage, "fetches").parts()}
    asked: dict[str, object] = {
        **{name: [(part.name, part.version) for part in parts] for name, parts in tables.items()},
        "filter": config.every_filter,
        "early": early_copies(config.dedup),
        "site": config.corpus.site,
        "words": step_words(config.identify),
    }
    if labels := sorted({file.label for file in config.label.content.files}):
        asked["labels"] = labels
    return fingerprint("funnel", asked)


def _kept(corpus: CorpusFolder, file: str, of: str) -> dict[str, Any] | None:
    """What was counted last, if it still holds; a file that cannot be read holds nothing.

    Neither does it where a table is damaged: whoever counts then says so.
    """
    try:
        kept: dict[str, Any] = json.loads(corpus.storage.read(file))
        return kept if kept["of"] == of and _is_whole(corpus.storage) else None
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def _keep(corpus: CorpusFolder, file: str, of: str, counted: dict[str, Any]) -> None:
    """Keep what was counted, with what it follows from."""
    with suppress(OSError):  # a folder that may only be read
        corpus.storage.write(file, json.dumps({"of": of, **counted}, ensure_ascii=False).encode())


def _is_whole(storage: Storage) -> bool:
    """Whether no file that is counted was cut short or replaced by hand; a store's are not looked at."""
    if is_remote(storage.root):
        return True
    tables = [Table(storage, name) for name in ("fetches", "documents")]
    parts = {part.file for table in tables for part in table.parts()}
    parts |= {part.file for part in current_parts(storage)}
    if not all(is_whole(storage.path(file)) for file in parts):
        return False
    entries = ((table.path(name), entry) for table in tables for name, entry in table.entries().items())
    return all(not entry.bytes or os.path.getsize(path) == entry.bytes for path, entry in entries)
