"""From fetch to document: the stages that every page goes through, wherever it came from.

A stage is one line here and one module elsewhere. The groups say what a stage needs, and so from where
a changed setting makes the documents stale: `extract` needs the page as received, `identify` its text,
`filter` only what was learned of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial

from corpulyzer.engine import Prepares
from corpulyzer.language import Language
from corpulyzer.page.document import judged_anew, page_at_rest
from corpulyzer.page.filter import Filter, Filters, judge
from corpulyzer.page.filter.paragraphs import TargetOnly, without
from corpulyzer.page.filter.unrendered import needs_browser, shows_text
from corpulyzer.page.identify import Identify
from corpulyzer.page.label.opt_outs import label_opt_outs
from corpulyzer.page.label.own import own_labels
from corpulyzer.page.link_files import links_of_source
from corpulyzer.page.settings import PageSettings
from corpulyzer.plugins import Plugin, PluginError
from corpulyzer.records import Document, Page, Verdict, drop
from corpulyzer.records.changed import changed
from corpulyzer.records.fingerprint import fingerprint, method_version
from corpulyzer.text.census import kinds_of_characters

Stage = Callable[[Page], Page]

GROUPS = ("extract", "identify", "filter")
SMALLEST_PAGE = b"<!doctype html><title>A</title><p>A sentence, as short as it is.<p><a href=/>B</a>"


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The stages of one configuration, in order."""

    received: tuple[Filter, ...]
    extract: tuple[Stage, ...]
    unseen: tuple[Filter, ...]
    identify: tuple[Stage, ...]
    document: tuple[Filter, ...]

    def __call__(self, page: Page, start: str = "extract") -> Page:
        """The page with everything learned of it from group `start` on, and its verdict."""
        if start == "extract":
            page = self._extracted(page)
        if not page.text and "other_paragraphs" not in page.scores:
            return page
        if start != "filter":
            for stage in self.identify:
                page = stage(page)
        verdict = judge(page, (*self.unseen, *self.document))
        if verdict.kept and not page.text:
            verdict = drop("no_text", "no paragraph is in the target language")
        return changed(page, verdict=verdict)

    def _extracted(self, page: Page) -> Page:
        verdict = judge(page, self.received)
        if not verdict.kept:
            return changed(page, verdict=verdict, links=links_of_source(page))
        for stage in self.extract:
            page = stage(page)
        if page.text:
            return page
        lost = drop("no_text", page.labels.get("no_text", ""))
        return changed(page, verdict=judge(page, self.unseen) if needs_browser(page) else lost)


@cache
def pipeline(config: PageSettings) -> Pipeline:
    """The pipeline that a configuration asks for; made once in each worker."""
    from corpulyzer.page.extract import Extract, extractor_named
    from corpulyzer.page.extract.decode import decode
    from corpulyzer.page.extract.parse import parse
    from corpulyzer.page.identifier import identifier_by
    from corpulyzer.page.label.machine_translation import machine_translation

    target = Language.find(config.corpus.language).code
    main, identifier = config.extract, identifier_by(config.identify, target)
    only = (TargetOnly(target),) if config.identify.keep == "target" else ()
    count = partial(config.identify.sentences, target=target, identify=identifier)
    counted = (count,) if "sentences" in config.filter.document else ()
    return Pipeline(
        received=config.filter.chain(config.filter.received),
        extract=(
            decode,
            parse,
            Extract(extractor_named(main.method, main.stop_words, main.plugins), main.kinds, main.embedded),
            label_opt_outs,
            config.label.license,
            machine_translation,
            *own_labels(config.label.more, config.label.plugins),
        ),
        # A page that its owner reserves is not loaded in a browser either.
        unseen=(config.opt_outs, shows_text),
        identify=(Identify(target, identifier), *only, *counted),
        document=config.filter.chain(config.filter.document),
    )


def warm(config: PageSettings) -> None:
    """Load what the pipeline needs for pages of the target, by running it once on the smallest page."""
    run = pipeline(config)
    for stage in run.identify:
        if isinstance(stage, Identify) and isinstance(stage.identifier, Prepares):
            stage.identifier.prepare()
    with suppress(PluginError):  # it costs the page; those of the corpus will tell
        run(Page("https://example.org/", body=SMALLEST_PAGE, status=200, mime="text/html"))
    kinds_of_characters()


def fingerprints(config: PageSettings) -> dict[str, str]:
    """A fingerprint of each group and all before it: documents that carry the same need not be made again.

    Where identification takes paragraphs out, documents lack what it would need to run again, so its settings
    count for `extract` too.
    """
    filters, opt_outs = config.filter, config.opt_outs
    identify: dict[str, object] = {
        "language": config.corpus.language,
        "settings": config.identify,
        "counts_sentences": "of joined lines, with items" if "sentences" in filters.document else False,
        **method_version("identify", config.identify.method),
    }
    asked: dict[str, dict[str, object]] = {
        "extract": {
            "settings": config.extract,
            **method_version("extract", config.extract.method),
            "label": config.label,
            "nofollow": opt_outs.nofollow,
            "filters": _named(filters, filters.received),
            "follows": filters.machine_translation if "machine_translation" in filters.document else None,
            "identify": identify if config.identify.keep == "target" else None,
        },
        "identify": identify,
        "filter": {
            "filters": _named(filters, filters.document),
            "opt_outs": opt_outs,
            "site": config.corpus.site,
        },
    }
    prints, before = {}, ""
    for group in GROUPS:
        before = fingerprint(group, {**asked[group], "after": before})
        prints[group] = before
    return prints


def _named(filters: Filters, names: tuple[str, ...]) -> list[tuple[str | Filter | Plugin | int, ...]]:
    """Filters with their names, in order: what a filter is called is not in its settings, nor its version."""
    asked = zip(names, filters.asked(names), strict=True)
    return [(name, each, *method_version("filter", name).values()) for name, each in asked]


def judged_without(document: Document, dropped: Collection[int], config: PageSettings) -> Document:
    """The document without the paragraphs of these numbers, judged by the filters again; the verdict says so.

    hrWaC's order (HR-17): a document that is long enough only with what it repeats is too short.
    """
    gone = [number for number in range(len(document.paragraphs)) if number in dropped]
    if not gone:
        return document
    target = Language.find(config.corpus.language).code
    page = without(page_at_rest(document), gone, target)
    # Sentences are counted for the whole page, so they must be counted again; bytes are known by paragraph.
    start = "identify" if "sentences" in config.filter.document else "filter"
    empty = changed(page, verdict=drop("no_text", "no paragraph is left"))
    page = pipeline(config)(page, start) if page.text else empty
    noted = changed(page, verdict=_noted(page.verdict, document, gone))
    return judged_anew(document, noted, config.corpus.site)


def _noted(verdict: Verdict, document: Document, gone: Collection[int]) -> Verdict:
    """The verdict with a note of how much was taken out before."""
    said = f"without {len(gone)} of {len(document.paragraphs)} paragraphs"
    spans = [document.paragraphs[number] for number in gone]
    size = sum(len(document.text[span.start : span.end].encode()) for span in spans)
    facts = {**verdict.facts, "dropped_paragraphs": len(gone), "dropped_bytes": size}
    return replace(verdict, detail=f"{verdict.detail}; {said}" if verdict.detail else said, facts=facts)
