"""The report on a corpus: one HTML page made of results, a data card, and a manifest.

The page is made of `Result`s and of what the corpus says it is; whatever is to be shown must be a result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from corpulyzer.corpus.folder import CARD, MANIFEST, REPORT
from corpulyzer.corpus.language_folders import FOLDER
from corpulyzer.interface.catalogue import ENGLISH, speaking

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.engine.progress import Progress
    from corpulyzer.jobs.compare import Comparison


def write_report(
    corpus: CorpusFolder,
    engine: Engine,
    progress: Progress | None = None,
    again: bool = False,
    interface: str = ENGLISH,
) -> str:
    """Write the page, the card and the manifest of a corpus; return the path of the page.

    `interface` is the language that the page speaks; the card and the manifest are in English.
    In a corpus of several languages, each that has enough documents gets its own, in its own folder.
    """
    import json

    from corpulyzer.jobs.analyze.run import analyze
    from corpulyzer.jobs.languages import large_languages
    from corpulyzer.report.about import about, changed_settings, sources
    from corpulyzer.report.bundle import kept_bundle
    from corpulyzer.report.card import card
    from corpulyzer.report.manifest import manifest
    from corpulyzer.report.page import page
    from corpulyzer.storage.lock import changing

    with changing(corpus.storage, "report"):
        languages = {}
        for each in [] if corpus.targets.only else large_languages(corpus, engine):
            languages[each.language.code] = f"../{FOLDER}/{each.language.code}/{REPORT}"
            if again or not _is_fresh(each, interface):
                write_report(each, engine, progress, again, interface)
        measured = analyze(corpus, engine, progress=progress, again=again)
        results = [result for each in measured for result in each.results]
        known = about(corpus)
        written = card(known, results, sources(corpus), changed_settings(corpus))
        corpus.storage.write(CARD, written.encode())
        facts = json.dumps(manifest(corpus, known, results), ensure_ascii=False, indent=1, default=str)
        corpus.storage.write(MANIFEST, facts.encode())
        with speaking(interface):
            corpus.storage.write(REPORT, page(known, measured, kept_bundle, languages).encode())
    return corpus.storage.path(REPORT)


def stored_page(corpus: CorpusFolder, interface: str) -> str:
    """The page of a corpus in a language of the interface, from results as they were stored last."""
    from corpulyzer.corpus.language_folders import codes_there
    from corpulyzer.jobs.analyze.run import stored_panels
    from corpulyzer.report.about import about
    from corpulyzer.report.bundle import kept_bundle
    from corpulyzer.report.page import page

    codes = [] if corpus.targets.only else codes_there(corpus.storage)
    there = [code for code in codes if corpus.storage.exists(f"{FOLDER}/{code}/{REPORT}")]
    languages = {code: f"../{FOLDER}/{code}/{REPORT}" for code in there}
    with speaking(interface):
        return page(about(corpus), stored_panels(corpus), kept_bundle, languages)


def _is_fresh(corpus: CorpusFolder, interface: str) -> bool:
    """Whether there is a report in a language of the interface, and of what there is now."""
    from corpulyzer.jobs.stale import stale

    if not corpus.storage.exists(REPORT) or stale(corpus, "report"):
        return False
    return speaks(corpus.storage.read(REPORT), interface)


def speaks(page: bytes, interface: str) -> bool:
    """Whether a page is in a language of the interface; English where it does not say."""
    named = regex.search(rb'<html lang="(\w+)"', page[:200])
    return (named[1].decode() if named else ENGLISH) == interface


def comparison_page(corpus: CorpusFolder, found: Comparison) -> str:
    """A comparison of corpora as a page of the same make."""
    from dataclasses import replace

    from corpulyzer.jobs.analyze.run import Measured
    from corpulyzer.measure.panels import Panel
    from corpulyzer.report.about import about
    from corpulyzer.report.page import page

    known = replace(about(corpus), name=" · ".join(found.names), kind="Comparison with a corpus")
    return page(known, [Measured(Panel("compare", "Comparison", ""), found.results)])
