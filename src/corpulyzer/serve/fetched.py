"""A crawled page made harmless: to be looked at, with nothing in it that acts or reaches out.

The frame it is shown in is sandboxed and its policy forbids all requests. This is a second safeguard, and it
also removes what no policy covers: links that would lead out, and hints to look up names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

GONE = (
    "script, noscript, iframe, frame, frameset, object, embed, applet, portal, fencedframe, base, link, "
    "meta, template, audio, video, source, track, svg script, svg use, svg image, svg foreignObject, math"
)
# Attributes that name something to fetch or somewhere to go. What is not on this list only describes.
KEPT = frozenset(
    {
        "abbr",
        "align",
        "alt",
        "bgcolor",
        "border",
        "cellpadding",
        "cellspacing",
        "class",
        "color",
        "cols",
        "colspan",
    }
    | {
        "dir",
        "face",
        "headers",
        "height",
        "hidden",
        "id",
        "lang",
        "noshade",
        "open",
        "reversed",
        "rows",
        "rowspan",
    }
    | {
        "scope",
        "size",
        "span",
        "start",
        "style",
        "summary",
        "title",
        "type",
        "valign",
        "value",
        "width",
        "wrap",
    }
)
_CSS_REQUEST = regex.compile(
    r"(?i)url\s*\(|@import|image-set\s*\(|\\|expression\s*\(|-moz-binding|behavior\s*:"
)
_START = (
    '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
    "<style>html{background:#fff;color:#111;color-scheme:light}</style>"
)


def harmless(html: str) -> str:
    """The page without scripts, frames, forms that send, and anything that would be fetched."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(html)
    for node in tree.css(GONE):
        node.decompose()
    tree.unwrap_tags(["form"])
    for node in tree.css("style"):
        if _CSS_REQUEST.search(node.text()):
            node.decompose()
    for node in tree.css("*"):
        _strip(node)
    body = tree.html or ""
    return _START + body


def _strip(node: LexborNode) -> None:
    for name, value in dict(node.attributes).items():
        if name == "src" and node.tag == "img" and (value or "").lower().startswith("data:image/"):
            continue
        if name == "style" and not _CSS_REQUEST.search(value or ""):
            continue
        if name not in KEPT or name == "style":
            del node.attrs[name]
