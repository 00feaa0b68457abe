"""What a page declares of itself: title, language, canonical address, author, date."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import regex

from corpulyzer.extract.blocks import Blocks
from corpulyzer.extract.links import base_of, resolve

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_LANGUAGE = regex.compile(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*")


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says of itself; empty where it says nothing."""

    title: str = ""
    language: str = ""
    canonical: str = ""
    author: str = ""
    published: str = ""


def metadata_of(tree: LexborHTMLParser, page: Blocks, url: str, headers_language: str = "") -> Metadata:
    """The page's own declarations, the first of each kind."""
    title = canonical = ""
    metas: dict[str, str] = {}
    for node in page.facts:
        tag = node.tag
        if tag == "title":
            title = title or " ".join(node.text().split())
        elif tag == "meta":
            attributes = node.attributes
            name = attributes.get("name") or attributes.get("property") or attributes.get("http-equiv")
            if name and (content := attributes.get("content")):
                metas.setdefault(name.lower(), content.strip())
        elif tag == "link" and not canonical:
            attributes = node.attributes
            if (attributes.get("rel") or "").lower() == "canonical":
                canonical = resolve(attributes.get("href") or "", base_of(page, url), "")
    declared = tree.root.attributes.get("lang") if tree.root else ""
    language = _LANGUAGE.match((declared or metas.get("content-language", "") or headers_language).strip())
    return Metadata(title or metas.get("og:title", ""), language[0] if language else "", canonical)
