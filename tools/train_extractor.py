"""Trains the network of the default extractor and writes its weights.

    python tools/train_extractor.py GOLD_DIR [--out FILE] [--leave-out SET|sites]

GOLD_DIR holds gold sets, each a folder with `gold.jsonl` and `html/`. A block is content if most of its words
stand in the gold text in the same order. Sets that have snippets only are labelled by what two other
extractors agree on, and by the snippets. With --leave-out a whole set is held back, and nothing is written:
what is measured there is what to expect of pages of an unknown kind. With --leave-out sites it is one site of
seven, by a hash of its name: what to expect of unknown sites of known kinds.

Needs: pip install rapidfuzz trafilatura readability-lxml. A minute of processor time a network.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from extractor_network import GAP, WIDTH, Batch, Weights, gradient, initial
from rapidfuzz.distance import LCSseq

from corpulyzer.lab.evaluate.extraction import GoldPage, read_gold
from corpulyzer.lab.evaluate.text_metrics import harmonic, shingle, words_of
from corpulyzer.page.extract.decode import decode
from corpulyzer.page.extract.default.features import FEATURES, PageFeatures
from corpulyzer.page.extract.default.main_content import best_threshold, title_of
from corpulyzer.page.extract.default.network import Network
from corpulyzer.page.extract.parse import parse
from corpulyzer.page.extract.published.peers import peer_named
from corpulyzer.page.extract.walk import blocks_of
from corpulyzer.records import Page
from corpulyzer.url import site_of

EPOCHS = 12
NETWORKS = 2
DROPOUT = 0.3
LEARNING_RATE = 2e-3
LARGEST_GRADIENT = 1.0
WEIGHT_DECAY = 2e-5
# Shares of pages on which class names, or a tenth of the features, are hidden: sites vary more than the gold.
NAMELESS_SHARE, BLURRED_SHARE = 0.15, 0.5
BLOCKS_PER_BATCH = 12_288
LONGEST = 2048
FOLDS = 7
UNSURE = 0.15  # the weight of a block on which the two extractors differ
SHORT_WORDS = 6


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
    parser.add_argument("--out", type=Path, default=Path("src/corpulyzer/page/extract/default/weights.npz"))
    parser.add_argument("--leave-out", default="", metavar="SET")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--networks", type=int, default=NETWORKS)
    asked = parser.parse_args()
    examples = [example for page in read_gold(asked.gold) if (example := example_of(page))]
    held = [example for example in examples if is_held_back(example, asked.leave_out)]
    seen = [example for example in examples if not is_held_back(example, asked.leave_out)]
    networks = [exported(*train(seen, asked.epochs, seed)) for seed in range(asked.networks)]
    for name, figures in figures_of(networks, held or seen).items():
        sys.stdout.write(f"{name} {' '.join(f'{figure:.3f}' for figure in figures)}\n")
    if not asked.leave_out:
        stacked = {name: np.stack([getattr(one, name) for one in networks]) for name in Network._fields}
        half = {name: array.astype(np.float16) for name, array in stacked.items()}
        np.savez_compressed(asked.out, **half)


def is_held_back(example: Example, what: str) -> bool:
    """True of the pages of a set, or of `sites`: of one site in seven, always the same."""
    if what == "sites":
        return zlib.crc32(example.site.encode()) % FOLDS == 0
    return example.page.group == what


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
    """The share of each block's words that are in the gold text, in the same order and runs of four."""
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


def train(examples: Sequence[Example], epochs: int, seed: int) -> tuple[Weights, Any, Any]:
    """The weights averaged over the last quarter of the steps, and what features are normalised by."""
    rng = np.random.default_rng(seed)
    everything = np.concatenate([example.features for example in examples])
    mean, scale = everything.mean(0), np.maximum(everything.std(0), 0.05)
    del everything
    shares = page_shares(examples)
    w = initial(seed)
    adam = Adam({name: np.zeros_like(array) for name, array in w.items()}, {})
    averaged: Weights = {}
    taken, step = 0, 0
    total = epochs * sum(1 for _ in groups(examples, np.random.default_rng(seed)))
    for epoch in range(epochs):
        lost = []
        for chosen in groups(examples, rng):
            step += 1
            rate = (
                LEARNING_RATE * min(1, step / 30) * (0.5 + 0.5 * math.cos(math.pi * min(1, step / total)))
                + 2e-5
            )
            batch = batch_of(chosen, shares, (mean, scale), rng)
            kept = (rng.random((len(batch.starts), 3 * WIDTH)) >= DROPOUT) / np.float32(1 - DROPOUT)
            one, slopes = gradient(w, batch, kept.astype(np.float32))
            adam.step(w, slopes, rate, step)
            lost.append(one)
            if step > 0.75 * total:
                taken += 1
                for name, array in w.items():
                    known = averaged.setdefault(name, array.copy())
                    known += (array - known) / taken
        sys.stderr.write(f"epoch {epoch}: {statistics.fmean(lost):.4f}\n")
    return averaged, mean, scale


@dataclass(frozen=True, slots=True)
class Adam:
    """The Adam optimiser: steps by running means of gradients and of their squares."""

    mean: Weights
    square: Weights

    def step(self, w: Weights, slopes: Weights, rate: float, number: int) -> None:
        for name in slopes:
            if not name.endswith("bias"):
                slopes[name] = slopes[name] + 2 * WEIGHT_DECAY * w[name]
        length = math.sqrt(sum(float((array**2).sum()) for array in slopes.values()))
        short = min(1, LARGEST_GRADIENT / (length + 1e-9))
        for name, long in slopes.items():
            slope = (long * short).astype(np.float32)
            mean = self.mean[name] = 0.9 * self.mean[name] + 0.1 * slope
            square = self.square[name] = 0.99 * self.square.get(name, 0) + 0.01 * slope**2
            w[name] -= rate * (mean / (1 - 0.9**number)) / (np.sqrt(square / (1 - 0.99**number)) + 1e-7)


def groups(examples: Sequence[Example], rng: np.random.Generator) -> Iterator[list[Example]]:
    """The examples in random batches of about the same number of blocks."""
    chosen: list[Example] = []
    size = 0
    for number in rng.permutation(len(examples)):
        chosen.append(examples[number])
        size += min(len(examples[number].texts), LONGEST)
        if size >= BLOCKS_PER_BATCH:
            yield chosen
            chosen, size = [], 0
    if chosen:
        yield chosen


def batch_of(
    chosen: Sequence[Example], shares: dict[str, float], normal: tuple[Any, Any], rng: np.random.Generator
) -> Batch:
    """The chosen pages, concatenated; of a page that is too long, a random piece."""
    columns: dict[str, list[Any]] = {name: [] for name in ("x", "rows", "page", "weight", "first", "last")}
    columns |= {name: [] for name in ("label", "tokens", "sure")}
    starts, at = [], 0
    for number, example in enumerate(chosen):
        count = min(len(example.texts), LONGEST)
        start = int(rng.integers(0, len(example.texts) - count + 1))
        piece = slice(start, start + count)
        columns["x"].append(_varied((example.features[piece] - normal[0]) / normal[1], normal, rng))
        columns["rows"].append(np.arange(count) + at + GAP * (number + 1))
        columns["page"].append(np.full(count, number))
        columns["weight"].append(np.sqrt(example.words[piece]))
        columns["first"].append(np.maximum(example.first[piece] - start, 0) + at)
        columns["last"].append(np.minimum(example.last[piece] - start, count) + at)
        for name in ("label", "tokens", "sure"):
            columns[name].append(getattr(example, name)[piece])
        starts.append(at)
        at += count
    share = np.array([shares[example.page.group] for example in chosen], np.float32)
    joined = {name: np.concatenate(values) for name, values in columns.items()}
    return Batch(**joined, starts=np.array(starts), share=share / share.sum())


def page_shares(examples: Sequence[Example]) -> dict[str, float]:
    """The weight of a page by its set, 1/√n in a set of n pages: a large set counts more, but not n times."""
    counts = Counter(example.page.group for example in examples)
    return {group: 1 / math.sqrt(count) for group, count in counts.items()}


_NAMES = np.array([name.startswith(("near ", "above ")) for name in FEATURES])


def _varied(x: Any, normal: tuple[Any, Any], rng: np.random.Generator) -> Any:
    draw = rng.random()
    if draw < NAMELESS_SHARE:
        x[:, _NAMES] = (-normal[0] / normal[1])[_NAMES]
    elif draw < NAMELESS_SHARE + BLURRED_SHARE:
        x[:, rng.random(len(FEATURES)) < 0.1] = 0
    return x


def exported(w: Weights, mean: Any, scale: Any) -> Network:
    """The network as it is shipped: matrices transposed, the normalisation of features in the weights."""
    weights = {name: np.asarray(array) for name, array in w.items()}
    weights["features_bias"] = weights["features_bias"] - (mean / scale) @ weights["features"]
    weights["features"] = weights["features"] / scale[:, None]
    columns = {name: array.T if array.ndim == 2 else array for name, array in weights.items()}
    columns["guess"], columns["answer"] = columns["guess"][0], columns["answer"][0]
    return Network(**{name: columns[name].astype(np.float32) for name in Network._fields})


def figures_of(
    networks: Sequence[Network], examples: Sequence[Example]
) -> dict[str, tuple[float, float, float]]:
    """Precision, recall and F1 of shingles for each set with full gold text."""
    scores: dict[str, list[Any]] = {}
    for example in examples:
        if has_snippets_alone(example.page):
            continue
        chances = np.mean([network(_Prepared(example)) for network in networks], 0)
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
    """Features that were computed before."""

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
