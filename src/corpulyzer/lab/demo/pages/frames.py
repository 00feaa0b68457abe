"""What surrounds an article on a page: the site's name and menu, related links, comments, footers."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from corpulyzer.lab.demo.prose import Prose, choose

# One for each word of a language's navigation, in its order.
SECTIONS = (
    "/", "/news/", "/sport/", "/culture/", "/health/", "/school/", "/farming/", "/opinion/", "/archive/",
    "/about.html", "/contact.html", "/search",
)  # fmt: skip
RELATED = 6
TABLE_ROWS = 5


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link of a page: where it leads and what it says; `hreflang` where it names a language."""

    href: str
    text: str
    hreflang: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """A site as seen from one of its pages.

    `head`, `top`, `beside` and `foot` are markup that a page carries besides its layout: in its head, first
    in its body, beside the article, and in its footer. `charset` is what the page declares; empty, nothing.
    """

    prose: Prose
    host: str
    site: str
    menu: tuple[Anchor, ...]
    related: tuple[Anchor, ...]
    comments: tuple[tuple[str, str], ...]
    captions: tuple[str, ...]
    table: tuple[tuple[str, ...], ...]
    footer: str
    cookies: str
    charset: str = "utf-8"
    head: str = ""
    top: str = ""
    beside: str = ""
    foot: str = ""


def make_frame(prose: Prose, host: str, rng: Random) -> Frame:
    """A frame in the language of `prose`, all of it made by `rng`."""
    return Frame(
        prose=prose,
        host=host,
        site=host.removeprefix("www.").split(".")[0].title(),
        menu=tuple(Anchor(href, text) for href, text in zip(SECTIONS, prose.navigation, strict=True)),
        related=tuple(Anchor(_path(rng), prose.headline(rng)) for _ in range(RELATED)),
        comments=tuple((prose.names(rng), prose.slot("comment", rng)) for _ in range(3)),
        captions=tuple(prose.slot("caption", rng) for _ in range(RELATED)),
        table=tuple(_row(prose, rng) for _ in range(TABLE_ROWS)),
        footer=prose.slot("footer", rng),
        cookies=prose.slot("cookies", rng),
    )


def _path(rng: Random) -> str:
    return f"{choose(rng, SECTIONS[1:8])}{int(rng.random() * 9000) + 1000}.html"


def _row(prose: Prose, rng: Random) -> tuple[str, ...]:
    return tuple(prose.slot(name, rng) for name in ("place", "year", "hundreds", "number"))
