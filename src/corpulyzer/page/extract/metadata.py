"""What a page declares of itself: title, language, canonical address, author, date."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import regex

from corpulyzer.page.extract.blocks import Blocks
from corpulyzer.page.extract.dates import Declarations, published_on
from corpulyzer.page.extract.links import Resolver, base_of
from corpulyzer.page.extract.titles import title_of
from corpulyzer.page.extract.words import collapsed
from corpulyzer.text import clean

MAX_JSON_CHARACTERS = 500_000
MAX_JSON_NODES = 5_000
# Made once: `json.loads` would make one for each script.
_LENIENT = json.JSONDecoder(strict=False)

_AUTHOR_NAMES = (
    "author",
    "article:author",
    "dc.creator",
    "dcterms.creator",
    "citation_author",
    "sailthru.author",
)
_LANGUAGE = regex.compile(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*")


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says of itself; empty where it says nothing. `published` is in ISO 8601.

    `metas` are all its meta tags that have a content, by their names in lower case.
    """

    title: str = ""
    language: str = ""
    canonical: str = ""
    author: str = ""
    published: str = ""
    metas: tuple[tuple[str, str], ...] = ()


def metadata_of(
    page: Blocks, url: str, *, header_language: str = "", fetched: date | None = None
) -> Metadata:
    """The page's own declarations, the first of each kind. A date of publication after `fetched` is none."""
    pairs: list[tuple[str, str]] = []
    title = canonical = ""
    scripts: list[str] = []
    for node in page.facts:
        tag, attributes = node.tag, node.attributes
        if tag == "meta":
            name = attributes.get("name") or attributes.get("property") or attributes.get("http-equiv")
            if name and (content := attributes.get("content")):
                pairs.append((name.strip().lower(), content))
        elif tag == "title":
            title = title or node.text
        elif tag == "link" and not canonical and attributes.get("rel", "").lower() == "canonical":
            canonical = Resolver(base_of(page, url))(attributes.get("href", ""))
        elif tag == "script" and "ld+json" in attributes.get("type", ""):
            scripts.append(node.text)
    metas = dict(reversed(pairs))
    things = [thing for script in scripts for thing in json_things(script)]
    author = _author(metas, things)
    language = _language(page, metas, header_language)
    addresses = tuple(filter(None, (url, canonical, metas.get("og:url", ""))))
    title = title_of(page, clean(collapsed(title or metas.get("og:title", ""))), addresses)
    published = published_on(page, Declarations(metas, things, addresses, title, language, fetched))
    return Metadata(title, language, canonical, author, published, tuple(pairs))


def _language(page: Blocks, metas: Mapping[str, str], header: str) -> str:
    """The declared language as written: at the root, else the body, a meta element, the HTTP header."""
    elements = [node.attributes for node in (page.tree.root, page.tree.body) if node is not None]
    tags = [element.get(name) or "" for element in elements for name in ("lang", "xml:lang")]
    for tag in (*tags, metas.get("content-language", ""), header):
        if tag and (match := _LANGUAGE.match(tag.strip())):
            return str(match[0])
    return ""


def _author(metas: Mapping[str, str], things: list[dict[str, Any]]) -> str:
    declared = [metas[name] for name in _AUTHOR_NAMES if name in metas]
    return next(filter(None, map(_person, (*declared, *(thing.get("author") for thing in things)))), "")


def json_things(script: str) -> Iterator[dict[str, Any]]:
    """The objects of a JSON-LD script, outermost first. What is no JSON has none."""
    if len(script) > MAX_JSON_CHARACTERS:
        return
    try:
        todo = [_LENIENT.decode(script)]
    except (ValueError, RecursionError):
        return
    for seen, thing in enumerate(todo):
        if seen == MAX_JSON_NODES:
            return
        if isinstance(thing, dict):
            yield thing
            todo.extend(thing.values())
        elif isinstance(thing, list):
            todo.extend(thing)


def _person(value: Any) -> str:
    """The name in a declaration of an author, which may be text, an object with a name, or a list."""
    if isinstance(value, list):
        return ", ".join(filter(None, map(_person, value[:10])))
    if isinstance(value, dict):
        value = value.get("name")
    name = clean(collapsed(value)) if isinstance(value, str) else ""
    return "" if name.startswith(("http://", "https://", "@")) else name[:200]
