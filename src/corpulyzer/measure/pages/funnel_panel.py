"""The funnel as a panel: of a corpus from its records on, of one of several languages from its pages on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpulyzer.measure.pages.by_language import language_funnel
from corpulyzer.measure.pages.funnel import funnel, funnel_result
from corpulyzer.records.targets import Targets

if TYPE_CHECKING:
    from corpulyzer.measure.bench import Bench
    from corpulyzer.measure.result import Result


def measure(bench: Bench) -> list[Result]:
    """The funnel as a result (HR-11, CZ-32, CZ-50, XH-12)."""
    if bench.of_several:
        targets = Targets((bench.language,))
        own = language_funnel(bench.engine, bench.documents, bench.filters, targets, bench.language.code)
        return [funnel_result(own, "pages in the language")]
    tables = bench.fetches, bench.documents
    early, level, words = bench.early_copies, bench.site_level, bench.step_words
    return [funnel_result(funnel(bench.engine, *tables, bench.filters, early, level, words))]
