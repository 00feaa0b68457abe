"""How likely each block of a page is main content: in C where that was built, else the same with NumPy."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain
from typing import Any

import numpy as np

from corpulyzer import native
from corpulyzer.page.extract.blocks import Block, Blocks, Element, Step
from corpulyzer.page.extract.default.characters import classes
from corpulyzer.page.extract.default.features import PageFeatures
from corpulyzer.page.extract.default.network import TAPS, WINDOW_BLOCKS, Network, networks
from corpulyzer.page.extract.default.page_arrays import TAG_NUMBERS, groups_of

Chances = tuple[Any, Any]
_LANES = 16


def computed(page: Blocks, title: str) -> Chances:
    """The chance of each block to be main content, and its number of words, as NumPy computes them."""
    features = PageFeatures(page, title)
    return np.mean([network(features) for network in networks()], 0), features.words


@cache
def compiled() -> Compiled | None:
    """The same in C, in a tenth of the time; None where it was not built or is made for other networks."""
    if native.compiled is None:
        return None
    every = [_by_input(network) for network in networks()]
    fits = all(tuple(map(len, each)) == native.compiled.sizes() for each in every)
    return Compiled(native.compiled, every) if fits else None


class Compiled:
    """In C: how likely each block is main content, and which are chosen. Pages need at least one block."""

    def __init__(self, module: Any, weights: Sequence[Sequence[Any]], window: int = WINDOW_BLOCKS) -> None:
        self._module, self._window, self._classes = module, window, classes()
        self._networks = tuple(map(_in_lanes, weights))

    def chosen(self, page: Blocks, title: str, least: float, clear: float) -> list[Block]:
        """The blocks that reach `best_threshold` of `main_content`."""
        found: list[Block] = self._module.chosen(self._networks, self._given(page, title), least, clear)
        return found

    def chances(self, page: Blocks, title: str) -> Chances:
        """The same as `computed`, for tests that compare the two."""
        likely, words = self._module.chances(self._networks, self._given(page, title))
        return np.frombuffer(likely, np.float32), np.frombuffer(words)

    def features(self, page: Blocks, title: str, see: Callable[..., None]) -> None:
        """Call `see` for each piece of the page with features, spans and words as bytes, and its first block.

        For tests that compare them with `PageFeatures`.
        """
        self._module.features(self._given(page, title), see)

    def _given(self, page: Blocks, title: str) -> tuple[Any, ...]:
        elements, paths = numbers_of_elements(page.elements), numbers_of_paths(page.paths)
        return page.blocks, elements, paths, title, self._classes, self._window


def numbers_of_elements(elements: Sequence[Element]) -> Any:
    """Parent, depth and path of each element in one array, as the compiled walk gives them."""
    return array("q", chain.from_iterable(elements)) if isinstance(elements, list) else elements


def numbers_of_paths(paths: Sequence[Step]) -> Any:
    """Parent, tag and groups of each path in one array, as the compiled walk gives them."""
    if not isinstance(paths, list):
        return paths
    rows = ((path.parent, TAG_NUMBERS.get(path.tag, -1), groups_of(path)) for path in paths)
    return array("q", chain.from_iterable(rows))


def _by_input(weights: Network) -> list[Any]:
    """The weights as the compiled network reads them: by input, padded to whole SIMD lanes."""
    element = np.zeros((weights.element.shape[1], _LANES), np.float32)
    element[:, : len(weights.element)] = weights.element.T
    every = weights._replace(element=element.T, near=_by_place(weights.near), far=_by_place(weights.far))
    return [each.T.ravel() for each in every]


def _by_place(weights: Any) -> Any:
    """Weights for the neighbours of a block, reordered from place by input to input by place."""
    outputs, inputs = weights.shape
    return weights.reshape(outputs, TAPS, inputs // TAPS).swapaxes(1, 2).reshape(outputs, inputs)


def _in_lanes(weights: Sequence[Any]) -> Any:
    """The weights in one array, each aligned to a SIMD lane: unaligned access takes twice as long."""
    flat = np.concatenate([np.pad(each, (0, -len(each) % _LANES)) for each in weights], dtype=np.float32)
    room = np.empty(len(flat) + _LANES, np.float32)
    aligned = room[-(room.ctypes.data // room.itemsize) % _LANES :][: len(flat)]
    aligned[:] = flat
    return aligned
