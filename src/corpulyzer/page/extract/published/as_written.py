"""The tags and texts of a page in the order in which they are written, without a parser that repairs them.

Boilerpipe and jusText take tags as they meet them. A parser that mends a page moves, ends and adds some, and
their blocks would be others. Takes linear time: an unclosed tag, comment or script ends the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from typing import Literal

import regex

from corpulyzer.page.extract.blocks import Blocks

Piece = tuple[Literal["start", "end", "empty", "text"], str]

_RAW = ("script", "style")
_NAME = r"[a-zA-Z][^\t\n\f\r\ />\x00]*+"
# A quotation mark opens a value only behind an equals sign: `<p it's>` is a whole tag.
_ATTRIBUTES = r"""(?: [^>=]++ | =(?!\s*+["']) | =\s*+(?:"[^"]*+"|'[^']*+') )*+"""
_PIECE = regex.compile(
    rf"""
    (?P<text> [^<]++ | <(?![a-zA-Z/!?]) )
    | </ (?P<end>{_NAME})? [^>]*+ >
    | < (?P<raw>(?i:script|style)) (?=[\s/>]) {_ATTRIBUTES} (?<!/)> .*? </\s*+ (?i:(?P=raw)) \s*+>
    | < (?P<start>{_NAME}) (?P<rest>{_ATTRIBUTES}) >
    | <!-- .*? --\s*+>
    | <!\[ .*? \]\s*+>
    | < (?: \?|!(?!--|\[) ) [^>]*+ >
    """,
    regex.VERBOSE | regex.DOTALL,
)


def source_of(page: Blocks) -> str:
    """The page as it was given to the parser."""
    return page.tree.raw_html.decode("utf-8", "replace")


def pieces(html: str) -> Iterator[Piece]:
    """Start tags and end tags by their names in lower case, and the texts between them, entities resolved.

    `<br/>` and its like are empty: they open nothing. Comments, and what stands in scripts and styles, are
    left out.

    >>> list(pieces("<p>a &amp; b<br/>c<!-- d --></P>"))
    [('start', 'p'), ('text', 'a & b'), ('empty', 'br'), ('text', 'c'), ('end', 'p')]
    """
    place = 0
    while piece := _PIECE.match(html, place):
        place = piece.end()
        text, end, raw, start, rest = piece.group("text", "end", "raw", "start", "rest")
        if text:
            yield "text", unescape(text) if "&" in text else text
        elif start:
            name = start.lower()
            if _is_empty(rest):
                yield "empty", name
            elif name in _RAW:
                return
            else:
                yield "start", name
        elif end:
            yield "end", end.lower()
        elif raw:
            yield "start", raw.lower()
            yield "end", raw.lower()


def _is_empty(rest: str) -> bool:
    """Whether a start tag ends itself, by what follows its name; the slash in `<a href=x/>` is a value's."""
    if not rest.endswith("/"):
        return False
    last = rest.rsplit(None, 1)[-1]
    return "=" not in last or last[-2] in "\"'"
