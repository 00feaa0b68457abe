"""From fetch to document: the stages that every page goes through, wherever it came from.

A stage is one line here and one module elsewhere. The groups say what a stage needs, and so from where
a changed setting makes the documents stale: `extract` needs the page as received, `identify` its text,
`filter` only what was learned of it.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING

from corpulyzer.engine import Prepares
from corpulyzer.language import Language
from corpulyzer.page.document import document_of, judged_anew, page_at_rest
from corpulyzer.page.edges import edge_batch
from corpulyzer.page.filter import Filter, Filters, judge
from corpulyzer.page.filter.paragraphs import TargetOnly, without
from corpulyzer.page.identify import Identify
from corpulyzer.page.label.opt_outs import LABEL as OPT_OUTS
from corpulyzer.page.label.opt_outs import label_opt_outs
from corpulyzer.page.label.own import own_labels
from corpulyzer.page.link_files import SitemapsOf, links_of_robots, links_of_source
from corpulyzer.page.settings import PageSettings
from corpulyzer.plugins import Plugin, PluginError
from corpulyzer.records import Document, Edge, Fetch, Page, Verdict, drop
from corpulyzer.records.changed import changed
from corpulyzer.records.columns import batch_of, record_of, schema_of
from corpulyzer.records.fingerprint import fingerprint, method_version
from corpulyzer.text.census import kinds_of_characters

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.warc import ArchiveReader

Stage = Callable[[Page], Page]

GROUPS = ("extract", "identify", "filter")
MANY_OBJECTS = 200_000
SMALLEST_PAGE = b"<!doctype html><title>A</title><p>A sentence, as short as it is.<p><a href=/>B</a>"


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The stages of one configuration, in order."""

    received: tuple[Filter, ...]
    extract: tuple[Stage, ...]
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
        verdict = judge(page, self.document)
        if verdict.kept and not page.text:
            verdict = drop("no_text", "no paragraph is in the target language")
        return changed(page, verdict=verdict)

    def _extracted(self, page: Page) -> Page:
        verdict = judge(page, self.received)
        if not verdict.kept:
            return changed(page, verdict=verdict, links=links_of_source(page))
        for stage in self.extract:
            page = stage(page)
        return page if page.text else changed(page, verdict=drop("no_text", page.labels.get("no_text", "")))


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
            Extract(extractor_named(main.method, main.stop_words, main.plugins), main.kinds),
            label_opt_outs,
            config.label.license,
            machine_translation,
            *own_labels(config.label.more, config.label.plugins),
        ),
        identify=(Identify(target, identifier), *only, *counted),
        document=(config.opt_outs, *config.filter.chain(config.filter.document)),
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
        "counts_sentences": "of joined lines" if "sentences" in filters.document else False,
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


@dataclass(frozen=True, slots=True)
class ProcessPages:
    """Map: fetches in, documents and links out. Reads each page from its archive.

    A robots.txt becomes no document, but the sitemaps that it names are links.
    """

    config: PageSettings
    archives: Mapping[str, str]
    sitemaps_of: SitemapsOf

    def prepare(self) -> None:
        """Load, before workers are forked, what they then share."""
        warm(self.config)

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"documents": schema_of(Document), "links": schema_of(Edge)}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        from corpulyzer.warc import ArchiveReader

        def pages() -> Iterator[Page]:
            for number, fetch in _fetches(batch):
                at(number)
                yield _read_and_run(reader, fetch, run)

        run = partial(self._run, pipeline(self.config))
        with _seldom_collected(), ArchiveReader(self.archives) as reader:
            return self._tables(pages())

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        lost = drop("extract_failed", why)
        return self._tables(Page(f.url, fetch=f, mime=f.mime, verdict=lost) for _, f in _fetches(batch))

    def _run(self, stages: Pipeline, page: Page) -> Page:
        if page.is_robots:
            return changed(page, links=links_of_robots(page, self.sitemaps_of))
        return stages(page)

    def _tables(self, pages: Iterable[Page]) -> dict[str, pa.RecordBatch]:
        """What is stored of the pages. Each is dropped when done with, since its body and tree are large."""
        level = self.config.corpus.site
        documents, links = [], []
        for page in pages:
            if not page.is_robots:
                documents.append(document_of(page, level))
            if page.fetch is not None and page.links and self._follows(page):
                links.append((page.fetch, page.links))
        return {"documents": batch_of(documents, Document), "links": edge_batch(links)}

    def _follows(self, page: Page) -> bool:
        """Whether the page's links become part of the graph (XH-5)."""
        filters = self.config.filter
        if not self.config.opt_outs.follows(page.labels.get(OPT_OUTS, "").split()):
            return False
        return "machine_translation" not in filters.document or filters.machine_translation.follows(page)


@dataclass(frozen=True, slots=True)
class ProcessDocuments:
    """Map: documents in, documents out, judged anew from group `start` on without their archives."""

    config: PageSettings
    start: str

    def prepare(self) -> None:
        """Load, before workers are forked, what they then share."""
        warm(self.config)

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"documents": schema_of(Document)}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        run = pipeline(self.config)
        documents = []
        for number, row in enumerate(batch.to_pylist()):
            at(number)
            document: Document = record_of(Document, row)
            page = run(page_at_rest(document), self.start)
            documents.append(judged_anew(document, page, self.config.corpus.site))
        return {"documents": batch_of(documents, Document)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        lost = drop("extract_failed", why)
        documents = [replace(record_of(Document, row), verdict=lost) for row in batch.to_pylist()]
        return {"documents": batch_of(documents, Document)}


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


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Collect garbage cycles at the end of a batch, and within it only if there are very many objects.

    A page is thousands of small tuples, none in a cycle and all freed with it; to scan them each time takes a
    tenth of the time. At the end of a batch hardly anything but the cycles that libraries leave is there.
    """
    usual = gc.get_threshold()
    gc.set_threshold(MANY_OBJECTS, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)
        gc.collect(0)


def _fetches(batch: pa.RecordBatch) -> Iterator[tuple[int, Fetch]]:
    """The fetches of a batch that have something to read, with their row numbers."""
    columns = batch.select(schema_of(Fetch).names).columns
    rows = zip(*(column.to_pylist() for column in columns), strict=True)  # half the cost of dicts
    for number, values in enumerate(rows):
        fetch = Fetch(*values)
        if fetch.outcome == "ok":
            yield number, fetch


def _read_and_run(reader: ArchiveReader, fetch: Fetch, run: Stage) -> Page:
    from corpulyzer.warc import BrokenRecordError, page_of

    try:
        return run(page_of(fetch, reader.read(fetch)))
    except BrokenRecordError as broken:
        return Page(fetch.url, fetch=fetch, mime=fetch.mime, verdict=drop("damaged", str(broken)))
