"""What measures make of a table part by part, kept until a part has other rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from corpulyzer.engine import Dataset, Source, Unit
from corpulyzer.engine.derived import made_of
from corpulyzer.engine.derived.table import Table, bring_up_to_date, said_by
from corpulyzer.engine.workbench import rows_of, run_map
from corpulyzer.records.fingerprint import fingerprint
from corpulyzer.storage import Storage

if TYPE_CHECKING:
    from corpulyzer.engine import Engine, Map
    from corpulyzer.measure.bench import Bench


def kept_by_part(
    bench: Bench, stage: str, step: Map, files: Sequence[str], columns: Callable[[str], tuple[str, ...]]
) -> dict[str, Dataset]:
    """The outputs of a map over the files of a table; only of parts with other rows than before it is run.

    `columns` says which columns of a file the map needs.
    """
    storage = Storage(Storage(bench.lasting or bench.folder).path(stage))
    tables = {output: Table(storage, output) for output in step.outputs}
    sources = {part_of(file): file for file in files}
    mark = fingerprint(stage, step)
    wanted = {name: made_of([_version(bench, file)], mark) for name, file in sources.items()}

    def source_of(name: str) -> Source:
        return Source(path=sources[name], columns=columns(sources[name]))

    bring_up_to_date(tables, wanted, source_of, partial(_run, bench.engine, step))
    return {output: table.dataset(step.outputs[output]) for output, table in tables.items()}


def part_of(file: str) -> str:
    """The name of the part that a file of documents is, wherever its table stands.

    >>> part_of("urduweb/duplicates/view/0f/round=00000/a.00000.parquet")
    'round=00000/a.00000.parquet'
    """
    return "/".join(file.split("/")[-2:])


def _version(bench: Bench, file: str) -> str:
    """The version of the rows of a file, which it is asked for where the bench does not know it."""
    return bench.row_versions.get(file) or said_by(file, file).version


def _run(engine: Engine, step: Map, units: list[Unit]) -> None:
    run_map(engine, step, units, rows_of(units))
