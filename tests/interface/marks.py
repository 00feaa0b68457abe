"""Pages in a language in which every text of the interface stands between marks: what is unmarked was missed."""

from contextlib import contextmanager
from unittest.mock import patch

import regex
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.interface import catalogue, messages

CODE = "ur"
_WORD = regex.compile(r"\p{Latin}{3,}")
_MARKED = regex.compile(r"⟦[^⟦⟧]*⟧")
NOT_OURS = (
    "script, style, code, pre, bdi, kbd, cite, datalist, body [dir=ltr], body [lang], .chip:not(.warn):not(.good), .code,"
    ".title a, .facts dd, .text p, .blocks p, .pair p, [name=format] option"
)
"""Commands, addresses, codes, and what pages of the corpus say."""
ATTRIBUTES = ("title", "aria-label", "placeholder", "alt")
KNOWN = regex.compile(
    r"(?i)\b(urdu\w*|urd|und|eng|english|csv|xlsx|json|svg|png|logdice|corpulyzer|utc|creative|commons|https?"
    r"|searxng|google|brave|html|example|file|text/html|utf|cld2|markov|ensemble)\b|\S+\.(html|example)\S*|\w+_\w+|\S+\.invalid|\[tag.*|cc, none …|arab\w*|HHI|cc unspecified|text/plain"
)
"""Names, codes and units, which are the same in every language."""


@contextmanager
def marking():
    """A catalogue in which every text stands between marks."""
    texts = {text: f"⟦{text}⟧" for text in catalogue.messages(CODE)}
    caches = (messages._said, messages._patterns)

    def found(code):
        return {} if code == "en" else texts

    with patch.object(catalogue, "messages", found), patch.object(messages, "messages", found):
        try:
            for each in caches:
                each.cache_clear()
            yield
        finally:
            for each in caches:
                each.cache_clear()


def unmarked(html):
    """The words of a page that no catalogue had."""
    tree = LexborHTMLParser(html)
    for node in tree.css(NOT_OURS):
        node.decompose()
    said = [tree.body.text(separator="\n")]
    said += [node.attributes.get(name) or "" for node in tree.css("*") for name in ATTRIBUTES]
    found = set()
    for text in said:
        rest = text
        while _MARKED.search(rest):
            rest = _MARKED.sub(" ", rest)
        found |= {line.strip() for line in rest.split("\n") if _WORD.search(KNOWN.sub(" ", line))}
    return found
