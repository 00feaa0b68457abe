"""The log of a table: an entry for each part, read in one go and changed in one step.

The log is a file of lines: a head, and the changes since the checkpoint that the head names, in their order.
A checkpoint holds all entries, column by column. So a commit costs as much as there are changes since the
last checkpoint, which is written when they are a tenth of the parts; a small table has no checkpoint.

Where a store puts objects on condition, two commands that commit at the same time lose nothing of each other.

Tables use only `read`, `commit`, `forget_past` and `delete`. Except for entries that were restated, all that
it holds is in the footers of the parts too, so deleting it costs time and no data.
"""

from __future__ import annotations

import gc
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any, NamedTuple

from corpulyzer.engine.derived import Entry
from corpulyzer.storage import Storage
from corpulyzer.storage.swap import create, update

FOLDER = "parts"
FEW = 1_000
"""Up to so many changes stand in the log itself, whatever the size of the table."""
SHARE = 10
"""In a larger table, up to one for so many parts."""
TRIES = 3

_COMMITTING = threading.Lock()
"""A crawl notes parts of one round while another thread fetches the next and notes those."""

Entries = dict[str, Entry]


@dataclass(frozen=True, slots=True)
class Log:
    """The file that is the log of a table."""

    storage: Storage
    file: str

    def read(self) -> Entries | None:
        """The entries by name; None if there is no log, or one that is damaged.

        A checkpoint may be replaced between the reading of the log and its own: then both are read again.
        """
        for _ in range(TRIES):
            try:
                head, lines = _parsed(self.storage.read(self.file))
                return _changed(self._base(head), lines)
            except FileNotFoundError:
                continue
            except (ValueError, TypeError, KeyError):
                return None
        return None

    def commit(self, put: Iterable[Entry], drop: Iterable[str], otherwise: Callable[[], Entries]) -> None:
        """Add or replace entries by their names, and drop others, in one step.

        Where there is no log yet, it begins with the entries that `otherwise` returns.
        """
        lines = [_line(entry) for entry in put] + [_line([name]) for name in drop]

        def changed(log: bytes | None) -> bytes:
            try:
                head, before = _parsed(log)
                known = "of" not in head  # an earlier form, without checkpoints
            except (ValueError, TypeError, KeyError):
                known, head, before = True, {}, []
            if known or len(before) + len(lines) > max(FEW, head["of"] // SHARE):
                found = self.read()
                entries = _changed(otherwise() if found is None else found, lines)
                return self._begun_anew(entries, _numbers(log).last)
            return _packed(head, [*before, *lines])

        with _COMMITTING:
            before, now = self._update(changed)
        if before.last and before != now:  # who has just read the log may still want the last
            self._forget_checkpoints(now.last, before.checkpoint, now.checkpoint)

    def forget_past(self) -> None:
        """Leave of the log the entries as they are, and nothing of what they were before."""

        def forgotten(log: bytes | None) -> bytes:
            found = self.read()
            return (log or b"") if found is None else self._begun_anew(found, _numbers(log).last)

        with _COMMITTING:
            if self.read() is not None:
                _, now = self._update(forgotten)
                self._forget_checkpoints(inf, now.checkpoint)

    def delete(self) -> None:
        """Remove the log."""
        self.storage.delete(self.file)
        self._forget_checkpoints(inf)

    def _base(self, head: Mapping[str, Any]) -> Entries:
        """The entries of the checkpoint."""
        if not head.get("checkpoint"):
            return {}
        columns = json.loads(self.storage.read(self._checkpoint(head["checkpoint"])))
        if len(columns["name"]) != head["of"]:
            raise ValueError("the checkpoint is another")
        columns.setdefault("ranges", [""] * head["of"])  # earlier versions did not note them
        rows = zip(*(columns[name] for name in Entry._fields), strict=True)
        with without_collections():
            return dict(zip(columns["name"], map(_entry_of, rows), strict=True))

    def _begun_anew(self, entries: Entries, last: int) -> bytes:
        """A log of all entries; many stand in a checkpoint after the last one, which is written here."""
        ordered = sorted(entries.values())
        if len(ordered) <= FEW // 2:
            return _packed({"checkpoint": 0, "of": 0, "last": last}, list(map(_line, ordered)))
        columns = dict(zip(Entry._fields, zip(*ordered, strict=True), strict=True))
        data = json.dumps(columns, ensure_ascii=False).encode()
        number = last + 1
        while not create(self.storage, self._checkpoint(number), data):
            number += 1
        return _packed({"checkpoint": number, "of": len(ordered)}, [])

    def _update(self, change: Callable[[bytes | None], bytes]) -> tuple[Numbers, Numbers]:
        """Replace the log by what a change makes of it; returns the checkpoints of before and of now."""
        before, now = map(_numbers, update(self.storage, self.file, change))
        return before, now

    def _forget_checkpoints(self, last: float, *but: int) -> None:
        """Remove the checkpoints up to a number but some, those too that kills have left.

        One with a higher number may be of another command (`Numbers`).
        """
        start = self._checkpoint(0).removesuffix("000000.json")
        for file in self.storage.list(self.file.rpartition("/")[0], ".json"):
            number = file.removeprefix(start).removesuffix(".json") if file.startswith(start) else ""
            if number.isdecimal() and int(number) <= last and int(number) not in but:
                self.storage.delete(file)

    def _checkpoint(self, number: int) -> str:
        return f"{self.file.removesuffix('.jsonl')}.checkpoint-{number:06d}.json"


_entry_of: Callable[[Iterable[Any]], Entry] = partial(tuple.__new__, Entry)
"""Entries by the hundred thousand: half the cost of `Entry._make`."""


@contextmanager
def without_collections() -> Iterator[None]:
    """No search for cycles while a hundred thousand small objects are made: it is half of the cost."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _parsed(log: bytes | None) -> tuple[dict[str, Any], list[str]]:
    """The head of a log, and the lines behind it, all there; ValueError if not."""
    first, *lines = (log or b"").decode("utf-8").split("\n")
    head = json.loads(first)
    wanted = head["parts"] if "parts" in head else head["changes"]
    if not lines or lines.pop() or len(lines) != wanted:
        raise ValueError("lines are missing")
    return head, lines


class Numbers(NamedTuple):
    """The checkpoint that a log goes on from, 0 if there is none, and the last that was written for it.

    Numbers are never used again, so one above the last is of a command that is about to name it.
    """

    checkpoint: int
    last: int


def _numbers(log: bytes | None) -> Numbers:
    """The checkpoints of a log; none if its head is damaged."""
    try:
        head = json.loads((log or b"").partition(b"\n")[0])
        return Numbers(int(head["checkpoint"]), int(head.get("last", head["checkpoint"])))
    except (ValueError, TypeError, KeyError):
        return Numbers(0, 0)


def _packed(head: Mapping[str, Any], lines: list[str]) -> bytes:
    first = json.dumps({**head, "changes": len(lines)})
    return "\n".join([first, *lines, ""]).encode()


def _line(change: Iterable[Any]) -> str:
    return json.dumps(list(change), ensure_ascii=False)


def _changed(entries: Entries, lines: list[str]) -> Entries:
    """The entries after changes: a line is an entry that is put, or a name alone, which is dropped."""
    for change in json.loads(f"[{','.join(lines)}]"):
        if isinstance(change, dict):
            entries[change["name"]] = Entry(**change)
        elif len(change) == 1:
            entries.pop(change[0], None)
        else:
            entries[change[0]] = Entry(*change)
    return entries
