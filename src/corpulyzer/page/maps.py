"""The pipeline over tables: fetches become documents and links, and documents are judged anew."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from corpulyzer.page.document import document_of, judged_anew, page_at_rest
from corpulyzer.page.edges import edge_batch
from corpulyzer.page.label.opt_outs import LABEL as OPT_OUTS
from corpulyzer.page.link_files import SitemapsOf, links_of_robots, links_of_wat
from corpulyzer.page.pipeline import Pipeline, Stage, pipeline, warm
from corpulyzer.page.settings import PageSettings
from corpulyzer.records import Document, Edge, Fetch, Page, drop
from corpulyzer.records.changed import changed
from corpulyzer.records.columns import batch_of, record_of, schema_of
from corpulyzer.records.made import maker
from corpulyzer.warc import ArchiveReader, BrokenRecordError, Record, page_of

if TYPE_CHECKING:
    import pyarrow as pa

MANY_OBJECTS = 200_000
_made_fetch = maker(Fetch, *Fetch.__slots__)


@dataclass(frozen=True, slots=True)
class ProcessPages:
    """Map: fetches in, documents and links out. Reads each page from its archive.

    A robots.txt becomes no document, but the sitemaps that it names are links; so do the links in a WAT file.
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
        def fetches() -> Iterator[Fetch]:
            for number, fetch in _fetches(batch):
                at(number)
                yield fetch

        with ArchiveReader(self.archives) as reader:
            return self.tables(fetches(), reader.read)

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        return self.lost((fetch for _, fetch in _fetches(batch)), why)

    def tables(self, fetches: Iterable[Fetch], read: Callable[[Fetch], Record]) -> dict[str, pa.RecordBatch]:
        """What is stored of the pages of fetches, whose records are read one after the other."""
        run = partial(self._run, pipeline(self.config))
        with _seldom_collected():
            return self._tables(_read_and_run(read, fetch, run) for fetch in fetches)

    def lost(self, fetches: Iterable[Fetch], why: str) -> dict[str, pa.RecordBatch]:
        """What is stored of pages that could not be worked on."""
        verdict = drop("extract_failed", why)
        return self._tables(Page(it.url, fetch=it, mime=it.mime, verdict=verdict) for it in fetches)

    def _run(self, stages: Pipeline, page: Page) -> Page:
        if page.is_robots:
            return changed(page, links=links_of_robots(page, self.sitemaps_of))
        return stages(page) if page.is_document else changed(page, links=links_of_wat(page))

    def _tables(self, pages: Iterable[Page]) -> dict[str, pa.RecordBatch]:
        """What is stored of the pages. Each is dropped when done with, since its body and tree are large."""
        level = self.config.corpus.site
        documents, links = [], []
        for page in pages:
            if page.is_document:
                documents.append(document_of(page, level))
            if page.fetch is not None and page.links and self._follows(page):
                links.append((page.fetch, page.links))
        return {"documents": batch_of(documents, Document), "links": edge_batch(links)}

    def _follows(self, page: Page) -> bool:
        """Whether the page's links become part of the graph (XH-5)."""
        filters = self.config.filters_of(page.language)
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


def is_read(fetch: Fetch) -> bool:
    """Whether a fetch has something to read that becomes a page or links.

    What the scripts of a page asked for is part of that page, and no page itself.
    """
    return fetch.outcome == "ok" and fetch.purpose != "part"


def _fetches(batch: pa.RecordBatch) -> Iterator[tuple[int, Fetch]]:
    """The fetches of a batch that are read, with their row numbers."""
    columns = batch.select(list(Fetch.__slots__)).columns
    rows = zip(*(column.to_pylist() for column in columns), strict=True)  # half the cost of dicts
    for number, values in enumerate(rows):
        fetch = _made_fetch(*values)
        if is_read(fetch):
            yield number, fetch


def _read_and_run(read: Callable[[Fetch], Record], fetch: Fetch, run: Stage) -> Page:
    try:
        return run(page_of(fetch, read(fetch)))
    except BrokenRecordError as broken:
        return Page(fetch.url, fetch=fetch, mime=fetch.mime, verdict=drop("damaged", str(broken)))
