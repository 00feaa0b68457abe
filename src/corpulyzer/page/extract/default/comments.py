"""What readers wrote under an article is left out where the article itself was found.

Comments read like text, and there may be ten times as much of them. They stand in elements that are named
after them, on sites of any language. In a thread where comments are all there is, they stay.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from corpulyzer.native.scan import has_any
from corpulyzer.page.extract.blocks import Block, Blocks, Step

# Characters of paragraphs before the first comment that make an article, and of one paragraph that counts.
ARTICLE, PARAGRAPH = 250, 100
# One of these is in every such name; to look for them first takes a tenth of the time of the pattern.
_MARKS = (b"omment", b"oment", b"isqus")
_NAME = regex.compile(
    r"(?:(?:user|post|article|blog|reader|view|the|all|facebook|fb|story|page|news|wp|block|entry|content)[-_]?)?"
    r"(?:comments?|commentlist|kommentare?|komentar(?:z|ze|i|e|y)?|commentaires?|comentarios?|commenti|disqus)"
    r"(?:[-_]?(?:list|area|section|thread|wrap|wrapper|container|content|body|text|block|box|holder|main|inner|tree"
    r"|item|entry|\d+))?",
    regex.IGNORECASE,
)


def without_comments(page: Blocks, blocks: list[Block]) -> list[Block]:
    """The blocks that are no comments, if there is an article before the first of these; else all."""
    if not has_any(page.tree.raw_html or b"", _MARKS):
        return blocks
    known = {path: True for path in having(page.paths, _MARKS) if _is_named(page.paths[path])}
    if not known:
        return blocks
    known[-1] = False
    inside = [block.element >= 0 and _of_comment(page, block.element, known) for block in blocks]
    if True not in inside:
        return blocks
    before = blocks[: inside.index(True)]
    if sum(len(block.text) for block in before if len(block.text) - block.links >= PARAGRAPH) < ARTICLE:
        return blocks
    return [block for block, is_comment in zip(blocks, inside, strict=True) if not is_comment]


def having(paths: Sequence[Step], parts: tuple[bytes, ...]) -> list[int]:
    """The numbers of the paths whose id or class has one of some parts."""
    if not isinstance(paths, list):
        found: list[int] = paths.having(parts)  # type: ignore[attr-defined] # as the compiled walk gives them
        return found
    names = (f"{step.id or ''} {step.classes or ''}".encode("utf-8", "replace") for step in paths)
    return [number for number, name in enumerate(names) if has_any(name, parts)]


def _of_comment(page: Blocks, element: int, known: dict[int, bool]) -> bool:
    """Whether an element, or one around it, is named after comments; `known` are paths of which it is known.

    All paths that are so named are among these from the beginning.
    """
    path, way = page.elements[element].path, []
    while path not in known:
        way.append(path)
        path = page.paths[path].parent
    known.update(dict.fromkeys(way, known[path]))
    return known[path]


def _is_named(step: Step) -> bool:
    names = f"{step.id or ''} {step.classes or ''}"
    return step.tag != "body" and any(_NAME.fullmatch(name) for name in names.split())
