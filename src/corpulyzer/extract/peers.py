"""Other people's extractors, for comparison: each parses the page anew, in its own way."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from corpulyzer.errors import UserError
from corpulyzer.extract.blocks import Block, Blocks
from corpulyzer.extract.walk import blocks_of
from corpulyzer.extract.words import collapsed
from corpulyzer.text import clean


def trafilatura(page: Blocks) -> list[Block]:
    """What trafilatura extracts with its own defaults, without comments."""
    text = _installed("trafilatura").extract(page.tree.html or "", include_comments=False)
    return _lines((text or "").split("\n"))


def resiliparse(page: Blocks) -> list[Block]:
    """What resiliparse takes for main content."""
    module = _installed("resiliparse.extract.html2text", package="resiliparse")
    text = module.extract_plain_text(page.tree.html or "", main_content=True, preserve_formatting=True)
    return _lines(text.split("\n"))


def readability(page: Blocks) -> list[Block]:
    """The blocks of what readability-lxml takes for the article."""
    from selectolax.lexbor import LexborHTMLParser

    document = _installed("readability", package="readability-lxml").Document(page.tree.html or "")
    try:
        summary = document.summary()
    except _installed("readability.readability", package="readability-lxml").Unparseable:
        return []
    return blocks_of(LexborHTMLParser(summary)).blocks


def _installed(module: str, package: str = "") -> Any:
    try:
        return import_module(module)
    except ImportError:
        package = package or module
        raise UserError(
            f"The extractor of {package} needs {package}, which is not installed.",
            f"Install it with: pip install {package}",
        ) from None


def _lines(lines: Iterable[str]) -> list[Block]:
    texts = (clean(collapsed(line)) for line in lines)
    return [Block(text, "p", -1, 0, 0, 0, 0, 0) for text in texts if text]
