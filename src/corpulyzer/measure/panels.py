"""Every panel of measures, in the order of the report."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, cast

from corpulyzer.errors import UserError

if TYPE_CHECKING:
    from corpulyzer.measure.bench import Bench
    from corpulyzer.measure.result import Result


@dataclass(frozen=True, slots=True)
class Panel:
    """A named group of measures: the section it is in, its function, and the results that it may give.

    `version` is raised when the same documents would give other results than before.
    """

    name: str
    section: str
    home: str
    results: tuple[str, ...] = ()
    version: int = 1

    def __call__(self, bench: Bench) -> list[Result]:
        """The panel's results for a corpus."""
        module, _, function = self.home.partition(":")
        found = getattr(import_module(f"corpulyzer.measure.{module}"), function or "measure")
        return cast("Callable[[Bench], list[Result]]", found)(bench)


ORIGIN, RICHNESS, TEXT = "Where it comes from", "How much of the language", "The language in it"
QUALITY, COPIES, RIGHTS, CRAWL = "Quality and noise", "Copies", "Licenses", "The crawl"
COMMON_CRAWL = "Common Crawl"

PANELS = (
    Panel("funnel", "The funnel", "pages.funnel", ("funnel",)),
    Panel(
        "sites",
        ORIGIN,
        "sites.overview",
        (
            *("top_sites", "top_sites_by_bytes", "top_domains", "concentration", "pages_per_site"),
            *("noise_by_site", "large_sites", "labelled_sites", "categories"),
        ),
    ),
    Panel("seeds", ORIGIN, "sites.seed_sources", ("seed_sources",)),
    Panel("web", ORIGIN, "pages.as_files", ("url_depth", "mime", "charset", "html_size", "large_pages")),
    Panel(
        "richness",
        RICHNESS,
        "pages.language_richness",
        ("language_share", "site_richness", "thresholds", "language_presence", "coverage"),
    ),
    Panel("ranks", RICHNESS, "sites.ranks", ("ranks",)),
    Panel("vocabulary", TEXT, "words.vocabulary", ("vocabulary",)),
    Panel("frequency", TEXT, "words.frequency", ("words", "no_words")),
    Panel("growth", TEXT, "growth.laws", ("zipf", "zipf_fits", "heaps", "heaps_fits", "tokens_per_type")),
    Panel("topics", TEXT, "words.topics", ("topics", "topic_stability"), version=2),
    Panel("keywords", TEXT, "words.keywords", ("keywords", "keyword_ranks")),
    Panel("scripts", TEXT, "words.scripts", ("scripts", "normalisation", "mixed_script_words")),
    Panel("annotation", TEXT, "text.annotated_share", ("annotation",)),
    Panel("readability", TEXT, "text.readability", ("readability",)),
    Panel(
        "quality",
        QUALITY,
        "quality.documents",
        ("quality", "quality_parts", "quality_of_sites", "filter_thresholds"),
    ),
    Panel("audit", QUALITY, "quality.audit", ("audit", "audit_sites")),
    Panel(
        "evaluations",
        QUALITY,
        "quality.evaluations",
        ("license_evaluation", "license_kinds", "extraction_evaluation"),
    ),
    Panel("confusables", QUALITY, "quality.confusables", ("look_alikes", "identification_confidence")),
    Panel(
        "machine_translation",
        QUALITY,
        "quality.machine_translation",
        ("machine_translation", "machine_translated_sites"),
    ),
    Panel("pii", QUALITY, "quality.pii", ("pii",)),
    Panel("classifier", QUALITY, "sites.classifier", ("classifier",)),
    Panel("rejects", QUALITY, "pages.rejects", ("rejects",)),
    Panel("duplicates", COPIES, "pages.duplicates", ("duplicates", "cluster_sizes")),
    Panel("licenses", RIGHTS, "licenses.by_language", ("licenses", "site_licenses"), version=2),
    Panel(
        "crawl",
        CRAWL,
        "crawl.results",
        ("yield_rate", "stop_now", "discovery", "assortativity", "cost"),
    ),
    Panel(
        "commoncrawl",
        COMMON_CRAWL,
        "crawl.commoncrawl",
        ("releases", "release_languages", "web_size", "release_mime", "jaccard_urls", "churn"),
        version=2,
    ),
)


def panels(names: Iterable[str] = ()) -> list[Panel]:
    """The panels that names of panels or of results stand for, all without names, in their order."""
    wanted = set(names)
    known = {name for panel in PANELS for name in (panel.name, *panel.results)}
    for name in sorted(wanted - known):
        import difflib

        close = difflib.get_close_matches(name, sorted(known), n=3, cutoff=0.5)
        hint = f"Did you mean {' or '.join(close)}? " if close else ""
        raise UserError(f"There is no measure {name!r}.", f"{hint}Measures: {', '.join(sorted(known))}.")
    return [panel for panel in PANELS if not wanted or wanted & {panel.name, *panel.results}]
