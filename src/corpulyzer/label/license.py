"""The Creative Commons license of a page, with every candidate and where it stands (C4-2, C4-3).

What a page declares of itself (`rel=license`, meta, JSON-LD, RDFa, footer) outweighs a link in running text,
and the license of a picture is not the page's. One kind is the page's license; several are `cc-unspecified`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import regex

from corpulyzer.record import Evidence, Page

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

KINDS = ("cc0", "cc-by", "cc-by-sa", "cc-by-nd", "cc-by-nc", "cc-by-nc-sa", "cc-by-nc-nd", "public-domain")
UNSPECIFIED = "cc-unspecified"
DECLARED = ("rel", "meta", "json-ld", "rdfa", "footer")

_ADDRESS = regex.compile(
    r"(?:https?:)?//(?:[a-z]+\.)?creativecommons\.org/"
    r"(?:licen[sc]es/(?P<terms>[a-z+-]+)|publicdomain/(?P<waiver>zero|mark)|licen[sc]es/?(?P<any>$))",
    regex.I,
)
_CODE = regex.compile(r"\bCC[ -](?P<terms>BY(?:[ -](?:NC|SA|ND))*)\b|\b(?P<zero>CC[ -]?0)\b")
# Looked for first: a pattern with a literal start is searched for at the speed of a substring.
_SIGN = regex.compile(r"CC[ -]?(?:BY|0)")
_FOOTER = regex.compile(r"foot|copyright|colophon|licen[sc]e", regex.I)
_PICTURE = regex.compile(r"caption|credit|thumb|gallery|photo|picture|image|media", regex.I)
_META_NAMES = frozenset(
    ("license", "licence", "dc.rights", "dc.rights.license", "dcterms.rights", "dcterms.license")
)
_MEDIA_TYPES = frozenset(
    ["ImageObject", "VideoObject", "AudioObject", "MediaObject", "Photograph", "SoftwareApplication"]
)
# The pattern that C4Corpus ran in production.
_C4CORPUS = regex.compile(
    r"https?://creativecommons\.org/licenses/"
    r"(by|by-sa|by-nd|by-nc|by-nc-sa|by-nc-nd|publicdomain)[\"/ >]"
)
_ANCESTORS = 12


def kind_of(address: str) -> str:
    """The kind of license that an address names, empty for any other address.

    >>> kind_of("//www.creativecommons.org/licenses/by-nd-nc/1.0")
    'cc-by-nc-nd'
    """
    found = _ADDRESS.search(address.strip())
    if not found:
        return ""
    if found["waiver"]:
        return "cc0" if found["waiver"].lower() == "zero" else "public-domain"
    return _from_terms((found["terms"] or "").lower())


@dataclass(frozen=True, slots=True)
class License:
    """Label a page with its license. `c4corpus` is the rule of that system's code: one regex on the HTML."""

    method: Annotated[Literal["default", "c4corpus", "off"], "How licenses are found."] = "default"

    def __call__(self, page: Page) -> Page:
        if self.method == "off" or page.tree is None:
            return page
        if self.method == "c4corpus":
            found = list(_by_regex(page.html))
            return replace(page, license=_one(found), licenses=tuple(found))
        if "creativecommons" not in page.html and not _SIGN.search(page.html):
            return page
        found = list(dict.fromkeys(_candidates(page)))
        return replace(page, license=decide(found), licenses=tuple(found))


def decide(candidates: list[Evidence]) -> str:
    """The page's license: of what it declares, else of links in its text, never of a picture's license."""
    declared = [item for item in candidates if item.where in DECLARED]
    return _one(declared or [item for item in candidates if item.where == "text"])


def _one(candidates: list[Evidence]) -> str:
    kinds = {item.kind for item in candidates}
    if len(kinds) > 1:
        kinds.discard(UNSPECIFIED)
    return kinds.pop() if len(kinds) == 1 else UNSPECIFIED if kinds else ""


def _candidates(page: Page) -> Iterator[Evidence]:
    assert page.tree is not None
    for node in page.tree.css("a[href], link[href], area[href]"):
        attributes = node.attributes
        address = attributes.get("href") or ""
        rel = (attributes.get("rel") or "").lower().split()
        kind = kind_of(address)
        if not kind and "license" in rel and "creativecommons.org" in address:
            kind = UNSPECIFIED
        if kind:
            yield Evidence(kind, address, _where(node, rel))
    yield from _from_meta(page)
    yield from _from_rdfa(page)
    yield from _from_json_ld(page)
    yield from _from_footer(page)


def _where(node: LexborNode, rel: list[str]) -> str:
    """`picture`, `footer` or `text`; `rel` for a link that says it is the license and is no picture's."""
    place = "text"
    above: LexborNode | None = node
    for _ in range(_ANCESTORS):
        if above is None or above.tag in ("body", "html", "head"):
            break
        words = f"{above.attributes.get('class') or ''} {above.attributes.get('id') or ''}"
        if above.tag in ("figure", "figcaption") or (above is not node and _PICTURE.search(words)):
            return "picture"
        if above.tag == "footer" or (above is not node and _FOOTER.search(words)):
            place = "footer"
        above = above.parent
    return "rel" if "license" in rel else place


def _from_meta(page: Page) -> Iterator[Evidence]:
    assert page.tree is not None
    for node in page.tree.css("meta[content]"):
        name = (
            (node.attributes.get("name") or node.attributes.get("property") or "").lower().replace(":", ".")
        )
        value = node.attributes.get("content") or ""
        if name in _META_NAMES and (kind := kind_of(value) or _from_code(value)):
            yield Evidence(kind, value, "meta")


def _from_rdfa(page: Page) -> Iterator[Evidence]:
    assert page.tree is not None
    for node in page.tree.css('[property$="license"], [rel$=":license"], [itemprop="license"]'):
        if node.tag == "meta" and not node.attributes.get("itemprop"):
            continue
        attributes = node.attributes
        value = attributes.get("resource") or attributes.get("href") or attributes.get("content") or ""
        if (kind := kind_of(value)) and _where(node, []) != "picture":
            yield Evidence(kind, value, "rdfa")


def _from_json_ld(page: Page) -> Iterator[Evidence]:
    assert page.tree is not None
    for node in page.tree.css('script[type="application/ld+json"]'):
        try:
            data = json.loads(node.text() or "")
        except (ValueError, RecursionError):
            continue
        for value in _licenses_in(data):
            if kind := kind_of(value):
                yield Evidence(kind, value, "json-ld")


def _licenses_in(data: Any) -> Iterator[str]:
    """The `license` values of a JSON-LD document that speak of the page, not of its media."""
    stack = [data]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack += item
        elif isinstance(item, dict):
            types = item.get("@type")
            if _MEDIA_TYPES & set(types if isinstance(types, list) else [str(types)]):
                continue
            value = item.get("license")
            for single in value if isinstance(value, list) else [value]:
                address = single.get("@id") or single.get("url") if isinstance(single, dict) else single
                if isinstance(address, str):
                    yield address
            stack += [
                below for key, below in item.items() if key in ("@graph", "mainEntity", "isPartOf", "hasPart")
            ]


def _from_footer(page: Page) -> Iterator[Evidence]:
    """Codes such as `CC BY-SA 4.0` in a footer: the same letters in every language."""
    assert page.tree is not None
    for node in page.tree.css("footer, #footer, .footer"):
        text = node.text(separator=" ")
        if found := _CODE.search(text):
            yield Evidence(_from_code(found[0]), found[0], "footer")


def _from_code(text: str) -> str:
    found = _CODE.search(text)
    if not found:
        return ""
    return "cc0" if found["zero"] else _from_terms(found["terms"].lower().replace(" ", "-"))


def _from_terms(terms: str) -> str:
    """Conditions in the order of today's names: version 1.0 wrote `by-nd-nc`."""
    if terms == "publicdomain":
        return "public-domain"
    parts = set(terms.strip("-").split("-"))
    kind = "-".join(["cc", *(part for part in ("by", "nc", "nd", "sa") if part in parts)])
    return kind if kind in KINDS else UNSPECIFIED


def _by_regex(html: str) -> Iterator[Evidence]:
    for found in _C4CORPUS.finditer(html):
        kind = "public-domain" if found[1] == "publicdomain" else f"cc-{found[1]}"
        yield Evidence(kind, found[0][:-1], "text")
