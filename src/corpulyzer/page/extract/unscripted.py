"""The `<noscript>` text of a page: forums that are drawn by scripts have their posts there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corpulyzer.native import compiled
from corpulyzer.page.extract.blocks import Block
from corpulyzer.page.extract.words import collapsed

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

MIN_CHARACTERS = 500  # shorter ones only ask to turn scripts on
PARAGRAPH = 100
"""Characters outside links from which on a block is text, and not a line of what surrounds it."""


def shows_text(blocks: list[Block]) -> bool:
    """Whether a page has text to see: some paragraphs, whatever menus and sidebars stand around them."""
    if compiled is not None:
        shown: bool = compiled.shows_text(blocks, PARAGRAPH, MIN_CHARACTERS)
        return shown
    seen = 0
    for block in blocks:
        own = len(block.text) - block.links
        seen += own if own >= PARAGRAPH else 0
        if seen >= MIN_CHARACTERS:
            return True
    return False


def own_text(blocks: Sequence[Block]) -> int:
    """How many characters of the blocks are outside links."""
    return sum(len(block.text) - block.links for block in blocks)


def unscripted(tree: LexborHTMLParser) -> LexborHTMLParser | None:
    """The largest `<noscript>` in the body as a page of its own; None if none has text worth reading."""
    from selectolax.lexbor import LexborHTMLParser

    size, largest = max(
        ((len(collapsed(node.text())), node) for node in tree.css("body noscript")),
        key=lambda found: found[0],
        default=(0, None),
    )
    if largest is None or size < MIN_CHARACTERS:
        return None
    return LexborHTMLParser("".join(child.html or "" for child in largest.iter(include_text=True)))
