"""What can be said of each block of a page, in numbers: the same for every script and language.

Length is counted in words, and in scripts without spaces two characters count as one. No word of any
language is looked at, only those of classes and ids. Everything is computed for all blocks at once: a page
has hundreds, and a microsecond for each number of each would be more than the parse.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from corpulyzer.page.extract.blocks import Blocks
from corpulyzer.page.extract.default.characters import (
    COMMA,
    DIGIT,
    STOP,
    SYMBOL,
    UPPER,
)
from corpulyzer.page.extract.default.class_words import GROUPS
from corpulyzer.page.extract.default.page_arrays import (
    TAGS,
    Text,
    Tree,
)

ANCESTORS = 6
CONTEXT_BITS = 13
MAIN_SHARES = (0.5, 0.7, 0.9)
MIN_TITLE_CHARACTERS = 6

_OWN = ("words", "link density", "linked", "ends", "stops", "commas", "digits", "upper", "symbols", "share")
_PLACE = ("breaks", "breaks after", "tags before", "tags inside", "rank", "good before", "depth", "repeated")
_TITLE = ("title", "after title")
_PAGE = ("page words", "page good", "page blocks")
_PATH = ("path blocks", "path words", "path links", "path weight")
_ABOVE = ("words", "good", "links", "blocks", "grows")
FEATURES = (
    *_OWN,
    *_PLACE,
    *_TITLE,
    *_PAGE,
    *_PATH,
    *(f"tag {tags[0]}" for tags in TAGS),
    *(f"within {bit}" for bit in range(CONTEXT_BITS)),
    *(f"near {name}" for name in GROUPS),
    *(f"above {name}" for name in GROUPS),
    *(f"{name} of ancestor {k}" for name in _ABOVE for k in range(ANCESTORS)),
    *(f"{what} main {share}" for share in MAIN_SHARES for what in ("in", "depth below")),
    *("in best", "depth below best", "score"),
)

_CONTEXTS = np.arange(CONTEXT_BITS)[:, None]
_GROUP_NUMBERS = np.arange(len(GROUPS))[:, None]
_TAG_ROWS = np.arange(len(TAGS))[:, None]


class PageFeatures:
    """The features of a page: `matrix` gives those of some of its blocks, of which it has at least one."""

    __slots__ = ("_above", "_blocks", "_elements", "_mains", "_page", "_path", "_text", "_tree")

    def __init__(self, page: Blocks, title: str) -> None:
        text = Text.of(page.blocks)
        tree = Tree.of(page.elements, page.paths, text.elements)
        self._text, self._tree = text, tree
        self._page = np.concatenate([_own(text), _place(text, tree), _title(text, title), _whole(text)])
        self._path = _path(text, tree)
        self._elements, self._mains, self._blocks = _containers(text, tree)
        self._above = _ancestors(text, tree)

    def __len__(self) -> int:
        return len(self._text.texts)

    @property
    def words(self) -> Any:
        """The number of words of each block."""
        return self._text.words

    def matrix(self, start: int, stop: int) -> Any:
        """A row for each of `FEATURES`, a column for each block from `start` to `stop`."""
        window, tree = slice(start, stop), self._tree
        element = self._text.element[window]
        path = tree.paths[element]
        rows = [
            self._page[:, window],
            self._path[:, window],
            tree.tags[path] == _TAG_ROWS,
            (self._text.within[window] >> _CONTEXTS) & 1,
            (tree.near[path] >> _GROUP_NUMBERS) & 1,
            (tree.above[path] >> _GROUP_NUMBERS) & 1,
            self._elements[:, self._above[:, window]].reshape(-1, len(element)),
            self._mains[:, window],
        ]
        return np.concatenate(rows, dtype=np.float32, casting="unsafe")

    def spans(self, start: int, stop: int) -> tuple[Any, Any]:
        """For each ancestor of each of these blocks: the first block in it and the one after its last.

        Counted from `start`, and within these blocks.
        """
        above = self._above[:, start:stop]
        first = self._tree.first[above]
        last = first + self._blocks[above]
        if start == 0 and stop == len(self):
            return first, last
        return np.maximum(first, start) - start, np.minimum(last, stop) - start


def _ancestors(text: Text, tree: Tree) -> Any:
    """The element of each block, and those around it, innermost first."""
    above = np.empty((ANCESTORS, len(text.element)), np.int64)
    above[0] = text.element
    for k in range(1, ANCESTORS):
        above[k] = tree.parents[above[k - 1]]
    return above


def _own(text: Text) -> Any:
    counts, words = text.counts, text.words
    rows = np.empty((len(_OWN), len(words)), np.float32)
    rows[0] = np.log(words)
    rows[1] = text.link_density
    rows[2] = text.link_density > 0
    rows[3] = text.ends
    rows[4:9] = np.minimum(counts[:, [STOP, COMMA, DIGIT, UPPER, SYMBOL]].T / words, 2)
    rows[9] = words / words.sum()
    return rows


def _place(text: Text, tree: Tree) -> Any:
    count = len(text.texts)
    rows = np.zeros((len(_PLACE), count), np.float32)
    rows[0] = np.minimum(text.breaks, 3)
    rows[1, :-1] = rows[0, 1:]
    rows[2] = np.log(1.0 + text.tags_before)
    rows[3] = np.minimum(text.tags_inside / text.words, 4)
    rows[4] = np.arange(count) / count
    rows[5] = (np.cumsum(text.good) - text.good / 2) / (text.good.sum() + 1)
    rows[6] = np.log(tree.depths[text.element])
    seen: set[str] = set()
    again: set[str] = set()
    for line in text.texts:
        (again if line in seen else seen).add(line)
    if again:
        rows[7] = [line in again for line in text.texts]
    return rows


def _title(text: Text, title: str) -> Any:
    """Which blocks repeat the title of the page, and which come after the first of these."""
    rows = np.zeros((len(_TITLE), len(text.texts)), np.float32)
    if len(title) >= MIN_TITLE_CHARACTERS:
        found = [
            i for i, line in enumerate(text.texts) if len(line) >= MIN_TITLE_CHARACTERS and line in title
        ]
        rows[0, found] = 1
        rows[1, found[0] if found else len(text.texts) :] = 1
    return rows


def _whole(text: Text) -> Any:
    rows = np.empty((len(_PAGE), len(text.texts)), np.float32)
    rows[0] = np.log(text.words.sum())
    rows[1] = np.log(text.good.sum() + 1)
    rows[2] = np.log(len(text.texts))
    return rows


def _path(text: Text, tree: Tree) -> Any:
    """Of the path of a block: how many blocks it has, their length, and its share of running text."""
    path = tree.paths[text.element]
    blocks = np.bincount(path)[path]
    words = np.bincount(path, text.words)[path]
    good = np.bincount(path, text.good)[path]
    rows = np.empty((len(_PATH), len(path)), np.float32)
    rows[0] = np.log(blocks)
    rows[1] = np.log(words / blocks)
    rows[2] = np.bincount(path, text.words * text.link_density)[path] / words
    rows[3] = good / (good.max() + 1)
    return rows


def _containers(text: Text, tree: Tree) -> tuple[Any, Any, Any]:
    """What each element holds, where blocks stand in the tree to the main elements, and block counts."""
    linked = text.words * text.link_density
    values = (text.words, text.good, linked, np.ones(len(text.words)))
    words, good, links, blocks = tree.inside(values, text.element)
    links /= words + 1e-9
    rows = np.empty((len(_ABOVE), len(words)), np.float32)
    rows[0] = np.log(words + 1)
    rows[1] = good / (good[0] + 1)
    rows[2] = links
    rows[3] = np.log(blocks + 1)
    rows[4] = good / (good[tree.parents] + 1)
    return rows, _mains(text, tree, good, links), blocks.astype(np.int64)


def _mains(text: Text, tree: Tree, good: Any, links: Any) -> Any:
    """Of each main element (the smallest ones with given shares of all running text, and the best by score):
    whether it holds the block, and how much deeper the block is."""
    count = len(good)
    depth = tree.depths[text.element]
    own = np.bincount(text.element, text.good, count)
    parent = np.bincount(tree.parents, own, count)
    score = (0.7 * own + parent + np.bincount(tree.parents, parent, count) / 2) * (1 - links)
    best = int(score.argmax())
    mains = [count - 1 - int((good[::-1] >= share * good[0]).argmax()) for share in MAIN_SHARES]
    rows = np.empty((2 * len(mains) + 3, len(depth)), np.float32)
    for row, main in zip(range(0, len(rows), 2), [*mains, best], strict=False):
        rows[row] = (text.element >= main) & (text.element < tree.ends[main])
        rows[row + 1] = np.minimum(depth - tree.depths[main], 10) / 10
    rows[-1] = score[tree.parents[text.element]] / (score[best] + 1)
    return rows
