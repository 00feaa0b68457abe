"""Minimal HTML (C4): an article a document, a plain element a paragraph, nothing of the page's own markup."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from html import escape

from corpulyzer.errors import UserError
from corpulyzer.export.formats import About, Blocks, CollectBlocks, Format, Options, by_split
from corpulyzer.export.render import Material
from corpulyzer.language import Language

MinimalHtml = Callable[[Iterable[tuple[str, str]]], str]
_NAMES = ("id", "url", "site", "license", "author", "published")


def html(options: Options) -> Format:
    """HTML files that a browser opens and a parser reads, one for each split and size."""
    if options.minimal_html is None:
        raise ValueError("minimal HTML needs the function that makes it")
    collect = CollectBlocks(".html", options.compress or "none", head, b"</body>\n</html>\n")
    return Format("html", Blocks(Articles(options.minimal_html), by_split), collect, follows=True)


@dataclass(frozen=True, slots=True)
class Articles:
    """The article of a document."""

    minimal_html: MinimalHtml

    def __call__(self, material: Material) -> bytes:
        it = material.published
        about = "".join(
            f' data-{name}="{escape(value)}"' for name in _NAMES if (value := str(getattr(it, name)))
        )
        title = f"<h1>{escape(it.title, quote=False)}</h1>\n" if it.title else ""
        body = self.minimal_html(paragraphs_of(material))
        opening = f'<article lang="{code_of(it.language)}" dir="auto"{about} data-date="{it.date:%Y-%m-%d}">'
        return f"{opening}\n{title}{body}\n</article>\n".encode("utf-8", "replace")


def paragraphs_of(material: Material) -> list[tuple[str, str]]:
    """The paragraphs of a document, each with what it was on the page."""
    it = material.published
    return [(it.text[span.start : span.end], span.kind) for span in it.paragraphs]


@cache
def code_of(language: str) -> str:
    """The code of a language as HTML wants it: that of two letters where it has one."""
    try:
        known = Language.find(language)
    except UserError:
        return escape(language)
    return escape(known.iso639_1 or known.code)


def head(path: str, about: About) -> bytes:
    """What stands before the articles of a file."""
    language = about.language
    direction = "rtl" if language.direction == "rtl" else "ltr"
    return (
        f'<!DOCTYPE html>\n<html lang="{code_of(language.code)}" dir="{direction}">\n'
        '<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(about.name)} {about.version}: {escape(path)}</title>\n</head>\n<body>\n"
    ).encode()
