"""Paragraphs as minimal HTML: the second output form of C4Corpus, which keeps what each paragraph was."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import groupby

# Kinds that are no tags.
_TAGS = {"h": "h2", "quote": "blockquote", "caption": "figcaption"}
_PLAIN = ("h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "blockquote", "figcaption")
# What must stand around a tag, or a parser would throw the tag away.
_AROUND = {
    "li": ("<ul>", "</ul>"),
    **dict.fromkeys(("dt", "dd"), ("<dl>", "</dl>")),
    **dict.fromkeys(("td", "th"), ("<table><tr>", "</tr></table>")),
}


def minimal_html(paragraphs: Iterable[tuple[str, str]]) -> str:
    """One element a line for each (text, tag or kind). Nothing else of the page's own markup is left.

    >>> print(minimal_html([("Naslov", "h1"), ("A < B", "p"), ("x", "li")]))
    <h1>Naslov</h1>
    <p>A &lt; B</p>
    <ul>
    <li>x</li>
    </ul>
    """
    lines: list[str] = []
    tagged = ((text, _tag(kind)) for text, kind in paragraphs)
    for (before, after), group in groupby(tagged, key=lambda it: _AROUND.get(it[1], ("", ""))):
        items = [f"<{tag}>{escape(text, quote=False)}</{tag}>" for text, tag in group]
        lines += filter(None, [before, *items, after])
    return "\n".join(lines)


def _tag(kind: str) -> str:
    tag = _TAGS.get(kind, kind)
    return tag if tag in _PLAIN or tag in _AROUND else "p"
