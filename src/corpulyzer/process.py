"""From fetch to document: the stages that every page goes through, wherever it came from.

A stage is one line here and one module elsewhere. The groups say what a stage needs, and so from where
a changed setting makes the documents stale: `extract` needs the page as received, `identify` its text,
`filter` only what was learned of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import corpulyzer
from corpulyzer.config import Config
from corpulyzer.filter import Filter, judge
from corpulyzer.graph import edge_batch
from corpulyzer.language import Language
from corpulyzer.record import (
    UNDETERMINED,
    Document,
    Edge,
    Fetch,
    Page,
    batch_of,
    drop,
    record_of,
    schema_of,
)

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.warc import ArchiveReader

Stage = Callable[[Page], Page]

GROUPS = ("extract", "identify", "filter")


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
        if not page.text:
            return page
        if start != "filter":
            for stage in self.identify:
                page = stage(page)
        return replace(page, verdict=judge(page, self.document))

    def _extracted(self, page: Page) -> Page:
        verdict = judge(page, self.received)
        if not verdict.kept:
            return replace(page, verdict=verdict)
        for stage in self.extract:
            page = stage(page)
        return page if page.text else replace(page, verdict=drop("no_text", page.labels.get("no_text", "")))


@cache
def pipeline(config: Config) -> Pipeline:
    """The pipeline that a configuration asks for; made once in each worker."""
    from corpulyzer.extract import Extract
    from corpulyzer.extract.decode import decode
    from corpulyzer.extract.parse import parse
    from corpulyzer.identify import Identify
    from corpulyzer.identify.cld2 import Cld2
    from corpulyzer.label.machine_translation import machine_translation

    target = Language.find(config.corpus.language).code
    return Pipeline(
        received=config.filter.chain(config.filter.received),
        extract=(decode, parse, Extract(config.extract.method), config.label.license, machine_translation),
        identify=(Identify(target, Cld2()),),
        document=config.filter.chain(config.filter.document),
    )


def fingerprints(config: Config) -> dict[str, str]:
    """A fingerprint of each group and all before it: documents that carry the same need not be made again."""
    asked = {
        "extract": (
            corpulyzer.__version__,
            schema_of(Document).names,
            config.extract,
            config.label,
            config.filter.chain(config.filter.received),
        ),
        "identify": (config.corpus.language, config.identify),
        "filter": config.filter.chain(config.filter.document),
    }
    prints, before = {}, ""
    for group in GROUPS:
        before = hashlib.sha256(f"{before}{asked[group]!r}".encode()).hexdigest()[:16]
        prints[group] = before
    return prints


@dataclass(frozen=True, slots=True)
class ProcessPages:
    """Map: fetches in, documents and links out. Reads each page from its archive."""

    config: Config
    archives: Mapping[str, str]

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"documents": document_schema(self.config), "links": schema_of(Edge)}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        from corpulyzer.warc import ArchiveReader

        run = pipeline(self.config)
        pages = []
        with ArchiveReader(self.archives) as reader:
            for number, fetch in _fetches(batch):
                at(number)
                pages.append(_read_and_run(reader, fetch, run))
        return self._tables(pages)

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        lost = drop("extract_failed", why)
        return self._tables([Page(f.url, fetch=f, mime=f.mime, verdict=lost) for _, f in _fetches(batch)])

    def _tables(self, pages: list[Page]) -> dict[str, pa.RecordBatch]:
        documents = batch_of((document_of(page) for page in pages), Document)
        return {"documents": documents, "links": edge_batch(pages)}


@dataclass(frozen=True, slots=True)
class ProcessDocuments:
    """Map: documents in, documents out, judged anew from group `start` on without their archives."""

    config: Config
    start: str

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"documents": document_schema(self.config)}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        run = pipeline(self.config)
        documents = []
        for number, row in enumerate(batch.to_pylist()):
            at(number)
            document: Document = record_of(Document, row)
            documents.append(_judged_anew(document, run(page_at_rest(document), self.start)))
        return {"documents": batch_of(documents, Document)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        lost = drop("extract_failed", why)
        documents = [replace(record_of(Document, row), verdict=lost) for row in batch.to_pylist()]
        return {"documents": batch_of(documents, Document)}


def document_schema(config: Config) -> pa.Schema:
    """The schema of documents, with the fingerprints of the configuration that made them."""
    return schema_of(Document).with_metadata(fingerprints(config))


def document_of(page: Page) -> Document:
    """The document that a page leaves behind, whatever its verdict."""
    from corpulyzer.text import tokens

    fetch = page.fetch
    if fetch is None:
        raise ValueError(f"{page.url} has no fetch record: a document must know where it came from")
    text = page.text.encode()
    return Document(
        id=fetch.id,
        url_id=fetch.url_id,
        url=fetch.url,
        site=fetch.site,
        round=fetch.round,
        archive=fetch.archive,
        offset=fetch.offset,
        record_id=fetch.record_id,
        date=fetch.date,
        status=page.status,
        mime=page.mime,
        charset=page.charset,
        raw_bytes=len(page.body),
        raw_digest=hashlib.sha224(page.body).hexdigest() if page.body else "",
        truncated=page.truncated,
        title=page.title,
        declared_language=page.declared_language,
        canonical=page.canonical,
        author=page.author,
        published=page.published,
        text=page.text,
        text_digest=hashlib.md5(text, usedforsecurity=False).hexdigest() if text else "",
        text_bytes=len(text),
        tokens=sum(1 for _ in tokens(page.text)) if page.verdict.kept else 0,
        paragraphs=page.paragraphs,
        languages=page.languages,
        language=main_language(page.languages),
        target_bytes=page.target_bytes,
        target_characters=page.target_characters,
        license=page.license,
        license_basis=page.license_basis,
        licenses=page.licenses,
        machine_translation=page.machine_translation,
        labels=page.labels,
        scores=page.scores,
        verdict=page.verdict,
    )


def page_at_rest(document: Document) -> Page:
    """The page that a document was, as far as it can be known without its archive."""
    return Page(
        url=document.url,
        status=document.status,
        mime=document.mime,
        charset=document.charset,
        truncated=document.truncated,
        title=document.title,
        declared_language=document.declared_language,
        canonical=document.canonical,
        author=document.author,
        published=document.published,
        text=document.text,
        paragraphs=document.paragraphs,
        languages=document.languages,
        target_bytes=document.target_bytes,
        target_characters=document.target_characters,
        license=document.license,
        license_basis=document.license_basis,
        licenses=document.licenses,
        machine_translation=document.machine_translation,
        labels=document.labels,
        scores=document.scores,
        verdict=document.verdict,
    )


def main_language(languages: Mapping[str, int]) -> str:
    """The language with the most bytes; ties go to the code that sorts first.

    >>> main_language({"urd": 10, "eng": 10, "und": 50})
    'eng'
    """
    known = {code: size for code, size in languages.items() if code != UNDETERMINED and size > 0}
    return min(known, key=lambda code: (-known[code], code)) if known else UNDETERMINED


def _fetches(batch: pa.RecordBatch) -> Iterator[tuple[int, Fetch]]:
    """The fetches of a batch that have something to read, with their row numbers."""
    for number, row in enumerate(batch.to_pylist()):
        if row["outcome"] == "ok":
            yield number, record_of(Fetch, row)


def _read_and_run(reader: ArchiveReader, fetch: Fetch, run: Pipeline) -> Page:
    from corpulyzer.warc import BrokenRecordError, page_of

    try:
        return run(page_of(fetch, reader.read(fetch)))
    except BrokenRecordError as broken:
        return Page(fetch.url, fetch=fetch, mime=fetch.mime, verdict=drop("damaged", str(broken)))


def _judged_anew(document: Document, page: Page) -> Document:
    from corpulyzer.text import tokens

    learned: dict[str, Any] = {
        name: getattr(page, name)
        for name in (
            "paragraphs",
            "languages",
            "target_bytes",
            "target_characters",
            "labels",
            "scores",
            "verdict",
        )
    }
    count = sum(1 for _ in tokens(page.text)) if page.verdict.kept else 0
    return replace(document, language=main_language(page.languages), tokens=count, **learned)
