"""Which fingerprints of format 1 mean the same as one of today, with the settings as they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from corpulyzer.annotate import MORPHS, AnnotateDocuments
from corpulyzer.annotate.choose import unloaded_backend
from corpulyzer.annotate.morphs import Morphs
from corpulyzer.annotate.parts import content, fingerprint_of
from corpulyzer.corpus.without_copies import read_state
from corpulyzer.dedup.parts import Part, made_for, parts_of
from corpulyzer.dedup.settings import LEVELS
from corpulyzer.engine.local import LocalEngine
from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.phases import made_by
from corpulyzer.jobs.dedup.current_labels import labels_mark, mark_without, steps_of
from corpulyzer.jobs.upgrade import format_1 as then
from corpulyzer.page.pipeline import GROUPS, fingerprints
from corpulyzer.records.fingerprint import VERSIONS, method_version
from corpulyzer.web.seeds import FILE as SEEDS

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder

METHODS: tuple[Literal["minhash", "simhash", "text_profile"], ...] = ("minhash", "simhash", "text_profile")


class Pair(NamedTuple):
    """A mark of then, the one of today, and the stages whose methods decide whether they mean the same."""

    then: str
    today: str
    stages: tuple[str, ...]


def accepted(corpus: CorpusFolder) -> dict[str, str]:
    """Marks of then with those of today, for all that may have been made of a corpus.

    A stage whose version has been raised since works in another way: what it made then is stale.
    """
    pairs = [*_documents(corpus), *_duplicates(corpus), *_annotations(corpus), _analysis(corpus)]
    return {each.then: each.today for each in pairs if all(VERSIONS[stage] == 1 for stage in each.stages)}


def _documents(corpus: CorpusFolder) -> Iterator[Pair]:
    methods = {"extract": corpus.config.extract.method, "identify": corpus.config.identify.method}
    if any(method_version(stage, method) for stage, method in methods.items()):
        return
    before, now = then.documents(corpus.config), fingerprints(corpus.config)
    for number, group in enumerate(GROUPS, 1):
        yield Pair(before[group], now[group], GROUPS[:number])
    yield Pair(then.frontier(corpus.config), made_by(corpus.config), (*GROUPS, "frontier"))


def _duplicates(corpus: CorpusFolder) -> Iterator[Pair]:
    """The marks for every method, since a flag can name another than the settings do."""
    before, now = then.parts(corpus.storage), parts_of(corpus.storage)
    for method in METHODS:
        config = replace(corpus.config, dedup=replace(corpus.config.dedup, method=method))
        yield from _of_parts(replace(corpus, config=config), before, now)
        yield from _of_levels(replace(corpus, config=config), before, now)


def _of_parts(corpus: CorpusFolder, before: list[then.Part], now: list[Part]) -> Iterator[Pair]:
    steps = steps_of(corpus)
    for part, same in zip(before, now, strict=True):
        marks = then.beside_documents(part, corpus.config.dedup, corpus.language.code)
        for name, step in steps.items():
            yield Pair(marks[name], made_for(step, same), (step.stage,))


def _of_levels(corpus: CorpusFolder, before: list[then.Part], now: list[Part]) -> Iterator[Pair]:
    asked = corpus.config.dedup
    marks = {level: then.level(level, before, asked, corpus.language.code) for level in LEVELS}
    stages = ("units", "passages", asked.method, "duplicates")
    for level, mark in marks.items():
        yield Pair(mark, labels_mark(corpus, now, level), stages)
    known = read_state(corpus.storage).get("levels", {})
    applied = tuple(level for level in asked.policy if known.get(level, {}).get("of") == marks[level])
    view = mark_without(corpus, now, applied)
    yield Pair(then.view(marks, applied, corpus.config), view, (*stages, "view"))


def _annotations(corpus: CorpusFolder) -> Iterator[Pair]:
    """The marks of the settings' method and of those that need no model, with morphs and without."""
    asked, language = corpus.config.annotate, corpus.config.corpus.language
    trained = Morphs(corpus.storage.path(MORPHS)) if corpus.storage.exists(MORPHS) else None
    for method in dict.fromkeys((asked.method, "plain", "simplemma")):
        with suppress(UserError):  # a method that cannot be loaded has no fingerprint
            backend = unloaded_backend(replace(asked, method=method), language)
            for morphs in dict.fromkeys((None, trained)):
                models = (getattr(backend, "model", ""), morphs.model if morphs else "")
                digests = [found for found in map(content, models) if found]
                now = fingerprint_of(AnnotateDocuments(backend, language, morphs))
                yield Pair(then.annotated(backend, language, morphs, digests), now, ("annotations",))


def _analysis(corpus: CorpusFolder) -> Pair:
    from corpulyzer.jobs.analyze import run

    storage, bench = corpus.storage, run.bench_of(corpus, LocalEngine())
    folder = {
        "parts": then.parts(storage),
        "view": read_state(storage).get("view", {}).get("of", ""),
        "fetches": storage.list("fetches", ".parquet"),
        "ranks": {name: run.content(file) for name, file in bench.ranks.items()},
        "annotations": run.annotated(corpus),
        "seeds": run.content(storage.path(SEEDS)) if storage.exists(SEEDS) else "",
    }
    return Pair(then.analysis(corpus.config, bench, folder), run.made_of(corpus), ("analysis",))
