"""How tables are learned: counts of n-grams by language and by source, and what sets languages apart.

A language that is known from one source only must not be taken for that source's topics. So what is learned
of a language is how it differs from the other languages *of the same source*; a source in which it stands
alone says little of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from corpulyzer.identify.ngrams import hashed, letters_of

Counts = npt.NDArray[np.float64]
BySource = Mapping[tuple[str, str], Counts]

# Weights are stored in twelfths of a nat: 127 of them are more than any n-gram may say.
UNITS_PER_NAT = 12.0
_TOKENS_AT_ONCE = 20_000


def count(lines: Iterable[str], orders: Sequence[int], bits: int) -> Counts:
    """How often the n-grams of each bucket occur in some lines."""
    totals = np.zeros(1 << bits)
    tokens: list[str] = []
    for line in lines:
        tokens += line.split()
        if len(tokens) >= _TOKENS_AT_ONCE:
            totals += _count(tokens, orders, bits)
            tokens = []
    return totals + _count(tokens, orders, bits) if tokens else totals


def _count(tokens: Sequence[str], orders: Sequence[int], bits: int) -> Counts:
    totals = np.zeros(1 << bits)
    for buckets, _ in hashed(letters_of(tokens), orders, bits):
        totals += np.bincount(buckets, minlength=1 << bits)
    return totals


def contrast(
    counts: BySource, labels: Sequence[str], *, seen: float = 1.0, alone: float = 0.5, balance: float = -0.3
) -> Counts:
    """Buckets by labels: the log of how much likelier an n-gram is in a label than its sources explain.

    `seen` is the evidence, in n-grams, at which half of it is believed. `alone` is the share of what is
    expected that comes from all sources instead of the same one.
    """
    shares = {key: each / max(each.sum(), 1.0) for key, each in counts.items()}
    everywhere = _mean([_mean([s for (label, _), s in shares.items() if label == own]) for own in labels])
    sources = {source for _, source in counts}
    explained = {
        source: (1 - alone) * _mean([s for (_, where), s in shares.items() if where == source])
        + alone * everywhere
        for source in sources
    }
    columns = []
    sizes = {
        own: sum(float(each.sum()) for (label, _), each in counts.items() if label == own) for own in labels
    }
    for own in labels:
        keys = [key for key in counts if key[0] == own]
        # A language with less text is believed sooner, or the others would take its texts.
        believed = seen * (sizes[own] / max(sizes.values())) ** balance
        found = sum((counts[key] for key in keys), np.zeros_like(everywhere))
        expected = sum((counts[key].sum() * explained[key[1]] for key in keys), np.zeros_like(everywhere))
        columns.append(np.log((found + believed) / (expected + believed)))
    return np.stack(columns, axis=1)


def likeness(counts: BySource, labels: Sequence[str], background: Counts, *, trust: float = 0.9) -> Counts:
    """Buckets by labels: the log of how much likelier an n-gram is in a label than in any text.

    Sources count by the root of their size, so that one large source is not the whole language.
    """
    base = background / background.sum() + 1e-9
    columns = []
    for own in labels:
        mixed = np.zeros_like(base)
        for (label, _), each in counts.items():
            if label == own:
                mixed += each / max(each.sum(), 1.0) ** 0.5
        share = mixed / max(mixed.sum(), 1e-9)
        columns.append(np.log((trust * share + (1 - trust) * base) / base))
    return np.stack(columns, axis=1)


def quantised(weights: Counts) -> npt.NDArray[np.int8]:
    """Weights in nats as whole numbers of a byte."""
    return np.clip(np.round(weights * UNITS_PER_NAT), -127, 127).astype(np.int8)


def _mean(arrays: Sequence[Counts]) -> Counts:
    return np.asarray(np.stack(arrays).mean(axis=0))
