"""Where a corpus stands: its funnel, the frontier of its crawl, and what is out of date."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus import rounds
from corpulyzer.corpus.without_copies import current_parts
from corpulyzer.engine.derived.table import Table
from corpulyzer.jobs.as_of.restore import about
from corpulyzer.jobs.stale import Stale, stale
from corpulyzer.measure.pages.by_language import LanguageCount, by_language, language_funnel
from corpulyzer.measure.pages.funnel import Funnel, Step, early_copies, funnel, step_words
from corpulyzer.measure.quality.content import kept_by_label
from corpulyzer.records.fingerprint import fingerprint
from corpulyzer.storage import is_remote
from corpulyzer.storage.content import is_whole
from corpulyzer.web import seeds

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.storage import Storage

FUNNEL, LANGUAGES = "parts/funnel.json", "parts/languages.json"
"""What was counted last, with what it follows from; deleting it costs time and no data."""


@dataclass(frozen=True, slots=True)
class Status:
    """Where a corpus stands; `crawl` is empty if nothing was crawled, `languages` if it is for one.

    `as_of` tells of which moment it is, unless that is now, and what was removed since.
    """

    name: str
    language: str
    funnel: Funnel
    stale: list[Stale] = field(default_factory=list)
    crawl: dict[str, Any] = field(default_factory=dict)
    languages: list[LanguageCount] = field(default_factory=list)
    as_of: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        behind = [each.to_json() for each in self.stale]
        more: dict[str, Any] = {"crawl": self.crawl} if self.crawl else {}
        if self.as_of:
            more["as_of"] = self.as_of
        if self.languages:
            more["languages"] = [each.to_json() for each in self.languages]
        return {
            "name": self.name,
            "language": self.language,
            **self.funnel.to_json(),
            "stale": behind,
        } | more


def status(corpus: CorpusFolder, engine: Engine) -> Status:
    """Where a corpus stands now."""
    return Status(
        corpus.name,
        corpus.config.corpus.language or corpus.targets.together.code,
        funnel_of(corpus, engine),
        stale(corpus),
        crawl_status(corpus, engine),
        languages_of(corpus, engine),
        about(corpus.storage),
    )


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
        code = code or corpus.language.code
        filters = corpus.config.filters_of(code)
        return language_funnel(engine, corpus.table("documents"), filters, corpus.targets, code)
    of = _funnel_made_of(corpus)
    kept = _kept(corpus, FUNNEL, of)
    if kept is not None and kept["steps"]:
        steps = tuple(Step(**step) for step in kept["steps"])
        return Funnel(steps, kept["tokens"], kept.get("labelled", {}))
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
    """Whether no file that is counted was cut short; in an object store none can be."""
    if is_remote(storage.root):
        return True
    parts = [part for name in ("fetches", "documents") for part in Table(storage, name).parts()]
    return all(is_whole(storage.path(part.file)) for part in {*parts, *current_parts(storage)})


def crawl_status(corpus: CorpusFolder, engine: Engine) -> dict[str, Any]:
    """The frontier and the rounds of a crawl as plain values; empty if there was none.

    `yields` are new good pages per request, `target_yields` those of Eq. 6 of Corpulyzer (2021): pages with
    any text of the language of all pages read.
    """
    begun = rounds.rounds(corpus.storage)
    if not begun:
        return {}
    from corpulyzer.jobs.crawl.loop import totals
    from corpulyzer.measure.crawl.counts import count_frontier

    rounds.whole_frontier(corpus.storage)
    at = int(time.time())
    found = rounds.ask_frontier(corpus.storage, lambda found: count_frontier(engine, found, at))
    pages, good = totals(corpus)
    committed = [noted for each in begun if (noted := each.read("commit"))]
    yields = [note["good"] / max(1, note["requests"]) for note in committed]
    read = [(note.get("target_pages", 0), note.get("read_pages", 0)) for note in committed]
    return {
        "rounds": len(committed),
        "seeds": len(seeds.read(corpus.storage)),
        "requests": pages,
        "good": good,
        "yields": yields,
        "read_pages": sum(pages for _, pages in read),
        "target_pages": sum(target for target, _ in read),
        "target_yields": [target / max(1, pages) for target, pages in read],
        **asdict(found),
    }
