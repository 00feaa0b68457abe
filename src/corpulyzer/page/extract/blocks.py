"""The one block model: every run of visible text of a page, where it stands, and what surrounds it.

It states facts and decides nothing: what is content is for the extractors to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# What a block stands in, as bits of `Block.within`.
NAV, HEADER, FOOTER, ASIDE, FORM, FIGURE, TABLE, LIST, ARTICLE, MAIN, HEADING, QUOTE, PRE = (
    1 << bit for bit in range(13)
)


class Block(NamedTuple):
    """A run of visible text in one element, white space collapsed, in NFC.

    `element` is an index into `Blocks.elements`, -1 where the block is not of the tree, and its `kind` then
    the tag itself; `within` is a sum of the bits above; `links` its number of characters inside links.
    `breaks` counts the `<br>` since the block before, and is 0 where an element
    began or ended in between. `tags_before` and `tags_inside` count tags, start and end each, since the
    block before. (A named tuple, as a frozen dataclass takes six times as long to make.)
    """

    text: str
    kind: str
    element: int
    within: int
    links: int
    breaks: int
    tags_before: int
    tags_inside: int

    @property
    def link_density(self) -> float:
        """The share of its characters that are in links."""
        return self.links / len(self.text)


class Element(NamedTuple):
    """A block-level element: index of the one around it (-1 for none), depth in the tree, and path.

    Elements have the same `path` iff all (tag, id, class) triples from the body down to them are the same.
    """

    parent: int
    depth: int
    path: int


class Step(NamedTuple):
    """The last triple of a path, and the path that it prolongs. Whole paths would take quadratic memory.

    `roles` is what `itemprop` or `role` says of the first element of this path.
    """

    parent: int
    tag: str
    id: str | None
    classes: str | None
    roles: str


class Anchor(NamedTuple):
    """An `<a>` with an address, hidden or not."""

    href: str
    rel: str
    hreflang: str
    text: str


class Fact(NamedTuple):
    """An element with metadata, not visible text: its `FACT_ATTRIBUTES`, and its text.

    Scripts other than JSON-LD, and links to `SUPPLIES`, hold none and are left out.
    """

    tag: str
    attributes: Mapping[str, str]
    text: str


Found = tuple[list[Block], Sequence[Element], Sequence[Step], list[Anchor], list[Fact], bool]
"""What a walk over a page finds; the last: whether all texts are surely clean already."""

FACT_TAGS = ("area", "base", "frame", "link", "meta", "script", "title")
SUPPLIES = (
    "stylesheet",
    "preload",
    "preconnect",
    "dns-prefetch",
    "icon",
    "shortcut icon",
    "apple-touch-icon",
)
FACT_ATTRIBUTES = (
    *("alt", "content", "href", "hreflang", "http-equiv", "name", "property", "rel", "src", "title", "type"),
)


@dataclass(frozen=True, slots=True)
class Blocks:
    """A page as extractors see it: its blocks in document order, and the elements that hold them.

    `paths[element.path]` names an element. `tree` is the parse itself.
    """

    tree: LexborHTMLParser
    blocks: list[Block]
    elements: Sequence[Element]
    paths: Sequence[Step]
    anchors: list[Anchor]
    facts: list[Fact]

    def step(self, block: Block) -> Step:
        """Tag, id and class of the element that a block stands in."""
        return self.paths[self.elements[block.element].path]


def runs(blocks: Iterable[Block]) -> Iterator[list[Block]]:
    """Blocks that a single `<br>` parts, put together: lines of one paragraph to most extractors."""
    run: list[Block] = []
    for block in blocks:
        if block.breaks != 1 and run:
            yield run
            run = []
        run.append(block)
    if run:
        yield run
