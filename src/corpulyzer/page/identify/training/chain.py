"""How the chains of `markov` are trained.

The chance of a letter after two is smoothed by its chance after one, and that by its chance alone.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from corpulyzer.page.identify.ngrams import buckets_of, letters_of
from corpulyzer.page.identify.scorer import Scorer
from corpulyzer.page.identify.stems import read_stems
from corpulyzer.page.identify.table import Table
from corpulyzer.page.identify.training.calibrate import logistic, unseen_spread
from corpulyzer.page.identify.training.learn import Counts, quantised
from corpulyzer.page.identify.training.recipe import FOLDS, MODELS, fold
from corpulyzer.page.identify.training.samples import Sample, joined

ORDERS, BITS = (3,), 17
# The paper has 22 languages and prints no list. These are Croatian and Slovene, their neighbours, and the
# larger languages of Europe. Bosnian is left out: its texts are Croatian or Serbian to a chain.
CODES = """
    bul ces dan deu eng fin fra hrv hun ita mkd nld nob pol por ron slk slv spa sqi srp swe
""".split()
_FLOOR_NATS = -9.0
# How many letters' worth the shorter context counts.
_SMOOTHING = 20.0
_FUNCTION_WORDS = 40
_FUNCTION_WORD_NATS = 6.0
_LINES = 2500


def markov_table(samples: Sequence[Sample]) -> Table:
    """The chains of all languages in one table, calibrated on fifths that each was not trained on."""
    lines: dict[str, list[str]] = defaultdict(list)
    for sample in samples:
        if sample.code in CODES:
            lines[sample.label] += sample.lines[:_LINES]
    labels = sorted(lines)
    held = {label: fold(lines[label], FOLDS - 1) for label in labels}
    partial = _table({label: lines[label][: len(lines[label]) * (FOLDS - 1) // FOLDS] for label in labels})
    usual, spread, steepness, shift = _calibrated(partial, held)
    table = replace(
        _table({label: lines[label] for label in labels}),
        usual=usual,
        spread=spread,
        steepness=steepness,
        shift=shift,
    )
    return replace(
        table, notes={"function_words": {label: _function_words(lines[label]) for label in labels}}
    )


def _table(lines: Mapping[str, Sequence[str]]) -> Table:
    labels = tuple(lines)
    chains = [Chain.of(lines[label]) for label in labels]
    steps = sorted({step for chain in chains for step in chain.steps()})
    buckets = buckets_of(steps, 3, BITS)
    weights = np.full((1 << BITS, len(labels)), _FLOOR_NATS)
    for number, chain in enumerate(chains):
        # If two steps share a bucket, the more probable one counts.
        np.maximum.at(weights[:, number], buckets, np.array([chain.nats(step) for step in steps]))
    blank = np.zeros(len(labels))
    stems = read_stems(MODELS / "stems" / "function-words.txt", labels, _FUNCTION_WORD_NATS)
    return Table("markov", labels, ORDERS, BITS, quantised(weights), blank, blank + 1.0, stems=stems)


@dataclass(frozen=True, slots=True)
class Chain:
    """How often letters stand alone, after one and after two others; a space is the border of a word."""

    ones: Counter[str]
    twos: Counter[str]
    threes: Counter[str]

    @classmethod
    def of(cls, lines: Iterable[str]) -> Chain:
        ones: Counter[str] = Counter()
        twos: Counter[str] = Counter()
        threes: Counter[str] = Counter()
        for line in lines:
            text = "".join(map(chr, letters_of(line.split()).points.tolist()))
            ones.update(text)
            twos.update(map("".join, pairwise(text)))
            threes.update(map("".join, zip(text, text[1:], text[2:], strict=False)))
        return cls(ones, twos, threes)

    def steps(self) -> Iterable[str]:
        """Each step that was seen, two letters and the next; none crosses the border of a word."""
        return (three for three in self.threes if three[1] != " ")

    def nats(self, step: str) -> float:
        """The log of the chance of a step's last letter after its first two.

        All letters that were not seen share the chance of one that was seen once.
        """
        alone = (self.ones[step[2]] + 1) / (self.ones.total() + len(self.ones) + 1)
        after_one = (self.twos[step[1:]] + _SMOOTHING * alone) / (self.ones[step[1]] + _SMOOTHING)
        return math.log((self.threes[step] + _SMOOTHING * after_one) / (self.twos[step[:2]] + _SMOOTHING))


def _calibrated(table: Table, held: Mapping[str, Sequence[str]]) -> tuple[Counts, Counts, float, float]:
    scorer = Scorer(table)
    usual, spread = np.zeros(len(table.labels)), np.ones(len(table.labels))
    margins: list[float] = []
    right: list[bool] = []
    for number, label in enumerate(table.labels):
        texts = list(joined(held[label], 200))
        if not texts:
            continue
        scores = scorer(texts).astype(float)
        grams = np.maximum(scores[:, -1], 1.0)
        usual[number], spread[number] = unseen_spread(list(scores[:, number] / grams))
        order = np.sort(scores[:, : len(table.labels)], axis=1)
        margins += list((order[:, -1] - order[:, -2]) / np.sqrt(grams))
        right += list(scores[:, : len(table.labels)].argmax(axis=1) == number)
    return usual, spread, *logistic(np.asarray(margins), np.asarray(right, float))


def _function_words(lines: Sequence[str]) -> tuple[str, float]:
    """The commonest words, and the share of a paragraph's words that nearly always are among them."""
    paragraphs = [line.lower().split() for line in joined(lines, 200)]
    counts = Counter(word for words in paragraphs for word in words if any(c.isalpha() for c in word))
    common = [word for word, _ in counts.most_common(_FUNCTION_WORDS)]
    shares = [sum(word in common for word in words) / len(words) for words in paragraphs if words]
    least = float(np.percentile(shares, 1)) / 2 if shares else 0.0
    return " ".join(common), round(least, 3)
