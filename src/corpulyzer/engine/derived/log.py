"""The log of a table: an entry for each part, read in one go and replaced in one step.

Tables use only `read`, `commit` and `delete`. Except for entries that were restated, all that it holds is in
the footers of the parts too, so deleting it costs time and no data.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from corpulyzer.engine.derived import Entry
from corpulyzer.storage import Storage

FOLDER = "parts"

_COMMITTING = threading.Lock()
"""A crawl notes parts of one round while another thread fetches the next and notes those."""


@dataclass(frozen=True, slots=True)
class Log:
    """The file that is the log of a table: a line of JSON with the number of its parts, and one for each."""

    storage: Storage
    file: str

    def read(self) -> dict[str, Entry] | None:
        """The entries by name; None if there is no log, or one that is damaged."""
        try:
            head, *lines = self.storage.read(self.file).decode("utf-8").splitlines()
            entries = [Entry(**json.loads(line)) for line in lines]
            whole = json.loads(head)["parts"] == len(entries)
        except (FileNotFoundError, ValueError, TypeError, KeyError):
            return None
        return {entry.name: entry for entry in entries} if whole else None

    def commit(
        self, put: Iterable[Entry], drop: Iterable[str], otherwise: Callable[[], dict[str, Entry]]
    ) -> None:
        """Add or replace entries by their names, and drop others, in one step.

        Where there is no log yet, it begins with the entries that `otherwise` returns.
        """
        with _COMMITTING:
            self._replace(put, drop, otherwise)

    def _replace(
        self, put: Iterable[Entry], drop: Iterable[str], otherwise: Callable[[], dict[str, Entry]]
    ) -> None:
        known = self.read()
        now = (otherwise() if known is None else known) | {entry.name: entry for entry in put}
        for name in drop:
            now.pop(name, None)
        lines = [{"parts": len(now)}, *(now[name]._asdict() for name in sorted(now))]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        self.storage.write(self.file, text.encode())

    def delete(self) -> None:
        """Remove the log."""
        self.storage.delete(self.file)
