"""The documents that a search is limited to."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from functools import partial, reduce
from typing import TYPE_CHECKING

from corpulyzer.errors import UserError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.search.shards.column import Column
    from corpulyzer.search.shards.shard import Shard

CREATIVE_COMMONS, NO_LICENSE = "cc", "none"
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Only:
    """The documents that a search is limited to; a field that is left empty limits nothing.

    Days are ISO dates, the last one included; `min_quality` leaves out documents without a score. As in
    exports, the license `cc` stands for all of Creative Commons and `none` for no license.
    """

    site: str = ""
    license: str = ""
    since: str = ""
    until: str = ""
    min_quality: float | None = None

    def __post_init__(self) -> None:
        if self.min_quality is not None and not 0 <= self.min_quality <= 1:
            raise UserError(f"There is no quality of {self.min_quality}.", "Give one from 0 to 1.")
        for day in filter(None, (self.since, self.until)):
            _must_be_day(day)

    def places_in(self, shard: Shard, good: NDArray[np.int64] | None) -> NDArray[np.int64] | None:
        """The documents of a shard to which a search is limited; None if to nothing.

        `good` are the numbers of those with the quality that is asked for.
        """
        import numpy as np

        limits: list[NDArray[np.int64]] = []
        if self.site:
            limits.append(_with(shard.columns["sites"], self.site.lower().removeprefix("www.").strip(".")))
        if self.license == CREATIVE_COMMONS:
            column = shard.columns["licenses"]
            kinds = {*column.beginning("cc"), *column.asked(["public-domain"]).tolist()}
            limits.append(column.held_by(np.array(sorted(kinds), dtype=np.int64)))
        elif self.license:
            limits.append(
                _with(shard.columns["licenses"], "" if self.license == NO_LICENSE else self.license)
            )
        if self.since:
            limits.append(np.flatnonzero(shard.dates >= _seconds(self.since)))
        if self.until:
            limits.append(np.flatnonzero(shard.dates < _seconds(self.until) + _DAY))
        if good is not None:
            limits.append(shard.places_of(good))
        return reduce(partial(np.intersect1d, assume_unique=True), limits) if limits else None

    @property
    def everything(self) -> bool:
        return self == Only()


EVERYTHING = Only()


def _must_be_day(text: str) -> None:
    from datetime import date

    try:
        date.fromisoformat(text)
    except ValueError:
        raise UserError(f"{text!r} is no day.", "Write it as 2026-01-31.") from None


def _seconds(day: str) -> int:
    from datetime import UTC, datetime

    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp())


def _with(column: Column, value: str) -> NDArray[np.int64]:
    return column.held_by(column.asked([value]))


def good_enough(connection: sqlite3.Connection, only: Only) -> NDArray[np.int64] | None:
    """The numbers of the documents with the quality that is asked for, in order; None if none is."""
    import numpy as np

    if only.min_quality is None:
        return None
    sql = "select number from documents where quality >= ? order by number"
    rows = connection.execute(sql, (only.min_quality,))
    return np.fromiter((number for (number,) in rows), np.int64)
