"""Every panel of measures, in the order of the report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from corpulyzer.errors import UserError
from corpulyzer.plugins import NAME, PANEL, Plugin
from corpulyzer.plugins.found import available
from corpulyzer.plugins.registry import Registry, imported
from corpulyzer.records.fingerprint import digest

if TYPE_CHECKING:
    from corpulyzer.measure.bench import Bench, Measure
    from corpulyzer.measure.result import Result


@dataclass(frozen=True, slots=True)
class Panel:
    """A named group of measures: the section it is in, its function, and the results that it may give.

    Where it comes from a plug-in, that is its function, and nobody knows its results before. `version` is
    raised when the same documents would give other results than before. A panel that is a `fit` costs as much
    again after one new document, so it is made anew only when many of them have changed. What is
    `several` holds for a corpus of several languages too; what is `of_whole` says nothing of one of these.
    """

    name: str
    section: str
    home: str = ""
    results: tuple[str, ...] = ()
    plugin: Plugin | None = None
    version: int = 1
    fit: bool = False
    several: bool = False
    of_whole: bool = False

    def __call__(self, bench: Bench) -> list[Result]:
        """The panel's results for a corpus."""
        if self.plugin is not None:
            found: list[Result] = OWN_PANELS.called(self.plugin)(bench)
            return found
        return cast("Measure", imported(self.function))(bench)

    @property
    def function(self) -> str:
        """The module and the name of its function, where it is ours."""
        module, _, name = self.home.partition(":")
        return f"corpulyzer.measure.{module}:{name or 'measure'}"

    def mark(self, of: str) -> str:
        """A fingerprint of what its results follow from, where `of` is that of all panels."""
        own = [self.plugin] * (self.plugin is not None) + [self.version] * (self.version > 1)
        return digest([of, *own]) if own else of


ORIGIN, RICHNESS, TEXT = "Where it comes from", "How much of the language", "The language in it"
QUALITY, COPIES, RIGHTS, CRAWL = "Quality and noise", "Copies", "Licenses", "The crawl"
COMMON_CRAWL, OWN = "Common Crawl", "Measures of your own"

PANELS = (
    Panel("funnel", "The funnel", "pages.funnel_panel", ("funnel",), several=True),
    Panel(
        "languages",
        "The languages",
        "pages.languages",
        ("languages", "language_thresholds", "look_alike_pairs"),
        version=3,
        several=True,
        of_whole=True,
    ),
    Panel(
        "sites",
        ORIGIN,
        "sites.overview",
        (
            *("top_sites", "top_sites_by_bytes", "top_domains", "concentration", "pages_per_site"),
            *("noise_by_site", "large_sites", "labelled_sites", "categories"),
        ),
        several=True,
    ),
    Panel("origin", ORIGIN, "sites.origin", ("countries", "timeline"), version=2, several=True),
    Panel("seeds", ORIGIN, "sites.seed_sources", ("seed_sources",), of_whole=True),
    Panel(
        "web",
        ORIGIN,
        "pages.as_files",
        ("url_depth", "mime", "charset", "html_size", "large_pages"),
        several=True,
    ),
    Panel(
        "richness",
        RICHNESS,
        "pages.language_richness",
        ("language_share", "site_richness", "thresholds", "language_presence", "coverage"),
    ),
    Panel("ranks", RICHNESS, "sites.ranks", ("ranks",)),
    Panel("basics", TEXT, "text.basics", ("basics",)),
    Panel("vocabulary", TEXT, "words.vocabulary", ("vocabulary",)),
    Panel("frequency", TEXT, "words.frequency", ("words", "no_words")),
    Panel(
        "growth",
        TEXT,
        "growth.laws",
        ("zipf", "zipf_fits", "heaps", "heaps_fits", "tokens_per_type"),
        fit=True,
    ),
    Panel("topics", TEXT, "words.topics", ("topics", "topic_stability"), version=3, fit=True),
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
        of_whole=True,
    ),
    Panel("confusables", QUALITY, "quality.confusables", ("look_alikes", "identification_confidence")),
    Panel(
        "machine_translation",
        QUALITY,
        "quality.machine_translation",
        ("machine_translation", "machine_translated_sites"),
        several=True,
    ),
    Panel("content", QUALITY, "quality.content", ("content",), several=True),
    Panel("pii", QUALITY, "quality.pii", ("pii",)),
    Panel("classifier", QUALITY, "sites.classifier", ("classifier",)),
    Panel("rejects", QUALITY, "pages.rejects", ("rejects",), several=True),
    Panel(
        "duplicates",
        COPIES,
        "pages.duplicates",
        ("duplicates", "cluster_sizes"),
        several=True,
        of_whole=True,
    ),
    Panel(
        *("licenses", RIGHTS, "licenses.by_language"),
        ("licenses", "licenses_kept", "site_licenses"),
        version=3,
        several=True,
    ),
    Panel(
        "crawl",
        CRAWL,
        "crawl.results",
        ("yield_rate", "stop_now", "discovery", "assortativity", "cost"),
        of_whole=True,
    ),
    Panel(
        "commoncrawl",
        COMMON_CRAWL,
        "crawl.commoncrawl",
        ("releases", "release_languages", "web_size", "release_mime", "jaccard_urls", "churn"),
        version=2,
        of_whole=True,
    ),
)


OURS = {name for panel in PANELS for name in (panel.name, *panel.results)}
_SETTINGS = ("sample", "seed", "reference", "topic_names", "classifier", "plugins")


def _are_results(found: object, _bench: Bench) -> bool:
    """Whether they are results under names of their own, since each is written to a file of its name."""
    from corpulyzer.measure.result import Result

    if not isinstance(found, list) or not all(isinstance(each, Result) for each in found):
        return False
    names = [each.name for each in found]
    return len(set(names)) == len(names) and all(NAME.fullmatch(name) and name not in OURS for name in names)


OWN_PANELS = Registry(
    PANEL,
    {panel.name: panel.function for panel in PANELS},
    "a list of Results under different names that are not ours",
    _are_results,
    (*OURS, *_SETTINGS),
)


def all_panels(plugins: Iterable[Plugin] = ()) -> list[Panel]:
    """Our panels in their order, then those of plug-ins: the corpus' own, and those of installed packages."""
    own = available(PANEL, plugins)
    for plugin in own:
        OWN_PANELS.must_be_free(plugin)
    return [*PANELS, *(Panel(plugin.name, OWN, plugin=plugin) for plugin in own)]


def panels(names: Iterable[str] = (), plugins: Iterable[Plugin] = ()) -> list[Panel]:
    """The panels that names of panels or of results stand for, all without names, in their order."""
    there, wanted = all_panels(plugins), set(names)
    known = {name for panel in there for name in (panel.name, *panel.results)}
    for name in sorted(wanted - known):
        import difflib

        close = difflib.get_close_matches(name, sorted(known), n=3, cutoff=0.5)
        hint = f"Did you mean {' or '.join(close)}? " if close else ""
        raise UserError(f"There is no measure {name!r}.", f"{hint}Measures: {', '.join(sorted(known))}.")
    return [panel for panel in there if not wanted or wanted & {panel.name, *panel.results}]
