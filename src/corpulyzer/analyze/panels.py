"""Every panel of measures, in the order of the report."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, cast

from corpulyzer.errors import UserError

if TYPE_CHECKING:
    from corpulyzer.analyze.bench import Bench
    from corpulyzer.analyze.result import Result


@dataclass(frozen=True, slots=True)
class Panel:
    """A named group of measures: the section it is in, its function, and the results that it may give."""

    name: str
    section: str
    home: str
    results: tuple[str, ...] = ()

    def __call__(self, bench: Bench) -> list[Result]:
        """The panel's results for a corpus."""
        module, _, function = self.home.partition(":")
        found = getattr(import_module(f"corpulyzer.analyze.{module}"), function or "measure")
        return cast("Callable[[Bench], list[Result]]", found)(bench)


ORIGIN, RICHNESS, TEXT = "Where it comes from", "How much of the language", "The language in it"
QUALITY, COPIES, RIGHTS, CRAWL = "Quality and noise", "Copies", "Licenses", "The crawl"
COMMON_CRAWL = "Common Crawl"

PANELS = (
    Panel("funnel", "The funnel", "funnel", ("funnel",)),
    Panel(
        "sites",
        ORIGIN,
        "sites",
        (
            *("top_sites", "top_sites_by_bytes", "top_domains", "concentration", "pages_per_site"),
            *("noise_by_site", "large_sites", "labelled_sites", "categories"),
        ),
    ),
    Panel("seeds", ORIGIN, "seed_sources", ("seed_sources",)),
    Panel("web", ORIGIN, "web", ("url_depth", "mime", "charset", "html_size", "large_pages")),
    Panel(
        "richness",
        RICHNESS,
        "language_richness",
        ("language_share", "site_richness", "thresholds", "language_presence", "coverage"),
    ),
    Panel("ranks", RICHNESS, "ranks", ("ranks",)),
    Panel("vocabulary", TEXT, "vocabulary", ("vocabulary",)),
    Panel("frequency", TEXT, "frequency", ("words", "no_words")),
    Panel("growth", TEXT, "growth", ("zipf", "zipf_fits", "heaps", "heaps_fits", "tokens_per_type")),
    Panel("topics", TEXT, "topics", ("topics", "topic_stability")),
    Panel("keywords", TEXT, "keywords", ("keywords", "keyword_ranks")),
    Panel("scripts", TEXT, "scripts", ("scripts", "normalisation", "mixed_script_words")),
    Panel("annotation", TEXT, "annotation", ("annotation",)),
    Panel("readability", TEXT, "readability", ("readability",)),
    Panel(
        "quality",
        QUALITY,
        "quality",
        ("quality", "quality_parts", "quality_of_sites", "filter_thresholds"),
    ),
    Panel("audit", QUALITY, "audit", ("audit", "audit_sites")),
    Panel("confusables", QUALITY, "confusables", ("look_alikes", "identification_confidence")),
    Panel(
        "machine_translation",
        QUALITY,
        "machine_translation",
        ("machine_translation", "machine_translated_sites"),
    ),
    Panel("pii", QUALITY, "pii", ("pii",)),
    Panel("classifier", QUALITY, "classifier", ("classifier",)),
    Panel("rejects", QUALITY, "rejects", ("rejects",)),
    Panel("duplicates", COPIES, "duplicates", ("duplicates", "cluster_sizes")),
    Panel("licenses", RIGHTS, "license_table", ("licenses", "site_licenses")),
    Panel(
        "crawl",
        CRAWL,
        "crawl_results",
        ("yield_rate", "stop_now", "discovery", "assortativity", "cost"),
    ),
    Panel(
        "commoncrawl",
        COMMON_CRAWL,
        "commoncrawl",
        ("releases", "release_languages", "release_mime", "jaccard_urls", "churn"),
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
