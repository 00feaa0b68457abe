"""From a parsed page to its blocks: one walk over the tree, without recursion, linear in the page."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from corpulyzer.page.extract.blocks import (
    FACT_ATTRIBUTES,
    PRE,
    SUPPLIES,
    Anchor,
    Block,
    Blocks,
    Element,
    Fact,
    Found,
    Step,
)
from corpulyzer.page.extract.elements import (
    ANCHOR,
    BLOCK,
    BREAK,
    CONTEXTS,
    FACT,
    INLINE,
    KINDS,
    TEXT,
    actions,
    texts_of,
)
from corpulyzer.page.extract.unscripted import MIN_CHARACTERS, own_text, shows_text, unscripted
from corpulyzer.page.extract.words import collapsed
from corpulyzer.text import clean

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_HARD = -1 << 40  # so far below zero that no number of <br> makes up for the end of an element
_HIDING = "display:none"
_STREAMED = "S:"

_new: Any = tuple.__new__  # past the named tuple's own constructor, at a third of the time
_State = tuple[str, int, int]  # kind, element, within
_StepKey = tuple[int, int, str | None, str | None]
_Inside = tuple[int, str, int]  # path, kind, within


def blocks_of(tree: LexborHTMLParser) -> Blocks:
    """The blocks of a parsed page. The tree is only read.

    For a page that shows no text without its scripts, the blocks of its `<noscript>`, if that has more.
    """
    if tree.root is None:
        return Blocks(tree, [], [], [], [], [])
    blocks, elements, paths, anchors, facts, is_clean = _found(tree.root)
    if not shows_text(blocks) and (other := unscripted(tree)) and other.root is not None:
        found = _found(other.root)
        if own_text(found[0]) >= max(MIN_CHARACTERS, own_text(blocks)):
            blocks, elements, paths, more, _, is_clean = found
            anchors = anchors + more
    return Blocks(tree, blocks if is_clean else _cleaned(blocks), elements, paths, anchors, facts)


def own_tag(page: Blocks, block: Block) -> str:
    """The tag that gave a block its kind: h1 a heading, dd an item. A block not of the tree carries it."""
    path = page.elements[block.element].path if block.element >= 0 else -1
    while path >= 0:
        step = page.paths[path]
        if KINDS[step.tag] == block.kind:
            return step.tag
        path = step.parent
    return block.kind


def _found(root: LexborNode) -> Found:
    # The walk makes thousands of small tuples, none in a cycle: collecting garbage takes a tenth of its time.
    collects = gc.isenabled()
    gc.disable()
    try:
        return (_compiled() or walked)(root)
    finally:
        if collects:
            gc.enable()


@cache
def _compiled() -> Callable[[LexborNode], Found] | None:
    """The same walk in C, ten times as fast, where it was built and knows this parser; else None."""
    from corpulyzer.page.extract.compiled_walk import compiled_walk

    return compiled_walk()


def walked(root: LexborNode) -> Found:
    """Blocks, elements, paths, anchors and facts from the root of a page on."""
    walk = _Walk()
    walk.run(root)
    return walk.blocks, walk.elements, walk.paths, walk.anchors, walk.facts, False


def _cleaned(blocks: list[Block]) -> list[Block]:
    """The blocks with clean text. Most pages are clean, which one look at all blocks together shows."""
    whole = "\n".join([block[0] for block in blocks])
    if clean(whole) == whole:
        return blocks
    texts = [collapsed(clean(block[0])) for block in blocks]
    return [_with(text, block) for text, block in zip(texts, blocks, strict=True) if text]


def _with(text: str, block: Block) -> Block:
    """The block with another text, if it is another: few blocks of a page are not clean."""
    return block if text == block.text else block._replace(text=text, links=min(block.links, len(text)))


class _Walk:
    """What the walk has found so far. `run` keeps in local variables what changes with every node."""

    __slots__ = ("anchors", "blocks", "elements", "facts", "opening", "owner", "parts", "paths", "steps")

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.elements: list[Element] = []
        self.paths: list[Step] = []
        self.steps: dict[_StepKey, _Inside] = {}
        self.anchors: list[Anchor] = []
        self.facts: list[Fact] = []
        self.parts: list[str] = []
        self.owner: _State = ("p", -1, 0)
        self.opening = (0, 0, 0)

    def run(self, root: LexborNode) -> None:
        """Visit every node once, in document order. One long loop, since a call per node doubles its cost."""
        action_of, steps, elements = actions().get, self.steps, self.elements
        stack: list[Any] = []
        push, pop, add_element, add_part = stack.append, stack.pop, elements.append, self.parts.append
        node: Any = root
        state, unseen, path = self.owner, False, -1
        broken, breaks, tags, last, links = True, _HARD, 0, 0, 0
        anchor: dict[str, str | None] = {}
        linked = False
        words: list[str] = []
        while node is not None:
            tag_id = node.tag_id
            action = action_of(tag_id, INLINE)
            if action == TEXT:
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
            else:
                tags += 1
                if action == BLOCK:
                    broken, breaks = True, _HARD
                    child = node.first_child
                    if child is not None and child.is_empty_text_node:
                        child = child.next
                    if child is not None:
                        push((node, state, path, unseen))
                        attributes = node.attributes
                        key = path, tag_id, attributes.get("id"), attributes.get("class")
                        path, kind, within = steps.get(key) or self.enter(node.tag, key, state, attributes)
                        add_element(_new(Element, (state[1], len(stack), path)))
                        state = kind, len(elements) - 1, within
                        if is_unseen(attributes):
                            unseen = True
                        node = child
                        continue
                elif action == INLINE:
                    child = node.first_child
                    if child is not None:
                        push(node)
                        node = child
                        continue
                elif action == ANCHOR:
                    child = node.first_child
                    anchor, words = node.attributes, []
                    if child is not None:
                        push(node)
                        linked = True
                        node = child
                        continue
                    self.end_anchor(anchor, words)
                elif action == BREAK:
                    broken = True
                    breaks += 1
                elif action == FACT and _is_told(node):
                    self.facts.append(_fact(node))
            node = node.next
            while node is None and stack:
                node = pop()
                tags += 1
                if node.__class__ is tuple:  # a block-level element
                    node, state, path, unseen = node
                    broken, breaks = True, _HARD
                    node = node.next
                    if node is not None and node.is_empty_text_node:
                        node = node.next
                else:
                    if linked and node.tag == "a":
                        linked = False
                        self.end_anchor(anchor, words)
                    node = node.next
        self.begin(state, 0, links, tags, last)

    def enter(self, tag: str, key: _StepKey, state: _State, attributes: dict[str, str | None]) -> _Inside:
        """The path, the kind and the bits inside a block-level element of a path not met before."""
        path, _, name, classes = key
        kind, _, within = state
        inside = len(self.paths), KINDS[tag] or kind, within | CONTEXTS.get(tag, 0)
        self.steps[key] = inside
        roles = attributes.get("itemprop") or attributes.get("role") or ""
        self.paths.append(Step(path, tag, name, classes, roles))
        return inside

    def end_anchor(self, attributes: dict[str, str | None], words: list[str]) -> None:
        if href := attributes.get("href"):
            rel, hreflang = attributes.get("rel") or "", attributes.get("hreflang") or ""
            self.anchors.append(Anchor(href, rel, hreflang, " ".join("".join(words).split())))

    def begin(self, state: _State, breaks: int, links: int, tags: int, last: int) -> None:
        """End the block whose parts have been read, and begin the next one."""
        if self.parts:
            whole = "".join(self.parts)
            self.parts.clear()
            skipped, before, first = self.opening
            for text in texts_of(whole, bool(self.owner[2] & PRE)):
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


def _is_told(node: LexborNode) -> bool:
    attributes = node.attributes
    if node.tag == "script":
        return "ld+json" in (attributes.get("type") or "")
    return node.tag != "link" or attributes.get("rel") not in SUPPLIES


def _fact(node: LexborNode) -> Fact:
    attributes = node.attributes
    told = {name: value for name in FACT_ATTRIBUTES if (value := attributes.get(name)) is not None}
    texts = (child.text_content for child in node.iter(include_text=True) if child.is_text_node)
    return Fact(node.tag or "", told, "".join(filter(None, texts)))


def is_unseen(attributes: dict[str, str | None]) -> bool:
    """True of an element that is not shown, unless React streams content in it that scripts will show."""
    if "hidden" in attributes and not (attributes.get("id") or "").startswith(_STREAMED):
        return True
    return "style" in attributes and _HIDING in (attributes["style"] or "").replace(" ", "").lower()
