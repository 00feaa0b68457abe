"""The walk in C, if the parser's nodes have the memory layout that it assumes; else Python's is used.

`_walk.c` reads the nodes in memory, without an object for each. So the layout is checked once, on a known
page: each pointer and value of its nodes must be at the offset where it is expected.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from corpulyzer.native import compiled
from corpulyzer.page.extract.blocks import (
    FACT_ATTRIBUTES,
    PRE,
    SUPPLIES,
    Anchor,
    Block,
    Element,
    Fact,
    Found,
    Step,
)
from corpulyzer.page.extract.default.class_words import hashed_words
from corpulyzer.page.extract.default.page_arrays import TAG_NUMBERS
from corpulyzer.page.extract.elements import CONTEXTS, INLINE, KINDS, actions, texts_of

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# The order in which `_walk.c` asks for them.
_NAMES = ("id", "class", "style", "href", "rel", "hreflang", "hidden", "itemprop", "role", "type")
_TAG, _NEXT, _PREVIOUS, _PARENT, _CHILD, _LAST, _DATA, _SIZE, _ATTRIBUTE = 1, 5, 6, 7, 8, 9, 12, 13, 15
_NAME, _VALUE, _OWNER, _NEXT_ATTRIBUTE, _NAME_SIZE = 1, 14, 15, 16, 3
_FIRST_POINTER = 4096
_WORDS = 17
_NEAR = 1 << 30


def compiled_walk() -> Callable[[LexborNode], Found] | None:
    """A function that walks from the root of a page on, or None if it was not built or the layout differs."""
    numbers = None if compiled is None else _numbers_of_names()
    if numbers is None:
        return None
    by_tag = actions()
    tags = tuple(_names_of_tags().get(tag, "") for tag in range(max(by_tag) + 1))
    kinds = ("p", *sorted(set(KINDS.values()) - {"", "p"}))
    kind_of = [1 + kinds.index(KINDS[tag]) if KINDS.get(tag) else 0 for tag in tags]
    fixed = (
        bytes(by_tag.get(tag, INLINE) for tag in range(len(tags))),
        bytes(kind_of),
        array("i", [CONTEXTS.get(tag, 0) for tag in tags]),
        array("b", [TAG_NUMBERS.get(tag, -1) for tag in tags]),
        array("Q", [numbers.get(name, 0) for name in _NAMES]),
        hashed_words(),
        tags.index("script"),
        tags.index("link"),
        tuple(rel.encode() for rel in SUPPLIES),
        kinds,
        tags,
        {numbers.get(name, name): name for name in FACT_ATTRIBUTES},
        texts_of,
        PRE,
        kinds.index("p"),
        (Block, Element, Step, Anchor, Fact),
    )
    return lambda root: compiled.walk(root, root.mem_id, *fixed)


def _names_of_tags() -> dict[int, str]:
    from selectolax.lexbor import LexborHTMLParser

    from corpulyzer.page.extract.blocks import FACT_TAGS

    page = LexborHTMLParser("")
    return {page.create_node(tag).tag_id: tag for tag in (*KINDS, *FACT_TAGS)}


def _numbers_of_names() -> dict[str, int] | None:
    """The parser's numbers of attribute names, those that have one; None if the layout differs."""
    from selectolax.lexbor import LexborHTMLParser

    names = (*dict.fromkeys((*_NAMES, *FACT_ATTRIBUTES)), "x-a-name-of-more-than-sixteen-letters")
    wanted = {name: f"value of {name}" for name in names}
    marks = " ".join(f'{name}="{value}"' for name, value in wanted.items())
    page = LexborHTMLParser(f"<!doctype html><body><p>before<i {marks}>text</i>after")
    node = page.css_first("i")
    if node is None or not _lies_as_expected(node):
        return None
    try:
        found = list(_attributes(node.mem_id))
    except ValueError:
        return None
    if len(found) != len(names):
        return None
    pairs = list(zip(found, names, strict=True))
    read = {_name(number) if number >= _FIRST_POINTER else name: value for (number, value), name in pairs}
    if read != wanted:
        return None
    return {name: number for (number, _), name in pairs if number < _FIRST_POINTER}


def _words(address: int) -> list[int]:
    return list((ctypes.c_uint64 * _WORDS).from_address(address))


def _lies_as_expected(node: LexborNode) -> bool:
    """Whether the pointers and the text of an element are at the expected offsets."""
    before, after, parent, text = node.prev, node.next, node.parent, node.first_child
    if ctypes.sizeof(ctypes.c_void_p) != 8 or not (before and after and parent and text):
        return False
    words = _words(node.mem_id)
    expected = {
        _TAG: node.tag_id,
        _NEXT: after.mem_id,
        _PREVIOUS: before.mem_id,
        _PARENT: parent.mem_id,
        _CHILD: text.mem_id,
        _LAST: text.mem_id,
    }
    if any(words[place] != value for place, value in expected.items()):
        return False
    inside = _words(text.mem_id)
    if (inside[_TAG], inside[_NEXT], inside[_PARENT], inside[_SIZE]) != (text.tag_id, 0, node.mem_id, 4):
        return False
    return ctypes.string_at(inside[_DATA], 4) == b"text"


def _attributes(element: int) -> Iterator[tuple[int, str]]:
    """The name (a number, or an address) and the value of each attribute; ValueError if there is none."""
    attribute = _words(element)[_ATTRIBUTE]
    while attribute:
        if attribute % 8 or abs(attribute - element) > _NEAR:
            raise ValueError("no address of what belongs to the same page")
        words = _words(attribute)
        if words[_OWNER] != element:
            raise ValueError("no attribute")
        data, size = (ctypes.c_uint64 * 2).from_address(words[_VALUE])
        if size > 100:
            raise ValueError("no value")
        yield words[_NAME], ctypes.string_at(data, size).decode()
        attribute = words[_NEXT_ATTRIBUTE]


def _name(address: int) -> str:
    """The name of an attribute unknown to the parser; short names are stored inline."""
    words = _words(address)
    size = words[_NAME_SIZE]
    return ctypes.string_at(address if size <= 16 else words[0], min(size, 100)).decode("utf-8", "replace")
