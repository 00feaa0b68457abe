"""How pages are made: templates, what they can call, and where their addresses lead."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import regex
from markupsafe import Markup

from corpulyzer.interface import catalogue, messages
from corpulyzer.measure.pages.funnel import percent
from corpulyzer.measure.pages.language_richness import language_name
from corpulyzer.measure.result import shown
from corpulyzer.serve import drawing

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"
# The files that all pages share, and the desk itself, do not lie below a corpus.
_ADDRESS = regex.compile(r'((?:href|action|src|hx-get|hx-post)=")(/(?!static/|desk"|new"))')


def environment(root: str = "", **more: Any) -> Environment:
    """The templates of the pages below `root`, in the language that the reader has chosen.

    `more` is what they can call besides, or instead.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    made.filters |= {
        "percent": percent,
        "shown": shown,
        "size": lambda count: left_to_right(size(count)),
        "language_name": language_name,
    }
    made.filters |= {"said": messages.said, "told": messages.told, "named": named}
    made.filters |= {"ltr": left_to_right, "isolated": isolated}
    made.globals |= {
        "bar": drawing.bar,
        "curve": drawing.curve,
        "interval": drawing.interval,
        "link": link,
        "root": root,
        "interface": catalogue.chosen,
        "translated": catalogue.translated,
        "interfaces": catalogue.LANGUAGES,
        **more,
    }
    catalogue.install(made)
    return made


def left_to_right(text: str) -> Markup:
    """A number with its unit, or a date, as it is read in every language."""
    return Markup('<bdi dir="ltr">{}</bdi>').format(text)


def isolated(text: str) -> Markup:
    """What the corpus or the reader wrote, within a sentence of ours: it turns nothing around it."""
    return Markup("<bdi>{}</bdi>").format(text)


def named(name: str) -> str:
    """The name of a column, a label or the like, as it stands in tables."""
    return catalogue.translated(str(name).replace("_", " "))


def placed(page: str, base: str) -> str:
    """A page whose addresses, written as if its corpus were alone, lead below `base`.

    What was crawled is escaped and so has no attributes of its own.

    >>> placed('<a href="/sites"><link href="/static/style.css">', "/corpora/urdu")
    '<a href="/corpora/urdu/sites"><link href="/static/style.css">'
    """
    return _ADDRESS.sub(rf"\1{base}\2", page) if base else page


def link(path: str, query: Mapping[str, Any] | None = None, *, root: str = "", **changes: Any) -> str:
    """An address with its query, some of it changed; empty values are left out.

    >>> link("/search", {"q": "a b", "page": 2}, page="")
    '/search?q=a+b'
    """
    asked = {name: value for name, value in {**(query or {}), **changes}.items() if value not in ("", None)}
    return f"{root}{path}?{urlencode(asked)}" if asked else f"{root}{path}"


def size(count: int | None) -> str:
    """Bytes as people read them.

    >>> size(1536), size(12)
    ('1.5 kB', '12 B')
    """
    value, units = float(count or 0), ["B", "kB", "MB", "GB", "TB"]
    while value >= 1000 and len(units) > 1:
        value /= 1000
        units.pop(0)
    return f"{value:.0f} {units[0]}" if units[0] == "B" else f"{value:.1f} {units[0]}"
