"""A page as arrays: its blocks column by column, and its elements in document order."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from corpulyzer.page.extract.blocks import Block, Element, Step
from corpulyzer.page.extract.default.characters import SPACE, UNSPACED, character_counts
from corpulyzer.page.extract.default.class_words import GROUPS_OF

LONG_WORDS = 8  # a block of fewer words, or mostly of links, is not counted as running text
MAX_LINK_DENSITY = 0.5

TAGS = (
    ("p",), ("div",), ("li",), ("td", "th"), ("h1",), ("h2",), ("h3",), ("h4", "h5", "h6"), ("dt", "dd"),
    ("blockquote", "q"), ("pre",), ("figcaption", "caption", "figure"), ("button", "label", "legend", "form"),
    ("section", "article", "main"), ("body", "html"),
)  # fmt: skip
TAG_NUMBERS = {tag: number for number, tags in enumerate(TAGS) for tag in tags}


@dataclass(frozen=True, slots=True)
class Text:
    """The blocks, column by column. `good` are words of running text outside links."""

    texts: Sequence[str]
    elements: Sequence[int]
    element: Any
    within: Any
    breaks: Any
    tags_before: Any
    tags_inside: Any
    counts: Any
    ends: Any
    words: Any
    link_density: Any
    good: Any

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> Text:
        texts, _, *columns = zip(*blocks, strict=True)
        element, within, links, breaks, before, inside = map(numbers, columns)
        counts, lengths, ends = character_counts(texts)
        words = 1.0 + counts[:, SPACE] + counts[:, UNSPACED] / 2
        density = links / lengths
        good = np.where((words >= LONG_WORDS) & (density < MAX_LINK_DENSITY), words * (1 - density), 0.0)
        return cls(
            texts, columns[0], element, within, breaks, before, inside, counts, ends, words, density, good
        )


@dataclass(frozen=True, slots=True)
class Tree:
    """The elements in document order: the descendants of one are those up to `ends`.

    The blocks inside an element are consecutive too, from `first` on.
    """

    parents: Any
    depths: Any
    paths: Any
    ends: Any
    first: Any
    tags: Any
    near: Any
    above: Any

    @classmethod
    def of(cls, elements: Sequence[Element], paths: Sequence[Step], block_elements: Sequence[int]) -> Tree:
        up, depths, element_paths = zip(*elements, strict=True)
        count = len(up)
        ends = list(range(1, count + 1))
        first = [len(block_elements)] * count
        for block in range(len(block_elements) - 1, -1, -1):
            first[block_elements[block]] = block
        for element in range(count - 1, 0, -1):
            parent = up[element]
            if ends[element] > ends[parent]:
                ends[parent] = ends[element]
            if first[element] < first[parent]:
                first[parent] = first[element]
        parents, depth, path, end, start = map(numbers, (up, depths, element_paths, ends, first))
        parents[0] = 0
        near, above = _name_groups(paths)
        tags = numbers([TAG_NUMBERS.get(step[1], -1) for step in paths])
        return cls(parents, depth, path, end, start, tags, near, above)

    def inside(self, rows: Sequence[Any], element: Any) -> Any:
        """The sums of each row of the blocks' values over each element and all its descendants."""
        count = len(self.parents)
        sums = np.zeros((len(rows), count + 1))
        for number, values in enumerate(rows):
            sums[number, 1:] = np.bincount(element, values, count)
        np.cumsum(sums, axis=1, out=sums)
        return sums[:, self.ends] - sums[:, :-1]


def numbers(values: Sequence[int]) -> Any:
    """An array of integers, made in half of NumPy's own time."""
    return np.frombuffer(array("q", values), np.int64)


def _name_groups(paths: Sequence[Step]) -> tuple[Any, Any]:
    """The groups of class words of each path: its own and its parent's, and those of all above."""
    own = list(map(groups_of, paths))
    above: list[int] = []
    for step, mask in zip(paths, own, strict=True):
        above.append(mask | above[step.parent] if step.parent >= 0 else 0)
    masks = numbers(own)
    return masks | masks[numbers([step.parent for step in paths])], numbers(above)


def groups_of(path: Step) -> int:
    """The groups of class words that the last triple of a path has."""
    _, _, name, classes, roles = path
    mask = GROUPS_OF[classes] if classes else 0
    if name:
        mask |= GROUPS_OF[name]
    return mask | GROUPS_OF[roles] if roles else mask
