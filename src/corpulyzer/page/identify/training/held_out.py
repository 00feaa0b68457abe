"""The models that ship, made without the texts that they are to be tested on.

A source is held out whole from the languages that have another of some size, by fifths from all others.
Weights are learned anew. The answers at which a table is asked and the calibration of its scores, a few
numbers per language that were measured on unseen text anyway, are those that ship.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from corpulyzer.page.identify.table import Table, load, save
from corpulyzer.page.identify.training.build import WIDE_BITS, WIDE_ORDERS, background_for
from corpulyzer.page.identify.training.learn import Counts
from corpulyzer.page.identify.training.recipe import (
    FOLDS,
    MODELS,
    NEAR,
    PLANS,
    SCRIPTS,
    GroupPlan,
    Lessons,
    file_of,
    fold,
    group_table,
    lessons_for,
    wide_lessons,
    wide_table,
)
from corpulyzer.page.identify.training.samples import Sample


@dataclass(frozen=True)
class HeldOut:
    """Models in a folder of their own, and samples that their weights have not seen."""

    folder: Path
    source: str
    part: int
    samples: tuple[Sample, ...]


@dataclass(frozen=True)
class _Teacher:
    """Trains one table again without a source."""

    file: str
    lessons: Lessons
    plan: GroupPlan | None = None
    background: Counts | None = field(default=None, repr=False)

    def make(self, held: HeldOut) -> None:
        """Write the table; one that has nothing of the source is copied."""
        if held.source not in self.lessons.sources:
            shutil.copy(MODELS / self.file, held.folder / self.file)
            return
        counts = self.lessons.counts((held.source, held.part))
        shipped = load(MODELS / self.file)
        if self.plan is not None and self.background is not None:
            table = group_table(self.plan, counts, self.background)
        else:
            table = wide_table(shipped.name, counts, WIDE_ORDERS, WIDE_BITS)
        # These files are read once, so the fastest compression is best.
        save(_measured_as(shipped, table), held.folder / self.file, level=1)


def held_out(
    samples: Sequence[Sample],
    folder: Path,
    sources: Sequence[str] = (),
    parts: Sequence[int] = tuple(range(FOLDS)),
) -> Iterator[HeldOut]:
    """For each source and each fifth of it, models that have not seen it, with what to test them on."""
    teachers = _teachers(samples)
    for source in sources or sorted({sample.source for sample in samples}):
        for part in parts:
            own = folder / f"{source}-{part}"
            shutil.copytree(MODELS, own, ignore=shutil.ignore_patterns("*.table"))
            tests = [replace(s, lines=tuple(fold(s.lines, part))) for s in samples if s.source == source]
            held = HeldOut(own, source, part, tuple(tests))
            for teacher in teachers:
                teacher.make(held)
            yield held


def _teachers(samples: Sequence[Sample]) -> list[_Teacher]:
    groups = [
        _Teacher(file_of(plan), lessons_for(plan, samples), plan, background_for(plan, samples))
        for plan in (*PLANS, *NEAR)
    ]
    return groups + [_wide_teacher(samples, script) for script in (*SCRIPTS, "")]


def _wide_teacher(samples: Sequence[Sample], script: str) -> _Teacher:
    file = f"all-{script or 'other'}.table"
    lessons = wide_lessons(samples, script, WIDE_ORDERS, WIDE_BITS)
    # A language with so little text that none is left beside its probes is not in the table that ships.
    shipped = load(MODELS / file).labels
    own = tuple(sample for sample in lessons.samples if sample.label in shipped)
    return _Teacher(file, replace(lessons, samples=own))


def _measured_as(shipped: Table, table: Table) -> Table:
    """A table with the calibration of the one that ships, and with its words: no source taught them."""
    places = [shipped.labels.index(label) for label in table.labels]
    return replace(
        table,
        usual=shipped.usual[places],
        spread=shipped.spread[places],
        steepness=shipped.steepness,
        shift=shipped.shift,
        stems=shipped.stems,
        calls=shipped.calls,
        notes=shipped.notes,
    )
