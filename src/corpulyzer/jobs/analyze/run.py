"""The measures of a corpus folder: made by panels, kept in `analysis/`, and not made again without need.

A panel's results are kept with a fingerprint of what they follow from: the documents, the settings of
measures, and the files that people put beside them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.full_stops import learn_stops, learned_stops
from corpulyzer.corpus.kept_documents import kept_parts, write_kept
from corpulyzer.corpus.settings.plugins import plugins_of
from corpulyzer.errors import UserError
from corpulyzer.jobs.analyze.fits import Fit, fit_kept, fit_now, forget_others, noted
from corpulyzer.jobs.analyze.follows import beside, made_of
from corpulyzer.measure.bench import Bench
from corpulyzer.measure.pages.funnel import early_copies, step_words
from corpulyzer.measure.panels import PANELS, Panel, panels
from corpulyzer.measure.quality.audit import results as audited
from corpulyzer.measure.quality.evaluations import kept as evaluations
from corpulyzer.measure.result import Result, Results, restored
from corpulyzer.page.target_sentences import target_sentences
from corpulyzer.plugins import IDENTIFIER, PluginError
from corpulyzer.storage.lock import changing

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.engine.progress import Progress

FOLDER = "analysis"
WORK = f"{FOLDER}/work"
LASTING = f"{FOLDER}/counts"


@dataclass(frozen=True, slots=True)
class Measured:
    """A panel and its results."""

    panel: Panel
    results: tuple[Result, ...]


def analyze(
    corpus: CorpusFolder,
    engine: Engine,
    names: Iterable[str] = (),
    progress: Progress | None = None,
    again: bool = False,
) -> list[Measured]:
    """The results of panels, all or those named; what is stored and still holds is read, not made."""
    wanted = _wanted(corpus, tuple(names))
    corpus.load_plugins(panel.plugin for panel in wanted if panel.plugin is not None)
    measured = []
    with changing(corpus.storage, "analyze"):
        write_kept(corpus.storage, engine)
        if corpus.targets.only:
            learn_stops(corpus.storage, corpus.config.corpus.language)
        bench, of = _ready(corpus, engine)
        for number, panel in enumerate(wanted):
            if progress is not None:
                progress("measuring", number, len(wanted))
            results = None if again else _stored(corpus, panel, of)
            if results is None:
                results = _measured(corpus, bench, panel, of, again)
            measured.append(Measured(panel, results))
    if progress is not None and wanted:
        progress("measuring", len(wanted), len(wanted))
    return measured


def _measured(corpus: CorpusFolder, bench: Bench, panel: Panel, of: str, again: bool) -> tuple[Result, ...]:
    """The results of a panel, made and stored; of a fit that still holds, those that are stored."""
    fit: Fit | None = None
    if panel.fit:
        kept = None if again else _as_stored(corpus, panel)
        fit = None if kept is None else fit_kept(corpus, bench, panel, kept.get("fit"))
        if kept is not None and fit is not None:
            _write(corpus, panel, {**kept, "of": panel.mark(of), "fit": asdict(fit)})
            return _restored(corpus, {**kept, "fit": asdict(fit)})
        fit = fit_now(corpus, bench, panel, of)
    results = tuple(panel(bench))
    _must_be_its_own(corpus, panel, results, of)
    _store(corpus, panel, results, of, fit)
    if fit is not None:
        forget_others(corpus, panel, fit)
    return results


def _wanted(corpus: CorpusFolder, names: tuple[str, ...]) -> list[Panel]:
    """The panels that names stand for; without names, all that hold for the languages of the corpus."""
    found = panels(names, corpus.config.analyze.plugins)
    if corpus.whole is not None:
        for panel in found if names else ():
            if panel.of_whole:
                hint = "Ask for it without --language."
                raise UserError(f"The measure {panel.name} is of all languages together.", hint)
        return [panel for panel in found if not panel.of_whole]
    if corpus.targets.only:
        return found
    for panel in found if names else ():
        if not panel.several:
            corpus.one_at_a_time(f"The measure {panel.name}")
    return [panel for panel in found if panel.several]


def chosen(measured: Iterable[Measured], names: Iterable[str] = ()) -> Results:
    """Of what was measured, the results that names of panels or of measures stand for; all without names."""
    wanted = set(names)
    return Results(
        tuple(
            result
            for each in measured
            for result in each.results
            if not wanted or wanted & {each.panel.name, result.name}
        )
    )


def stale_panels(corpus: CorpusFolder) -> list[str]:
    """The panels whose stored results no longer hold."""
    stored = {file for file in corpus.storage.list(FOLDER, ".json") if file.count("/") == 1}
    own = corpus.config.analyze.plugins
    there = [panel for panel in panels(plugins=own) if f"{FOLDER}/{panel.name}.json" in stored]
    of = made_of(corpus) if there else ""
    return [panel.name for panel in there if _kept(corpus, panel, of) is None]


def as_stored(corpus: CorpusFolder, name: str) -> tuple[Result, ...]:
    """The results of a panel as they were stored last, even if they no longer hold; or none."""
    (panel,) = (panel for panel in PANELS if panel.name == name)
    kept = _as_stored(corpus, panel)
    return () if kept is None else _restored(corpus, kept)


def stored_panels(corpus: CorpusFolder) -> list[Measured]:
    """What was measured last, panel by panel, even if it no longer holds."""
    found = [(panel, _as_stored(corpus, panel)) for panel in _wanted(corpus, ())]
    return [Measured(panel, _restored(corpus, kept)) for panel, kept in found if kept is not None]


def bench_for(corpus: CorpusFolder, engine: Engine) -> Bench:
    """A corpus as measures take it, with a folder for partial results that they share."""
    return _ready(corpus, engine)[0]


def _ready(corpus: CorpusFolder, engine: Engine) -> tuple[Bench, str]:
    bench = bench_of(corpus, engine)
    if bench.sentences is not None:
        corpus.load_plugins(plugins_of(corpus.config, IDENTIFIER))
    of = made_of(corpus)
    _forget_work(corpus, of)
    return replace(bench, folder=corpus.storage.path(f"{WORK}/{of}")), of


def write_figures(corpus: CorpusFolder, measured: Iterable[Measured]) -> list[str]:
    """Write the figure of each result as SVG and PNG; return their files."""
    written = []
    for result in (result for each in measured for result in each.results):
        svg, png = result.svg(), result.png()
        if svg is not None and png is not None:
            for kind, content in (("svg", svg.encode()), ("png", png)):
                written.append(f"{FOLDER}/figures/{result.name}.{kind}")
                corpus.storage.write(written[-1], content)
    return written


def bench_of(corpus: CorpusFolder, engine: Engine) -> Bench:
    """A corpus as measures take it."""
    from corpulyzer.jobs.analyze import inputs

    settings, storage = corpus.config.analyze, corpus.storage
    index, totals, restriction = inputs.index_rows(storage, corpus.targets.together.code)
    return Bench(
        engine=engine,
        documents=corpus.table("documents"),
        fetches=corpus.table("fetches"),
        links=corpus.table("links"),
        language=corpus.targets.together,
        content=tuple(sorted({file.label for file in corpus.config.label.content.files})),
        folder=storage.path(WORK),
        lasting=storage.path(LASTING),
        versions={storage.path(part.file): part.version for part in kept_parts(storage)},
        row_versions=inputs.row_versions(corpus),
        as_judged=corpus.stored("documents"),
        learned=learned_stops(storage),
        seed=settings.seed,
        sample=settings.sample,
        site_labels=inputs.site_labels(corpus.home),
        seed_sites=inputs.seed_sites(corpus),
        reference=beside(corpus, settings.reference),
        topics=settings.topics,
        topic_names=beside(corpus, settings.topic_names),
        lemma_pairs=beside(corpus, settings.lemma_pairs),
        classifier=settings.classifier,
        filters=corpus.config.every_filter,
        sentences=target_sentences(corpus.config),
        early_copies=early_copies(corpus.config.dedup),
        site_level=corpus.config.corpus.site,
        step_words=step_words(corpus.config.identify),
        duplicates=inputs.dedup_counts(corpus),
        labels=inputs.dedup_tables(corpus),
        rounds=inputs.round_notes(storage),
        ranks=inputs.rank_files(corpus.home),
        annotations=inputs.annotated(corpus.annotated),
        index=index,
        index_totals=totals,
        index_restriction=restriction,
        audits=tuple(audited(storage)),
        evaluations=tuple(evaluations(storage)),
        seed_sources=partial(inputs.seed_sources, corpus, engine),
        of_several=corpus.whole is not None,
        qualities=inputs.qualities(corpus),
    )


def _stored(corpus: CorpusFolder, panel: Panel, of: str) -> tuple[Result, ...] | None:
    """The results of a panel as they were stored; None if there are none that still hold."""
    kept = _kept(corpus, panel, of)
    return None if kept is None else _restored(corpus, kept)


def _restored(corpus: CorpusFolder, kept: Mapping[str, Any]) -> tuple[Result, ...]:
    return noted(tuple(map(restored, kept["results"])), kept.get("fit"), corpus.config.analyze.refit)


def _kept(corpus: CorpusFolder, panel: Panel, of: str) -> dict[str, Any] | None:
    """The same as plain values."""
    kept = _as_stored(corpus, panel)
    return kept if kept is not None and corpus.holds(kept.get("of", ""), panel.mark(of)) else None


def _as_stored(corpus: CorpusFolder, panel: Panel) -> dict[str, Any] | None:
    """The same, whatever they were made of."""
    file = f"{FOLDER}/{panel.name}.json"
    if not corpus.storage.exists(file):
        return None
    kept: dict[str, Any] = json.loads(corpus.storage.read(file))
    return kept


def _must_be_its_own(corpus: CorpusFolder, panel: Panel, results: Iterable[Result], of: str) -> None:
    """PluginError if another plug-in has a result of the same name: each is written to a file of its name."""
    if panel.plugin is None:
        return
    theirs = [each for each in panels(plugins=corpus.config.analyze.plugins) if each.plugin is not None]
    known = {
        result.name: other.plugin
        for other in theirs
        if other.name != panel.name
        for result in _stored(corpus, other, of) or ()
    }
    for result in results:
        if result.name in known:
            raise PluginError(
                f"The {panel.plugin} gives a result {result.name!r}, and so does the {known[result.name]}.",
                "Give one of the two another name.",
            )


def _store(corpus: CorpusFolder, panel: Panel, results: tuple[Result, ...], of: str, fit: Fit | None) -> None:
    for result in results:
        corpus.storage.write(f"{FOLDER}/{result.name}.csv", result.to_csv().encode())
    kept: dict[str, Any] = {"of": panel.mark(of), "results": [result.stored() for result in results]}
    _write(corpus, panel, kept | ({} if fit is None else {"fit": asdict(fit)}))


def _write(corpus: CorpusFolder, panel: Panel, kept: Mapping[str, Any]) -> None:
    # Without line breaks: with them it is not written by C, which takes ten times as long.
    text = json.dumps(kept, ensure_ascii=False, default=str)
    corpus.storage.write(f"{FOLDER}/{panel.name}.json", text.encode())


def _forget_work(corpus: CorpusFolder, of: str) -> None:
    """Delete partial results of an earlier state of the documents."""
    for file in corpus.storage.list(WORK):
        if not file.startswith(f"{WORK}/{of}/"):
            corpus.storage.delete(file)
