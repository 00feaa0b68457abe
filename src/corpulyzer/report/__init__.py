"""The report on a corpus: one HTML page made of results, a data card, and a manifest.

The page is made of `Result`s and of what the corpus says it is; whatever is to be shown must be a result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpulyzer.corpus.folder import MANIFEST, REPORT

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.engine.progress import Progress
    from corpulyzer.jobs.compare import Comparison

CARD = "card.md"


def write_report(
    corpus: CorpusFolder, engine: Engine, progress: Progress | None = None, again: bool = False
) -> str:
    """Write the page, the card and the manifest of a corpus; return the path of the page."""
    import json

    from corpulyzer.jobs.analyze.run import analyze
    from corpulyzer.report.about import about, changed_settings, sources
    from corpulyzer.report.bundle import kept_bundle
    from corpulyzer.report.card import card
    from corpulyzer.report.manifest import manifest
    from corpulyzer.report.page import page
    from corpulyzer.storage.lock import changing

    with changing(corpus.storage, "report"):
        measured = analyze(corpus, engine, progress=progress, again=again)
        results = [result for each in measured for result in each.results]
        known = about(corpus)
        written = card(known, results, sources(corpus, engine), changed_settings(corpus))
        corpus.storage.write(CARD, written.encode())
        facts = json.dumps(manifest(corpus, known, results), ensure_ascii=False, indent=1, default=str)
        corpus.storage.write(MANIFEST, facts.encode())
        corpus.storage.write(REPORT, page(known, measured, kept_bundle).encode())
    return corpus.storage.path(REPORT)


def comparison_page(corpus: CorpusFolder, found: Comparison) -> str:
    """A comparison of corpora as a page of the same make."""
    from dataclasses import replace

    from corpulyzer.jobs.analyze.run import Measured
    from corpulyzer.measure.panels import Panel
    from corpulyzer.report.about import about
    from corpulyzer.report.page import page

    known = replace(about(corpus), name=" · ".join(found.names), kind="Comparison with a corpus")
    return page(known, [Measured(Panel("compare", "Comparison", ""), found.results)])
