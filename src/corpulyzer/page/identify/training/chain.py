"""How the chains of `markov` are trained: the chance of a letter after two, smoothed by that after one."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from corpulyzer.page.identify.ngrams import buckets_of, letters_of
from corpulyzer.page.identify.scorer import Scorer
from corpulyzer.page.identify.table import Table
from corpulyzer.page.identify.training.calibrate import logistic, unseen_spread
from corpulyzer.page.identify.training.learn import Counts, quantised
from corpulyzer.page.identify.training.recipe import FOLDS, fold
from corpulyzer.page.identify.training.samples import Sample, joined

ORDERS, BITS = (3,), 16
# The 24 languages of the European Union, their neighbours, and the families of the target languages.
CODES = """
    bul ces dan deu ell eng est fin fra gle hrv hun ita lav lit mlt nld pol por ron slk slv spa swe
    bos srp mkd sqi nob nno isl cat rus ukr bel tur xho zul ssw nbl nya
    urd pnb skr kas snd fas prs pus ara ckb ind msa
""".split()
_SCRIPTS = {"kas": "Arab", "ara": "Arab"}
_FLOOR_NATS = -9.0
_SMOOTHING = 5.0
_FUNCTION_WORDS = 40
_LINES = 2500


def markov_table(samples: Sequence[Sample]) -> Table:
    """The chains of all languages in one table, calibrated on fifths that each was not trained on."""
    lines: dict[str, list[str]] = defaultdict(list)
    for sample in samples:
        if sample.code in CODES and sample.script == _SCRIPTS.get(sample.code, sample.script):
            lines[sample.label] += sample.lines[:_LINES]
    labels = sorted(lines)
    held = {label: fold(lines[label], FOLDS - 1) for label in labels}
    partial = _table({label: lines[label][: len(lines[label]) * (FOLDS - 1) // FOLDS] for label in labels})
    usual, spread, steepness, shift = _calibrated(partial, held)
    table = replace(_table(lines), usual=usual, spread=spread, steepness=steepness, shift=shift)
    return replace(
        table, notes={"function_words": {label: _function_words(lines[label]) for label in labels}}
    )


def _table(lines: Mapping[str, Sequence[str]]) -> Table:
    labels = tuple(lines)
    weights = np.full((1 << BITS, len(labels)), _FLOOR_NATS)
    for number, label in enumerate(labels):
        steps = chain_of(lines[label])
        # If two steps share a bucket, the more probable one counts.
        np.maximum.at(weights[:, number], buckets_of(list(steps), 3, BITS), np.array(list(steps.values())))
    blank = np.zeros(len(labels))
    return Table("markov", labels, ORDERS, BITS, quantised(weights), blank, blank + 1.0)


def chain_of(lines: Sequence[str]) -> dict[str, float]:
    """Each step of a chain, the two letters before and the letter, with the log of its probability.

    A space is the border of a word; no step crosses it.
    """
    ones: Counter[str] = Counter()
    twos: Counter[str] = Counter()
    threes: Counter[str] = Counter()
    for line in lines:
        text = "".join(map(chr, letters_of(line.split()).points.tolist()))
        ones.update(text)
        twos.update(map("".join, pairwise(text)))
        threes.update(map("".join, zip(text, text[1:], text[2:], strict=False)))
    steps = {}
    for three, size in threes.items():
        if three[1] != " ":
            shorter = twos[three[1:]] / ones[three[1]]
            steps[three] = math.log((size + _SMOOTHING * shorter) / (twos[three[:2]] + _SMOOTHING))
    return steps


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
