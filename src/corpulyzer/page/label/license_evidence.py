"""Every sign of a license on a page, with what says it and where it stands (C4-2)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import regex

from corpulyzer.native.scan import has_any, has_before
from corpulyzer.page.label.license_kinds import UNSPECIFIED, first_named, kind_of, named_in
from corpulyzer.page.label.license_place import OTHERS, owner_of, place_of
from corpulyzer.records import Evidence, Page

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# A first, cheap test: nearly all pages have none of them. Other capitals are too rare to be worth a third.
_SIGNS = (b"creativecommons", b"Creative Commons")
_IN_ALL_SIGNS = (b"ommons",)
_BEHIND_CC = b" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f-&B0\xc2\xe1\xe2\xe3"
_CODE = regex.compile(
    rb"CC(?:[\s-]|&nbsp;|&#160;|\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80)?(?:BY|0)"
)
_RDF = regex.compile(r"<(?:cc:)?license\s+rdf:resource=[\"']([^\"']+)", regex.I)
_META_NAMES = frozenset(
    """
    license licence copyright rights dc.rights dc.rights.license dc.license dcterms.rights dcterms.license
    """.split()
)
_RELS = frozenset(("license", "dcterms.license", "dc.rights", "dc:rights", "dcterms.rights"))
_MEDIA_TYPES = frozenset(
    (
        "ImageObject",
        "VideoObject",
        "AudioObject",
        "MediaObject",
        "Photograph",
        "SoftwareApplication",
        "Dataset",
    )
)
_LINKS = ", ".join(f'{tag}[href*="creativecommons" i]' for tag in ("a", "link", "area"))
_BELOW = ("@graph", "mainEntity", "isPartOf", "hasPart")


def may_have_license(html: bytes) -> bool:
    """Whether a page in UTF-8 may have a license: a cheap test before the search."""
    if has_any(html, _IN_ALL_SIGNS) and has_any(html, _SIGNS):
        return True
    return has_before(html, b"CC", _BEHIND_CC) and _CODE.search(html) is not None


def evidence_of(page: Page) -> list[Evidence]:
    """The candidates of a parsed page, each once."""
    tree = page.tree
    if tree is None or not may_have_license(page.utf8):
        return []
    sources = (_from_links, _from_meta, _from_rdfa, _from_json_ld, _from_footer)
    found = [item for source in sources for item in source(tree)]
    if b"rdf:resource" in page.utf8.lower():
        found += [Evidence(kind, url, "rdf") for url in _RDF.findall(page.html) if (kind := kind_of(url))]
    return list(dict.fromkeys(found))


def _from_links(tree: LexborHTMLParser) -> Iterator[Evidence]:
    for node in tree.css(_LINKS):
        address = node.attributes.get("href") or ""
        declared = not _RELS.isdisjoint((node.attributes.get("rel") or "").lower().split())
        kind = kind_of(address) or (UNSPECIFIED if declared else "")
        if kind:
            place = place_of(node)
            yield Evidence(kind, address, "rel" if declared and place not in OTHERS else place)


def _from_meta(tree: LexborHTMLParser) -> Iterator[Evidence]:
    for node in tree.css("meta[content]"):
        name = node.attributes.get("name") or node.attributes.get("property") or ""
        value = node.attributes.get("content") or ""
        if name.lower().replace(":", ".") in _META_NAMES and (kind := first_named(value)):
            yield Evidence(kind, value, "meta")


def _from_rdfa(tree: LexborHTMLParser) -> Iterator[Evidence]:
    for node in tree.css('[property$="license"], [rel$=":license"], [itemprop="license"]'):
        attributes = node.attributes
        if node.tag == "meta" and not attributes.get("itemprop"):
            continue
        value = attributes.get("resource") or attributes.get("href") or attributes.get("content") or ""
        if (kind := kind_of(value)) and place_of(node) not in OTHERS:
            yield Evidence(kind, value, "rdfa")


def _from_json_ld(tree: LexborHTMLParser) -> Iterator[Evidence]:
    for node in tree.css('script[type^="application/ld+json"]'):
        try:
            data = json.loads(node.text() or "", strict=False)
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
            if _MEDIA_TYPES.isdisjoint(types if isinstance(types, list) else [str(types)]):
                yield from _addresses(item.get("license"))
                stack += [item[key] for key in _BELOW if key in item]


def _addresses(value: Any) -> Iterator[str]:
    for single in value if isinstance(value, list) else [value]:
        address = single.get("@id") or single.get("url") if isinstance(single, dict) else single
        if isinstance(address, str):
            yield address


def _from_footer(tree: LexborHTMLParser) -> Iterator[Evidence]:
    """Codes such as `CC BY-SA 4.0` in a footer: the same letters in every language."""
    for node in tree.css("footer, #footer, .footer"):
        text = node.text(separator=" ")
        for kind, words, start in named_in(text):
            yield Evidence(kind, words, owner_of(text[:start]) or "footer")
