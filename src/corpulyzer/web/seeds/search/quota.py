"""How often a search engine was asked today, kept across runs, and until when it wants no more."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from corpulyzer.errors import UserError
from corpulyzer.storage import Storage
from corpulyzer.web.seeds.search.provider import Provider


@dataclass(frozen=True, slots=True)
class Used:
    """The requests of a day, and until when (seconds since 1970) the provider wants no more of them."""

    day: str = ""
    requests: int = 0
    refused_until: float = 0.0


@dataclass(frozen=True, slots=True)
class Quota:
    """The requests that a provider may be sent in a day; 0 for as many as one likes.

    A number that the user gives wins over what the provider has said: a plan may have changed.
    """

    storage: Storage
    provider: Provider
    per_day: int = 0

    @property
    def file(self) -> str:
        return f"search/{self.provider.name}/quota.json"

    def used(self, now: datetime) -> Used:
        """What is on record for the day of `now`."""
        if not self.storage.exists(self.file):
            return Used(self._day(now))
        try:
            found = Used(**json.loads(self.storage.read(self.file)))
        except (ValueError, TypeError):
            raise UserError(
                f"{self.storage.path(self.file)} is damaged.", "Delete it; the day's count begins anew."
            ) from None
        return found if found.day == self._day(now) else Used(self._day(now), 0, found.refused_until)

    def spend(self, now: datetime) -> None:
        """Note one more request, before it is sent; UserError if there is none left."""
        used = self.used(now)
        limit = self.per_day or self.provider.per_day
        if not self.per_day and used.refused_until > now.timestamp():
            raise self._none_left(datetime.fromtimestamp(used.refused_until, UTC))
        if limit and used.requests >= limit:
            raise self._none_left(self._midnight(now), f"{used.requests:,} of {limit:,} requests are used.")
        self._write(replace(used, requests=used.requests + 1))

    def exhaust(self, now: datetime, seconds: float | None = None) -> UserError:
        """Note that the provider wants no more today, or for so many seconds; return the error to raise."""
        until = self._midnight(now) if seconds is None else now + timedelta(seconds=seconds)
        self._write(replace(self.used(now), refused_until=until.timestamp()))
        return self._none_left(until)

    def _none_left(self, until: datetime, why: str = "It says that it has been asked enough.") -> UserError:
        when = f"{until.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        return UserError(
            f"The quota of {self.provider.name} is exhausted until {when}. {why}",
            "Nothing is lost: run the same command again then, and it goes on where it was; "
            "with a larger plan, add --per-day N.",
        )

    def _write(self, used: Used) -> None:
        self.storage.write(self.file, json.dumps(asdict(used)).encode())

    def _zone(self) -> tzinfo:
        try:
            return ZoneInfo(self.provider.time_zone)
        except (ZoneInfoNotFoundError, ValueError):
            return UTC

    def _day(self, now: datetime) -> str:
        return now.astimezone(self._zone()).date().isoformat()

    def _midnight(self, now: datetime) -> datetime:
        """When the provider's day ends."""
        tomorrow = now.astimezone(self._zone()) + timedelta(days=1)
        return tomorrow.replace(hour=0, minute=0, second=0, microsecond=0)
