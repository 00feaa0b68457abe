"""Main content as in Corpulyzer (2021): an article extractor, then Web-AM (CZ-4).

The article extractor is the decision tree over the number of words and the link density of a block and
of its neighbours that Kohlschütter, Fankhauser and Nejdl (2010) publish as their Algorithm 2. Web-AM then
keeps, of the tree, the node with the most characters and its neighbours on the same level: content is
long and plain, noise short and richly formatted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from corpulyzer.extract.blocks import Block, Blocks, runs
from corpulyzer.extract.words import word_count

MAX_LINK_DENSITY = 1 / 3
MAX_PREVIOUS_LINK_DENSITY = 5 / 9
FEW_WORDS = 16
FEW_NEXT_WORDS = 15
FEW_PREVIOUS_WORDS = 4
FEW_WORDS_AFTER_LINKS = 40
FEW_NEXT_WORDS_AFTER_LINKS = 17


def web_am(page: Blocks) -> list[Block]:
    """The blocks of the longest node and of its neighbours, among those that read like an article."""
    return longest_node_and_neighbours(page, article(page))


def longest_node_and_neighbours(page: Blocks, blocks: Sequence[Block]) -> list[Block]:
    """Web-AM: the blocks of the node with the most characters of its own, and of the nodes beside it."""
    characters: Counter[int] = Counter()
    for block in blocks:
        characters[block.element] += len(block.text)
    if not characters:
        return []
    # The first of equals, in document order: `max` keeps it.
    longest = max(characters, key=characters.__getitem__)
    parent = page.elements[longest].parent
    return [b for b in blocks if b.element == longest or page.elements[b.element].parent == parent]


def article(page: Blocks) -> list[Block]:
    """The blocks that the decision tree calls content. Lines of one paragraph are judged together."""
    lines = list(runs(page.blocks))
    sizes = [_EDGE, *map(_measure, lines), _EDGE]
    judged = zip(lines, sizes, sizes[1:], sizes[2:], strict=False)
    return [block for run, before, this, after in judged if _is_content(before, this, after) for block in run]


class _Size(NamedTuple):
    words: int
    link_density: float


_EDGE = _Size(0, 0.0)


def _measure(run: Sequence[Block]) -> _Size:
    if len(run) == 1:
        return _Size(word_count(run[0].text), run[0].link_density)
    characters = sum(len(block.text) for block in run)
    return _Size(sum(word_count(b.text) for b in run), sum(b.links for b in run) / characters)


def _is_content(before: _Size, this: _Size, after: _Size) -> bool:
    if this.link_density > MAX_LINK_DENSITY:
        return False
    if before.link_density > MAX_PREVIOUS_LINK_DENSITY:
        return this.words > FEW_WORDS_AFTER_LINKS or after.words > FEW_NEXT_WORDS_AFTER_LINKS
    return this.words > FEW_WORDS or after.words > FEW_NEXT_WORDS or before.words > FEW_PREVIOUS_WORDS
