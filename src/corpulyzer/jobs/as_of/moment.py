"""A moment in the life of a corpus: the end of a round of its crawl, or a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING

from corpulyzer.corpus.rounds import Round, rounds
from corpulyzer.engine.derived.table import Table
from corpulyzer.errors import UserError
from corpulyzer.storage.content import open_parquet

if TYPE_CHECKING:
    from corpulyzer.storage import Storage

BEGINNING = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Moment:
    """The second `until` which counts what came in, and the last round that had ended; in `words`, both."""

    words: str
    until: datetime
    round: int


def moment_of(storage: Storage, asked: str) -> Moment:
    """The moment that a user names: the number of a round, a day (its end), or a time; UTC unless it says."""
    ended = _ends(storage)
    if asked.isdecimal():
        for each, end in ended:
            if each.number == int(asked):
                return Moment(f"round {each.number}", end, each.number)
        raise UserError(
            f"Round {asked} of the crawl has not ended, or there is none.",
            "`corpulyzer status` tells how many there are; a time such as 2026-05-01 will do, too.",
        )
    until = _time(asked)
    last = 0
    for each, end in ended:
        if end > until:
            break
        last = each.number
    return Moment(until.strftime("%Y-%m-%d %H:%M:%S UTC"), until, last)


def _time(asked: str) -> datetime:
    try:
        found = datetime.fromisoformat(asked)
        is_day = len(asked) == len("2026-05-01") and "T" not in asked
        if is_day:
            found = datetime.combine(found.date(), time.max)
        found = found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise UserError(
            f"{asked!r} is neither a round nor a time.", "Write 3, 2026-05-01 or 2026-05-01T12:00."
        ) from None
    return found.replace(microsecond=0)


def _ends(storage: Storage) -> Iterator[tuple[Round, datetime]]:
    """The rounds that have ended, in their order, each with the second of the last fetch up to it."""
    parts = Table(storage, "fetches").parts()
    end = BEGINNING
    for each in rounds(storage):
        if not each.done("commit"):
            return
        start = f"round={each.number:05d}/"
        own = (_last(storage.path(part.file)) for part in parts if part.name.startswith(start))
        end = max([end, *own])
        yield each, end


def _last(path: str) -> datetime:
    """The second of the last fetch in a file."""
    import pyarrow.compute as pc

    with open_parquet(path) as parquet:
        found: datetime | None = pc.max(parquet.read(["date"], use_threads=False).column("date")).as_py()
    return BEGINNING if found is None else found.replace(microsecond=0)
