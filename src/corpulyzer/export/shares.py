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
    storage: Storage
    name: str

    def __call__(self) -> None:
        files = [asdict(file) for file in self.write()]
        self.storage.write(self.name, json.dumps(files).encode())

    def written(self) -> list[Written]:
        """What it has written."""
        return [Written(**file) for file in json.loads(self.storage.read(self.name))]


@dataclass(frozen=True, slots=True)
class Writers:
    """Who writes the files of an export: tasks of the engine, or this process alone.

    Tasks run on other machines: a folder of this machine only, and code that they cannot load, are for this
    process. `scratch` is for what they say they have written.
    """

    engine: Engine
    scratch: Storage
    are_tasks: bool = True

    def shares(self, table: Dataset) -> list[slice]:
        """The files of a table in runs, each for one process."""
        return self.engine.shares(table) if self.are_tasks else [slice(None)]

    def write(self, name: str, table: Dataset, write: Callable[[slice, str], Write]) -> list[Written]:
        """Have the files written that are made of a table; `name` tells them from others of the export.

        `write` is given a run of the table's files, and a mark that the names of what it writes must have:
        none where one process does it all.
        """
        shares = self.shares(table)
        if len(shares) == 1:
            return write(shares[0], "")()
        tasks = [
            Share(write(share, f"{number:05d}-"), self.scratch, f"{name}/{number:05d}.json")
            for number, share in enumerate(shares)
        ]
        self.engine.call(tasks)
        return sorted((file for task in tasks for file in task.written()), key=lambda file: file.path)
