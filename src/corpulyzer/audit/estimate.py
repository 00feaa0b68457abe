"""What the labels of a sample say of the whole corpus, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corpulyzer.audit.labels import FLAGS, LABELS, Label, shares
from corpulyzer.audit.sample import Item

Z_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share of the corpus, with a Wilson interval of 95 %; `labelled` documents speak for it."""

    code: str
    name: str
    share: float
    low: float
    high: float
    labelled: int


def wilson(share: float, n: float, z: float = Z_95) -> tuple[float, float]:
    """Wilson's (1927) interval for a share that `n` independent observations gave.

    >>> tuple(round(bound, 4) for bound in wilson(0.9, 10))
    (0.5958, 0.9821)
    """
    if n <= 0:
        return 0.0, 1.0
    middle = share + z * z / (2 * n)
    spread = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def effective_size(weights: Sequence[float]) -> float:
    """Kish's effective sample size: how many equal observations weighted ones are worth.

    >>> effective_size([1, 1, 2])
    2.6666666666666665
    """
    squares = sum(weight * weight for weight in weights)
    return sum(weights) ** 2 / squares if squares else 0.0


def estimates(items: Sequence[Item], labels: Mapping[str, Sequence[Label]]) -> list[Estimate]:
    """The share of each label and flag in the corpus, and of all labels that are in the language.

    Strata are weighted by the documents that they hold. Weights are those of the strata with labels: an
    audit that is under way speaks for the strata it has reached. Each of n annotators of a document counts
    1/n.
    """
    given = by_item(labels)
    known = [item for item in items if item.id in given]
    weights = reweighted(items, known)
    good = tuple(kind.code for kind in LABELS if kind.good)
    rows = [("C", "in the language", good)]
    rows += [(kind.code, kind.name, (kind.code,)) for kind in (*LABELS, *FLAGS)]
    size = effective_size(list(weights.values()))
    found = []
    for code, name, codes in rows:
        total = sum(weights[item.id] * sum(shares(given[item.id], c) for c in codes) for item in known)
        share = total / sum(weights.values()) if known else 0.0
        found.append(Estimate(code, name, share, *wilson(share, size), len(known)))
    return found


def by_item(labels: Mapping[str, Sequence[Label]]) -> dict[int, list[Label]]:
    """The labels of each document, by all annotators."""
    given: dict[int, list[Label]] = {}
    for some in labels.values():
        for label in some:
            given.setdefault(label.id, []).append(label)
    return given


def reweighted(items: Sequence[Item], known: Sequence[Item]) -> dict[int, float]:
    """The weight of each labelled item: the documents of its stratum over the labelled ones in it."""
    population: dict[str, float] = {}
    for item in items:
        population[item.stratum] = population.get(item.stratum, 0.0) + item.weight
    labelled: dict[str, int] = {}
    for item in known:
        labelled[item.stratum] = labelled.get(item.stratum, 0) + 1
    return {item.id: population[item.stratum] / labelled[item.stratum] for item in known}


def by_site(
    items: Sequence[Item], labels: Mapping[str, Sequence[Label]], least: int = 1
) -> dict[str, list[Estimate]]:
    """The same for each site with at least that many labelled documents."""
    given = by_item(labels)
    groups: dict[str, list[Item]] = {}
    for item in items:
        if item.id in given:
            groups.setdefault(item.site, []).append(item)
    return {site: estimates(group, labels) for site, group in sorted(groups.items()) if len(group) >= least}
