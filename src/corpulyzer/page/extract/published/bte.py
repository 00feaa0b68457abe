"""Body text extraction: the span with the most text inside and the most tags outside (HR-16)."""

from __future__ import annotations

from corpulyzer.page.extract.blocks import Block, Blocks
from corpulyzer.page.extract.words import word_count


def bte(page: Blocks) -> list[Block]:
    """The blocks of the span that maximises words inside it plus tags outside it.

    The tags of a page are given, so that is the span with the largest number of words less tags; as for
    any largest sum of a run, one pass finds it. The span begins and ends with blocks, not inside them.
    """
    best = total = 0
    start = first = after = 0
    for position, block in enumerate(page.blocks):
        total -= block.tags_before
        if total <= 0:
            total, start = 0, position
        total += word_count(block.text) - block.tags_inside
        if total > best:
            best, first, after = total, start, position + 1
    return page.blocks[first:after]
