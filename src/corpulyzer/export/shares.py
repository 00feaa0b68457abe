"""Files of an export that many write: on a cluster, each task those of its share of the rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass

from corpulyzer.engine import Dataset, Engine
from corpulyzer.export.files import Written
from corpulyzer.storage import Storage

Write = Callable[[], list[Written]]
"""Writes files; it can be pickled, and done again it writes the same."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share of the work, and where the list of the files that were written goes."""

    write: Write
    folder: str
    name: str

    def __call__(self) -> None:
        files = [asdict(file) for file in self.write()]
        Storage(self.folder).write(self.name, json.dumps(files).encode())

    def written(self) -> list[Written]:
        """What it has written."""
        return [Written(**file) for file in json.loads(Storage(self.folder).read(self.name))]


def in_shares(
    engine: Engine, table: Dataset, scratch: str, write: Callable[[slice, str], Write]
) -> list[Written]:
    """Have the files written that are made of a table, by one process or by many.

    `write` is given a run of the table's files, and a mark that the names of what it writes must have: none
    where one process does it all.
    """
    shares = engine.shares(table)
    if len(shares) == 1:
        return write(shares[0], "")()
    tasks = [
        Share(write(share, f"{number:05d}-"), f"{scratch}/written", f"{number:05d}.json")
        for number, share in enumerate(shares)
    ]
    engine.call(tasks)
    return sorted((file for task in tasks for file in task.written()), key=lambda file: file.path)
