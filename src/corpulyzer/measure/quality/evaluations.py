"""What `corpulyzer evaluate` found on gold pages, kept in the corpus for its report (C4-4, C4-6, HR-6)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from corpulyzer.measure.result import Result, restored

if TYPE_CHECKING:
    from corpulyzer.measure.bench import Bench
    from corpulyzer.storage import Storage

FOLDER = "evaluations"


def measure(bench: Bench) -> list[Result]:
    """The evaluations, as the bench was given them."""
    return list(bench.evaluations)


def keep(storage: Storage, results: Sequence[Result]) -> list[str]:
    """Put results into the corpus, each in place of an earlier one of its name; return their files."""
    files = []
    for result in results:
        files.append(f"{FOLDER}/{result.name}.json")
        text = json.dumps(result.stored(), ensure_ascii=False, indent=1, default=str)
        storage.write(files[-1], text.encode())
    return files


def kept(storage: Storage) -> list[Result]:
    """The results that were put into the corpus, by name."""
    return [restored(json.loads(storage.read(file))) for file in storage.list(FOLDER, ".json")]
