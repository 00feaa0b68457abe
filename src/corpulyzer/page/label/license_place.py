"""Where on a page a link to a license stands, and so what it is the license of.

A credit under a photo, the theme's or the icons' license in a footer, a comment's advice and a quotation
say nothing of the page's own text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

OTHERS = ("picture", "part", "comment", "quote")
"""Places at which a license is not the page's."""

_FOOTER = regex.compile(r"foot|copyright|colophon|licen[sc]e", regex.I)
_PICTURE = regex.compile(r"caption|credit|thumb|gallery|photo|picture|image|media(?!wiki)", regex.I)
_COMMENT = regex.compile(r"\bcomments?(?:\b|-list|-body|-content)", regex.I)
# How credits of pictures begin, and what else a footer names the license of, in the languages in which we
# have seen them. In other languages, the vote of the site's pages corrects what is missed here.
_CREDIT = regex.compile(
    r"^\W*(?:©\s*)?(?:photo(?:graph)?|foto(?:graf\p{L}*)?|bild|image|imagen|imagem|immagine|slika|obr[aá]z\p{L}*"
    r"|zdj\p{L}*|illustration|ilustra\p{L}*|picture|gambar|picha|kép|resim|фото|снимок|صور\p{L}*|تصویر|فوٹو|फोटो)\b",
    regex.I,
)
_PART = regex.compile(
    r"\b(?:themes?|templates?|design|layout|icons?|fonts?|maps?|software|tema|plantilla|modelo|vorlage|thème"
    r"|gabarit|icônes?|iconos?|ícones?|ikone|ikon|symbole|predložak|predloga|шаблон|иконки|OpenStreetMap)\b",
    regex.I,
)
# A full stop after an initial ends nothing: "Photo: J. Doe".
_SENTENCE = regex.compile(r"(?<=[\p{L}\p{N}]{3}|\))[.!?।۔]\s|[·|•\n]")
_BLOCKS = frozenset(
    """
    address article aside blockquote body caption center dd details div dl dt figcaption figure footer form
    h1 h2 h3 h4 h5 h6 header li main nav ol p pre section table tbody td th tr ul
    """.split()
)
_ANCESTORS = 12
_SAID_CHARACTERS = 200


def place_of(node: LexborNode) -> str:
    """`picture`, `part`, `comment` or `quote` where it is another's license, else `footer` or `text`."""
    place = "text"
    above: LexborNode | None = node
    for _ in range(_ANCESTORS):
        if above is None or above.tag in ("body", "html", "head"):
            break
        words = "" if above is node else _names(above)
        if above.tag in ("figure", "figcaption") or _PICTURE.search(words):
            return "picture"
        if _COMMENT.search(words):
            return "comment"
        if above.tag == "blockquote":
            return "quote"
        if above.tag == "footer" or _FOOTER.search(words):
            place = "footer"
        above = above.parent
    return owner_of(said_before(node)) or place


def owner_of(said: str) -> str:
    """`picture` or `part` if the words before a license say so, else empty.

    >>> owner_of("Photo: J. Doe, "), owner_of("Theme by Jane, under "), owner_of("Theme: Minimal. Text: ")
    ('picture', 'part', '')
    """
    last = _SENTENCE.split(said[-_SAID_CHARACTERS:])[-1]
    if _CREDIT.search(last):
        return "picture"
    return "part" if _PART.search(last) else ""


def said_before(node: LexborNode) -> str:
    """The text between the beginning of the block that a link stands in and the link."""
    block: LexborNode | None = node.parent
    while block is not None and block.tag not in _BLOCKS:
        block = block.parent
    if block is None or block.tag == "body":
        return ""
    said: list[str] = []
    for each in block.traverse(include_text=True):
        if each.mem_id == node.mem_id:
            break
        if each.tag == "-text":
            said.append(each.text_content or "")
        elif each.tag in _BLOCKS or each.tag in ("br", "hr"):
            said.append("\n")
    return "".join(said).lstrip()


def _names(node: LexborNode) -> str:
    attributes = node.attributes
    return f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
