"""Rows and pages made into archives of the corpus: in order, of bounded size, each whole or absent."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import IO, Self

from corpulyzer.corpus.takedowns import removed
from corpulyzer.engine.progress import Progress
from corpulyzer.jobs.importing.drafts import (
    Origin,
    draft_of_page,
    draft_of_record,
    draft_of_row,
    with_made_up_url,
)
from corpulyzer.jobs.importing.files import Found, pieces_of
from corpulyzer.jobs.importing.plan import JSONL, PAGES, RECORDS, Source
from corpulyzer.jobs.importing.rows import BadRow, jsonl_rows, parquet_rows
from corpulyzer.records import int64_hash
from corpulyzer.storage import AtomicFile, Storage
from corpulyzer.warc.compose import Draft, stable_record_id, warcinfo
from corpulyzer.warc.names import file_name
from corpulyzer.warc.read import MAX_BYTES
from corpulyzer.warc.scan import BrokenRecordError
from corpulyzer.warc.stream import streamed

ARCHIVE_BYTES = 256 << 20
EXAMPLES = 20


@dataclass(slots=True)
class Tally:
    """How many rows or files became records, and why the others did not."""

    read: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    examples: list[dict[str, str | int]] = field(default_factory=list)

    @property
    def refused(self) -> int:
        return self.reasons.total()

    def refuse(self, file: str, line: int, why: str) -> None:
        self.reasons[why.partition(" (")[0]] += 1
        if len(self.examples) < EXAMPLES:
            self.examples.append({"file": file, "line": line, "why": why})


class ArchiveSink:
    """Archives `imports/NAME-00000.warc.gz` and so on: each appears in the corpus when it is complete."""

    def __init__(self, storage: Storage, name: str, origin: Origin, max_bytes: int = ARCHIVE_BYTES) -> None:
        self.archives: list[str] = []
        self._storage = storage
        self._name = name
        self._origin = origin
        self._max_bytes = max_bytes
        self._target: AtomicFile | None = None
        self._file: IO[bytes] | None = None
        self._size = 0

    def write(self, draft: Draft) -> None:
        """Append a record, in a new file where the last one is full."""
        member = draft.packed()
        if self._file is None or self._size + len(member) > self._max_bytes:
            self._commit()
            self._begin()
        self._append(member)

    def _begin(self) -> None:
        archive = f"imports/{file_name(self._name, len(self.archives))}"
        self._target = AtomicFile(self._storage.path(archive))
        self._file = open(self._target.temporary, "wb")  # noqa: SIM115 - closed when the archive is full
        self._size = 0
        self.archives.append(archive)
        identity = stable_record_id(self._origin.path + archive, 0)
        about = {"software": "corpulyzer", "description": f"imported from {self._origin.path}"}
        self._append(warcinfo(os.path.basename(archive), about, self._origin.date, identity).packed())

    def _append(self, member: bytes) -> None:
        if self._file is not None:
            self._file.write(member)
            self._size += len(member)

    def _commit(self) -> None:
        if self._file is not None and self._target is not None:
            self._file.close()
            self._target.commit()
            self._file = self._target = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._commit()
        elif self._file is not None and self._target is not None:
            self._file.close()
            self._target.discard()


def convert(
    source: Source, storage: Storage, progress: Progress, max_bytes: int = ARCHIVE_BYTES
) -> tuple[list[str], Tally]:
    """Make archives of a source; return their places in the corpus, and the tally.

    The same files give the same bytes, so a conversion that was killed is simply done again.
    """
    tally = Tally()
    first = source.files[0]
    origin = Origin(source.path, source.name, _date_of(first))
    is_removed = removed(storage)
    with ArchiveSink(storage, f"{source.name}-{source.version}", origin, max_bytes) as sink:
        for draft, done in _drafts(source, tally):
            if is_removed(draft.url):
                tally.refuse(source.path, 0, f"removed ({draft.url})")
                continue
            sink.write(draft)
            tally.read += 1
            if not tally.read % 100:
                progress(f"importing {os.path.basename(source.path)}", done, source.size)
    return sink.archives, tally


def _drafts(source: Source, tally: Tally) -> Iterator[tuple[Draft, int]]:
    """The records of a source, each with how many bytes of it have been read."""
    if source.kind == PAGES:
        yield from _page_drafts(source, tally)
        return
    (file,) = source.files
    if source.kind == RECORDS:
        yield from _record_drafts(file)
        return
    origin = Origin(file.path, source.name, _date_of(file))
    for row in jsonl_rows(file.path) if source.kind == JSONL else parquet_rows(file.path):
        draft = row.why if isinstance(row, BadRow) else draft_of_row(row.values, row.number, origin)
        if isinstance(draft, str):
            tally.refuse(file.path, row.number, draft)
        elif not isinstance(row, BadRow):
            yield draft, row.at


def _record_drafts(file: Found) -> Iterator[tuple[Draft, int]]:
    at = [0]
    for number, record in enumerate(streamed(pieces_of(file.path, at))):
        draft = draft_of_record(record, number, file.path)
        if draft is not None:
            yield draft, at[0]


def _page_drafts(source: Source, tally: Tally) -> Iterator[tuple[Draft, int]]:
    done = 0
    taken: set[int] = set()
    for file in source.files:
        done += file.size
        try:
            body = _head_of(file)
        except (OSError, BrokenRecordError) as error:
            tally.refuse(file.path, 0, f"cannot be read ({error})")
            continue
        if not body.strip():
            tally.refuse(file.path, 0, "empty")
            continue
        origin = Origin(file.path, source.name, _date_of(file))
        draft = draft_of_page(body[:MAX_BYTES], file.relative, origin, truncated=len(body) > MAX_BYTES)
        if int64_hash(draft.url) in taken:
            draft = with_made_up_url(draft, file.relative, origin)
        taken.add(int64_hash(draft.url))
        yield draft, done


def _head_of(file: Found) -> bytes:
    """The file unpacked, or as much of it as a page may have and one piece more."""
    parts: list[bytes] = []
    size = 0
    for piece in pieces_of(file.path, [0]):
        parts.append(piece)
        size += len(piece)
        if size > MAX_BYTES:
            break
    return b"".join(parts)


def _date_of(file: Found) -> datetime:
    return datetime.fromtimestamp(file.mtime_ns // 1_000_000_000, UTC)
