"""Other people's extractors, for comparison: each parses the page anew, in its own way."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from corpulyzer.errors import UserError
from corpulyzer.page.extract.blocks import Block, Blocks
from corpulyzer.page.extract.walk import blocks_of
from corpulyzer.page.extract.words import collapsed
from corpulyzer.text import clean

Peer = Callable[[str], list[str]]


def trafilatura(page: Blocks) -> list[Block]:
    """What trafilatura extracts with its own defaults, without comments."""
    return _lines(_trafilatura()(page.tree.html or ""))


def resiliparse(page: Blocks) -> list[Block]:
    """What resiliparse takes for main content."""
    return _lines(_resiliparse()(page.tree.html or ""))


def readability(page: Blocks) -> list[Block]:
    """The blocks of what readability-lxml takes for the article."""
    return _lines(_readability()(page.tree.html or ""))


def boilerpy3(page: Blocks) -> list[Block]:
    """What the article extractor of boilerpipe, in its Python form, takes for the article."""
    return _lines(_boilerpy3()(page.tree.html or ""))


def justext_package(page: Blocks) -> list[Block]:
    """The good paragraphs of the jusText package; `justext` is ours."""
    return _lines(_justext_package()(page.tree.html or ""))


def peer_named(name: str) -> Peer:
    """The peer as it is used by itself, from HTML to lines; a `UserError` says how to install it."""
    return PEERS[name]()


def _trafilatura() -> Peer:
    extract = _installed("trafilatura").extract
    return lambda html: (extract(html, include_comments=False) or "").split("\n")


def _resiliparse() -> Peer:
    extract = _installed("resiliparse.extract.html2text", package="resiliparse").extract_plain_text
    return lambda html: extract(html, main_content=True, preserve_formatting=True).split("\n")


def _readability() -> Peer:
    from selectolax.lexbor import LexborHTMLParser

    document = _installed("readability", package="readability-lxml").Document
    unparseable = _installed("readability.readability", package="readability-lxml").Unparseable

    def lines(html: str) -> list[str]:
        try:
            summary = document(html).summary()
        except unparseable:
            return []
        return [block.text for block in blocks_of(LexborHTMLParser(summary)).blocks]

    return lines


def _boilerpy3() -> Peer:
    extractor = _installed("boilerpy3.extractors", package="boilerpy3").ArticleExtractor
    # It warns of every page that a browser would mend.
    logging.getLogger("boilerpy3").setLevel(logging.CRITICAL + 1)
    return lambda html: extractor(raise_on_failure=False).get_content(html).split("\n")


def _justext_package() -> Peer:
    """With the stop words of all its languages together: it is not told which language a page is in."""
    package = _installed("justext", package="jusText")
    unparseable = _installed("lxml.etree", package="lxml").ParserError
    stop_words = frozenset(
        word for language in package.get_stoplists() for word in package.get_stoplist(language)
    )

    def lines(html: str) -> list[str]:
        try:
            paragraphs = package.justext(html, stop_words)
        except (unparseable, ValueError):  # nothing to parse; control characters, which lxml refuses
            return []
        return [paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate]

    return lines


PEERS: dict[str, Callable[[], Peer]] = {
    "trafilatura": _trafilatura,
    "readability": _readability,
    "resiliparse": _resiliparse,
    "boilerpy3": _boilerpy3,
    "justext_package": _justext_package,
}


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
