"""Two word lists side by side: how the ranks of frequent words agree, and which words each has more of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corpulyzer.errors import UserError
from corpulyzer.measure.statistics.correlation import spearman
from corpulyzer.storage import open_input

TOP_N = (100, 1_000, 10_000)
# Below this likelihood ratio a difference may be chance (p > .0001 for one degree of freedom).
MIN_LIKELIHOOD = 15.13
MIN_USES = 5


@dataclass(frozen=True, slots=True)
class Agreement:
    """Spearman's rho over the most frequent words of the first list, and how many the other lacks."""

    words: int
    rho: float | None
    p: float | None
    missing: int


def top_n_spearman(gold: Sequence[str], ranks: Mapping[str, int], n: int) -> Agreement:
    """How the ranks of the N first words of `gold` agree with `ranks` of the other list (C4-15).

    Words that the other list lacks share the last rank. Not symmetric.

    >>> top_n_spearman(["a", "b", "c"], {"b": 0, "a": 1, "c": 7}, 3).rho
    0.5
    """
    top = gold[:n]
    behind = max(ranks.values(), default=0) + 1
    found = [ranks.get(word, behind) for word in top]
    rho = spearman(list(range(len(top))), found)
    return Agreement(len(top), rho, _p(rho, len(top)), sum(1 for word in top if word not in ranks))


def _p(rho: float | None, n: int) -> float | None:
    """The p-value of rho, by Student's t."""
    from scipy.special import stdtr

    if rho is None or n < 3:
        return None
    if abs(rho) >= 1:
        return 0.0
    t = abs(rho) * math.sqrt((n - 2) / (1 - rho * rho))
    return float(2 * stdtr(n - 2, -t))


@dataclass(frozen=True, slots=True)
class Keyness:
    """How much more a word is used here than there: a ratio in powers of two, and how sure that is."""

    word: str
    uses: int
    per_million: float
    other_uses: int
    other_per_million: float
    log_ratio: float
    log_likelihood: float


def keyness(word: str, uses: int, total: int, other_uses: int, other_total: int) -> Keyness:
    """Log-ratio (Hardie 2014) and log-likelihood (Dunning 1993). In the ratio, 0 uses count as half a use.

    >>> found = keyness("x", 20, 1000, 5, 1000)
    >>> found.log_ratio, round(found.log_likelihood, 2)
    (2.0, 9.64)
    """
    ratio = math.log2((uses or 0.5) / total) - math.log2((other_uses or 0.5) / other_total)
    both = (uses + other_uses) / (total + other_total)
    likelihood = 2 * (_part(uses, total * both) + _part(other_uses, other_total * both))
    return Keyness(
        word,
        uses,
        uses * 1e6 / total,
        other_uses,
        other_uses * 1e6 / other_total,
        ratio,
        max(0.0, likelihood),
    )


def _part(seen: int, expected: float) -> float:
    return seen * math.log(seen / expected) if seen else 0.0


def keywords(
    own: Mapping[str, int], total: int, other: Mapping[str, int], other_total: int, most: int
) -> list[Keyness]:
    """Words used significantly more here than in `other`, the largest ratio first.

    A word that `other` lacks counts as unused there, so `other` must be the complete list.
    """
    if not total or not other_total:
        return []
    found = [
        keyness(word, uses, total, other.get(word, 0), other_total)
        for word, uses in own.items()
        if uses >= MIN_USES
    ]
    sure = [each for each in found if each.log_ratio > 0 and each.log_likelihood >= MIN_LIKELIHOOD]
    return sorted(sure, key=lambda each: (-each.log_ratio, -each.log_likelihood, each.word))[:most]


def read_word_list(path: str) -> dict[str, int]:
    """A word list: lines of a word and a number, in either order, between tabs, commas or spaces."""
    with open_input(path) as file:
        lines = bytes(file.read()).decode("utf-8-sig").splitlines()
    found: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        cells = [cell for cell in line.replace("\t", " ").replace(",", " ").replace(";", " ").split() if cell]
        counts = [cell for cell in cells if cell.isdecimal()]
        words = [cell for cell in cells if not cell.isdecimal()]
        if not counts or not words:
            if number == 1 or not cells:
                continue
            raise UserError(
                f"{path}, line {number}: no word with its number of uses in {line[:60]!r}.",
                "Give one word and one number a line.",
            )
        word = words[0].lower()
        found[word] = found.get(word, 0) + int(counts[-1])
    return found
