"""Zipf's exponent from a frequency spectrum: by regression on ranks, and by maximum likelihood.

The spectrum (how many types occur once, twice, …) has all that is needed and is small however large a
corpus. Regression on ranks is what papers do; it is dominated by the many rare words, and its errors are not
independent. Maximum likelihood for the tail (Clauset, Shalizi and Newman 2009) chooses from which
frequency on the law holds, and Vuong's test says whether another law fits that tail better.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Any law fits a tail of fewer types, or one with two distinct frequencies only.
MIN_TAIL_TYPES = 50
MOST_STARTS = 60
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Regression:
    """log frequency = c − exponent · log rank, by least squares over all ranks."""

    exponent: float
    r_squared: float


@dataclass(frozen=True, slots=True)
class Tail:
    """P(frequency = f) ∝ f^−alpha for f ≥ start; Zipf's exponent is 1 / (alpha − 1).

    `distance` is that of Kolmogorov and Smirnov. A positive ratio speaks for the power law, a negative
    one for the other law; where its p is large it decides nothing.
    """

    alpha: float
    alpha_error: float
    start: int
    types: int
    distance: float
    lognormal_ratio: float
    lognormal_p: float
    exponential_ratio: float
    exponential_p: float

    @property
    def exponent(self) -> float:
        return 1 / (self.alpha - 1)


def spectrum_of(counts: Mapping[int, int]) -> tuple[Floats, Floats]:
    """Frequencies, rising, and how many types have each."""
    import numpy as np

    frequencies = sorted(counts)
    return np.array(frequencies, float), np.array([counts[each] for each in frequencies], float)


def regression(frequencies: Floats, types: Floats) -> Regression | None:
    """The papers' fit: a line through all ranks on logarithmic axes; None where all ranks are alike."""
    import numpy as np

    ranks = np.concatenate([[0], np.cumsum(types[::-1])]).astype(np.int64)
    if ranks[-1] < 2 or len(frequencies) < 2:
        return None
    n = sx = sy = sxx = sxy = syy = 0.0
    for place, frequency in enumerate(frequencies[::-1]):
        y = float(np.log(frequency))
        for first in range(ranks[place], ranks[place + 1], _CHUNK):
            x = np.log(np.arange(first + 1, min(first + _CHUNK, ranks[place + 1]) + 1))
            n, sx, sxx = n + len(x), sx + float(x.sum()), sxx + float((x * x).sum())
            sy, sxy, syy = sy + y * len(x), sxy + y * float(x.sum()), syy + y * y * len(x)
    xx, xy, yy = sxx - sx * sx / n, sxy - sx * sy / n, syy - sy * sy / n
    return Regression(-xy / xx, xy * xy / (xx * yy))


def tail(frequencies: Floats, types: Floats) -> Tail | None:
    """The maximum likelihood fit from the start at which it is closest; None for too few types."""
    fits = [
        (*_fit(frequencies[first:], types[first:]), first)
        for first in _starts(frequencies, types)
        if types[first:].sum() >= MIN_TAIL_TYPES
    ]
    if not fits:
        return None
    distance, alpha, first = min(fits)
    f, n = frequencies[first:], types[first:]
    law = _log_power(alpha, f)
    lognormal = _vuong(law, _log_lognormal(f, n), n)
    exponential = _vuong(law, _log_exponential(f, n), n)
    error = (alpha - 1) / float(n.sum()) ** 0.5
    return Tail(alpha, error, int(f[0]), int(n.sum()), distance, *lognormal, *exponential)


def _starts(frequencies: Floats, types: Floats) -> list[int]:
    """Places in the spectrum at which a tail may start: all, or some evenly spread on a logarithmic axis."""
    import numpy as np

    last = len(frequencies) - 3
    if last < 0:
        return []
    places = np.unique(np.geomspace(1, last + 1, MOST_STARTS).astype(int) - 1)
    return [int(place) for place in places]


def _fit(f: Floats, n: Floats) -> tuple[float, float]:
    """The distance and the alpha of the best power law from the first frequency on."""
    import numpy as np
    from scipy.optimize import minimize_scalar
    from scipy.special import zeta

    total, logs = float(n.sum()), float((n * np.log(f)).sum())
    found = minimize_scalar(
        lambda alpha: total * np.log(zeta(alpha, f[0])) + alpha * logs, bounds=(1.01, 6.0), method="bounded"
    )
    alpha = float(found.x)
    seen = np.cumsum(n) / total
    expected = 1 - zeta(alpha, f + 1) / zeta(alpha, f[0])
    return float(np.abs(seen - expected).max()), alpha


def _log_power(alpha: float, f: Floats) -> Floats:
    import numpy as np
    from scipy.special import zeta

    result: Floats = -alpha * np.log(f) - np.log(zeta(alpha, f[0]))
    return result


def _log_lognormal(f: Floats, n: Floats) -> Floats:
    """The log-probability of each frequency under the best lognormal, rounded to whole numbers."""
    import numpy as np
    from scipy.optimize import minimize
    from scipy.special import log_ndtr

    low, high = np.log(f - 0.5), np.log(f + 0.5)

    def log_probability(mu: float, log_sigma: float) -> Floats:
        sigma = np.exp(log_sigma)
        # By the upper tail: where the lower tail is near 1, it loses all precision.
        upper, lower = log_ndtr((mu - low) / sigma), log_ndtr((mu - high) / sigma)
        with np.errstate(divide="ignore", invalid="ignore"):
            inside = upper + np.log1p(-np.exp(np.minimum(lower - upper, -1e-300)))
        result: Floats = np.maximum(inside - log_ndtr((mu - low[0]) / sigma), -1e3)
        return result

    logs = np.log(f)
    mean = float((n * logs).sum() / n.sum())
    spread = max(float((n * (logs - mean) ** 2).sum() / n.sum()) ** 0.5, 0.1)
    found = minimize(
        lambda point: -float((n * log_probability(*point)).sum()),
        [mean, np.log(spread)],
        method="Nelder-Mead",
        options={"maxiter": 2000},
    )
    return log_probability(*found.x)


def _log_exponential(f: Floats, n: Floats) -> Floats:
    """The same under the geometric law, whose best rate is known."""
    import numpy as np

    mean = float((n * (f - f[0])).sum() / n.sum())
    keep = mean / (1 + mean)
    result: Floats = (f - f[0]) * np.log(max(keep, 1e-300)) + np.log(1 - keep)
    return result


def _vuong(one: Floats, other: Floats, n: Floats) -> tuple[float, float]:
    """The normalised log-likelihood ratio of two laws, and its p-value."""
    import numpy as np
    from scipy.special import erfc

    total = float(n.sum())
    ratio = one - other
    mean = float((n * ratio).sum()) / total
    spread = float((n * (ratio - mean) ** 2).sum() / total) ** 0.5
    if not spread:
        return 0.0, 1.0
    normal = mean * total**0.5 / spread
    return normal, float(erfc(abs(normal) / np.sqrt(2)))


def rank_points(frequencies: Floats, types: Floats, scale: int = 1, most: int = 120) -> list[dict[str, Any]]:
    """Points of the rank-frequency curve, evenly spread on a logarithmic axis.

    With one type in `scale` counted, the n-th of them stands for rank n · scale.
    """
    import numpy as np

    ends = np.cumsum(types[::-1])
    if not len(ends):
        return []
    ranks = np.unique(np.geomspace(1, ends[-1], most).round().astype(np.int64))
    places = np.searchsorted(ends, ranks)
    values = frequencies[::-1][places]
    return [
        {"rank": int(rank) * scale, "frequency": int(value)}
        for rank, value in zip(ranks.tolist(), values.tolist(), strict=True)
    ]
