"""The one parse of a page, shared by every stage after it."""

from __future__ import annotations

import regex

from corpulyzer.native.scan import has_any, may_be_deep
from corpulyzer.page.extract.decode import media_of
from corpulyzer.records import Page
from corpulyzer.records.changed import changed

MAX_DEPTH = 512  # as browsers have it
SUSPECT_DEPTH = 4096  # beyond which the parser could take quadratic time

_TAG = regex.compile(r"<(/?)([a-zA-Z][^\s/>]*)[^>]*>")
_TEMPLATE = regex.compile(r"<(/?)template(?=[\s/>])([^>]*)>", regex.IGNORECASE)
_SHADOW = b"shadowrootmode"
# Elements that have no end tag, or need none: they add no depth.
_FLAT = {
    "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta",
    "option", "p", "param", "source", "td", "th", "tr", "track", "wbr",
}  # fmt: skip


def parse(page: Page) -> Page:
    """The page with its `tree`. No stage may modify it, since all share it."""
    if (
        page.tree is not None
        or media_of(page) != "html"
        or not (page.decoded or (page.body and page.charset))
    ):
        return page
    from selectolax.lexbor import LexborHTMLParser

    return changed(page, tree=LexborHTMLParser(_source(page)))


def _source(page: Page) -> str | bytes:
    """What to parse: the bytes themselves where they are valid UTF-8, as text would be encoded again."""
    if may_be_deep(page.utf8, SUSPECT_DEPTH):
        return flattened(page.html)
    if has_any(page.utf8, (_SHADOW,)):
        return with_shadow_roots(page.html)
    return page.decoded or page.body


def with_shadow_roots(html: str) -> str:
    """The page with its declarative shadow roots as plain elements: browsers show them without any script.

    >>> with_shadow_roots("<my-page><template shadowrootmode=open><p>text</template></my-page>")
    '<my-page><div><p>text</div></my-page>'
    """
    pieces: list[str] = []
    shown: list[bool] = []
    done = 0
    for tag in _TEMPLATE.finditer(html, 0, _end_of_tags(html)):
        if not tag[1]:
            shown.append(_SHADOW.decode() in tag[2].lower())
        if shown and (shown.pop() if tag[1] else shown[-1]):
            pieces += html[done : tag.start()], f"<{tag[1]}div>"
            done = tag.end()
    return "".join(pieces) + html[done:]


def _end_of_tags(html: str) -> int:
    """The place behind which no tag ends: each of many that begin there would be looked at to the end."""
    return html.rfind(">") + 1


def flattened(html: str, max_depth: int = MAX_DEPTH) -> str:
    """The page without the tags that are nested deeper than `max_depth`. All text stays.

    >>> flattened("<div><div><div>text</div></div></div>", max_depth=2)
    '<div><div> text </div></div>'
    """
    pieces: list[str] = []
    depth = done = 0
    for tag in _TAG.finditer(html, 0, _end_of_tags(html)):
        if tag[2].lower() in _FLAT:
            continue
        depth += 0 if tag[1] else 1
        if depth > max_depth:
            pieces += html[done : tag.start()], " "
            done = tag.end()
        depth -= 1 if tag[1] and depth else 0
    return "".join(pieces) + html[done:]
