"""Extractors beside each other on the pages of a gold set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from corpulyzer.engine.progress import Progress, silent
from corpulyzer.errors import UserError
from corpulyzer.lab.evaluate.extraction import GoldPage, Measured, Summary, measure, summaries, worst
from corpulyzer.lab.evaluate.text_metrics import METRICS, Metric
from corpulyzer.page.extract.published.peers import PEERS, peer_named

KEYS = {"set": "group", "page type": "kind", "language": "language"}
"""What pages are grouped by, and the name that it has in a page."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What each extractor made of the pages, by its name; the one that was named first stands first."""

    metric: Metric
    measured: Mapping[str, Sequence[Measured]]

    def groups(self, name: str) -> dict[str, dict[str, Summary]]:
        """The figures of an extractor by set, and by page type and language where there are several."""
        found = {
            what: summaries(self.measured[name], attrgetter(field), self.metric)
            for what, field in KEYS.items()
        }
        return {what: groups for what, groups in found.items() if what == "set" or len(groups) > 1}

    def worst(self, count: int) -> list[Measured]:
        """The pages on which the first extractor does worst."""
        return worst(next(iter(self.measured.values())), count)

    def to_json(self, count: int) -> dict[str, Any]:
        """The same as plain values, with so many of the worst pages of each extractor."""
        return {
            "metric": self.metric,
            "extractors": {
                name: {
                    **{
                        what: {group: figures.to_json() for group, figures in groups.items()}
                        for what, groups in self.groups(name).items()
                    },
                    "worst": [
                        {"set": m.page.group, "id": m.page.id, "url": m.page.url, "f1": m.score.f1}
                        for m in worst(measured, count)
                    ],
                }
                for name, measured in self.measured.items()
            },
        }


def compare_extractors(
    pages: Sequence[GoldPage], names: Iterable[str], metric: Metric, progress: Progress = silent
) -> Compared:
    """Measure each extractor on the pages; `peers` stands for those of other projects that are installed."""
    return Compared(metric, {name: _measured(pages, name, metric, progress) for name in _chosen(names)})


def metric_named(name: str) -> Metric:
    """The metric of a name; UserError where there is none."""
    for metric in METRICS:
        if metric == name:
            return metric
    raise UserError(f"There is no metric {name!r}.", f"Metrics: {', '.join(METRICS)}.")


def _chosen(names: Iterable[str]) -> list[str]:
    chosen = (each for name in names for each in (_installed_peers() if name == "peers" else [name]))
    return list(dict.fromkeys(chosen))


def _installed_peers() -> list[str]:
    found = []
    for peer in PEERS:
        try:
            peer_named(peer)
        except UserError:
            continue
        found.append(peer)
    return found


def _measured(pages: Sequence[GoldPage], name: str, metric: Metric, progress: Progress) -> list[Measured]:
    measured = []
    for done, one in enumerate(measure(pages, name, metric), 1):
        measured.append(one)
        progress(name, done, len(pages))
    return measured
