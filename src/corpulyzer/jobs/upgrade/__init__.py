"""A corpus folder of an earlier version brought up to today's format, without making anything again.

Old rows get the columns that they lack, the logs of the tables are written, and it is written down which old
fingerprints mean the same as one of today. The format's number is written last: whatever was killed before is
simply done again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpulyzer.corpus import format
from corpulyzer.engine.progress import Progress, silent
from corpulyzer.jobs.crawl.phases import made_by
from corpulyzer.jobs.upgrade.columns import COLUMNS, Column, add_columns
from corpulyzer.jobs.upgrade.to_format_2 import accepted, accepted_documents
from corpulyzer.jobs.upgrade.to_format_3 import KEPT_STATE, Logs
from corpulyzer.storage.lock import changing

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder

WITH_LOGS = 3
"""The first format whose tables have logs."""


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
        if before.number < WITH_LOGS:
            format.write(storage, _with_logs(corpus, before))
            storage.delete(KEPT_STATE)
        elif before.number < format.FORMAT:  # columns alone are new
            format.write(storage, before.accepted)
    return Upgraded(before.number, format.FORMAT, files)


def _with_logs(corpus: CorpusFolder, before: format.Format) -> dict[str, str]:
    """Write the logs of a corpus' tables; return which fingerprints hold that stand elsewhere."""
    logs, is_first = Logs(corpus), before.number == 1
    logs.documents(accepted_documents(corpus) if is_first else before.accepted)
    logs.kept()
    known = accepted(corpus) if is_first else before.accepted
    logs.duplicates(known)
    logs.annotations(known)
    logs.index()
    today = logs.accepted(known)
    frontier = made_by(corpus.config)
    earlier = {old: today.get(new, new) for old, new in known.items() if new in today or new == frontier}
    return today | earlier
