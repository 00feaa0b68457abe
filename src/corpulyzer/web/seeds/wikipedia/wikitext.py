"""Links and words out of a Wikipedia's XML dump, read as it comes: one line is all that is held."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterator

import regex

from corpulyzer.language import Language
from corpulyzer.text import clean, tokens
from corpulyzer.web.seeds.unpack import lines_of

_LINK = regex.compile(r"""(?<![\w.])(?:https?:)?//[^\s\[\]<>"|{}']+""")
_TEXT = regex.compile(r"<text\b[^>]*>")
_TEMPLATE = regex.compile(r"\{\{[^{}]*\}\}|\{\||\|\}|^[|!*#:;=]+|\{\{.*|.*\}\}")
_MARKUP = regex.compile(
    r"<[^<>]{0,500}>|\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]|\[(?:https?:)?//\S+ ?([^\[\]]*)\]|'{2,}"
)


def article_lines(location: str) -> Iterator[str]:
    """The lines of the articles' wikitext, without talk, users and templates."""
    space, inside = "0", False
    for raw in lines_of(location):
        line = raw.decode("utf-8", "replace")
        bare = line.lstrip()
        if not inside and bare.startswith("<ns>"):
            space = bare[4:].partition("<")[0]
        elif not inside and (text := _TEXT.match(bare)):
            inside = not text[0].endswith("/>")
            line = bare[text.end() :]
        elif not inside:
            continue
        content, ended, _ = line.partition("</text>")
        if inside and space == "0" and content:
            yield html.unescape(content)
        inside = inside and not ended


def links_in_xml(location: str) -> Iterator[str]:
    """The external links of a wiki's articles."""
    for line in article_lines(location):
        if "//" in line:
            for link in _LINK.findall(line):
                address = link.rstrip(".,;:)!?") if "(" not in link else link.rstrip(".,;:!?")
                yield address if address.startswith("http") else f"https:{address}"


def words_in_xml(location: str, language: Language) -> Counter[str]:
    """How often each word stands in a wiki's articles, without markup as far as a line shows it."""
    counts: Counter[str] = Counter()
    for line in article_lines(location):
        plain = _MARKUP.sub(lambda match: match[1] or match[2] or " ", _TEMPLATE.sub(" ", line))
        plain = _LINK.sub(" ", plain)
        counts.update(word.lower() for word in tokens(clean(plain), language))
    return counts
