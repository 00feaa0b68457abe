"""A corpus folder of an earlier version brought up to today's format, without making anything again.

Old rows get the columns that they lack, and it is written down which old fingerprints mean the same as one of
today. The format's number is written last: whatever was killed before is simply done again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpulyzer.corpus import format
from corpulyzer.engine.progress import Progress, silent
from corpulyzer.jobs.upgrade.accepted import accepted
from corpulyzer.jobs.upgrade.columns import COLUMNS, Column, add_columns
from corpulyzer.storage.lock import changing

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder


@dataclass(frozen=True, slots=True)
class Upgraded:
    """The format that a folder had and has, and how many of its files were written anew for that."""

    before: int
    after: int
    files: int


def upgrade(
    corpus: CorpusFolder, progress: Progress = silent, columns: Sequence[Column] = COLUMNS
) -> Upgraded:
    """Bring a folder, opened whatever its format, up to today's; UserError if another command changes it."""
    storage = corpus.storage
    with changing(storage, "upgrade"):
        before = format.read(storage)
        files = add_columns(storage, progress, columns)
        known = accepted(corpus) if before.number == 1 else before.accepted
        format.write(storage, known)
    return Upgraded(before.number, format.FORMAT, files)
