"""How far annotators agree beyond chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence


def cohen_kappa(first: Mapping[int, str], second: Mapping[int, str]) -> float | None:
    """Cohen's (1960) kappa of two annotators over what both have labelled; None where it is not defined.

    >>> cohen_kappa({1: "a", 2: "a", 3: "b", 4: "b"}, {1: "a", 2: "b", 3: "b", 4: "b"})
    0.5
    """
    common = [(first[key], second[key]) for key in first if key in second]
    if not common:
        return None
    observed = sum(a == b for a, b in common) / len(common)
    one, other = Counter(a for a, _ in common), Counter(b for _, b in common)
    expected = sum(one[label] * other[label] for label in one) / len(common) ** 2
    return (observed - expected) / (1 - expected) if expected < 1 else None


def krippendorff_alpha(units: Sequence[Sequence[str]]) -> float | None:
    """Krippendorff's alpha for nominal labels: `units` are the labels of each item, by however many.

    Items with one label say nothing of agreement. None where it is not defined.
    """
    pairable = [labels for labels in units if len(labels) > 1]
    values = Counter(label for labels in pairable for label in labels)
    total = sum(values.values())
    apart = sum(_disagreements(labels) / (len(labels) - 1) for labels in pairable)
    expected = sum(n * (total - n) for n in values.values())
    return 1 - (total - 1) * apart / expected if expected else None


def _disagreements(labels: Sequence[str]) -> int:
    counts = Counter(labels)
    return sum(n * (len(labels) - n) for n in counts.values())
