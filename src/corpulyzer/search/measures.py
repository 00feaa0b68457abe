"""Statistics of what stands beside the matches of a query: collocates and clusters.

Counts of matches are of the documents that were looked at; where these are a sample, they are scaled up.
Where a search is limited, the whole is what it is limited to.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from corpulyzer.errors import UserError
from corpulyzer.search.finding.beside import company
from corpulyzer.search.lexicon import counts_of
from corpulyzer.search.matches import Found

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.search.index import Index

WINDOW = 5
Measure = Literal[
    "log_dice",
    "mutual_information",
    "mutual_information_3",
    "t_score",
    "log_likelihood",
    "fisher",
    "together",
]
MEASURES: tuple[Measure, ...] = get_args(Measure)
LOG_DICE_MOST = 14


@dataclass(frozen=True, slots=True)
class Collocate:
    """A collocate: how often it occurs near the matches, how often in all, and how strong the association is.

    logDice after Rychlý (2008), pointwise mutual information, the same of the cube of the common count
    (Daille 1994), Student's t, log-likelihood after Dunning (1993), Fisher's exact test (see `fisher`).
    """

    word: str
    together: int
    count: int
    log_dice: float
    mutual_information: float
    mutual_information_3: float
    t_score: float
    log_likelihood: float
    fisher: float


def log_likelihood(both: float, first: float, second: float, total: float) -> float:
    """Dunning's G² of a 2 × 2 table, from the count of both, of each, and of everything.

    >>> round(log_likelihood(10, 20, 30, 100), 4)
    4.4734
    """
    rest = total - first, total - second
    table = [
        (both, first, second),
        (first - both, first, rest[1]),
        (second - both, rest[0], second),
        (total - first - second + both, *rest),
    ]
    return 2 * sum(o * math.log(o * total / (row * column)) for o, row, column in table if o > 0)


def log_likelihoods(
    both: NDArray[np.int64], first: int, second: NDArray[np.int64], total: int
) -> NDArray[np.float64]:
    """The same of many tables at once."""
    from scipy.special import xlogy

    rest = total - first, total - second
    table = [
        (both, first, second),
        (first - both, first, rest[1]),
        (second - both, rest[0], second),
        (total - first - second + both, *rest),
    ]
    terms = (xlogy(o, o / row / column * total) for o, row, column in table)
    found: NDArray[np.float64] = 2 * sum(terms)
    return found


def fisher(both: int, first: int, second: int, total: int) -> float:
    """Fisher's exact test, one-sided: minus the decimal logarithm of the chance of so many together, or more.

    >>> round(fisher(3, 4, 4, 8), 4)
    0.6146
    """
    most = min(first, second)
    if both > most or first > total or second > total:
        return 0.0
    least = max(both, first + second - total, 0)
    chance = _log_of_choices(first, least) + _log_of_choices(total - first, second - least)
    chance -= _log_of_choices(total, second)
    term = tail = 1.0
    for n in range(least, most):
        term *= (first - n) * (second - n) / ((n + 1) * (total - first - second + n + 1))
        tail += term
        if term < tail * 1e-12:
            break
    return max(0.0, -(chance + math.log(tail)) / math.log(10))


def _log_of_choices(of: int, chosen: int) -> float:
    return math.lgamma(of + 1) - math.lgamma(chosen + 1) - math.lgamma(of - chosen + 1)


def collocations(
    index: Index, found: Found, window: int = WINDOW, least: int = 2, by: Measure = "log_dice"
) -> list[Collocate]:
    """The words within `window` units of the matches and in their paragraph, the strongest first."""
    if by not in MEASURES:
        raise UserError(f"There is no measure {by!r}.", f"Measures: {', '.join(MEASURES)}.")
    counted, total = _counted(index, found, window, least)
    rows = [_collocate(word, together, found.hits, count, total) for word, together, count in counted]
    return sorted(rows, key=lambda row: (-getattr(row, by), row.word))


def log_dices(
    index: Index, found: Found, window: int = WINDOW, least: int = 2
) -> dict[str, tuple[int, float]]:
    """Of the same words, how often they stand near the matches, and logDice alone."""
    counted, _ = _counted(index, found, window, least)
    return {word: (round(n), log_dice(n, found.hits, count)) for word, n, count in counted}


def log_dice(together: float, node: int, count: int) -> float:
    """Rychlý's measure, of the counts of two words together and of each."""
    # In a window a word may be counted for two matches, and so more often than it occurs.
    return LOG_DICE_MOST + math.log2(2 * min(together, node, count) / (node + count))


def _counted(index: Index, found: Found, window: int, least: int) -> tuple[list[tuple[str, float, int]], int]:
    """The words near the matches: how often they stand there, and come in all; and the size of all."""
    scale = found.hits / found.seen if found.seen else 1.0
    counted = company(((place.streams, place.matches) for place in found.places), window)
    near = {word: n * scale for word, n in counted.items() if n >= least}
    # Marks between words, and tokens of an annotation that are parts of words, are not counted.
    counts, total = counts_of(index, found.only, "words", near)
    return [(word, n, counts[word]) for word, n in near.items() if word in counts], total


def _collocate(word: str, together: float, node: int, count: int, total: int) -> Collocate:
    both = min(together, node, count)
    return Collocate(
        word=word,
        together=round(together),
        count=count,
        log_dice=log_dice(together, node, count),
        mutual_information=math.log2(both * total / (node * count)),
        mutual_information_3=math.log2(both**3 * total / (node * count)),
        t_score=(both - node * count / total) / math.sqrt(both),
        log_likelihood=log_likelihood(both, node, count, total),
        fisher=fisher(round(both), node, count, total),
    )


def clusters(found: Found, n: int = 3) -> list[tuple[str, int]]:
    """The sequences of `n` units that hold a match, as they are written, the most frequent first."""
    counts: Counter[tuple[str, ...]] = Counter()
    written: dict[tuple[str, ...], str] = {}
    for place in found.places:
        streams = place.streams
        for first, stop in place.matches:
            begins, ends = streams.paragraph(first)
            for start in range(max(begins, stop - n), min(first, ends - n) + 1):
                key = tuple(streams.words[start : start + n])
                counts[key] += 1
                if key not in written:
                    spans = streams.spans[start : start + n]
                    written[key] = streams.text[spans[0][0] : spans[-1][1]]
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [(written[key], count) for key, count in ranked]
