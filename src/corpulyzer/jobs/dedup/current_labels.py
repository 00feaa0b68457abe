"""Which labels of duplicates hold: those of the documents and settings as they are now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.full_stops import learned_stops
from corpulyzer.corpus.settings.config import Config, build
from corpulyzer.corpus.without_copies import levels_asked, living_parts, read_state
from corpulyzer.dedup.near.method import SignDocuments
from corpulyzer.dedup.passages import FindPassages
from corpulyzer.dedup.units import MakeUnits
from corpulyzer.engine.derived import Part, made_of
from corpulyzer.page.target_sentences import target_sentences
from corpulyzer.records.fingerprint import digest, fingerprint

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder

FLAG = "flag"


def steps_of(corpus: CorpusFolder) -> dict[str, Any]:
    """The maps over documents that the settings ask for."""
    settings, only = corpus.config.dedup, corpus.targets.only
    within = only is None and not settings.across_languages
    return {
        "units": MakeUnits(settings.keep, settings.score),
        "passages": FindPassages(
            only.code if only else "",
            settings.paragraph_scope,
            target_sentences(corpus.config),
            learned_stops(corpus.storage),
            within,
        ),
        "signed": SignDocuments(settings.near, within),
    }


def documents_of(corpus: CorpusFolder) -> list[Part]:
    """The parts of the documents in which copies are looked for."""
    return living_parts(corpus.storage)


def labels_mark(corpus: CorpusFolder, parts: list[Part], level: str) -> str:
    """What the labels of a level are made of: all documents, and the settings of the level."""
    steps = steps_of(corpus)
    units = fingerprint("units", steps["units"])
    inputs = [f"{part.name} {part.version}" for part in parts]
    of = {"units": units, "own": _own(corpus, steps, level)}
    return made_of([digest(inputs)], fingerprint("duplicates", of))


def _own(corpus: CorpusFolder, steps: Mapping[str, Any], level: str) -> str | None:
    """What the labels of a level are made of beside all documents."""
    if level == "near":
        settings, signed = corpus.config.dedup, steps["signed"]
        return fingerprint(settings.method, signed if signed.within_language else settings.near)
    if level == "paragraph":
        return fingerprint("passages", steps["passages"])
    return fingerprint("passages", _cut(corpus, steps["passages"])) if level == "sentence" else None


def _cut(corpus: CorpusFolder, passages: FindPassages) -> object:
    """What the sentences of a corpus follow from."""
    own = target_sentences(corpus.config)
    learned = passages.learned if own is None else None
    within = {"within_language": True} if passages.within_language else {}
    return {"language": passages.language, "sentences": own, "learned": learned, **within}


def filters_mark(config: Config) -> object:
    """What the verdicts on documents that lose paragraphs follow from."""
    own = {each.code: each.filter for each in config.by_language}
    return {"filter": config.filter, "by_language": own} if own else config.filter


def view_mark(corpus: CorpusFolder, parts: list[Part]) -> tuple[tuple[str, ...], str]:
    """The levels of the policy whose labels hold, and a fingerprint of the view that follows from them."""
    known = read_state(corpus.storage).get("levels", {})
    applied = tuple(level for level in corpus.config.dedup.policy if _holds(corpus, parts, level, known))
    return applied, mark_without(corpus, parts, applied)


def mark_without(corpus: CorpusFolder, parts: list[Part], levels: tuple[str, ...]) -> str:
    """A fingerprint of the view without the copies of these levels."""
    memory = corpus.config.dedup.site_memory
    asked: dict[str, object] = {
        "levels": [(level, labels_mark(corpus, parts, level)) for level in levels],
        "filter": filters_mark(corpus.config),
        "site_memory": labels_mark(corpus, parts, "paragraph") if memory else None,
    }
    if corpus.config.dedup.raw_first:
        asked["raw_first"] = True
    return fingerprint("view", asked)


def _holds(corpus: CorpusFolder, parts: list[Part], level: str, known: Mapping[str, Any]) -> bool:
    """Whether the labels of a level are up to date; `known` is what the state file says of each level."""
    return corpus.holds(known.get(level, {}).get("of", ""), labels_mark(corpus, parts, level))


def as_asked(corpus: CorpusFolder, given: Mapping[str, Any] | None = None) -> CorpusFolder:
    """The corpus with the flags of the last `corpulyzer dedup`, or given ones, where no present flag wins."""
    stored = read_state(corpus.storage).get("flags", {}) if given is None else given
    flags = {key: tuple(value) if isinstance(value, list) else value for key, value in stored.items()}
    if not flags:
        return corpus
    wins = {each.key for each in corpus.settings if each.origin == FLAG}
    settings = tuple(
        replace(each, value=flags[each.key], origin=FLAG) if each.key in flags.keys() - wins else each
        for each in corpus.settings
    )
    wanted: Config = build({each.key: each.value for each in settings})
    return replace(corpus, settings=settings, config=replace(corpus.config, dedup=wanted.dedup))


def stale_levels(corpus: CorpusFolder) -> list[str]:
    """The levels whose labels, or whose effect on the corpus, are older than the documents or settings."""
    state = read_state(corpus.storage)
    asked = levels_asked(state)
    if not asked:
        return []
    parts, of_now = documents_of(corpus), as_asked(corpus)
    known = state.get("levels", {})
    stale = [each for each in asked if not _holds(of_now, parts, each, known)]
    if not stale and not corpus.holds(state.get("view", {}).get("of", ""), view_mark(of_now, parts)[1]):
        return [level for level in asked if level in of_now.config.dedup.policy] or asked
    return stale


def flags_of(corpus: CorpusFolder) -> dict[str, Any]:
    """The settings of duplicates that were given as flags, as plain values."""
    return {
        each.key: list(each.value) if isinstance(each.value, tuple) else each.value
        for each in corpus.settings
        if each.origin == FLAG and each.key.startswith("dedup.")
    }
