"""Units that are too large for one task: cut into pieces that many tasks do, whose files are then joined.

A part of a table is as large as an archive, and a cluster may have more cores than there are parts to make.
The files of pieces have hidden names, which nobody takes for parts. They go when they are joined, or when a
task has failed; what a kill of the driver leaves, a later run replaces, or `corpulyzer remove` erases.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from corpulyzer.engine import IsQuick, Map, Source, TakesMany, Unit
from corpulyzer.engine.units import batches
from corpulyzer.engine.workbench import count_rows
from corpulyzer.storage import ParquetSink
from corpulyzer.storage.location import beside, filesystem_of
from corpulyzer.storage.temporary import ENDING

if TYPE_CHECKING:
    import pyarrow as pa

PIECES_A_CORE = 3
"""A core that gets a long piece leaves the others to the rest."""
PIECE_ROWS = 2_000
"""Fewer rows are no piece: a task costs as much as hundreds of pages, and its file is copied."""
COPIED_ROWS = 1_000
CLEARED_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Joined:
    """A file that is the files of pieces, one behind the other."""

    target: str
    pieces: tuple[str, ...]
    schema: pa.Schema
    made_of: str = ""

    def make(self) -> None:
        """Write the file; it appears as a whole."""
        with ParquetSink(self.target, self.schema, self.made_of) as sink:
            for piece in self.pieces:
                for batch in batches(Source(path=piece), COPIED_ROWS):
                    sink.write(batch)


def clear(files: Sequence[Joined]) -> None:
    """Remove the files of pieces, as far as they were made; nobody may still join them."""
    with ThreadPoolExecutor(CLEARED_AT_ONCE) as pool:
        list(pool.map(_delete, [piece for file in files for piece in file.pieces]))


def divided(step: Map, units: Sequence[Unit], cores: int) -> tuple[list[Unit], list[Joined]]:
    """The units for the cores of a cluster, and what is to be joined of those that had to be cut up."""
    tasks = PIECES_A_CORE * cores
    if len(units) >= tasks or isinstance(step, TakesMany):
        return list(units), []
    rows = [_rows(unit.source) for unit in units]
    least = step.piece_rows if isinstance(step, IsQuick) else PIECE_ROWS
    size = max(least, math.ceil(sum(rows) / tasks))
    found: list[Unit] = []
    joined: list[Joined] = []
    for unit, count in zip(units, rows, strict=True):
        if count < 2 * size:
            found.append(unit)
        else:
            pieces = _pieces(unit, count, size)
            found += pieces
            joined += _joined(step, unit, pieces)
    return found, joined


def _rows(source: Source) -> int:
    """The rows of a source that can be cut up; 0 for one that cannot."""
    if not source.path or source.more or source.by:
        return 0
    return (count_rows(source.path) if source.stop is None else source.stop) - source.start


def _pieces(unit: Unit, rows: int, size: int) -> list[Unit]:
    start = unit.source.start
    found = []
    for number, first in enumerate(range(start, start + rows, size)):
        source = replace(unit.source, start=first, stop=min(first + size, start + rows))
        targets = {name: beside(path, f".piece-{number:05d}{ENDING}") for name, path in unit.targets.items()}
        found.append(Unit(source, targets))
    return found


def _joined(step: Map, unit: Unit, pieces: Sequence[Unit]) -> list[Joined]:
    return [
        Joined(
            target,
            tuple(piece.targets[name] for piece in pieces),
            step.outputs[name],
            unit.made_of.get(name, ""),
        )
        for name, target in unit.targets.items()
    ]


def _delete(piece: str) -> None:
    filesystem, path = filesystem_of(piece)
    with suppress(FileNotFoundError):
        filesystem.delete_file(path)
