"""How likely each block of a page is main content: a small network over the blocks and the tree around them.

A block is first seen by itself, then with its neighbours in the text, with the means of the elements around
it, and with the page. From that comes a first guess. The second, which is the answer, also sees the first
guesses of the other blocks in the same elements, because content stands together. The answers of several
such networks, trained from different random weights, are averaged: they err on different pages. Trained by
`tools/train_extractor.py`, shipped as `weights.npz`, run here with nothing but NumPy.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from corpulyzer.page.extract.default.features import FEATURES, PageFeatures

TAPS = 5
NEAR_STRIDE, FAR_STRIDE = 1, 3
GUESS_SCALE = 0.3
# Pages with more blocks are judged piece by piece, each as if it were the page, so that memory stays bounded.
WINDOW_BLOCKS = 20_000
# Above this many multiplications the linear algebra library starts threads, which cost more than they save
# here, and far more on a busy machine: 20 milliseconds instead of a tenth of one.
_MULTIPLICATIONS = 1 << 18


class Network(NamedTuple):
    """The weights. Each matrix takes columns of its input to columns of its output."""

    features: Any
    features_bias: Any
    element: Any
    near: Any
    near_elements: Any
    near_page: Any
    near_bias: Any
    far: Any
    far_bias: Any
    guess: Any
    guess_bias: Any
    second: Any
    second_bias: Any
    answer: Any

    def __call__(self, features: PageFeatures) -> Any:
        """The probability of each block."""
        count = len(features)
        starts = range(0, count, WINDOW_BLOCKS)
        parts = [self._window(features, start, min(start + WINDOW_BLOCKS, count)) for start in starts]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _window(self, features: PageFeatures, start: int, stop: int) -> Any:
        around = _Around(np.sqrt(features.words[start:stop]), *features.spans(start, stop))
        own = _layer(self.features, features.matrix(start, stop), self.features_bias)
        page = self.near_page @ (own @ around.weights)
        elements = around.means(_product(self.element, own)).reshape(-1, own.shape[1])
        near = _product(self.near, _neighbours(own, NEAR_STRIDE))
        near += _product(self.near_elements, elements)
        _rectify(near, self.near_bias + page)
        far = _layer(self.far, _neighbours(near, FAR_STRIDE), self.far_bias)
        seen = np.concatenate([own, near, far])
        guess = self.guess @ seen + self.guess_bias
        second = np.concatenate([seen, GUESS_SCALE * guess[None], *around.guesses(_sigmoid(guess))])
        return _sigmoid(guess + self.answer @ _layer(self.second, second, self.second_bias))


class _Around:
    """The elements around each block, to take means over them, and how much each block counts in these."""

    __slots__ = ("_first", "_last", "_one", "_sums", "weights")

    def __init__(self, weights: Any, first: Any, last: Any) -> None:
        self._one = 1 / weights.sum()
        self.weights = (weights * self._one).astype(np.float32)
        self._first, self._last = first, last
        self._sums = self._inside(self.weights)

    def _inside(self, values: Any) -> Any:
        """Sums over each element around each block. Its blocks are consecutive: two running sums suffice."""
        sums = np.zeros((*values.shape[:-1], values.shape[-1] + 1))
        np.cumsum(values, axis=-1, out=sums[..., 1:])
        return sums[..., self._last] - sums[..., self._first]

    def means(self, values: Any) -> Any:
        """The weighted mean of each row over each of the elements."""
        return (self._inside(values * self.weights) / self._sums).astype(np.float32)

    def guesses(self, chances: Any) -> tuple[Any, Any]:
        """The share of each element that seems to be content, and the share of all content in it."""
        content = chances * self.weights
        inside = self._inside(content)
        means, shares = inside / self._sums, inside / (content.sum() + self._one)
        return (2 * means - 1).astype(np.float32), (2 * shares - 1).astype(np.float32)


@cache
def networks() -> tuple[Network, ...]:
    """The networks that are shipped."""
    with (
        files("corpulyzer.page.extract.default").joinpath("weights.npz").open("rb") as file,
        np.load(file) as arrays,
    ):
        stacked = [arrays[name].astype(np.float32) for name in Network._fields]
    found = tuple(Network(*weights) for weights in zip(*stacked, strict=True))
    if found[0].features.shape[1] != len(FEATURES):
        raise RuntimeError(
            f"weights.npz is for {found[0].features.shape[1]} features, and there are {len(FEATURES)}:"
            " train it anew with tools/train_extractor.py"
        )
    return found


def _sigmoid(values: Any) -> Any:
    return 1 / (1 + np.exp(-np.clip(values, -30, 30)))


def _layer(weights: Any, values: Any, bias: Any) -> Any:
    out = _product(weights, values)
    _rectify(out, bias)
    return out


def _rectify(values: Any, bias: Any) -> None:
    values += bias[:, None]
    np.maximum(values, 0, out=values)


def _neighbours(values: Any, stride: int) -> Any:
    """Each block with its neighbours, below one another; zeros beyond the ends of the page."""
    rows, count = values.shape
    reach = TAPS // 2 * stride
    padded = np.zeros((rows, count + 2 * reach), np.float32)
    padded[:, reach : reach + count] = values
    return np.concatenate([padded[:, k * stride : k * stride + count] for k in range(TAPS)])


def _product(weights: Any, values: Any) -> Any:
    """The matrix product, in pieces too small for threads."""
    step = max(1, _MULTIPLICATIONS // weights.size)
    if values.shape[1] <= step:
        return weights @ values
    out = np.empty((len(weights), values.shape[1]), np.float32)
    for start in range(0, values.shape[1], step):
        np.matmul(weights, values[:, start : start + step], out=out[:, start : start + step])
    return out
