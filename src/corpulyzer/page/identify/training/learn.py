"""How weights are learned, from counts of n-grams by language and by source.

A language with a single source must not be recognised by the topics of that source. So a weight compares a
language with the other languages *of the same source*; a source with no other language says little of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from corpulyzer.page.identify.ngrams import hashed, letters_of

Counts = npt.NDArray[np.float64]
BySource = Mapping[tuple[str, str], Counts]

# Weights are stored in twelfths of a nat, so that a byte holds up to 10.6 nats, which is enough.
UNITS_PER_NAT = 12.0
RARITY_PER_NAT = 8.0
TRUST = 0.9
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
    """Buckets by labels: the log of how much likelier an n-gram is in a label than in its sources overall.

    `seen` is the smoothing constant, in n-grams. `alone` is the share of the expected counts that is taken
    from all sources instead of the same one.
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
        # Less text, more smoothing: n-grams that are missing by chance must not speak against a language.
        believed = seen * (sizes[own] / max(sizes.values())) ** balance
        found = sum((counts[key] for key in keys), np.zeros_like(everywhere))
        expected = sum((counts[key].sum() * explained[key[1]] for key in keys), np.zeros_like(everywhere))
        columns.append(np.log((found + believed) / (expected + believed)))
    return np.stack(columns, axis=1)


def likeness(counts: BySource, labels: Sequence[str], background: Counts, *, trust: float = TRUST) -> Counts:
    """Buckets by labels: the log of how much likelier an n-gram is in a label than in any text.

    Sources count by the square root of their size, so that a large one does not outweigh all others.
    """
    # Rounded as it is stored, so that a label added later is compared with the same numbers.
    base = shares_of(rarity(background))
    columns = []
    for own in labels:
        mixed = np.zeros_like(base)
        for (label, _), each in counts.items():
            if label == own:
                mixed += each / max(each.sum(), 1.0) ** 0.5
        share = mixed / max(mixed.sum(), 1e-9)
        columns.append(columns_of(share, base, trust))
    return np.stack(columns, axis=1)


def rarity(background: Counts) -> npt.NDArray[np.uint8]:
    """How rare the n-grams of each bucket are, in eighths of a nat; at most one in a thousand million."""
    shares = background / background.sum() + 1e-9
    levels = np.clip(np.round(-np.log(shares) * RARITY_PER_NAT), 0, 255)
    return np.asarray(levels, np.uint8)


def shares_of(rare: npt.NDArray[np.uint8]) -> Counts:
    """The share of each bucket in any text, from how rare it is."""
    return np.asarray(np.exp(-rare.astype(float) / RARITY_PER_NAT))


def columns_of(shares: Counts, base: Counts, trust: float) -> Counts:
    """The log of how much likelier n-grams are than in any text, smoothed: `shares` weigh `trust`."""
    return np.asarray(np.log((trust * shares + (1 - trust) * base) / base))


def quantised(weights: Counts) -> npt.NDArray[np.int8]:
    """Weights in nats as integers of a byte, in `UNITS_PER_NAT`."""
    return np.clip(np.round(weights * UNITS_PER_NAT), -127, 127).astype(np.int8)


def _mean(arrays: Sequence[Counts]) -> Counts:
    return np.asarray(np.stack(arrays).mean(axis=0))
