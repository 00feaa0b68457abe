"""The network of the default extractor in training: forward and backward pass over many pages, with NumPy.

The pages of a batch are concatenated, separated by empty rows, so that no page sees the next and none has to
be padded. Sums over elements are differences of running sums, in both passes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from corpulyzer.page.extract.default.features import ANCESTORS, FEATURES
from corpulyzer.page.extract.default.network import FAR_STRIDE, GUESS_SCALE, NEAR_STRIDE, TAPS

WIDTH, ELEMENT_WIDTH, SECOND_WIDTH = 32, 8, 16
GAP = TAPS // 2 * FAR_STRIDE
GUESS_SHARE, F1_SHARE = 0.3, 0.5

Weights = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Batch:
    """Pages, concatenated. `page` and `rows` are each block's page and row, `starts` the pages' first blocks.

    `first` and `last` bound the blocks of each element around a block; `share` is the weight of each page.
    """

    x: Any
    rows: Any
    page: Any
    starts: Any
    weight: Any
    first: Any
    last: Any
    label: Any
    tokens: Any
    sure: Any
    share: Any

    def per_page(self, values: Any) -> Any:
        """Sums over each page."""
        return np.add.reduceat(values, self.starts)

    def inside(self, values: Any) -> Any:
        """Sums over the elements around each block, of shape blocks × ancestors (× columns)."""
        sums = np.zeros((len(values) + 1, *values.shape[1:]))
        np.cumsum(values, axis=0, out=sums[1:])
        return (sums[self.last] - sums[self.first]).astype(np.float32)

    def inside_back(self, gradient: Any) -> Any:
        """The gradient of `inside` by the values that it summed."""
        size = len(self.rows) + 1
        columns = gradient.reshape(*self.first.shape, -1)
        out = np.empty((size - 1, columns.shape[2]), np.float32)
        last, first = self.last.ravel(), self.first.ravel()
        for number in range(columns.shape[2]):
            flat = columns[:, :, number].ravel()
            change = np.bincount(last, flat, size) - np.bincount(first, flat, size)
            out[:, number] = np.cumsum(change[::-1])[::-1][1:]
        return out if gradient.ndim == 3 else out[:, 0]


def initial(seed: int) -> Weights:
    """Random weights, scaled to the number of inputs of each layer."""
    rng = np.random.default_rng(seed)

    def normal(inputs: int, outputs: int, scale: float = 1.0) -> Any:
        return (scale * rng.normal(0, math.sqrt(2 / inputs), (inputs, outputs))).astype(np.float32)

    def zeros(outputs: int) -> Any:
        return np.zeros(outputs, np.float32)

    seen = 3 * WIDTH
    return {
        "features": normal(len(FEATURES), WIDTH),
        "features_bias": zeros(WIDTH),
        "element": normal(WIDTH, ELEMENT_WIDTH),
        "near": normal(TAPS * WIDTH, WIDTH),
        "near_elements": normal(ELEMENT_WIDTH * ANCESTORS, WIDTH, 0.5),
        "near_page": normal(WIDTH, WIDTH, 0.5),
        "near_bias": zeros(WIDTH),
        "far": normal(TAPS * WIDTH, WIDTH),
        "far_bias": zeros(WIDTH),
        "guess": normal(seen, 1, 0.5),
        "guess_bias": zeros(1),
        "second": normal(seen + 1 + 2 * ANCESTORS, SECOND_WIDTH, 0.7),
        "second_bias": zeros(SECOND_WIDTH),
        "answer": normal(SECOND_WIDTH, 1, 0.3),
    }


def gradient(w: Weights, batch: Batch, kept: Any) -> tuple[float, Weights]:
    """The loss of a batch, and its gradient by each weight. `kept` is the dropout mask, pages × channels.

    `Network` has the same forward pass, for one page.
    """
    weight, rows = batch.weight, batch.rows
    # forward pass
    own = np.maximum(batch.x @ w["features"] + w["features_bias"], 0)
    page_weight = batch.per_page(weight)[:, None]
    page = batch.per_page(own * weight[:, None]) / page_weight
    size = batch.inside(weight)
    means = batch.inside((own @ w["element"]) * weight[:, None]) / size[:, :, None]
    elements = np.swapaxes(means, 1, 2).reshape(len(own), -1)
    near = _taps(_spread(own, batch), w["near"], NEAR_STRIDE, rows)
    near += elements @ w["near_elements"] + (page @ w["near_page"])[batch.page] + w["near_bias"]
    np.maximum(near, 0, out=near)
    spread_near = _spread(near, batch)
    far = np.maximum(_taps(spread_near, w["far"], FAR_STRIDE, rows) + w["far_bias"], 0)
    mask = kept[batch.page]
    seen = np.concatenate([own, near, far], 1) * mask
    guess = seen @ w["guess"][:, 0] + w["guess_bias"]
    chance = _sigmoid(guess)
    content = chance * weight
    inside = batch.inside(content)
    total = (batch.per_page(content) + 1)[batch.page][:, None]
    parts = 2 * inside / size - 1, 2 * inside / total - 1
    second = np.concatenate([seen, GUESS_SCALE * guess[:, None], *parts], 1)
    hidden = np.maximum(second @ w["second"] + w["second_bias"], 0)
    answer = guess + hidden @ w["answer"][:, 0]
    first_loss, d_guess = _loss(guess, batch)
    loss, d_answer = _loss(answer, batch)
    # backward pass
    g: Weights = {"answer": hidden.T @ d_answer[:, None]}
    d_guess = GUESS_SHARE * d_guess + d_answer
    d_hidden = d_answer[:, None] * w["answer"][:, 0] * (hidden > 0)
    g["second"], g["second_bias"] = second.T @ d_hidden, d_hidden.sum(0)
    d_second = d_hidden @ w["second"].T
    count = seen.shape[1]
    d_seen, d_parts = d_second[:, :count], d_second[:, count + 1 :]
    d_guess = d_guess + GUESS_SCALE * d_second[:, count]
    of_size, of_total = 2 * d_parts[:, :ANCESTORS] / size, 2 * d_parts[:, ANCESTORS:] / total
    d_content = batch.inside_back(of_size + of_total)
    d_content -= batch.per_page((of_total * inside / total).sum(1))[batch.page]
    d_guess = d_guess + d_content * weight * chance * (1 - chance)
    g["guess"], g["guess_bias"] = seen.T @ d_guess[:, None], d_guess.sum(keepdims=True)
    d_seen = (d_seen + d_guess[:, None] * w["guess"][:, 0]) * mask
    d_own, d_near, d_far = d_seen[:, :WIDTH], d_seen[:, WIDTH : 2 * WIDTH], d_seen[:, 2 * WIDTH :]
    d_far = d_far * (far > 0)
    g["far_bias"] = d_far.sum(0)
    g["far"], back = _taps_back(spread_near, w["far"], FAR_STRIDE, d_far, batch)
    d_near = (d_near + back) * (near > 0)
    g["near_bias"] = d_near.sum(0)
    g["near"], back = _taps_back(_spread(own, batch), w["near"], NEAR_STRIDE, d_near, batch)
    d_own = d_own + back
    g["near_elements"] = elements.T @ d_near
    d_means = np.swapaxes((d_near @ w["near_elements"].T).reshape(len(own), ELEMENT_WIDTH, ANCESTORS), 1, 2)
    d_element = batch.inside_back(d_means / size[:, :, None]) * weight[:, None]
    g["element"] = own.T @ d_element
    d_own += d_element @ w["element"].T
    d_page = batch.per_page(d_near)
    g["near_page"] = page.T @ d_page
    d_own += ((d_page @ w["near_page"].T) / page_weight)[batch.page] * weight[:, None]
    d_own *= own > 0
    g["features"], g["features_bias"] = batch.x.T @ d_own, d_own.sum(0)
    return GUESS_SHARE * first_loss + loss, g


def _sigmoid(values: Any) -> Any:
    return 1 / (1 + np.exp(-np.clip(values, -30, 30)))


def _loss(score: Any, batch: Batch) -> tuple[float, Any]:
    """Cross-entropy of blocks, long ones weighted more, plus 1 − F1 of their words; and its gradient."""
    label, tokens, sure, page = batch.label, batch.tokens, batch.sure, batch.page
    chance = _sigmoid(score)
    entropy = np.maximum(score, 0) - score * label + np.log1p(np.exp(-np.abs(score)))
    counts = (tokens + 1) ** 0.75 * sure
    of_page = batch.per_page(counts) + 1e-6
    counted = tokens * sure
    right = 2 * batch.per_page(chance * label * counted) + 1
    either = batch.per_page((chance + label) * counted) + 1
    each = batch.per_page(entropy * counts) / of_page + F1_SHARE * (1 - right / either)
    slope = counts / of_page[page] * (chance - label)
    of_f1 = counted * (2 * label * either[page] - right[page]) / either[page] ** 2
    slope -= F1_SHARE * of_f1 * chance * (1 - chance)
    return float((each * batch.share).sum()), (slope * batch.share[page]).astype(np.float32)


def _spread(values: Any, batch: Batch) -> Any:
    """The rows of blocks with empty rows before, between and after the pages."""
    out = np.zeros((batch.rows[-1] + 1 + GAP, values.shape[1]), np.float32)
    out[batch.rows] = values
    return out


def _taps(spread: Any, weights: Any, stride: int, rows: Any) -> Any:
    """A layer over each block and its neighbours."""
    width, size = spread.shape[1], len(spread)
    out = np.zeros((size, weights.shape[1]), np.float32)
    for tap in range(TAPS):
        shift = (tap - TAPS // 2) * stride
        here, there = _shifted(size, shift)
        out[here] += spread[there] @ weights[tap * width : (tap + 1) * width]
    return out[rows]


def _taps_back(spread: Any, weights: Any, stride: int, slope: Any, batch: Batch) -> tuple[Any, Any]:
    """The gradients of `_taps` by its weights and by its input."""
    width, size = spread.shape[1], len(spread)
    wide = _spread(slope, batch)
    of_weights, of_input = np.empty_like(weights), np.zeros_like(spread)
    for tap in range(TAPS):
        here, there = _shifted(size, (tap - TAPS // 2) * stride)
        piece = slice(tap * width, (tap + 1) * width)
        of_weights[piece] = spread[there].T @ wide[here]
        of_input[there] += wide[here] @ weights[piece].T
    return of_weights, of_input[batch.rows]


def _shifted(size: int, shift: int) -> tuple[slice, slice]:
    return slice(max(0, -shift), size - max(0, shift)), slice(max(0, shift), size - max(0, -shift))
