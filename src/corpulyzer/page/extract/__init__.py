"""Main content of a page: one block model, many extractors, one stage.

An extractor chooses blocks of a page. To add one, write it in a module of its own and name it in
`EXTRACTORS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from corpulyzer.page.extract.blocks import Block, Blocks
from corpulyzer.page.extract.decode import decode, media_of
from corpulyzer.page.extract.elements import KINDS
from corpulyzer.page.extract.files.reading import Reading
from corpulyzer.page.extract.links import MAX_LINKS, links_of
from corpulyzer.page.extract.metadata import metadata_of
from corpulyzer.page.extract.minimal_html import minimal_html
from corpulyzer.page.extract.parse import parse
from corpulyzer.page.extract.unrendered.shell import FEW_CHARACTERS
from corpulyzer.page.extract.walk import blocks_of, own_tag
from corpulyzer.page.extract.words import collapsed
from corpulyzer.plugins import EXTRACTOR, Plugin
from corpulyzer.plugins.registry import Registry, imported
from corpulyzer.records import EPOCH, RENDERED, Page
from corpulyzer.records.changed import changed
from corpulyzer.text import clean
from corpulyzer.text.joined import joined

Extractor = Callable[[Blocks], list[Block]]
"""Chooses the blocks of a page that are its main content."""

_HERE = "corpulyzer.page.extract"


def _are_blocks(found: object, _blocks: Blocks) -> bool:
    return isinstance(found, list) and all(isinstance(block, Block) for block in found)


EXTRACTORS = Registry(
    EXTRACTOR,
    {
        "default": f"{_HERE}.default.main_content:main_content",
        "article": f"{_HERE}.published.article:article",
        "boilerpy3": f"{_HERE}.published.peers:boilerpy3",
        "bte": f"{_HERE}.published.bte:bte",
        "full_text": f"{_HERE}.published.full_text:full_text",
        "justext": f"{_HERE}.published.justext:justext",
        "justext_package": f"{_HERE}.published.peers:justext_package",
        "path_weight": f"{_HERE}.published.path_weight:path_weight",
        "readability": f"{_HERE}.published.peers:readability",
        "resiliparse": f"{_HERE}.published.peers:resiliparse",
        "trafilatura": f"{_HERE}.published.peers:trafilatura",
        "web_am": f"{_HERE}.published.web_am:web_am",
    },
    "a list of Blocks",
    _are_blocks,
    ("method", "kinds", "stop_words", "plugins"),
)
# The reader of each type of file that is no web page.
READERS = {
    "pdf": f"{_HERE}.files.pdf:read_pdf",
    "docx": f"{_HERE}.files.office:read_docx",
    "epub": f"{_HERE}.files.office:read_epub",
}


@dataclass(frozen=True, slots=True)
class Extraction:
    """The main content of a page, paragraph by paragraph, and what the page declares of itself.

    `text` is the paragraphs joined by newlines. Where it is empty, `reason` says why. `kinds` are broad
    (h, p, li, td …), `tags` the page's own (h1, p, dd, th …).
    """

    text: str
    paragraphs: tuple[str, ...]
    kinds: tuple[str, ...]
    tags: tuple[str, ...] = ()
    title: str = ""
    language: str = ""
    author: str = ""
    published: str = ""
    canonical: str = ""
    charset: str = ""
    reason: str = ""

    @property
    def minimal_html(self) -> str:
        """The paragraphs as HTML with one plain element each (C4)."""
        return minimal_html(zip(self.paragraphs, self.tags, strict=True))


def extract(html: bytes, *, url: str | None = None, extractor: str | Extractor = "default") -> Extraction:
    """The main content of a page (or a PDF) as it was fetched, whatever its encoding."""
    as_published = extractor != "default"  # no text but what the method chooses
    page = Extract(extractor, "tags", embedded=not as_published)(parse(decode(Page(url or "", body=html))))
    tags = tuple(span.kind for span in page.paragraphs)
    return Extraction(
        page.text,
        tuple(page.text[span.start : span.end] for span in page.paragraphs),
        tuple(KINDS.get(tag) or tag for tag in tags),
        tags,
        page.title,
        page.declared_language,
        page.author,
        page.published,
        page.canonical,
        page.charset,
        page.labels.get("no_text", ""),
    )


def extractor_named(name: str, stop_words: str = "", plugins: tuple[Plugin, ...] = ()) -> Extractor:
    """The extractor of that name, or a `UserError` that lists those there are.

    `stop_words` is a file of them for the only one that uses any, `justext`; `plugins` are the corpus' own.
    """
    if stop_words and name == "justext":
        from corpulyzer.page.extract.published.justext import JusText, read_stop_words

        return JusText(read_stop_words(stop_words))
    return EXTRACTORS.named(name, plugins)


@dataclass(frozen=True, slots=True)
class Extract:
    """Fill in text, paragraphs, links and declarations of a decoded and parsed page.

    `method` is a name of `EXTRACTORS`, or an extractor; `kinds` says whether paragraphs are called by broad
    kinds or by the page's own tags. With `embedded`, a page that shows next to no main text gives the article
    that its data hold. A page without text carries the reason in `labels["no_text"]`, one that needs a
    browser the evidence in `labels["needs_browser"]`, one whose text is not that of the page as received
    where it is from in `labels["text_from"]`, one with too many links `labels["links_cut"]`.
    """

    method: str | Extractor = "default"
    kinds: Literal["broad", "tags"] = "broad"
    embedded: bool = True

    def __post_init__(self) -> None:
        if isinstance(self.method, str):
            extractor_named(self.method)

    def __call__(self, page: Page) -> Page:
        media = media_of(page)
        if media in READERS and page.body:
            return _from_reading(page, imported(READERS[media])(page.body))
        if media == "text":
            lines = ((clean(collapsed(line)), "p") for line in page.html.splitlines())
            return with_text(page, lines, "empty")
        if page.tree is None:
            return with_text(page, (), "empty")
        return self._from_blocks(page, blocks_of(page.tree))

    def _from_blocks(self, page: Page, blocks: Blocks) -> Page:
        choose = extractor_named(self.method) if isinstance(self.method, str) else self.method
        reason = "no_content" if blocks.blocks else "no_visible_text"
        chosen = choose(blocks)
        if self.kinds == "tags":
            chosen = [block._replace(kind=own_tag(blocks, block)) for block in chosen]
        elif chosen and chosen[0].element < 0:  # not of the tree: their kind is the tag
            chosen = [block._replace(kind=KINDS.get(block.kind) or block.kind) for block in chosen]
        page = with_text(page, chosen, reason)
        declared = metadata_of(
            blocks,
            page.url,
            header_language=page.headers.get("content-language", ""),
            fetched=page.fetch.date.date() if page.fetch and page.fetch.date > EPOCH else None,
        )
        links = links_of(blocks, page.url)
        facts = {"links_cut": f"after {MAX_LINKS}"} if len(links) == MAX_LINKS else {}
        if page.is_rendered:
            facts["text_from"] = RENDERED
        page = changed(
            page,
            labels={**page.labels, **facts} if facts else page.labels,
            title=declared.title,
            declared_language=declared.language,
            canonical=declared.canonical,
            author=declared.author,
            published=declared.published,
            metas=declared.metas,
            links=links,
        )
        return page if len(page.text) >= FEW_CHARACTERS else self._unrendered(page, blocks)

    def _unrendered(self, page: Page, blocks: Blocks) -> Page:
        """The page with the article in its data, if they have one; else labelled if it needs a browser."""
        from corpulyzer.page.extract.unrendered.article import article_in
        from corpulyzer.page.extract.unrendered.shell import evidence
        from corpulyzer.page.extract.unrendered.state import states_of

        found = article_in(states_of(blocks.tree), page.title) if self.embedded else None
        if found is not None and sum(len(line.text) for line in found.lines) > 2 * len(page.text):
            lines = found.lines
            if self.kinds == "broad":
                lines = [line._replace(kind=KINDS.get(line.kind) or line.kind) for line in lines]
            labels = {name: value for name, value in page.labels.items() if name != "no_text"}
            page = changed(page, labels={**labels, "text_from": found.name})
            return with_text(page, lines, "no_content")
        visible = sum(len(block.text) - block.links for block in blocks.blocks)
        if not page.is_rendered and (said := evidence(blocks.tree, len(page.text), visible)):
            return changed(page, labels={**page.labels, "needs_browser": said})
        return page


def with_text(page: Page, paragraphs: Iterable[tuple[Any, ...]], reason: str) -> Page:
    """The page with its paragraphs of text and kind, one a line; with none, labelled with the reason."""
    text, spans = joined(paragraphs)
    labels = page.labels if text else {**page.labels, "no_text": reason}
    return changed(page, text=text, paragraphs=spans, labels=labels)


def _from_reading(page: Page, found: Reading) -> Page:
    page = with_text(page, found.paragraphs, found.reason)
    return changed(page, title=found.title, author=found.author, declared_language=found.language)
