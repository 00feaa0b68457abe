"""From fetch to document: the stages that every page goes through, wherever it came from.

A stage is one line here and one module elsewhere. The groups say what a stage needs, and so from where
a changed setting makes the documents stale: `extract` needs the page as received, `identify` its text,
`filter` only what was learned of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import NamedTuple

from corpulyzer.engine import Prepares
from corpulyzer.page.document import judged_anew, page_at_rest
from corpulyzer.page.filter import Filter, Filters, judge
from corpulyzer.page.filter.language import other_language
from corpulyzer.page.filter.paragraphs import TargetOnly, without
from corpulyzer.page.filter.unrendered import needs_browser, shows_text
from corpulyzer.page.identifier import identifier_for
from corpulyzer.page.identify import Identify
from corpulyzer.page.label.opt_outs import label_opt_outs
from corpulyzer.page.label.own import own_labels
from corpulyzer.page.link_files import links_of_source
from corpulyzer.page.pidgin import PIDGIN
from corpulyzer.page.settings import ExtractTable, PageSettings, own_extract
from corpulyzer.plugins import Plugin, PluginError
from corpulyzer.records import Document, Page, Verdict, drop
from corpulyzer.records.changed import changed
from corpulyzer.records.fingerprint import fingerprint, method_version
from corpulyzer.records.targets import Targets, targets_of
from corpulyzer.text.census import kinds_of_characters

Stage = Callable[[Page], Page]

GROUPS = ("extract", "identify", "filter")
SMALLEST_PAGE = b"<!doctype html><title>A</title><p>A sentence, as short as it is.<p><a href=/>B</a>"


class Own(NamedTuple):
    """What is done with a page when its language is known: further stages, and the filters that judge it.

    `labels` are stages that cost so little that they are run each time the page is judged.

    With `extract` its text is found once more, in the way of that language.
    """

    extract: tuple[Stage, ...] = ()
    stages: tuple[Stage, ...] = ()
    filters: tuple[Filter, ...] = ()
    labels: tuple[Stage, ...] = ()


class Reading(NamedTuple):
    """What finds the text of a page, and its languages."""

    parse: tuple[Stage, ...]
    extract: tuple[Stage, ...]
    identify: Identify


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The stages of one configuration, in order; `own` are those of each language.

    `reading` loads its stages when it is first called: whoever only judges pages again needs none of them.
    """

    targets: Targets
    received: tuple[Filter, ...]
    reading: Callable[[], Reading]
    unseen: tuple[Filter, ...]
    own: Callable[[str], Own]

    def __call__(self, page: Page, start: str = "extract") -> Page:
        """The page with everything learned of it from group `start` on, and its verdict."""
        if start == "extract":
            page = self._read(page)
        if not page.text and "other_paragraphs" not in page.scores:
            return page
        page = self.reading().identify(page) if start == "identify" else page
        own = self._own(page)
        if start != "filter":
            for stage in own.stages:
                page = stage(page)
        for stage in own.labels:
            page = stage(page)
        verdict = judge(page, (*self.unseen, *own.filters))
        if verdict.kept and not page.text:
            verdict = drop("no_text", "no paragraph is in the target language")
        return changed(page, verdict=verdict)

    def _own(self, page: Page) -> Own:
        return self.own(self.targets.judging_shown(page.language))

    def _read(self, page: Page) -> Page:
        """The page with its text and languages; read twice where its language has its own `extract`."""
        verdict = judge(page, self.received)
        if not verdict.kept:
            return changed(page, verdict=verdict, links=links_of_source(page))
        reading = self.reading()
        parsed = _through(reading.parse, page)
        page = self._identified(_through(reading.extract, parsed))
        again = self._own(page).extract if page.text else ()
        return self._identified(_through(again, parsed)) if again else page

    def _identified(self, page: Page) -> Page:
        if page.text:
            return self.reading().identify(page)
        lost = drop("no_text", page.labels.get("no_text", ""))
        return changed(page, verdict=judge(page, self.unseen) if needs_browser(page) else lost)


def _through(stages: Iterable[Stage], page: Page) -> Page:
    for stage in stages:
        page = stage(page)
    return page


@cache
def pipeline(config: PageSettings) -> Pipeline:
    """The pipeline that a configuration asks for; made once in each worker."""
    targets = targets_of(config.corpus)
    only = (TargetOnly(targets),) if config.identify.keep == "target" else ()

    def extraction(table: ExtractTable) -> tuple[Stage, ...]:
        from corpulyzer.page.extract import Extract, extractor_named
        from corpulyzer.page.label.machine_translation import machine_translation

        method = extractor_named(table.method, table.stop_words, table.plugins)
        return (
            Extract(method, table.kinds, table.embedded),
            label_opt_outs,
            config.label.license,
            machine_translation,
            *own_labels(config.label.more, config.label.plugins),
        )

    @cache
    def reading() -> Reading:
        from corpulyzer.page.extract.decode import decode
        from corpulyzer.page.extract.parse import parse

        return Reading((decode, parse), extraction(config.extract), Identify(targets, identifier_for(config)))

    @cache
    def own(code: str) -> Own:
        labels = (partial(config.label.content, target=code),) if config.label.content.files else ()
        if not code:
            return Own(filters=(other_language,), labels=labels)
        filters, extract = config.filters_of(code), own_extract(config, code)
        counted: tuple[Stage, ...] = ()
        if "sentences" in filters.document:
            identifier = identifier_for(config)
            counted = (partial(config.identify.sentences, target=code, identify=identifier),)
        again = extraction(extract) if extract != config.extract else ()
        return Own(again, (*only, *counted), filters.chain(filters.document), labels)

    return Pipeline(
        targets=targets,
        received=config.filter.chain(config.filter.received),
        reading=reading,
        # A page that its owner reserves is not loaded in a browser either.
        unseen=(config.opt_outs, shows_text),
        own=own,
    )


def warm(config: PageSettings) -> None:
    """Load what the pipeline needs for pages of its languages, by running it once on the smallest page."""
    from corpulyzer.page.identifier import identifier_by

    run = pipeline(config)
    for code in [language.code for language in run.targets.languages] or [""]:
        identifier = identifier_by(config.identify, code)
        if isinstance(identifier, Prepares):
            identifier.prepare()
    with suppress(PluginError):  # it costs the page; those of the corpus will tell
        run(Page("https://example.org/", body=SMALLEST_PAGE, status=200, mime="text/html"))
    kinds_of_characters()


def fingerprints(config: PageSettings) -> dict[str, str]:
    """A fingerprint of each group and all before it: documents that carry the same need not be made again.

    Where identification takes paragraphs out, documents lack what it would need to run again, so its settings
    count for `extract` too; and where the language of a page decides how its text is found, or whether its
    links are followed.
    """
    filters, opt_outs, following = config.filter, config.opt_outs, _by_language(config, _follows)
    own = _own_extracts(config)
    identify: dict[str, object] = {
        **_languages(config),
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
            "follows": _follows(filters),
            "identify": identify if config.identify.keep == "target" or following or own else None,
            **following,
            **own,
        },
        "identify": identify,
        "filter": {
            "filters": _named(filters, filters.document),
            "opt_outs": opt_outs,
            "site": config.corpus.site,
            **_by_language(config, lambda own: _named(own, own.document)),
            **({"content": config.label.content} if config.label.content.files else {}),
        },
    }
    prints, before = {}, ""
    for group in GROUPS:
        before = fingerprint(group, {**asked[group], "after": before})
        prints[group] = before
    return prints


def _languages(config: PageSettings) -> dict[str, object]:
    """What identification depends on: the language of the corpus, or several with what they ask for."""
    targets = targets_of(config.corpus)
    if targets.only is not None:
        return {"language": config.corpus.language}
    usual = config.identify.min_confidence
    least = {each.code: each.min_confidence for each in config.by_language if each.min_confidence != usual}
    counts = _by_language(config, lambda own: "sentences" in own.document)
    pidgin = {"pidgin": "most of a page's English"} if PIDGIN in targets.codes else {}
    return {"languages": targets.codes, "min_confidence": least, **counts, **pidgin}


def _by_language(config: PageSettings, of: Callable[[Filters], object]) -> dict[str, object]:
    """What the filters of single languages add to a fingerprint: nothing, where they are the usual ones."""
    usual = of(config.filter)
    found = {each.code: of(config.filters_of(each.code)) for each in config.by_language}
    differing = {code: own for code, own in found.items() if own != usual}
    return {"by_language": differing} if differing else {}


def _own_extracts(config: PageSettings) -> dict[str, object]:
    """What the ways of single languages to find text add to a fingerprint."""
    tables = {each.code: own_extract(config, each.code) for each in config.by_language}
    differing = {
        code: {"settings": own, **method_version("extract", own.method)}
        for code, own in tables.items()
        if own != config.extract
    }
    return {"extract_by_language": differing} if differing else {}


def _follows(filters: Filters) -> Filter | None:
    return filters.machine_translation if "machine_translation" in filters.document else None


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
    page = without(page_at_rest(document), gone, targets_of(config.corpus))
    # Sentences are counted for the whole page, so they must be counted again; bytes are known by paragraph.
    start = "identify" if "sentences" in config.filters_of(page.language).document else "filter"
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
