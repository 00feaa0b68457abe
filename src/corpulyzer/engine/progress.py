"""How far a piece of work has got, told to whoever watches, here or by a small file in the folder."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from corpulyzer.storage import is_remote

NOTE = "logs/progress.json"
SECONDS_BETWEEN_NOTES = 0.25

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""


def silent(_what: str, _done: int, _total: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a command is doing, how much of it is done, and how much there is."""

    what: str
    done: int
    total: int

    @property
    def share(self) -> float:
        return min(1.0, self.done / self.total) if self.total else 0.0


@contextmanager
def watched(folder: str, show: Progress) -> Iterator[Progress]:
    """The same progress, noted for others too; a note that cannot be written is left out."""
    if is_remote(folder):
        yield show
        return
    path, last = Path(folder, NOTE), 0.0

    def note(what: str, done: int, total: int) -> None:
        nonlocal last
        show(what, done, total)
        if time.monotonic() - last >= SECONDS_BETWEEN_NOTES:
            last = time.monotonic()
            _write(path, {"what": what, "done": done, "total": total})

    try:
        yield note
    finally:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def seen(folder: str) -> Seen | None:
    """What the last note says; None if there is none."""
    try:
        found = json.loads(Path(folder, NOTE).read_bytes())
        return Seen(str(found["what"]), int(found["done"]), int(found["total"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(path: Path, note: dict[str, object]) -> None:
    """Put a note into its place; it is not synced to disk, since the next one comes soon."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        new = path.with_name(".progress.json")
        new.write_text(json.dumps(note), "utf-8")
        new.replace(path)
