"""Which fingerprints of format 1 mean the same as one of format 2, with the settings as they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from corpulyzer.annotate import MORPHS, AnnotateDocuments
from corpulyzer.annotate.choose import unloaded_backend
from corpulyzer.annotate.morphs import Morphs
from corpulyzer.annotate.parts import content, fingerprint_of
from corpulyzer.corpus.without_copies import read_state
from corpulyzer.dedup.settings import LEVELS
from corpulyzer.engine.local import LocalEngine
from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.phases import made_by
from corpulyzer.jobs.dedup.current_labels import steps_of
from corpulyzer.jobs.upgrade import format_1, format_2
from corpulyzer.page.pipeline import GROUPS, fingerprints
from corpulyzer.records.fingerprint import VERSIONS, method_version
from corpulyzer.web.seeds import FILE as SEEDS

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.measure.bench import Bench

METHODS: tuple[Literal["minhash", "simhash", "text_profile"], ...] = ("minhash", "simhash", "text_profile")


class Pair(NamedTuple):
    """A fingerprint of format 1, that of format 2, and the stages whose methods decide if they are equal."""

    old: str
    new: str
    stages: tuple[str, ...]


def accepted(corpus: CorpusFolder) -> dict[str, str]:
    """Fingerprints of format 1 with those of format 2, for all that may have been made of a corpus.

    A stage whose version has been raised since works in another way: what it made then is stale.
    """
    pairs = [*_documents(corpus), *_duplicates(corpus), *_annotations(corpus), _analysis(corpus)]
    return _meaning_the_same(pairs)


def accepted_documents(corpus: CorpusFolder) -> dict[str, str]:
    """The same for documents and the frontier alone."""
    return _meaning_the_same(_documents(corpus))


def _meaning_the_same(pairs: Iterable[Pair]) -> dict[str, str]:
    return {each.old: each.new for each in pairs if all(VERSIONS[stage] == 1 for stage in each.stages)}


def _documents(corpus: CorpusFolder) -> Iterator[Pair]:
    methods = {"extract": corpus.config.extract.method, "identify": corpus.config.identify.method}
    if any(method_version(stage, method) for stage, method in methods.items()):
        return
    before, now = format_1.documents(corpus.config), fingerprints(corpus.config)
    judged_otherwise = any(method_version("filter", name) for name in corpus.config.filter.document)
    same = GROUPS[:1] if _counts_sentences(corpus) else GROUPS[:2] if judged_otherwise else GROUPS
    for number, group in enumerate(same, 1):
        yield Pair(before[group], now[group], GROUPS[:number])
    yield Pair(format_1.frontier(corpus.config), made_by(corpus.config), (*GROUPS, "frontier"))


def _counts_sentences(corpus: CorpusFolder) -> bool:
    """Whether sentences are counted: then by line, today of the joined text."""
    return "sentences" in corpus.config.filter.document


def _duplicates(corpus: CorpusFolder) -> Iterator[Pair]:
    """The fingerprints for every method, since a flag can name another than the settings do."""
    if _counts_sentences(corpus):
        return
    before, after = format_1.parts(corpus.storage), format_2.parts(corpus.storage)
    for each in of_methods(corpus):
        yield from _of_parts(each, before, after)
        yield from _of_levels(each, before, after)


def _of_parts(
    corpus: CorpusFolder, before: list[format_1.Part], after: list[format_2.Part]
) -> Iterator[Pair]:
    steps = steps_of(corpus)
    for part, same in zip(before, after, strict=True):
        old = format_1.beside_documents(part, corpus.config.dedup, corpus.language.code)
        for name, step in steps.items():
            yield Pair(old[name], format_2.beside_documents(step, same), (step.stage,))


def _of_levels(
    corpus: CorpusFolder, before: list[format_1.Part], after: list[format_2.Part]
) -> Iterator[Pair]:
    asked, steps = corpus.config.dedup, steps_of(corpus)
    old = {level: format_1.level(level, before, asked, corpus.language.code) for level in LEVELS}
    new = {level: format_2.level(corpus, steps, after, level) for level in LEVELS}
    stages = ("units", "passages", asked.method, "duplicates")
    for level in LEVELS:
        yield Pair(old[level], new[level], stages)
    known = read_state(corpus.storage).get("levels", {})
    applied = tuple(level for level in asked.policy if known.get(level, {}).get("of") == old[level])
    view = format_2.view(corpus, new, applied)
    yield Pair(format_1.view(old, applied, corpus.config), view, (*stages, "view"))


def _annotations(corpus: CorpusFolder) -> Iterator[Pair]:
    for step in annotators(corpus):
        models = (getattr(step.backend, "model", ""), step.morphs.model if step.morphs else "")
        digests = [found for found in map(content, models) if found]
        old = format_1.annotated(step.backend, step.language, step.morphs, digests)
        yield Pair(old, fingerprint_of(step), ("annotations",))


def of_methods(corpus: CorpusFolder) -> list[CorpusFolder]:
    """The corpus with each method for near-duplicates."""
    asked = corpus.config.dedup
    settings = [replace(corpus.config, dedup=replace(asked, method=method)) for method in METHODS]
    return [replace(corpus, config=config) for config in settings]


def annotators(corpus: CorpusFolder) -> Iterator[AnnotateDocuments]:
    """The annotators of the settings' method and of those that need no model, with morphs and without."""
    asked, language = corpus.config.annotate, corpus.config.corpus.language
    trained = Morphs(corpus.storage.path(MORPHS)) if corpus.storage.exists(MORPHS) else None
    for method in dict.fromkeys((asked.method, "plain", "simplemma")):
        with suppress(UserError):  # a method that cannot be loaded has no fingerprint
            backend = unloaded_backend(replace(asked, method=method), language)
            for morphs in dict.fromkeys((None, trained)):
                yield AnnotateDocuments(backend, language, morphs)


def _analysis(corpus: CorpusFolder) -> Pair:
    from corpulyzer.jobs.analyze import run

    bench = run.bench_of(corpus, LocalEngine())
    folder = beside_the_bench(corpus, bench)
    old = {**folder, "parts": format_1.parts(corpus.storage)}
    new = {**folder, "documents": format_2.parts(corpus.storage)}
    return Pair(
        format_1.analysis(corpus.config, bench, old), format_2.analysis(corpus, bench, new), ("analysis",)
    )


def beside_the_bench(corpus: CorpusFolder, bench: Bench) -> dict[str, Any]:
    """What measures followed from besides the documents and the bench, in formats 1 and 2."""
    from corpulyzer.jobs.analyze.follows import content

    storage = corpus.storage
    return {
        "view": read_state(storage).get("view", {}).get("of", ""),
        "fetches": storage.list("fetches", ".parquet"),
        "ranks": {name: content(file) for name, file in bench.ranks.items()},
        "annotations": format_2.annotation_footers(storage),
        "seeds": content(storage.path(SEEDS)) if storage.exists(SEEDS) else "",
    }
