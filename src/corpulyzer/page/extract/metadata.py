"""What a page declares of itself: title, language, canonical address, author, date."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

import regex

from corpulyzer.native.scan import tag_count
from corpulyzer.page.extract.blocks import Blocks
from corpulyzer.page.extract.links import Resolver, base_of
from corpulyzer.page.extract.words import collapsed
from corpulyzer.text import clean

MAX_JSON_CHARACTERS = 500_000
MAX_JSON_NODES = 5_000

_AUTHOR_NAMES = (
    "author",
    "article:author",
    "dc.creator",
    "dcterms.creator",
    "citation_author",
    "sailthru.author",
)
_DATE_NAMES = (
    *("article:published_time", "og:published_time", "datepublished", "citation_publication_date"),
    *("dcterms.created", "dcterms.date", "dc.date.issued", "dc.date", "date", "pubdate", "publishdate"),
)
_LANGUAGE = regex.compile(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*")
_DATE = regex.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")


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


def metadata_of(page: Blocks, url: str, *, header_language: str = "") -> Metadata:
    """The page's own declarations, the first of each kind."""
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
    author, published = _author_and_date(page, metas, scripts)
    title = clean(collapsed(title or metas.get("og:title", "")))
    language = _language(page, metas, header_language)
    return Metadata(title, language, canonical, author, published, tuple(pairs))


def _language(page: Blocks, metas: Mapping[str, str], header: str) -> str:
    """The declared language as written: at the root, else the body, a meta element, the HTTP header."""
    elements = [node.attributes for node in (page.tree.root, page.tree.body) if node is not None]
    tags = [element.get(name) or "" for element in elements for name in ("lang", "xml:lang")]
    for tag in (*tags, metas.get("content-language", ""), header):
        if tag and (match := _LANGUAGE.match(tag.strip())):
            return str(match[0])
    return ""


def _author_and_date(page: Blocks, metas: Mapping[str, str], scripts: list[str]) -> tuple[str, str]:
    author = next(filter(None, (_person(metas[name]) for name in _AUTHOR_NAMES if name in metas)), "")
    published = next(filter(None, (iso_date(metas[name]) for name in _DATE_NAMES if name in metas)), "")
    for script in scripts:
        if author and published:
            break
        for thing in json_things(script):
            author = author or _person(thing.get("author"))
            published = published or iso_date(thing.get("datePublished"))
    if not published and tag_count(page.tree.raw_html or b"", b"time"):
        time = page.tree.css_first("time[datetime]")
        published = iso_date(time.attributes.get("datetime")) if time else ""
    return author, published


def json_things(script: str) -> Iterator[dict[str, Any]]:
    """The objects of a JSON-LD script, outermost first. What is no JSON has none."""
    if len(script) > MAX_JSON_CHARACTERS:
        return
    try:
        todo = [json.loads(script, strict=False)]
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


def iso_date(value: Any) -> str:
    """A declared date in ISO 8601, with its time where there is one; empty if it cannot be told.

    >>> iso_date("2021-03-04T05:06:07Z"), iso_date("Thu, 04 Mar 2021 05:06:07 GMT"), iso_date("2021/3/4")
    ('2021-03-04T05:06:07+00:00', '2021-03-04T05:06:07+00:00', '2021-03-04')
    """
    if not isinstance(value, str) or not value.strip():
        return ""
    value = value.strip()[:64]
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            date = read(value)
        except ValueError:
            continue
        return date.date().isoformat() if len(value) <= len("2021-03-04") else date.isoformat()
    if match := _DATE.match(value):
        year, month, day = map(int, match.groups())
        if 1 <= month <= 12 and 1 <= day <= 31:
            return f"{year:04}-{month:02}-{day:02}"
    return ""
