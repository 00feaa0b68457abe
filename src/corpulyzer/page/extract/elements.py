"""What an element of HTML means to the walk over a page, in Python and in C alike."""

from __future__ import annotations

from functools import cache

import regex

from corpulyzer.page.extract.blocks import (
    ARTICLE,
    ASIDE,
    FACT_TAGS,
    FIGURE,
    FOOTER,
    FORM,
    HEADER,
    HEADING,
    LIST,
    MAIN,
    NAV,
    PRE,
    QUOTE,
    TABLE,
)
from corpulyzer.page.extract.words import collapsed

CONTEXTS = {
    "nav": NAV, "menu": NAV, "header": HEADER, "footer": FOOTER, "aside": ASIDE, "dialog": ASIDE,
    "form": FORM, "fieldset": FORM, "button": FORM, "label": FORM, "legend": FORM,
    "figure": FIGURE, "figcaption": FIGURE, "table": TABLE, "ul": LIST, "ol": LIST, "dl": LIST,
    "article": ARTICLE, "main": MAIN, "blockquote": QUOTE, "pre": PRE,
    "h1": HEADING, "h2": HEADING, "h3": HEADING, "h4": HEADING, "h5": HEADING, "h6": HEADING,
}  # fmt: skip

# Elements that begin and end a block, with the kind of paragraph that their text makes: "" as around them.
KINDS = {
    **dict.fromkeys((
        "body", "address", "article", "aside", "button", "center", "details", "dialog", "dir", "div",
        "dl", "fieldset", "figure", "footer", "form", "frameset", "header", "hgroup", "hr", "label",
        "legend", "main", "marquee", "menu", "nav", "ol", "search", "section", "summary", "table",
        "tbody", "tfoot", "thead", "tr", "ul",
    ), ""),
    "p": "p", "li": "li", "dt": "li", "dd": "li", "blockquote": "quote", "pre": "pre", "td": "td",
    "th": "td", "caption": "caption", "figcaption": "caption",
    "h1": "h", "h2": "h", "h3": "h", "h4": "h", "h5": "h", "h6": "h",
}  # fmt: skip

# Elements without visible text, not entered. Ruby glosses among them: they repeat the word they stand over.
UNSEEN_TAGS = (
    "applet audio canvas datalist iframe math noembed noframes noscript object rp rt select style svg"
    " template textarea video"
)
LEAF_TAGS = "col embed img input keygen param source track wbr"

TEXT, BLOCK, INLINE, ANCHOR, BREAK, FACT, PASS = range(7)
_MANY_CHARACTERS = 1 << 16
_BLANK_LINE = regex.compile(r"\n\s*\n")


def texts_of(whole: str, preformatted: bool) -> list[str]:
    """The texts of a block: what is preformatted, or enormous, is parted where there are blank lines."""
    if preformatted or len(whole) > _MANY_CHARACTERS:
        return [collapsed(piece) for piece in _BLANK_LINE.split(whole)]
    return [" ".join(whole.split())]


@cache
def actions() -> dict[int, int]:
    """What the walk does at an element, by the parser's number of its tag. Unknown tags are inline."""
    from selectolax.lexbor import LexborHTMLParser

    page = LexborHTMLParser("<!doctype html><!-- --><p>text<?instruction?>")
    tags = {"a": ANCHOR, "br": BREAK} | dict.fromkeys(FACT_TAGS, FACT)
    tags |= dict.fromkeys(KINDS, BLOCK) | dict.fromkeys(f"{UNSEEN_TAGS} {LEAF_TAGS}".split(), PASS)
    by_number = {page.create_node(tag).tag_id: action for tag, action in tags.items()}
    for node in page.css("p")[0].iter(include_text=True):
        by_number[node.tag_id] = TEXT if node.is_text_node else PASS
    comment = page.root.prev if page.root else None
    return by_number | ({comment.tag_id: PASS} if comment else {})
