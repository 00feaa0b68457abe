"""What documents are compared by: keys of payload and text, and the order in which copies are preferred."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from corpulyzer.record import EPOCH, batch_of, int64_hash, schema_of

if TYPE_CHECKING:
    import pyarrow as pa

Keep = Literal["longest", "earliest", "best"]
MICRO = 1_000_000
WORST = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Unit:
    """A document as numbers. The copy that stays is a kept one with the smallest rank, date and id."""

    id: int
    archive_id: int
    site_id: int
    kept: int
    rank: int
    date: int
    raw_key: int
    raw_bytes: int
    text_key: int
    text_bytes: int


@dataclass(frozen=True, slots=True)
class MakeUnits:
    """Map: documents in, all of them as units out.

    Keys are 64-bit hashes (xxh3) of SHA-224 and MD5 digests, and are equal only together with the size: in a
    hundred million documents two differing texts of one size meet with a chance far below one in 10,000.
    """

    keep: Keep = "longest"
    score: str = ""
    made_for: str = ""

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"units": schema_of(Unit).with_metadata({"made_for": self.made_for})}

    @property
    def columns(self) -> tuple[str, ...]:
        read = ("id", "archive", "site", "verdict", "date", "raw_digest", "raw_bytes")
        return (*read, "text_digest", "text_bytes", "scores")

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        units = []
        for number, row in enumerate(batch.to_pylist()):
            at(number)
            raw, text = row["raw_digest"], row["text_digest"]
            date = (row["date"] - EPOCH) // (EPOCH.resolution)
            units.append(
                Unit(
                    id=row["id"],
                    archive_id=int64_hash(row["archive"]),
                    site_id=int64_hash(row["site"]),
                    kept=int(row["verdict"]["kept"]),
                    rank=self._rank(row),
                    date=date,
                    raw_key=int64_hash(raw),
                    raw_bytes=row["raw_bytes"] if raw else 0,
                    text_key=int64_hash(text),
                    text_bytes=row["text_bytes"] if text else 0,
                )
            )
        return {"units": batch_of(units, Unit)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """The row in any case: a unit reads numbers alone, so there is no row that it cannot take."""
        return self(batch, lambda _: None)

    def _rank(self, row: Mapping[str, Any]) -> int:
        """Smaller is better: ties go to the earlier, then to the smaller id."""
        if self.keep == "longest":
            return -int(row["text_bytes"])
        if self.keep == "earliest":
            return 0
        found = [item["value"] for item in row["scores"] if item["name"] == self.score]
        return -round(found[0] * MICRO) if found else WORST
