"""How likely each block of a page is main content: in C where that was built, else the same with NumPy."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain
from typing import Any

import numpy as np

from corpulyzer.extract.blocks import Blocks, Element, Step
from corpulyzer.extract.characters import classes
from corpulyzer.extract.features import ANCESTORS, FEATURES, TAG_NUMBERS, PageFeatures, groups_of
from corpulyzer.extract.network import WINDOW_BLOCKS, Network, networks

Chances = tuple[Any, Any]
_LANES = 16


def chances_of(page: Blocks, title: str) -> Chances:
    """The chance of each block to be main content, and its number of words. There is at least one block."""
    compiled = _compiled()
    return compiled(page, title) if compiled else computed(page, title)


def computed(page: Blocks, title: str) -> Chances:
    """The chances as NumPy computes them: what the compiled way is measured by."""
    features = PageFeatures(page, title)
    return np.mean([network(features) for network in networks()], 0), features.words


@cache
def _compiled() -> Callable[[Blocks, str], Chances] | None:
    return compiled_chances()


def compiled_chances(window: int = WINDOW_BLOCKS) -> Callable[[Blocks, str], Chances] | None:
    """The same in C, in a tenth of the time; None where it was not built or is made for another network."""
    try:
        from corpulyzer.extract._network import chances  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    features, every = compiled_features(window), [_by_input(network) for network in networks()]
    if features is None or not all(_takes(chances, weights) for weights in every):
        return None

    def chances_in_c(page: Blocks, title: str) -> Chances:
        found = np.empty((len(every), len(page.blocks)), np.float32)

        def see(rows: Any, first: Any, last: Any, words: Any, start: int) -> None:
            for weights, one in zip(every, found, strict=True):
                chances(weights, rows, first, last, words, one[start : start + len(rows)])

        words = features(page, title, see)
        likely = np.add.reduce(found, 0)  # `mean` takes five times as long
        likely /= len(every)
        return likely, words

    return chances_in_c


def compiled_features(
    window: int = WINDOW_BLOCKS,
) -> Callable[[Blocks, str, Callable[..., None]], Any] | None:
    """What shows the features of a page and gives the words of its blocks; None where it was not built.

    Shown are arrays with a row for each block: its features, the first block of each ancestor and the one
    after its last, its words; and the number of the first block. Of a page of more than `window` blocks they
    are shown piece by piece, in the same arrays.
    """
    try:
        from corpulyzer.extract._features import features  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    table = classes()

    def shown(page: Blocks, title: str, see: Callable[..., None]) -> Any:
        count = len(page.blocks)
        rows = np.empty((min(count, window), len(FEATURES)), np.float32)
        first, last = np.empty((2, len(rows), ANCESTORS), np.int64)
        words = np.empty(count)

        def piece(start: int, stop: int) -> None:
            size = stop - start
            see(rows[:size], first[:size], last[:size], words[start:stop], start)

        tree = numbers_of_elements(page.elements), numbers_of_paths(page.paths)
        features(page.blocks, *tree, title, table, rows, first, last, words, piece)
        return words

    return shown


def numbers_of_elements(elements: Sequence[Element]) -> Any:
    """Three numbers of each element, as the compiled walk lays them out."""
    return array("q", chain.from_iterable(elements)) if isinstance(elements, list) else elements


def numbers_of_paths(paths: Sequence[Step]) -> Any:
    """Three numbers of each path, as the compiled walk lays them out: parent, tag and groups."""
    if not isinstance(paths, list):
        return paths
    rows = ((path.parent, TAG_NUMBERS.get(path.tag, -1), groups_of(path)) for path in paths)
    return array("q", chain.from_iterable(rows))


def _by_input(weights: Network) -> tuple[Any, ...]:
    """The weights as the compiled network reads them: input by input, in rows of whole lanes."""
    element = np.zeros((weights.element.shape[1], _LANES), np.float32)
    element[:, : len(weights.element)] = weights.element.T
    return tuple(np.ascontiguousarray(array.T) for array in weights._replace(element=element.T))


def _takes(chances: Callable[..., None], weights: tuple[Any, ...]) -> bool:
    """Whether the compiled network is made for weights of these sizes: tried on a single block."""
    first, last = np.zeros((1, ANCESTORS), np.int64), np.ones((1, ANCESTORS), np.int64)
    rows, likely = np.zeros((1, len(FEATURES)), np.float32), np.empty(1, np.float32)
    try:
        chances(weights, rows, first, last, np.ones(1), likely)
    except ValueError:
        return False
    return True
