"""The `<noscript>` text of a page: forums that are drawn by scripts have their posts there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpulyzer.page.extract.words import collapsed

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

MIN_CHARACTERS = 500  # shorter ones only ask to turn scripts on


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
