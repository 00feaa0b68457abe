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

from corpulyzer.text import clean

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

# What a block stands in, as bits of `Block.within`.
NAV, HEADER, FOOTER, ASIDE, FORM, FIGURE, TABLE, LIST, ARTICLE, MAIN, HEADING, QUOTE, PRE = (
    1 << bit for bit in range(13)
)

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
_State = tuple[str, int, int]  # kind, element, within
_StepKey = tuple[int, int, str | None, str | None]
_Inside = tuple[int, str, int]  # path, kind, within


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
    `facts` the elements that speak about the page instead of being read; `tree` is the parse itself.
    """

    tree: LexborHTMLParser
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
    return Blocks(tree, walk.blocks, walk.elements, walk.paths, walk.anchors, walk.facts)


class _Walk:
    """What the walk has found so far. `run` keeps in local variables what changes with every node."""

    __slots__ = ("anchors", "blocks", "elements", "facts", "opening", "owner", "parts", "paths", "steps")

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.elements: list[Element] = []
        self.paths: list[Step] = []
        self.steps: dict[_StepKey, _Inside] = {}
        self.anchors: list[tuple[dict[str, str | None], str]] = []
        self.facts: list[LexborNode] = []
        self.parts: list[str] = []
        self.owner: _State = ("p", -1, 0)
        self.opening = (0, 0, 0)

    def run(self, root: LexborNode) -> None:
        """Visit every node once, in document order. One long loop, since a call per node doubles its cost."""
        action_of, anchors, steps, elements = _actions().get, self.anchors, self.steps, self.elements
        stack: list[Any] = []
        push, pop, add_element, add_part = stack.append, stack.pop, elements.append, self.parts.append
        node: Any = root
        state, unseen, path = self.owner, False, -1
        broken, breaks, tags, last, links = True, _HARD, 0, 0, 0
        anchor: dict[str, str | None] = {}
        linked = False
        words: list[str] = []
        while True:
            if node is None:
                if not stack:
                    break
                node = pop()
                tags += 1
                if node.__class__ is tuple:  # a block-level element
                    node, state, path, unseen = node
                    broken, breaks = True, _HARD
                elif linked and node.tag == "a":
                    linked = False
                    anchors.append((anchor, " ".join("".join(words).split())))
                node = node.next
                continue
            tag_id = node.tag_id
            action = action_of(tag_id, _INLINE)
            if action == _TEXT:
                if broken and not (unseen or node.is_empty_text_node):
                    self.begin(state, breaks, links, tags, last)
                    broken, breaks, links = False, 0, 0
                if not broken:
                    text = node.text_content
                    add_part(text)
                    last = tags
                    if linked:
                        words.append(text)
                        links += len(text.strip())
                elif linked:
                    words.append(node.text_content)
                node = node.next
                continue
            tags += 1
            if action == _BLOCK:
                broken, breaks = True, _HARD
                child = node.first_child
                if child is None:
                    node = node.next
                    continue
                push((node, state, path, unseen))
                attributes = node.attributes
                key = path, tag_id, attributes.get("id"), attributes.get("class")
                inside = steps.get(key) or self.enter(node.tag, key, state)
                path, kind, within = inside
                add_element(_new(Element, (state[1], len(stack), path)))
                state = kind, len(elements) - 1, within
                unseen = unseen or "hidden" in attributes
                node = child
            elif action == _INLINE:
                child = node.first_child
                if child is None:
                    node = node.next
                else:
                    push(node)
                    node = child
            elif action == _ANCHOR:
                push(node)
                anchor, words, linked = node.attributes, [], True
                node = node.first_child
            else:
                if action == _BREAK:
                    broken = True
                    breaks += 1
                elif action == _FACT:
                    self.facts.append(node)
                node = node.next
        self.begin(state, 0, links, tags, last)

    def enter(self, tag: str, key: _StepKey, state: _State) -> _Inside:
        """The path, the kind and the bits inside a block-level element of a path not met before."""
        path, _, name, classes = key
        kind, _, within = state
        inside = len(self.paths), KINDS[tag] or kind, within | CONTEXTS.get(tag, 0)
        self.steps[key] = inside
        self.paths.append(Step(path, tag, name, classes))
        return inside

    def begin(self, state: _State, breaks: int, links: int, tags: int, last: int) -> None:
        """End the block whose parts have been read, and begin the next one."""
        if self.parts:
            whole = "".join(self.parts)
            self.parts.clear()
            skipped, before, first = self.opening
            if len(whole) > _LONG or self.owner[2] & PRE:
                texts = [collapsed(piece) for piece in _BLANK_LINE.split(whole)]
            else:
                texts = [" ".join(whole.split())]
            for raw in texts:
                text = raw if raw.isascii() and raw.isprintable() else clean(raw)
                size = len(text)
                if size:
                    linked = links if links < size else size
                    self.blocks.append(
                        _new(Block, (text, *self.owner, linked, skipped, before, last - first))
                    )
                elif breaks > 0:
                    breaks += skipped  # a line of no-break spaces between two <br> is an empty line
        self.owner = state
        self.opening = (breaks if breaks > 0 else 0, tags - last, tags)


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
