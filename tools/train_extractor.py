"""Trains the network of the default extractor and writes its weights.

    python tools/train_extractor.py GOLD_DIR [--out src/corpulyzer/extract/weights.npz] [--leave-out SET]

GOLD_DIR holds gold sets, each a folder with `gold.jsonl` and `html/`. A block is content if most of its words
stand in the gold text in the same order. Sets that have snippets only are labelled by what two other
extractors agree on, and by the snippets. One site of seven, by a hash of its name, is never trained on: what
is measured there is what to expect of unknown sites of known kinds. With --leave-out a whole set is held
back, and nothing is written: what is measured there is what to expect of pages of an unknown kind.

Needs: pip install jax rapidfuzz trafilatura readability-lxml. Ten minutes on two cores.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from rapidfuzz.distance import LCSseq

from corpulyzer.evaluate.extraction import GoldPage, read_gold
from corpulyzer.evaluate.text_metrics import harmonic, shingle, words_of
from corpulyzer.extract.decode import decode
from corpulyzer.extract.features import ANCESTORS, FEATURES, PageFeatures
from corpulyzer.extract.main_content import best_threshold, title_of
from corpulyzer.extract.network import FAR_STRIDE, GUESS_SCALE, NEAR_STRIDE, TAPS, Network
from corpulyzer.extract.parse import parse
from corpulyzer.extract.peers import peer_named
from corpulyzer.extract.walk import blocks_of
from corpulyzer.record import Page
from corpulyzer.url import site_of

WIDTH, ELEMENT_WIDTH, SECOND_WIDTH = 32, 8, 16
EPOCHS = 20
LEARNING_RATE = 2e-3
LARGEST_GRADIENT = 1.0
WEIGHT_DECAY = 2e-5
DROPOUT = 0.1
# Pages on which all class names are hidden, or a tenth of the features: sites differ more than gold sets do.
NAMELESS_SHARE = BLURRED_SHARE = 0.15
BLOCKS_PER_BATCH = 24_576
SHORTEST, LONGEST = 32, 1024
FOLDS = 7
UNSURE = 0.15  # the weight of a block on which the two extractors differ
SHORT_WORDS = 6

Weights = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Example:
    """A page as the training sees it: features, spans of the elements around, labels, and their weights."""

    page: GoldPage
    site: str
    texts: list[str]
    features: Any
    first: Any
    last: Any
    words: Any
    label: Any
    tokens: Any
    sure: Any


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("gold", type=Path)
    parser.add_argument("--out", type=Path, default=Path("src/corpulyzer/extract/weights.npz"))
    parser.add_argument("--leave-out", default="", metavar="SET")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    examples = [example for page in read_gold(asked.gold) if (example := example_of(page))]
    if asked.leave_out:
        held = [example for example in examples if example.page.group == asked.leave_out]
        seen = [example for example in examples if example.page.group != asked.leave_out]
    else:
        held = [example for example in examples if is_held_back(example.site)]
        seen = [example for example in examples if not is_held_back(example.site)]
    weights, mean, scale = train(seen, asked.epochs, asked.seed)
    network = exported(weights, mean, scale)
    for name, figures in figures_of(network, held).items():
        sys.stdout.write(f"{name} {' '.join(f'{figure:.3f}' for figure in figures)}\n")
    if not asked.leave_out:
        half = {name: array.astype(np.float16) for name, array in network._asdict().items()}
        np.savez_compressed(asked.out, **half)


def is_held_back(site: str) -> bool:
    """True of one site in seven, always the same."""
    return zlib.crc32(site.encode()) % FOLDS == 0


def example_of(page: GoldPage) -> Example | None:
    """The page with labels, or None if it has no visible text."""
    decoded = decode(Page(page.url, body=page.html, mime="text/html"))
    tree = parse(decoded).tree
    if tree is None or not (blocks := blocks_of(tree)).blocks:
        return None
    texts = [block.text for block in blocks.blocks]
    tokens = [words_of(text) for text in texts]
    if has_snippets_alone(page):
        label, sure = agreed(page, decoded.html, texts, tokens)
    else:
        label, sure = labels(tokens, page.text), np.ones(len(texts), np.float32)
    found = PageFeatures(blocks, title_of(blocks))
    first, last = found.spans(0, len(found))
    return Example(
        page,
        site_of(page.url) or page.url or page.id,
        texts,
        found.matrix(0, len(found)).T.copy(),
        first.T.astype(np.int32),
        last.T.astype(np.int32),
        found.words.astype(np.float32),
        label,
        np.array([len(words) for words in tokens], np.float32),
        sure,
    )


def has_snippets_alone(page: GoldPage) -> bool:
    """True if the gold text is no more than the snippets that must be found."""
    return bool(page.wanted) and len(page.text) <= sum(len(piece) + 2 for piece in page.wanted)


def labels(tokens: Sequence[Sequence[str]], gold: str) -> Any:
    """For each block the share of its words that the gold text has, in the same order and company."""
    wanted = words_of(gold)
    numbers: dict[str, int] = {}
    there = [numbers.setdefault(word, len(numbers)) for word in wanted]
    page = [numbers.setdefault(word, len(numbers)) for words in tokens for word in words]
    place = np.full(len(page), -1)
    for step in LCSseq.opcodes(page, there) if page and there else ():
        if step.tag == "equal":
            place[step.src_start : step.src_end] = np.arange(step.dest_start, step.dest_end)
    shingles = set(zip(there, there[1:], there[2:], there[3:], strict=False))
    found, start = [], 0
    for words in tokens:
        span = slice(start, start := start + len(words))
        found.append(_share(page[span], place[span], shingles))
    return np.array(found, np.float32)


def _share(words: Sequence[int], place: Any, shingles: set[tuple[int, ...]]) -> float:
    if not words:
        return 0.0
    hits = float((place >= 0).mean())
    if len(words) < SHORT_WORDS:
        return float(hits == 1 and place[-1] - place[0] == len(words) - 1)
    own = list(zip(words, words[1:], words[2:], words[3:], strict=False))
    return min(hits, sum(run in shingles for run in own) / len(own))


def agreed(
    page: GoldPage, html: str, texts: Sequence[str], tokens: Sequence[Sequence[str]]
) -> tuple[Any, Any]:
    """Labels that two extractors agree on, or that the snippets give; the rest counts little."""
    one, other = (
        labels(tokens, "\n".join(peer_named(name)(html))) >= 0.5 for name in ("trafilatura", "readability")
    )
    label = (one.astype(np.float32) + other) / 2
    sure = np.where(one == other, 1.0, UNSURE).astype(np.float32)
    for pieces, value in ((page.wanted, 1.0), (page.unwanted, 0.0)):
        for number, text in enumerate(texts):
            if any(piece.strip() and " ".join(piece.split()) in text for piece in pieces):
                label[number], sure[number] = value, 1.0
    return label, sure


def initial(seed: int) -> Weights:
    """Random weights, scaled to the number of inputs of each layer."""
    rng = np.random.default_rng(seed)

    def normal(inputs: int, outputs: int, scale: float = 1.0) -> Any:
        return jnp.array(scale * rng.normal(0, math.sqrt(2 / inputs), (inputs, outputs)), jnp.float32)

    seen = 3 * WIDTH
    return {
        "features": normal(len(FEATURES), WIDTH),
        "features_bias": jnp.zeros(WIDTH),
        "element": normal(WIDTH, ELEMENT_WIDTH),
        "near": normal(TAPS * WIDTH, WIDTH),
        "near_elements": normal(ELEMENT_WIDTH * ANCESTORS, WIDTH, 0.5),
        "near_page": normal(WIDTH, WIDTH, 0.5),
        "near_bias": jnp.zeros(WIDTH),
        "far": normal(TAPS * WIDTH, WIDTH),
        "far_bias": jnp.zeros(WIDTH),
        "guess": normal(seen, 1, 0.5),
        "guess_bias": jnp.zeros(1),
        "second": normal(seen + 1 + 2 * ANCESTORS, SECOND_WIDTH, 0.7),
        "second_bias": jnp.zeros(SECOND_WIDTH),
        "answer": normal(SECOND_WIDTH, 1, 0.3),
    }


def forward(w: Weights, batch: dict[str, Any], key: Any) -> tuple[Any, Any]:
    """The first guess and the answer for each block, before the sigmoid: `Network` over a batch of pages."""
    mask, weight = batch["mask"][..., None], batch["weight"][..., None]
    own = jax.nn.relu(batch["x"] @ w["features"] + w["features_bias"]) * mask
    page = (own * weight).sum(1, keepdims=True) / (weight.sum(1, keepdims=True) + 1e-6)
    size = _inside(weight, batch) + 1e-6
    means = _inside((own @ w["element"]) * weight, batch) / size
    elements = jnp.swapaxes(means, 2, 3).reshape(*means.shape[:2], -1)
    near = _neighbours(own, NEAR_STRIDE) @ w["near"] + elements @ w["near_elements"] + page @ w["near_page"]
    near = jax.nn.relu(near + w["near_bias"]) * mask
    far = jax.nn.relu(_neighbours(near, FAR_STRIDE) @ w["far"] + w["far_bias"]) * mask
    seen = jnp.concatenate([own, near, far], -1)
    kept = jax.random.bernoulli(key, 1 - DROPOUT, (len(seen), 1, seen.shape[2]))
    seen = seen * kept / (1 - DROPOUT)
    guess = seen @ w["guess"] + w["guess_bias"]
    content = jax.nn.sigmoid(guess) * mask * weight
    inside = _inside(content, batch)
    parts = (inside / size)[..., 0], (inside / (content.sum(1)[:, None, None] + 1))[..., 0]
    second = jnp.concatenate([seen, GUESS_SCALE * guess, *(2 * part - 1 for part in parts)], -1)
    answer = guess + jax.nn.relu(second @ w["second"] + w["second_bias"]) @ w["answer"]
    return guess[..., 0], answer[..., 0]


def _neighbours(values: Any, stride: int) -> Any:
    reach, count = TAPS // 2 * stride, values.shape[1]
    padded = jnp.pad(values, ((0, 0), (reach, reach), (0, 0)))
    return jnp.concatenate([padded[:, k * stride : k * stride + count] for k in range(TAPS)], -1)


def _inside(values: Any, batch: dict[str, Any]) -> Any:
    """Sums over the elements around each block: pages by blocks by ancestors by rows."""
    sums = jnp.pad(jnp.cumsum(values, 1), ((0, 0), (1, 0), (0, 0)))

    def at(places: Any) -> Any:
        flat = places.reshape(len(places), -1, 1)
        return jnp.take_along_axis(sums, flat, 1).reshape(*places.shape, -1)

    return at(batch["last"]) - at(batch["first"])


def loss(w: Weights, batch: dict[str, Any], key: Any) -> Any:
    """Cross-entropy of blocks, longer ones counting more, and what is lacking in the F1 of their words."""

    def of(score: Any) -> Any:
        label, tokens, sure = batch["label"], batch["tokens"], batch["sure"]
        entropy = jnp.maximum(score, 0) - score * label + jnp.log1p(jnp.exp(-jnp.abs(score)))
        counts = (tokens + 1) ** 0.75 * sure
        chance = jax.nn.sigmoid(score) * sure
        right = (chance * label * tokens).sum(1)
        f1 = (2 * right + 1) / ((chance * tokens).sum(1) + (label * tokens * sure).sum(1) + 1)
        each = (entropy * counts).sum(1) / (counts.sum(1) + 1e-6) + 0.5 * (1 - f1)
        return (each * batch["page_weight"]).sum() / batch["page_weight"].sum()

    guess, answer = forward(w, batch, key)
    decay = sum((array**2).sum() for name, array in w.items() if not name.endswith("bias"))
    return 0.3 * of(guess) + of(answer) + WEIGHT_DECAY * decay


@jax.jit
def adam(
    state: tuple[Weights, Weights, Weights], step: Any, rate: Any, batch: dict[str, Any], key: Any
) -> Any:
    """The state after one step: weights, and the means of gradients and of their squares."""
    w, mean, square = state
    lost, gradient = jax.value_and_grad(loss)(w, batch, key)
    length = jnp.sqrt(sum((array**2).sum() for array in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(lambda g: g * jnp.minimum(1, LARGEST_GRADIENT / (length + 1e-9)), gradient)
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, gradient)
    square = jax.tree.map(lambda s, g: 0.99 * s + 0.01 * g * g, square, gradient)
    w = jax.tree.map(
        lambda a, m, s: a - rate * (m / (1 - 0.9**step)) / (jnp.sqrt(s / (1 - 0.99**step)) + 1e-7),
        w, mean, square,
    )  # fmt: skip
    return (w, mean, square), lost


def train(examples: Sequence[Example], epochs: int, seed: int) -> tuple[Weights, Any, Any]:
    """The weights averaged over the last quarter of the steps, and what features are normalised by."""
    rng = np.random.default_rng(seed)
    everything = np.concatenate([example.features for example in examples])
    mean, scale = everything.mean(0), np.maximum(everything.std(0), 0.05)
    del everything
    w = initial(seed)
    zeros = jax.tree.map(jnp.zeros_like, w)
    state, averaged, taken = (w, zeros, zeros), None, 0
    total = epochs * sum(1 for _ in groups(examples, rng))
    step = 0
    for epoch in range(epochs):
        lost = []
        for chosen in groups(examples, rng):
            step += 1
            rate = LEARNING_RATE * min(1, step / 30) * (0.5 + 0.5 * math.cos(math.pi * step / total)) + 2e-5
            key = jax.random.PRNGKey(int(rng.integers(1 << 31)))
            state, one = adam(state, step, rate, batch_of(chosen, examples, (mean, scale), rng), key)
            lost.append(float(one))
            if step > 0.75 * total:
                taken += 1
                now = taken
                averaged = state[0] if averaged is None else jax.tree.map(
                    lambda a, b, n=now: a + (b - a) / n, averaged, state[0]
                )  # fmt: skip
        sys.stderr.write(f"epoch {epoch}: {statistics.fmean(lost):.4f}\n")
    return jax.tree.map(np.asarray, averaged or state[0]), mean, scale


def groups(examples: Sequence[Example], rng: np.random.Generator) -> Iterator[Sequence[Example]]:
    """The examples in random batches of pages of about the same length."""
    sizes: dict[int, list[Example]] = {}
    for example in examples:
        sizes.setdefault(padded_length(example), []).append(example)
    batches = []
    for size, members in sizes.items():
        order, count = rng.permutation(len(members)), batch_pages(size)
        batches += [[members[i] for i in order[k : k + count]] for k in range(0, len(order), count)]
    return iter([batches[i] for i in rng.permutation(len(batches))])


def padded_length(example: Example) -> int:
    return min(max(SHORTEST, 1 << (len(example.texts) - 1).bit_length()), LONGEST)


def batch_pages(length: int) -> int:
    return max(4, BLOCKS_PER_BATCH // length)


def batch_of(
    chosen: Sequence[Example], examples: Sequence[Example], normal: tuple[Any, Any], rng: np.random.Generator
) -> dict[str, Any]:
    """The chosen pages side by side, padded; of pages that are too long a piece."""
    length = padded_length(chosen[0])
    shape = (batch_pages(length), length)
    batch = {name: np.zeros(shape, np.float32) for name in ("mask", "weight", "label", "tokens", "sure")}
    batch["x"] = np.zeros((*shape, len(FEATURES)), np.float32)
    batch["first"] = np.zeros((*shape, ANCESTORS), np.int32)
    batch["last"] = np.zeros((*shape, ANCESTORS), np.int32)
    batch["page_weight"] = np.zeros(shape[0], np.float32)
    for row, example in enumerate(chosen):
        count = min(len(example.texts), length)
        start = int(rng.integers(0, len(example.texts) - count + 1))
        piece = slice(start, start + count)
        batch["x"][row, :count] = _varied((example.features[piece] - normal[0]) / normal[1], normal, rng)
        batch["mask"][row, :count] = 1
        batch["weight"][row, :count] = np.sqrt(example.words[piece])
        for name in ("label", "tokens", "sure"):
            batch[name][row, :count] = getattr(example, name)[piece]
        batch["first"][row, :count] = np.maximum(example.first[piece] - start, 0)
        batch["last"][row, :count] = np.minimum(example.last[piece] - start, count)
        batch["page_weight"][row] = _page_weight(example, examples)
    return batch


_NAMES = np.array([name.startswith(("near ", "above ")) for name in FEATURES])


def _varied(x: Any, normal: tuple[Any, Any], rng: np.random.Generator) -> Any:
    draw = rng.random()
    if draw < NAMELESS_SHARE:
        x[:, _NAMES] = (-normal[0] / normal[1])[_NAMES]
    elif draw < NAMELESS_SHARE + BLURRED_SHARE:
        x[:, rng.random(len(FEATURES)) < 0.1] = 0
    return x


def _page_weight(example: Example, examples: Sequence[Example], counts: dict[str, int] = {}) -> float:  # noqa: B006
    """A page counts less in a large set, and yet a large set counts more than a small one."""
    if not counts:
        for one in examples:
            counts[one.page.group] = counts.get(one.page.group, 0) + 1
    return 1 / math.sqrt(counts[example.page.group])


def exported(w: Weights, mean: Any, scale: Any) -> Network:
    """The network as it is shipped: columns in, columns out, the normalisation of features in the weights."""
    weights = {name: np.asarray(array) for name, array in w.items()}
    weights["features_bias"] = weights["features_bias"] - (mean / scale) @ weights["features"]
    weights["features"] = weights["features"] / scale[:, None]
    columns = {name: array.T if array.ndim == 2 else array for name, array in weights.items()}
    columns["guess"], columns["answer"] = columns["guess"][0], columns["answer"][0]
    return Network(**{name: columns[name].astype(np.float32) for name in Network._fields})


def figures_of(network: Network, examples: Sequence[Example]) -> dict[str, tuple[float, float, float]]:
    """Precision, recall and F1 of shingles for each set with full gold text."""
    scores: dict[str, list[Any]] = {}
    for example in examples:
        if has_snippets_alone(example.page):
            continue
        chances = network(_Prepared(example))
        threshold = best_threshold(chances, example.words)
        text = "\n".join(t for t, c in zip(example.texts, chances, strict=True) if c >= threshold)
        scores.setdefault(example.page.group, []).append(shingle(example.page.text, text))
    found = {}
    for name, of_set in scores.items():
        precision = statistics.fmean(s.precision for s in of_set if s.right + s.wrong)
        recall = statistics.fmean(s.recall for s in of_set if s.right + s.missed)
        found[name] = (precision, recall, harmonic(precision, recall))
    return found


class _Prepared(PageFeatures):
    """Features that are there already."""

    __slots__ = ("_example",)

    def __init__(self, example: Example) -> None:
        self._example = example

    def __len__(self) -> int:
        return len(self._example.texts)

    @property
    def words(self) -> Any:
        return self._example.words

    def matrix(self, start: int, stop: int) -> Any:
        return self._example.features[start:stop].T

    def spans(self, start: int, stop: int) -> tuple[Any, Any]:
        first, last = self._example.first[start:stop].T, self._example.last[start:stop].T
        return np.maximum(first - start, 0), np.minimum(last - start, stop - start)


if __name__ == "__main__":
    main()
