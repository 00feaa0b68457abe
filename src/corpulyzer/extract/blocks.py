"""The one block model: every run of visible text of a page, where it stands, and what surrounds it.

One walk over the tree, without recursion and linear in the page. It states facts and decides nothing:
what is content is for the extractors to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import regex

from corpulyzer.extract.words import clean

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

# What a block stands in, as bits of `Block.within`.
NAV, HEADER, FOOTER, ASIDE, FORM, FIGURE, TABLE, LIST, ARTICLE, MAIN, HEADING, QUOTE, PRE = (
    1 << bit for bit in range(13)
)
LINK = 1 << 13
UNSEEN = 1 << 14

CONTEXTS = {
    "nav": NAV, "menu": NAV, "header": HEADER, "footer": FOOTER, "aside": ASIDE, "dialog": ASIDE,
    "form": FORM, "fieldset": FORM, "button": FORM, "label": FORM, "legend": FORM,
    "figure": FIGURE, "figcaption": FIGURE, "table": TABLE, "ul": LIST, "ol": LIST, "dl": LIST,
    "article": ARTICLE, "main": MAIN, "blockquote": QUOTE, "pre": PRE,
    "h1": HEADING, "h2": HEADING, "h3": HEADING, "h4": HEADING, "h5": HEADING, "h6": HEADING,
}  # fmt: skip

# Elements that begin and end a block, with the kind of paragraph that their text makes: "" as around them.
KINDS = {
    **dict.fromkeys((
        "body", "address", "article", "aside", "button", "center", "details", "dialog", "dir", "div",
        "dl", "fieldset", "figure", "footer", "form", "frameset", "header", "hgroup", "hr", "label",
        "legend", "main", "marquee", "menu", "nav", "ol", "search", "section", "summary", "table",
        "tbody", "tfoot", "thead", "tr", "ul",
    ), ""),
    "p": "p", "li": "li", "dt": "li", "dd": "li", "blockquote": "quote", "pre": "pre", "td": "td",
    "th": "td", "caption": "caption", "figcaption": "caption",
    "h1": "h", "h2": "h", "h3": "h", "h4": "h", "h5": "h", "h6": "h",
}  # fmt: skip

# Elements without visible text, not entered. Ruby glosses among them: they repeat the word they stand over.
UNSEEN_TAGS = (
    "applet audio canvas datalist iframe math noembed noframes noscript object rp rt select style svg"
    " template textarea video"
)
FACT_TAGS = "area base frame link meta script title"
LEAF_TAGS = "col embed img input keygen param source track wbr"

_TEXT, _BLOCK, _INLINE, _ANCHOR, _BREAK, _FACT, _PASS = range(7)
_HARD = -1 << 40  # so far below zero that no number of <br> makes up for the end of an element
_LONG = 1 << 16
_UNEVEN_SPACE = regex.compile(r"\s{2,}|[^\S ]")
_BLANK_LINE = regex.compile(r"\n\s*\n")


_new: Any = tuple.__new__  # past the named tuple's own constructor, at a third of the time
_State = tuple[str, int, int]


class Block(NamedTuple):
    """A run of visible text in one element, white space collapsed, in NFC.

    `element` is an index into `Blocks.elements`; `within` a sum of the bits above; `links` its number of
    characters inside links. `breaks` counts the `<br>` since the block before, and is 0 where an element
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
    """The last triple of a path, and the path that it prolongs. Whole paths would take quadratic room."""

    parent: int
    tag: str
    id: str | None
    classes: str | None


@dataclass(frozen=True, slots=True)
class Blocks:
    """A page as extractors see it: its blocks in document order, and the elements that hold them.

    `paths[element.path]` names an element. `anchors` are the `<a>` with their text, hidden ones too;
    `facts` the elements that speak about the page instead of being read.
    """

    blocks: list[Block]
    elements: list[Element]
    paths: list[Step]
    anchors: list[tuple[dict[str, str | None], str]]
    facts: list[LexborNode]

    def step(self, block: Block) -> Step:
        """Tag, id and class of the element that a block stands in."""
        return self.paths[self.elements[block.element].path]

    def triples(self, block: Block) -> tuple[tuple[str, str, str], ...]:
        """The path of (tag, id, class) from below the body to the block, as HR-5 describes a paragraph."""
        path, steps = self.elements[block.element].path, []
        while path >= 0:
            path, tag, name, classes = self.paths[path]
            steps.append((tag, name or "", classes or ""))
        return tuple(steps[-2::-1])


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


def collapsed(text: str) -> str:
    """The text with single spaces for white space of any kind.

    Megabytes of it are not split, since the words would take ten times the room.
    """
    return " ".join(text.split()) if len(text) < _LONG else _UNEVEN_SPACE.sub(" ", text).strip()


def blocks_of(tree: LexborHTMLParser) -> Blocks:
    """The blocks of a parsed page. The tree is only read."""
    walk = _Walk()
    if tree.root is not None:
        walk.run(tree.root)
    return Blocks(walk.blocks, walk.elements, list(walk.paths), walk.anchors, walk.facts)


class _Walk:
    """What the walk has found so far. `run` keeps in local variables what changes with every node."""

    __slots__ = ("anchors", "blocks", "elements", "facts", "opening", "owner", "parts", "paths")

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.elements: list[Element] = []
        self.paths: dict[Step, int] = {}
        self.anchors: list[tuple[dict[str, str | None], str]] = []
        self.facts: list[LexborNode] = []
        self.parts: list[str] = []
        self.owner: _State = ("p", -1, 0)
        self.opening = (0, 0, 0)

    def run(self, root: LexborNode) -> None:
        """Visit every node once, in document order. One long loop, since a call per node doubles its cost."""
        action_of, anchors, facts = _actions().get, self.anchors, self.facts
        stack: list[Any] = []
        push, pop = stack.append, stack.pop
        node: Any = root
        state, flags, path = self.owner, 0, -1
        parts, broken, breaks, tags, last, links = self.parts, True, _HARD, 0, 0, 0
        anchor: dict[str, str | None] = {}
        words: list[str] = []
        while True:
            if node is None:
                if not stack:
                    break
                node = pop()
                tags += 1
                if node.__class__ is tuple:  # else an inline element, which changed nothing
                    node, state, path, anchored = node
                    flags = state[2]
                    if anchored:
                        anchors.append((anchor, " ".join("".join(words).split())))
                    else:
                        broken, breaks = True, _HARD
                node = node.next
                continue
            action = action_of(node.tag_id, _INLINE)
            if action == _TEXT:
                if broken and not (flags & UNSEEN or node.is_empty_text_node):
                    self.begin(state, breaks, links, tags, last)
                    broken, breaks, links = False, 0, 0
                if not broken:
                    text = node.text_content
                    parts.append(text)
                    last = tags
                    if flags & LINK:
                        words.append(text)
                        links += len(text.strip())
                elif flags & LINK:
                    words.append(node.text_content)
                node = node.next
            elif action == _BLOCK:
                tags += 1
                broken, breaks = True, _HARD
                child = node.first_child
                if child is None:
                    node = node.next
                else:
                    push((node, state, path, False))
                    path, state = self.enter(node, path, state, len(stack))
                    flags = state[2]
                    node = child
            elif action == _INLINE:
                tags += 1
                child = node.first_child
                if child is None:
                    node = node.next
                else:
                    push(node)
                    node = child
            elif action == _ANCHOR:
                tags += 1
                push((node, state, path, True))
                anchor, words = node.attributes, []
                flags |= LINK
                node = node.first_child
            elif action == _BREAK:
                tags += 1
                broken = True
                breaks += 1
                node = node.next
            else:
                tags += 1
                if action == _FACT:
                    facts.append(node)
                node = node.next
        self.begin(state, 0, links, tags, last)

    def enter(self, node: LexborNode, path: int, state: _State, depth: int) -> tuple[int, _State]:
        """The path and the state inside a block-level element."""
        attributes, tag = node.attributes, node.tag or ""
        step = _new(Step, (path, tag, attributes.get("id"), attributes.get("class")))
        path = self.paths.setdefault(step, len(self.paths))
        kind, parent, flags = state
        self.elements.append(_new(Element, (parent, depth, path)))
        if tag in CONTEXTS:
            flags |= CONTEXTS[tag]
        if "hidden" in attributes:
            flags |= UNSEEN
        return path, (KINDS[tag] or kind, len(self.elements) - 1, flags)

    def begin(self, state: _State, breaks: int, links: int, tags: int, last: int) -> None:
        """End the block whose parts have been read, and begin the next one."""
        if self.parts:
            whole = "".join(self.parts)
            self.parts.clear()
            skipped, before, first = self.opening
            pieces = _BLANK_LINE.split(whole) if self.owner[2] & PRE else (whole,)
            for piece in pieces:
                text = collapsed(piece)
                if not (text.isascii() and text.isprintable()):
                    text = clean(text)
                if text:
                    inside = min(links, len(text))
                    self.blocks.append(
                        _new(Block, (text, *self.owner, inside, skipped, before, last - first))
                    )
                elif breaks > 0:
                    breaks += skipped  # a line of no-break spaces between two <br> is an empty line
        self.owner = state
        self.opening = (max(breaks, 0), tags - last, tags)


@cache
def _actions() -> dict[int, int]:
    """What the walk does at an element, by the parser's number of its tag. Unknown tags are inline."""
    from selectolax.lexbor import LexborHTMLParser

    page = LexborHTMLParser("<!doctype html><!-- --><p>text<?instruction?>")
    tags = {"a": _ANCHOR, "br": _BREAK} | dict.fromkeys(FACT_TAGS.split(), _FACT)
    tags |= dict.fromkeys(KINDS, _BLOCK) | dict.fromkeys(f"{UNSEEN_TAGS} {LEAF_TAGS}".split(), _PASS)
    actions = {page.create_node(tag).tag_id: action for tag, action in tags.items()}
    for node in page.css("p")[0].iter(include_text=True):
        actions[node.tag_id] = _TEXT if node.is_text_node else _PASS
    comment = page.root.prev if page.root else None
    return actions | ({comment.tag_id: _PASS} if comment else {})
