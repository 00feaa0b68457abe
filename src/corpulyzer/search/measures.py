"""Statistics of what stands beside the matches of a query: collocates and clusters.

Counts of matches are of the documents that were looked at; where these are a sample, they are scaled up.
Where a search is limited, the whole is what it is limited to.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from corpulyzer.errors import UserError
from corpulyzer.search.finding.beside import company
from corpulyzer.search.lexicon import counts_of
from corpulyzer.search.matches import Found

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

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
TERMS_AT_ONCE, MOST_TERMS = 4, 1_000_000
"""Chances that are added at once for each pair of words, and for all pairs together, at most."""


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
    both: NDArray[Any], first: int, second: NDArray[np.int64], total: int
) -> NDArray[np.float64]:
    """The same of many tables at once."""
    import numpy as np
    from scipy.special import xlogy

    rest = total - first, total - second
    table = [
        (both, first, second),
        (first - both, first, rest[1]),
        (second - both, rest[0], second),
        (total - first - second + both, *rest),
    ]
    found: NDArray[np.float64] = np.zeros(len(second))
    with np.errstate(divide="ignore", invalid="ignore"):  # a table with an empty row has no such terms
        for o, row, column in table:
            found += np.where(o > 0, 2 * xlogy(o, o / row / column * total), 0.0)
    return found


def fisher(both: ArrayLike, first: ArrayLike, second: ArrayLike, total: int) -> NDArray[np.float64]:
    """Fisher's exact test, one-sided: minus the decimal logarithm of the chance of so many together, or more.

    Where that is more likely than not, it is told from the chance of fewer: there are fewer terms to add.

    >>> round(float(fisher(3, 4, 4, 8)), 4)
    0.6146
    """
    import numpy as np

    given = np.broadcast_arrays(*(np.asarray(each, np.float64) for each in (both, first, second)))
    together, one, other = (each.ravel() for each in given)
    fewest, most = np.maximum(one + other - total, 0), np.minimum(one, other)
    can_be = (together <= most) & (one <= total) & (other <= total)
    found = np.zeros(len(together))
    expected = (one + 1) * (other + 1) / (total + 2)
    likely = can_be & (together < expected)
    for chosen, step in ((can_be & ~likely, 1), (likely & (together > fewest), -1)):
        begin = np.maximum(together[chosen], fewest[chosen]) - (step < 0)
        end = (most if step > 0 else fewest)[chosen]
        chance = _log_of_chances(begin, end, one[chosen], other[chosen], total)
        found[chosen] = -chance if step > 0 else -np.log1p(-np.minimum(np.exp(chance), 1.0))
    return np.maximum(0.0, found / math.log(10)).reshape(given[0].shape)


def _log_of_chances(
    begin: NDArray[np.float64],
    end: NDArray[np.float64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    total: int,
) -> NDArray[np.float64]:
    """The logarithm of the chance of as many as `begin` or `end`, or any number between them.

    From begin to end the chances must become less; those that change nothing any more are not added.
    """
    import numpy as np

    alone = _log_of_choices(first, begin) + _log_of_choices(total - first, second - begin)
    alone -= _log_of_choices(total, second)
    steps, up = np.abs(end - begin), end >= begin
    tail, term, done, size = np.ones(len(begin)), np.ones(len(begin)), 0, TERMS_AT_ONCE
    left = np.flatnonzero(steps > 0)
    while len(left):
        own = np.stack([begin, first, second, steps])[:, left, None]
        factors = _factors(*own, up=up[left, None], total=total, turns=done + np.arange(size))
        terms = term[left, None] * np.cumprod(factors, axis=1)
        tail[left] += terms.sum(axis=1)
        term[left] = terms[:, -1]
        left = left[term[left] > tail[left] * 1e-12]
        done += size
        size = max(TERMS_AT_ONCE, min(2 * size, MOST_TERMS // max(1, len(left))))
    found: NDArray[np.float64] = alone + np.log(tail)
    return found


def _factors(
    begin: NDArray[np.float64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    steps: NDArray[np.float64],
    *,
    up: NDArray[np.bool_],
    total: int,
    turns: NDArray[np.int64],
) -> NDArray[np.float64]:
    """By how much the chance changes at some steps up or down from `begin`; by 0 after the last."""
    import numpy as np

    fewer = np.where(up, begin + turns, begin - turns - 1)  # a step goes from or to it
    more = (first - fewer) * (second - fewer)
    less = (fewer + 1) * (total - first - second + fewer + 1)
    with np.errstate(divide="ignore", invalid="ignore"):  # only after the last step
        factors = np.where(up, more / less, less / more)
    return np.where(turns < steps, factors, 0.0)


def _log_of_choices(of: ArrayLike, chosen: ArrayLike) -> NDArray[np.float64]:
    import numpy as np
    from scipy.special import gammaln

    of, chosen = np.asarray(of, np.float64), np.asarray(chosen, np.float64)
    found: NDArray[np.float64] = gammaln(of + 1) - gammaln(chosen + 1) - gammaln(of - chosen + 1)
    return found


def collocations(
    index: Index, found: Found, window: int = WINDOW, least: int = 2, by: Measure = "log_dice"
) -> list[Collocate]:
    """The words within `window` units of the matches and in their paragraph, the strongest first."""
    import numpy as np

    if by not in MEASURES:
        raise UserError(f"There is no measure {by!r}.", f"Measures: {', '.join(MEASURES)}.")
    words, together, counts, total = _counted(index, found, window, least)
    columns = _measured(together, found.hits, counts, total)
    order = np.argsort(-columns[by], kind="stable")
    chosen = (columns[name][order].tolist() for name in Collocate.__slots__[1:])
    return [Collocate(words[at], *row) for at, *row in zip(order.tolist(), *chosen, strict=True)]


def log_dices(
    index: Index, found: Found, window: int = WINDOW, least: int = 2
) -> dict[str, tuple[int, float]]:
    """Of the same words, how often they stand near the matches, and logDice alone."""
    import numpy as np

    words, together, counts, _ = _counted(index, found, window, least)
    strengths = log_dice(together, found.hits, counts)
    return dict(
        zip(words, zip(np.rint(together).astype(int).tolist(), strengths.tolist(), strict=True), strict=True)
    )


def log_dice(together: NDArray[np.float64], node: int, counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Rychlý's measure, of the counts of two words together and of each."""
    import numpy as np

    # In a window a word may be counted for two matches, and so more often than it occurs.
    both = np.minimum(np.minimum(together, node), counts)
    found: NDArray[np.float64] = LOG_DICE_MOST + np.log2(2 * both / (node + counts))
    return found


def _counted(
    index: Index, found: Found, window: int, least: int
) -> tuple[list[str], NDArray[np.float64], NDArray[np.int64], int]:
    """The words near the matches: how often they stand there, and come in all; and the size of all."""
    import numpy as np

    scale = found.hits / found.seen if found.seen else 1.0
    counted = company(((place.streams, place.matches) for place in found.places), window)
    near = {word: n for word, n in counted.items() if n >= least}
    # Marks between words, and tokens of an annotation that are parts of words, are not counted.
    counts, total = counts_of(index, found.only, "words", near)
    words = sorted(counts)
    together = np.array([near[word] for word in words], dtype=np.float64) * scale
    return words, together, np.array([counts[word] for word in words], dtype=np.int64), total


def _measured(
    together: NDArray[np.float64], node: int, counts: NDArray[np.int64], total: int
) -> dict[str, NDArray[Any]]:
    """All measures of collocates, by their names."""
    import numpy as np

    both = np.minimum(np.minimum(together, node), counts)
    by_chance = node * counts.astype(np.float64) / max(1, total)
    return {
        "together": np.rint(together).astype(np.int64),
        "count": counts,
        "log_dice": log_dice(together, node, counts),
        "mutual_information": np.log2(both / by_chance),
        "mutual_information_3": np.log2(both**3 / by_chance),
        "t_score": (both - by_chance) / np.sqrt(both),
        "log_likelihood": log_likelihoods(both, node, counts, total),
        "fisher": fisher(np.rint(both), node, counts, total),
    }


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
