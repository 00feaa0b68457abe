"""What a step takes on this machine: measured at two sizes, which tells its start from its pages."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from corpulyzer.corpus.settings.tables import AnalyzeTable
from corpulyzer.errors import UserError

USUAL_SAMPLE = AnalyzeTable().sample


@dataclass(frozen=True, slots=True)
class Usage:
    """Processor time, and bytes that are read, that are written and not kept, and that stay on the disk."""

    cpu_seconds: float = 0.0
    read_bytes: float = 0.0
    passed_bytes: float = 0.0
    kept_bytes: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))

    def __mul__(self, times: float) -> Usage:
        return Usage(*(getattr(self, each.name) * times for each in fields(self)))


@dataclass(frozen=True, slots=True)
class Step:
    """What a step took in a trial of so many pages; `kept` are the documents that the corpus then had."""

    way: str
    name: str
    pages: int
    usage: Usage
    rounds: int = 0
    kept: int = 0

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Unit:
    """What a step takes at its start and for each page.

    A crawl takes `start` in each of `rounds`. What takes a sample has a `sample`, and `page` is what each
    document costs that is taken; there are `kept` documents to a page.
    """

    name: str
    start: Usage
    page: Usage
    rounds: int = 0
    kept: float = 0.0
    sample: int = 0

    def amount(self, pages: float) -> float:
        """What the step works on of so many pages: all of them, or the documents that it takes."""
        return taken(pages * self.kept, self.sample) if self.sample else pages

    def of(self, pages: float, round_pages: int = 2000) -> Usage:
        """What the step takes for so many pages."""
        starts = max(1.0, pages / round_pages / self.rounds) if self.rounds else 1.0
        return self.start * starts + self.page * self.amount(pages)


def taken(documents: float, sample: int) -> float:
    """How many documents fits to a sample read: growth curves once, topics in each of their three fits.

    >>> [taken(documents, 20_000) for documents in (1_000, 10_000, 10**9)]
    [3500, 17000, 55000]
    """
    from corpulyzer.measure.words.topics import sample_size

    there = round(documents)
    size = sample_size(there, sample)
    return size + size // 2 + min(2 * size, there) + min(there, sample)


Units = Mapping[str, tuple[Unit, ...]]
"""The steps of each way to a corpus: `batch`, from archives, and `crawl`."""


def fitted(steps: Iterable[Step], sampled: Iterable[str], sample: int) -> dict[str, tuple[Unit, ...]]:
    """The units of steps that were each measured at a small and at a large size.

    Those of `sampled` take a sample of so many documents at most.
    """
    pairs: dict[tuple[str, str], list[Step]] = {}
    for step in steps:
        pairs.setdefault((step.way, step.name), []).append(step)
    found: dict[str, tuple[Unit, ...]] = {}
    for (way, name), measured in pairs.items():
        small, large = sorted(measured, key=lambda step: step.pages)
        unit = _unit(small, large, sample if name in sampled else 0)
        found[way] = (*found.get(way, ()), unit)
    return found


def _unit(small: Step, large: Step, sample: int) -> Unit:
    start, page = {}, {}
    # Trials have the usual sample, whatever that of the project is.
    amounts = [taken(step.kept, USUAL_SAMPLE) if sample else step.pages for step in (small, large)]
    more = amounts[1] - amounts[0]
    for each in fields(Usage):
        few, many = getattr(small.usage, each.name), getattr(large.usage, each.name)
        # Noise can make the small run the dearer one.
        page[each.name] = max(0.0, (many - few) / more) if more > 0 else 0.0
        start[each.name] = max(0.0, few - page[each.name] * amounts[0])
    return Unit(large.name, Usage(**start), Usage(**page), large.rounds, large.kept / large.pages, sample)


def write_units(file: Path, units: Units) -> None:
    """Keep units for another time."""
    plain = {way: [asdict(unit) for unit in steps] for way, steps in units.items()}
    file.write_text(json.dumps(plain, indent=2) + "\n", encoding="utf-8")


def read_units(file: Path) -> Units:
    """Units that were kept; UserError if the file has others."""
    try:
        plain = json.loads(file.read_text("utf-8"))
        found = {way: tuple(map(_read, plain[way])) for way in ("batch", "crawl")}
        if not all(found.values()):
            raise ValueError("it names no steps")
        return found
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise UserError(
            f"{file} has no unit costs that can be read: {error}.",
            "Name a file that does not exist: what is measured is kept in it.",
        ) from None


def _finite(value: Any) -> float:
    if not math.isfinite(number := float(value)):
        raise ValueError(f"{value} is no cost")
    return number


def _read(plain: dict[str, Any]) -> Unit:
    usages = {
        part: Usage(**{name: _finite(count) for name, count in plain[part].items()})
        for part in ("start", "page")
    }
    counts = {name: _finite(plain[name]) for name in ("rounds", "kept", "sample")}
    return Unit(
        str(plain["name"]), **usages, rounds=int(counts["rounds"]), kept=counts["kept"],
        sample=int(counts["sample"]),
    )  # fmt: skip
