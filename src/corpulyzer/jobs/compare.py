"""Corpora beside each other: what they share, what only one has, and their numbers in columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from corpulyzer.engine.progress import Progress, silent
from corpulyzer.errors import UserError
from corpulyzer.measure.result import Result, Results
from corpulyzer.storage.lock import changing

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine

KEPT = "verdict.kept"
MEASURES = (
    *("funnel", "concentration", "site_richness", "language_share", "noise_by_site", "duplicates"),
    *("licenses", "yield_rate", "pages_per_site", "html_size"),
)
OF_WHOLE = ("duplicates", "yield_rate")
"""Those that nobody has measured of one language of several."""


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Results):
    """The results of comparing corpora, by name: `comparison["jaccard_pages"]`; `names` are the corpora's."""

    names: tuple[str, ...]


def compare(*corpora: CorpusFolder, progress: Progress = silent, engine: Engine | None = None) -> Comparison:
    """What corpora share: pages, sites, words, topics; churn in the order given; their numbers and curves."""
    if len(corpora) < 2:
        raise UserError("There is only one corpus to compare.", "Name two or more: corpulyzer compare A B.")
    for corpus in corpora:
        corpus.one_at_a_time("`corpulyzer compare`")
    names = _names(corpora)
    with ExitStack() as stack:
        for corpus in corpora:
            stack.enter_context(changing(corpus.storage, "compare"))
        runner = stack.enter_context(corpora[0].engine()) if engine is None else engine
        return Comparison(tuple(_results(names, corpora, runner, progress)), names)


def _results(
    names: Sequence[str], corpora: Sequence[CorpusFolder], engine: Engine, progress: Progress
) -> list[Result]:
    from corpulyzer.jobs.analyze.inputs import related_corpora
    from corpulyzer.jobs.analyze.run import analyze, bench_for
    from corpulyzer.measure.compare.distributions import distributions
    from corpulyzer.measure.compare.overlap import overlap
    from corpulyzer.measure.compare.side_by_side import churn, jaccard, overlaps, related, side_by_side
    from corpulyzer.measure.compare.sites import say_what_sites_are, site_overlap
    from corpulyzer.measure.compare.topics import compare_topics
    from corpulyzer.measure.compare.words import compare_words
    from corpulyzer.measure.pages.language_richness import presence

    step = _counter(progress, len(corpora) + 3)
    found: dict[str, dict[str, Result]] = {}
    for name, corpus in zip(names, corpora, strict=True):
        names_of = [each for each in MEASURES if corpus.whole is None or each not in OF_WHOLE]
        measured = analyze(corpus, engine, names_of)
        found[name] = {result.name: result for each in measured for result in each.results}
        step()
    facts = {name: {each: result.facts for each, result in own.items()} for name, own in found.items()}
    sets = {name: (corpus.table("documents"), KEPT) for name, corpus in zip(names, corpora, strict=True)}
    urls = overlap(engine, sets, "url_id")
    benches = dict(zip(names, (bench_for(each, engine) for each in corpora), strict=True))
    sites = site_overlap(benches)
    step()
    counted = {name: presence(bench) for name, bench in benches.items()}
    languages = {
        name: ({row["language"]: row["pages"] for row in rows}, pages)
        for name, (rows, pages) in counted.items()
    }
    words = compare_words(benches)
    step()
    topics = compare_topics(benches)
    step()
    known = [each for corpus in corpora for each in related_corpora(corpus.storage)]
    of_sites = [overlaps(sites, "sites"), jaccard(sites, "sites"), churn(sites)]
    results = [
        side_by_side(facts),
        overlaps(urls, "pages"),
        jaccard(urls, "pages"),
        *of_sites,
        *distributions(found, languages),
        *words,
        topics,
        *([related(known)] if known else []),
    ]
    return say_what_sites_are(results, benches, [each.name for each in of_sites])


def _counter(progress: Progress, steps: int) -> Callable[[], None]:
    """A function that says at each call that one more step is done."""
    numbers = count(1)

    def step() -> None:
        progress("comparing", next(numbers), steps)

    return step


def _names(corpora: Sequence[CorpusFolder]) -> tuple[str, ...]:
    """A name for each corpus; where two have the same, those of their folders, or the whole paths."""
    roots = [corpus.storage.root for corpus in corpora]
    choices = ([corpus.name for corpus in corpora], [root.rstrip("/").rpartition("/")[2] for root in roots])
    return tuple(next((names for names in choices if len(set(names)) == len(names)), roots))
