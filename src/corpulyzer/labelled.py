"""Which labels of duplicates hold: those of the documents and settings as they are now."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from corpulyzer.config import Config, build
from corpulyzer.dedup.parts import Part, fingerprint, parts_of
from corpulyzer.dedup.settings import LEVELS
from corpulyzer.view import levels_asked, read_state

if TYPE_CHECKING:
    from corpulyzer.corpus import Corpus

FLAG = "flag"


def labels_mark(corpus: Corpus, parts: list[Part], level: str) -> str:
    """A fingerprint of all that the labels of a level follow from."""
    settings = corpus.config.dedup
    own: dict[str, Any] = {
        "near": settings.near,
        "paragraph": (settings.paragraph_scope, corpus.language.code),
        "sentence": corpus.language.code,
    }
    return fingerprint(parts, settings.keep, settings.score, own.get(level))


def view_mark(corpus: Corpus, parts: list[Part]) -> tuple[tuple[str, ...], str]:
    """The levels of the policy whose labels hold, and a fingerprint of the view that follows from them."""
    known, settings = read_state(corpus.storage).get("levels", {}), corpus.config.dedup
    marks = {level: labels_mark(corpus, parts, level) for level in LEVELS}
    applied = tuple(level for level in settings.policy if known.get(level, {}).get("of") == marks[level])
    made_of = [marks[level] for level in (*applied, *(("paragraph",) if settings.site_memory else ()))]
    return applied, fingerprint(made_of, applied, corpus.config.filter, settings.site_memory)


def as_asked(corpus: Corpus) -> Corpus:
    """The corpus with the flags of the last `corpulyzer dedup`, where no flag of now says otherwise."""
    stored = read_state(corpus.storage).get("flags", {})
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


def stale_levels(corpus: Corpus) -> list[str]:
    """The levels whose labels, or whose effect on the corpus, are of other documents or settings than now."""
    state = read_state(corpus.storage)
    asked = levels_asked(state)
    if not asked:
        return []
    parts, of_now = parts_of(corpus.storage), as_asked(corpus)
    known = state.get("levels", {})
    stale = [each for each in asked if known.get(each, {}).get("of") != labels_mark(of_now, parts, each)]
    if not stale and state.get("view", {}).get("of") != view_mark(of_now, parts)[1]:
        return [level for level in asked if level in of_now.config.dedup.policy] or asked
    return stale


def flags_of(corpus: Corpus) -> dict[str, Any]:
    """The settings of duplicates that were given as flags, as plain values."""
    return {
        each.key: list(each.value) if isinstance(each.value, tuple) else each.value
        for each in corpus.settings
        if each.origin == FLAG and each.key.startswith("dedup.")
    }
