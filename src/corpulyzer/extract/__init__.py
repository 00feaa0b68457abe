"""Main content of a page: one block model, many extractors, one stage.

An extractor picks blocks of the page. To add one, write it in a module of its own and name it in
`EXTRACTORS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from importlib import import_module

from corpulyzer.callable_module import make_callable
from corpulyzer.errors import UserError
from corpulyzer.extract.blocks import Block, Blocks, blocks_of, collapsed
from corpulyzer.extract.decode import decode, media_of
from corpulyzer.extract.links import links_of
from corpulyzer.extract.metadata import metadata_of
from corpulyzer.extract.parse import parse
from corpulyzer.extract.words import clean
from corpulyzer.record import Page, Paragraph

Extractor = Callable[[Blocks], list[Block]]

# Name → module and function. Imported when asked for.
EXTRACTORS = {
    "default": "web_am:web_am",
    "web_am": "web_am:web_am",
}


@dataclass(frozen=True, slots=True)
class Extraction:
    """The main content of a page. An empty one says why in `reason`."""

    text: str
    paragraphs: tuple[str, ...]
    kinds: tuple[str, ...]
    title: str = ""
    language: str = ""
    canonical: str = ""
    author: str = ""
    published: str = ""
    charset: str = ""
    reason: str = ""


def extract(html: bytes, *, url: str | None = None, extractor: str = "default") -> Extraction:
    """The main content of a page, whatever its encoding; plain text if `html` is text that was decoded."""
    page = Extract(extractor)(parse(decode(Page(url or "", body=html))))
    spans = page.paragraphs
    return Extraction(
        page.text,
        tuple(page.text[span.start : span.end] for span in spans),
        tuple(span.kind for span in spans),
        page.title,
        page.declared_language,
        page.canonical,
        page.author,
        page.published,
        page.charset,
        page.labels.get("no_text", ""),
    )


def extractor_named(name: str) -> Extractor:
    """The extractor of that name, or a `UserError` that lists those there are."""
    if name not in EXTRACTORS:
        known = ", ".join(sorted(EXTRACTORS))
        raise UserError(f"There is no extractor {name!r}.", f"Choose one of: {known}.")
    module, function = EXTRACTORS[name].split(":")
    found: Extractor = getattr(import_module(f"corpulyzer.extract.{module}"), function)
    return found


@dataclass(frozen=True, slots=True)
class Extract:
    """Fill in the text, paragraphs, links and declarations of a decoded and parsed page.

    A page without text carries the reason in `labels["no_text"]`.
    """

    method: str = "default"

    def __post_init__(self) -> None:
        extractor_named(self.method)

    def __call__(self, page: Page) -> Page:
        if media_of(page) == "text":
            return _with_text(page, ((line, "p") for line in page.html.split("\n")), "empty")
        if page.tree is None:
            return _with_text(page, (), "empty")
        blocks = blocks_of(page.tree)
        chosen = extractor_named(self.method)(blocks)
        declared = metadata_of(page.tree, blocks, page.url, page.headers.get("content-language", ""))
        reason = "no_content" if blocks.blocks else "no_visible_text"
        page = _with_text(page, ((block.text, block.kind) for block in chosen), reason)
        return replace(
            page,
            title=declared.title,
            declared_language=declared.language,
            canonical=declared.canonical,
            author=declared.author,
            published=declared.published,
            links=links_of(blocks, page.url),
        )


def _with_text(page: Page, pieces: Iterable[tuple[str, str]], reason: str) -> Page:
    """The page with its paragraphs, one a line of its text."""
    texts, spans, start = [], [], 0
    for piece, kind in pieces:
        text = clean(collapsed(piece))
        if text:
            texts.append(text)
            spans.append(Paragraph(start, start + len(text), kind))
            start += len(text) + 1
    labels = page.labels if texts else {**page.labels, "no_text": reason}
    return replace(page, text="\n".join(texts), paragraphs=tuple(spans), labels=labels)


make_callable(__name__, extract)
