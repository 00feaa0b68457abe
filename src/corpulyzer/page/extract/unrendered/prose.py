"""Texts of data as paragraphs: which are prose, in whatever language, and which are code or addresses."""

from __future__ import annotations

import html
from typing import Any, NamedTuple

import regex

from corpulyzer.page.extract.elements import KINDS
from corpulyzer.page.extract.walk import blocks_of
from corpulyzer.page.extract.words import collapsed
from corpulyzer.text import clean

LEAST_CHARACTERS = 40  # of a text that can be a paragraph
LEAST_LETTERS = 0.6
MOST_CODE = 0.02
LONGEST_WORD = 60

_LETTERS = regex.compile(r"[\p{L}\p{M}]")
_UNSPACED = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\p{Javanese}]"
)
_CODE = regex.compile(r"[{}=;<>\\_|]")
_ENDS = regex.compile(r"[.!?…。．！？।॥؟۔።։။༎]")
_MARKUP = regex.compile(
    r"</?(?:p|br|div|h[1-6]|ul|ol|li|blockquote|section|article|figure|strong|em|a|span|b|i)\b[^<>]*>",
    regex.IGNORECASE,
)
_ESCAPED = regex.compile(r"&lt;(?:p|br|div|h[1-6]|ul|ol|li|blockquote)\b", regex.IGNORECASE)
_INNER = ("children", "content", "nodes")
_LEAF = ("text", "value")


class Line(NamedTuple):
    """A paragraph, and the tag that it has or would have."""

    text: str
    kind: str = "p"


def paragraphs_of(text: str) -> list[Line]:
    """The paragraphs of a text, which may be HTML; none of a text that is no prose."""
    if _ESCAPED.search(text):
        text = html.unescape(text)
    if _MARKUP.search(text):
        from selectolax.lexbor import LexborHTMLParser

        found = blocks_of(LexborHTMLParser(f"<!doctype html><body>{text}"))
        lines = [Line(block.text, _tag(block.kind)) for block in found.blocks]
    else:
        lines = [Line(line) for part in text.splitlines() if (line := clean(collapsed(part)))]
    return lines if is_prose(" ".join(line.text for line in lines)) else []


def _tag(kind: str) -> str:
    return kind if kind in KINDS else "blockquote" if kind == "quote" else "h2" if kind == "h" else "p"


def is_prose(text: str) -> bool:
    """Whether a text reads like sentences: letters, hardly any code, words of usual length, an end."""
    size = len(text)
    if size < LEAST_CHARACTERS or len(_LETTERS.findall(text)) < LEAST_LETTERS * size:
        return False
    if len(_CODE.findall(text)) > MOST_CODE * size or not _ENDS.search(text):
        return False
    if len(_UNSPACED.findall(text)) > size * 0.3:
        return True
    return max(map(len, text.split())) <= LONGEST_WORD


def rich_paragraphs(nodes: list[Any], most: int) -> list[Line]:
    """The paragraphs of rich text as editors store it: blocks that hold leaves of text, at most `most` nodes.

    Contentful, ProseMirror, Slate and Portable Text differ in names only: `content`, `children` or `nodes`
    is what a node holds, `text` or `value` what a leaf says.
    """
    lines: list[Line] = []
    stack = list(reversed(nodes))
    while stack and most > 0:
        node, most = stack.pop(), most - 1
        if not isinstance(node, dict):
            continue
        inner = _inner(node)
        if any(_leaf(each) for each in inner):
            text, most = _joined(inner, most)
            lines += [
                Line(line, _named(node)) for part in text.splitlines() if (line := clean(collapsed(part)))
            ]
        else:
            stack.extend(reversed(inner))
    return lines


def is_rich(nodes: list[Any]) -> bool:
    """Whether a list may be rich text: one of its first nodes is a block that holds others."""
    return any(isinstance(node, dict) and _inner(node) for node in nodes[:20])


def _inner(node: dict[str, Any]) -> list[Any]:
    found: list[Any] = next((node[name] for name in _INNER if isinstance(node.get(name), list)), [])
    return [each for each in found if isinstance(each, dict)]


def _leaf(node: dict[str, Any]) -> str:
    return next((node[name] for name in _LEAF if isinstance(node.get(name), str)), "")


def _joined(nodes: list[Any], most: int) -> tuple[str, int]:
    """The leaves below some nodes as one text."""
    parts, stack = [], list(reversed(nodes))
    while stack and most > 0:
        node, most = stack.pop(), most - 1
        parts.append(_leaf(node))
        stack.extend(reversed(_inner(node)))
    return "".join(parts), most


def _named(node: dict[str, Any]) -> str:
    """The tag of a block of rich text, by the name of its type."""
    names = (node.get(name) for name in ("type", "nodeType", "style", "_type", "tag"))
    said = " ".join(name.lower() for name in names if isinstance(name, str))
    kinds = {
        "head": "h2",
        "h1": "h1",
        "h2": "h2",
        "h3": "h3",
        "quote": "blockquote",
        "list": "li",
        "li": "li",
    }
    return next((tag for word, tag in kinds.items() if word in said), "p")
