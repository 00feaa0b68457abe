"""New intervals for pages that were fetched before: the same history, under other settings (CZ-9)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corpulyzer.records.columns import schema_of
from corpulyzer.web.frontier.state import DAY, GONE, HOUR, Recrawl
from corpulyzer.web.frontier.tables import NEVER, Known

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.web.frontier import Columns, Ints

MOST_FAILURES = 20
"""Failures in a row beyond which the time to the next try, six times longer each time, does not grow."""


@dataclass(frozen=True, slots=True)
class Reschedule:
    """Map: rows of the frontier in, the same with `pause` and `due` as `after` has them instead of `before`.

    The first interval of a page, that of a page that the corpus drops, and tries after failures follow from
    the settings alone. An interval that has adapted since keeps its ratio to the first one, within the new
    bounds; where old bounds had cut it short, only a frontier made again from the archives is exact.
    """

    before: Recrawl
    after: Recrawl
    schema: pa.Schema = field(default_factory=lambda: schema_of(Known))

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"frontier": self.schema}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        import numpy as np
        import pyarrow as pa

        used = ("fetches", "fetched", "status", "failures", "pause", "kept", "due")
        rows = {name: batch.column(name).to_numpy() for name in used}
        pause = np.where(rows["fetches"] > 0, self._pauses(rows), rows["pause"])
        read = rows["fetched"] + pause
        due = np.where(rows["failures"] > 0, self._next_tries(rows), read)
        new = {"pause": pause, "due": np.where(rows["fetches"] > 0, due, rows["due"])}
        names = self.schema.names
        columns = [pa.array(new[name]) if name in new else batch.column(name) for name in names]
        return {"frontier": pa.RecordBatch.from_arrays(columns, schema=self.schema)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """The rows as they were: a URL is never lost."""
        return {"frontier": batch.select(self.schema.names)}

    def _pauses(self, rows: Columns) -> Ints:
        """The intervals of pages under the new settings."""
        import numpy as np

        (first, _, most), (new_first, new_least, new_most) = map(_seconds, (self.before, self.after))
        adapted = np.clip(rows["pause"] * new_first // max(1, first), new_least, new_most)
        pause = np.where(rows["pause"] == first, new_first, adapted)
        never_read = (rows["failures"] > 0) & (rows["pause"] == 0)
        dropped = (rows["kept"] == 0) & (rows["pause"] == most)
        return np.where(never_read, 0, np.where(dropped, new_most, pause))

    def _next_tries(self, rows: Columns) -> Ints:
        """When pages that failed are tried again."""
        import numpy as np

        gone = np.isin(rows["status"], GONE)
        limit = np.where(gone, self.after.dead_after, self.after.give_up_after)
        wait = HOUR * 6 ** np.minimum(rows["failures"], MOST_FAILURES)
        return np.where(rows["failures"] >= limit, NEVER, rows["fetched"] + wait)


def _seconds(recrawl: Recrawl) -> tuple[int, int, int]:
    """The first, the shortest and the longest interval."""
    return int(recrawl.first_days * DAY), int(recrawl.min_days * DAY), int(recrawl.max_days * DAY)
