"""Main content by the default extractor: the blocks that a small network takes for it.

The network sees shapes, links, containers and the names of classes, and no word of any language. What it
chooses is then put right: tables that only lay out the page become plain paragraphs.
"""

from __future__ import annotations

from collections.abc import Sequence

from corpulyzer.extract.blocks import Block, Blocks
from corpulyzer.extract.words import collapsed, word_count

THRESHOLD = 0.5
# A page none of whose blocks reaches the threshold may still have a best one, if it is not hopeless.
LEAST = 0.3
FEW_WORDS = 12  # cells of data hold fewer words on average than those of a layout


def main_content(page: Blocks) -> list[Block]:
    """The blocks that are main content, in order; none on a page without any."""
    if not page.blocks:
        return []
    from corpulyzer.extract.features import PageFeatures
    from corpulyzer.extract.network import network

    likely = network()(PageFeatures(page, title_of(page))).tolist()
    best = max(likely)
    threshold = min(THRESHOLD, best if best > LEAST else THRESHOLD)
    chosen = [block for block, chance in zip(page.blocks, likely, strict=True) if chance >= threshold]
    return with_data_tables(page, chosen)


def title_of(page: Blocks) -> str:
    """The text of `<title>`."""
    for node in page.facts:
        if node.tag == "title":
            return collapsed(node.text())
    return ""


def with_data_tables(page: Blocks, blocks: Sequence[Block]) -> list[Block]:
    """The blocks, where those in tables that lay out the page are no cells but paragraphs."""
    if all(block.kind != "td" for block in blocks):
        return list(blocks)
    table_of: dict[int, int] = {-1: -1}
    tables: dict[int, list[int]] = {}
    for block in blocks:
        if block.kind == "td":
            tables.setdefault(_table_of(page, block.element, table_of), []).append(word_count(block.text))
    layouts = {table for table, words in tables.items() if sum(words) > FEW_WORDS * len(words)}
    return [
        block._replace(kind="p") if block.kind == "td" and table_of[block.element] in layouts else block
        for block in blocks
    ]


def _table_of(page: Blocks, element: int, known: dict[int, int]) -> int:
    """The innermost table around an element; `known` remembers it for all elements on the way."""
    way = []
    while element not in known:
        way.append(element)
        if page.paths[page.elements[element].path].tag == "table":
            known[element] = element
        else:
            element = page.elements[element].parent
    known.update(dict.fromkeys(way, known[element]))
    return known[element]
