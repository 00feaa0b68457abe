"""Growth curves: how many distinct words, character triples or morphs the first N of a shuffled corpus have.

The isiXhosa paper shuffles documents, then draws every curve with and without repeated sentences, of which
the first is kept (XH-15, XH-16). Here several shuffles give a band.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

POINTS = 40


@dataclass(frozen=True, slots=True, eq=False)
class Running:
    """Documents as numbers: for each sentence its document, its text and the span of its units."""

    documents: Integers
    sentences: Integers
    starts: Integers
    lengths: Integers
    units: Integers

    @property
    def types(self) -> int:
        return int(self.units.max()) + 1 if len(self.units) else 0


def running(documents: Iterable[Iterable[tuple[str, Sequence[Any]]]]) -> Running:
    """Documents of (sentence, its units), with sentences and units numbered as they first occur."""
    import numpy as np

    # Arrays, since a list of Python's numbers would take four times their memory.
    owners, texts, lengths, units = (array("q") for _ in range(4))
    known_texts: dict[str, int] = {}
    known_units: dict[Any, int] = {}
    for number, sentences in enumerate(documents):
        for sentence, found in sentences:
            owners.append(number)
            texts.append(known_texts.setdefault(sentence, len(known_texts)))
            lengths.append(len(found))
            units.extend([known_units.setdefault(unit, len(known_units)) for unit in found])
    of_documents, of_texts, sizes, all_units = (
        np.frombuffer(each, np.int64) for each in (owners, texts, lengths, units)
    )
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])[:-1]
    return Running(of_documents, of_texts, starts, sizes, all_units)


def shuffled(text: Running, rng: np.random.Generator, *, unique: bool) -> Integers:
    """The units in the order of shuffled documents; with `unique`, of each sentence the first copy alone."""
    import numpy as np

    places = rng.permutation(int(text.documents.max()) + 1 if len(text.documents) else 0)
    order = np.argsort(places[text.documents], kind="stable")
    if unique:
        order = order[_first_of_each(text.sentences[order])]
    lengths = text.lengths[order]
    offsets = np.repeat(text.starts[order] - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths)
    result: Integers = text.units[offsets.astype(np.int64) + np.arange(len(offsets))]
    return result


def _first_of_each(values: Integers) -> Integers:
    """The places at which values occur for the first time, in order."""
    import numpy as np

    if not len(values):
        return values
    first = np.full(int(values.max()) + 1, -1, dtype=np.int64)
    # Written from the end, so that the first place stays.
    first[values[::-1]] = np.arange(len(values) - 1, -1, -1)
    result: Integers = np.sort(first[first >= 0])
    return result


def growth_curve(units: Integers, sizes: Sequence[int]) -> list[int]:
    """Distinct units among the first N, for each N.

    >>> import numpy as np
    >>> growth_curve(np.array([0, 0, 1, 0, 2]), [1, 2, 3, 5])
    [1, 1, 2, 3]
    """
    import numpy as np

    found: list[int] = np.searchsorted(_first_of_each(units), np.array(sizes), side="left").tolist()
    return found


def sizes_up_to(total: int, points: int = POINTS) -> list[int]:
    """Sizes evenly spread on a logarithmic axis, the last one all."""
    import numpy as np

    if not total:
        return []
    spread = np.geomspace(min(100, total), total, points).round().astype(int)
    return [int(size) for size in np.unique(spread)]


@dataclass(frozen=True, slots=True)
class Heaps:
    """V = k · N^beta by least squares: on logarithmic axes, and on plain ones, which weigh the end more.

    Errors are standard errors of beta from the points of one curve, which depend on one another: they are too
    small. `end_residual` is the error of the plain fit at the last point, as a share of that point's value.
    """

    k: float
    beta: float
    beta_error: float
    r_squared: float
    log_k: float
    log_beta: float
    log_beta_error: float
    log_r_squared: float
    end_residual: float
    log_end_residual: float


def fit_heaps(sizes: Sequence[int], types: Sequence[float]) -> Heaps | None:
    """Both fits of a growth curve; None where there are fewer than four points, or none fits."""
    import numpy as np
    from scipy.optimize import curve_fit

    n, v = np.array(sizes, float), np.array(types, float)
    if len(n) < 4 or v[-1] <= v[0]:
        return None
    (slope, intercept), covariance = np.polyfit(np.log(n), np.log(v), 1, cov=True)
    log_k, log_error = float(np.exp(intercept)), float(covariance[0, 0] ** 0.5)
    try:
        (k, beta), spread = curve_fit(lambda x, k, beta: k * x**beta, n, v, p0=(log_k, slope), maxfev=10_000)
    except RuntimeError:  # no minimum was found: the points follow no such law
        return None
    plain, logarithmic = k * n**beta, log_k * n**slope
    return Heaps(
        k=float(k),
        beta=float(beta),
        beta_error=float(spread[1, 1] ** 0.5),
        r_squared=_r_squared(v, plain),
        log_k=log_k,
        log_beta=float(slope),
        log_beta_error=log_error,
        log_r_squared=_r_squared(np.log(v), np.log(logarithmic)),
        end_residual=float((plain[-1] - v[-1]) / v[-1]),
        log_end_residual=float((logarithmic[-1] - v[-1]) / v[-1]),
    )


def _r_squared(seen: Any, fitted: Any) -> float:
    return float(1 - ((seen - fitted) ** 2).sum() / ((seen - seen.mean()) ** 2).sum())
