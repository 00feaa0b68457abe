"""Records of Common Crawl's archives by byte range, politely and side by side, into archives of our own.

A record is kept as it came, byte by byte. What has to be fetched is the list minus what the archives hold, so
a run that was stopped, at whatever instant, goes on where it was.
"""

from __future__ import annotations

import io
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.engine import Dataset
from corpulyzer.engine.workbench import rows_in_turn
from corpulyzer.errors import UserError
from corpulyzer.records import int64_hash
from corpulyzer.storage import open_input
from corpulyzer.storage.http import BUSY, Answer, ConnectionLostError, Patience, get
from corpulyzer.warc import ArchiveWriter, BrokenRecordError, index_file, read
from corpulyzer.warc.compose import failure
from corpulyzer.warc.names import ENDING
from corpulyzer.web.commoncrawl.gate import Gate
from corpulyzer.web.commoncrawl.mirror import Mirror

if TYPE_CHECKING:
    from corpulyzer.warc.window import Input

PART, GONE = 206, (404, 410, 416)
AHEAD = 4
"""Requests queued for each connection, so that none is idle."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A record to be fetched: its page and date, and where it is."""

    url: str
    time: datetime
    filename: str
    offset: int
    length: int

    @property
    def key(self) -> int:
        return _key(self.url, self.time)


@dataclass(frozen=True, slots=True)
class Member:
    """A record that came packed, to be written as it is."""

    content: bytes

    def packed(self) -> bytes:
        """The record as a gzip member."""
        return self.content


@dataclass(slots=True)
class Fetched:
    """What came of a fetch: new records and bytes, records on hand before, and those that are missing.

    `wished` is how many were asked for; `stopped` says why it ended early, and is empty if it did not.
    """

    records: int = 0
    bytes: int = 0
    known: int = 0
    missing: Counter[str] = field(default_factory=Counter)
    stopped: str = ""
    wished: int = 0


@dataclass(frozen=True)
class Fetcher:
    """Reads records of a mirror over `connections` connections; all wait when the server is busy."""

    mirror: Mirror
    connections: int
    gate: Gate
    patience: Patience

    def __call__(
        self, wishes: Iterable[Wish], done: Fetched, folder: Path, stem: str, progress: Callable[[int], None]
    ) -> None:
        """Write the wished records into `STEM-00000.warc.gz` and so on, but for those that are there already.

        `done` is kept up to date while it works.
        """
        with ArchiveWriter(folder, stem, info={"source": self.mirror.root}) as writer:
            held = on_hand(folder, stem)
            for wish, answer in self._answers(wishes, held, done):
                if answer is None:
                    done.known += 1
                elif isinstance(answer, str):
                    done.stopped = done.stopped or answer
                    continue
                else:
                    self._keep(wish, answer, writer, done)
                progress(1)

    def _keep(self, wish: Wish, answer: Answer, writer: ArchiveWriter, done: Fetched) -> None:
        """Write a record, or a note of why there is none, which is not asked for again."""
        why = _problem(wish, answer)
        if why:
            done.missing[why] += 1
            place = f"{wish.filename} at {wish.offset}"
            writer.write(failure(wish.url, "not_archived", f"{why}: {place}", date=wish.time))
            return
        writer.write(Member(answer.body))
        done.records += 1
        done.bytes += len(answer.body)

    def _answers(
        self, wishes: Iterable[Wish], held: set[int], done: Fetched
    ) -> Iterator[tuple[Wish, Answer | str | None]]:
        """Each wish with its answer, in order; None if it is on hand. A refusal ends it."""
        waiting: deque[tuple[Wish, Future[Answer | str] | None]] = deque()
        with ThreadPoolExecutor(self.connections) as pool:
            for wish in wishes:
                if done.stopped:
                    break
                known = wish.key in held
                held.add(wish.key)
                waiting.append((wish, None if known else pool.submit(self._answer, wish)))
                while len(waiting) > AHEAD * self.connections:
                    yield _taken(waiting.popleft())
            if done.stopped:
                self.gate.close()
            while waiting:
                yield _taken(waiting.popleft())

    def _answer(self, wish: Wish) -> Answer | str:
        """The answer for a record, or why there is none for now, in words."""
        if self.gate.closed:
            return "stopped"
        try:
            answer = self.patience(lambda: self._ask(wish))
        except ConnectionLostError as error:
            self.gate.close()
            return str(error)
        if answer.status not in (PART, *GONE):
            self.gate.close()
            return f"the server does not give parts of {wish.filename} (status {answer.status})"
        return answer

    def _ask(self, wish: Wish) -> Answer:
        self.gate.enter()
        location = self.mirror.location(wish.filename)
        span = (wish.offset, wish.offset + wish.length)
        if not self.mirror.is_web:
            return _stored(location, span)
        answer = get(location, span=span, max_bytes=wish.length + (1 << 16))
        if answer.status in BUSY:
            self.gate.hold(answer.headers)
        if answer.status == PART and len(answer.body) != wish.length:
            raise ConnectionLostError(f"{wish.filename}: {len(answer.body):,} of {wish.length:,} bytes came")
        return answer


def wishes(pages: Dataset) -> Iterator[Wish]:
    """The wishes that rows of the index stand for, in their order, read some at a time."""
    for row in rows_in_turn(pages, ["url", "time", "filename", "place", "size"]):
        yield Wish(row["url"], row["time"], row["filename"], row["place"], row["size"])


def on_hand(folder: Path, stem: str) -> set[int]:
    """The keys of what the archives of a fetch hold, those still being written too."""
    found: set[int] = set()
    for path in sorted(folder.glob(f"{stem}-*{ENDING}*")):
        with open(path, "rb") as file:
            found |= keys_in(file, str(path))
    return found


def keys_in(archive: Input, name: str) -> set[int]:
    """The keys of what an archive holds."""
    return {
        _key(entry.uri, entry.date) for entry in index_file(archive, name) if entry.uri and not entry.problem
    }


def check_stopped(done: Fetched) -> None:
    """UserError if a fetch ended early, with what to do."""
    if done.stopped:
        raise UserError(
            f"Stopped after {done.records:,} records: {done.stopped}.",
            "Nothing is lost: wait (the server may block fast clients for hours), and run the same command "
            "again; it goes on where it was. Fewer commoncrawl.connections make it gentler.",
        )


def _stored(location: str, span: tuple[int, int]) -> Answer:
    """A part of a file in a store, as a web server would answer."""
    try:
        with open_input(location) as file:
            file.seek(span[0])
            return Answer(PART, {}, bytes(file.read(span[1] - span[0])))
    except FileNotFoundError:
        return Answer(404, {}, b"")
    except OSError as error:
        if isinstance(error, PermissionError) or "ACCESS_DENIED" in str(error).upper():
            return Answer(403, {}, b"")
        raise ConnectionLostError(str(error).partition("\n")[0][:200]) from None


def _problem(wish: Wish, answer: Answer) -> str:
    """Why an answer is not the record that was wished for; empty if it is."""
    if answer.status in GONE:
        return "the archive is not there"
    try:
        record = read(io.BytesIO(answer.body), 0, len(answer.body))
    except BrokenRecordError as broken:
        return f"the record is broken ({broken.problem})"
    if record.headers.get("warc-target-uri", "").strip("<>") != wish.url:
        return "another record stands there"
    return ""


def _taken(waiting: tuple[Wish, Future[Answer | str] | None]) -> tuple[Wish, Answer | str | None]:
    wish, future = waiting
    return wish, None if future is None else future.result()


def _key(url: str, time: datetime) -> int:
    return int64_hash(url, time.astimezone(UTC).isoformat(timespec="seconds"))
