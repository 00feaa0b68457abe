"""Main content by the default extractor: the blocks that a small network takes for it.

The network sees shapes, links, containers and the names of classes, and no word of any language. Tables that
only lay out the page become plain paragraphs.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from corpulyzer.page.extract.blocks import Block, Blocks
from corpulyzer.page.extract.default.comments import without_comments
from corpulyzer.page.extract.words import collapsed, word_count

# A page none of whose blocks is at least that likely has no main content.
LEAST = 0.3
# A smaller expected F1 shows a kind of page that the network does not know well. It is overconfident there:
# blocks that it finds unlikely are content often enough to be taken.
CLEAR = 0.8
FEW_WORDS = 12  # cells of data hold fewer words on average than those of a layout


def main_content(page: Blocks) -> list[Block]:
    """The blocks that are main content, in order; none on a page without any."""
    return with_data_tables(page, without_comments(page, chosen(page))) if page.blocks else []


def chosen(page: Blocks) -> list[Block]:
    """The blocks that the networks take for main content. The page has at least one block."""
    from corpulyzer.page.extract.default.chances import compiled, computed

    title = title_of(page)
    if in_c := compiled():
        return in_c.chosen(page, title, LEAST, CLEAR)
    likely, words = computed(page, title)
    threshold = best_threshold(likely, words)
    return [block for block, chance in zip(page.blocks, likely.tolist(), strict=True) if chance >= threshold]


def best_threshold(likely: Any, words: Any) -> float:
    """The threshold with the largest expected F1 in words, if the probabilities are right.

    It is about a half on a clear page, and lower the less is clear. If the expected F1 is below `CLEAR`,
    probabilities are first moved towards a half by taking the cube root of their odds. Above 1, so that no
    block is chosen, if none has the probability `LEAST`.
    """
    import numpy as np

    order = (-likely).argsort(kind="stable")
    if likely[order[0]] < LEAST:
        return 2.0
    chances, words = likely[order].astype(float), words[order]
    last, expected = _most_expected(chances, words)
    if expected < CLEAR:
        for_it, against = np.cbrt(chances), np.cbrt(1 - chances)
        last, _ = _most_expected(for_it / (for_it + against), words)
    return float(likely[order[last]])


def _most_expected(chances: Any, words: Any) -> tuple[int, float]:
    """The last block to take, of blocks by falling probability, for the largest expected F1; and that F1."""
    right = (chances * words).cumsum()
    expected = 2 * right / (words.cumsum() + right[-1])
    last = int(expected.argmax())
    return last, float(expected[last])


def title_of(page: Blocks) -> str:
    """The text of `<title>`."""
    for node in page.facts:
        if node.tag == "title":
            return collapsed(node.text)
    return ""


def with_data_tables(page: Blocks, blocks: list[Block]) -> list[Block]:
    """The blocks, where those in tables that lay out the page are no cells but paragraphs."""
    if "td" not in [block[1] for block in blocks]:
        return blocks
    table_of, words = Tables(page), defaultdict[int, list[int]](list)
    tables = [table_of(block.element) if block.kind == "td" else None for block in blocks]
    for block, table in zip(blocks, tables, strict=True):
        if table is not None:
            words[table].append(word_count(block.text))
    layouts = {table for table, counts in words.items() if sum(counts) > FEW_WORDS * len(counts)}
    return [
        block._replace(kind="p") if table in layouts else block
        for block, table in zip(blocks, tables, strict=True)
    ]


class Tables:
    """The innermost table around an element, -1 if it is in none; remembered for all elements on the way."""

    def __init__(self, page: Blocks) -> None:
        from corpulyzer.page.extract.default.chances import numbers_of_elements

        # Read as plain numbers: as named tuples they would take longer.
        self._elements = memoryview(numbers_of_elements(page.elements)).cast("B").cast("q")
        self._paths = page.paths
        self._is_table: dict[int, bool] = {}
        self._known = {-1: -1}

    def __call__(self, element: int) -> int:
        known, way = self._known, []
        while element not in known:
            way.append(element)
            parent, _, path = self._elements[3 * element : 3 * element + 3]
            if path not in self._is_table:
                self._is_table[path] = self._paths[path].tag == "table"
            if self._is_table[path]:
                known[element] = element
            else:
                element = parent
        known.update(dict.fromkeys(way, known[element]))
        return known[element]
