"""Main content as in Corpulyzer (2021): Boilerpipe's article extractor, then Web-AM (CZ-4).

Web-AM keeps, of the tree, the node with the most characters and its neighbours on the same level: content is
long and plain, noise short and richly formatted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from corpulyzer.page.extract.blocks import Block, Blocks
from corpulyzer.page.extract.published.article import article_of, without_elements
from corpulyzer.page.extract.published.as_written import source_of
from corpulyzer.page.extract.published.text_blocks import text_blocks


def web_am(page: Blocks) -> list[Block]:
    """The blocks of the longest node and of its neighbours, among those of the article."""
    read = text_blocks(source_of(page))
    return without_elements(longest_node_and_neighbours(read.parents, article_of(read)))


def longest_node_and_neighbours(parents: Sequence[int], blocks: Sequence[Block]) -> list[Block]:
    """Web-AM: the blocks of the node with the most characters of its own, and of the nodes beside it.

    `parents` has of each element the one around it.
    """
    characters: Counter[int] = Counter()
    for block in blocks:
        characters[block.element] += len(block.text)
    if not characters:
        return []
    # The first of equals, in document order: `max` keeps it.
    longest = max(characters, key=characters.__getitem__)
    around = parents[longest] if longest >= 0 else -1
    return [b for b in blocks if b.element == longest or (b.element >= 0 and parents[b.element] == around)]
