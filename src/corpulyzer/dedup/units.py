"""What documents are compared by: keys of payload and text, and the order in which copies are preferred."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from corpulyzer.records import int64_hash
from corpulyzer.records.columns import schema_of

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
    hundred million documents two different texts of one size collide with a chance far below one in 10,000.
    """

    stage: ClassVar[str] = "units"
    keep: Keep = "longest"
    score: str = ""

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"units": schema_of(Unit)}

    @property
    def columns(self) -> tuple[str, ...]:
        read = ("id", "archive", "site", "verdict", "date", "raw_digest", "raw_bytes")
        return (*read, "text_digest", "text_bytes", "scores")

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        import pyarrow as pa
        import pyarrow.compute as pc

        at(0)
        raw, text = batch.column("raw_digest"), batch.column("text_digest")
        columns = {
            "id": batch.column("id"),
            "archive_id": _keys(batch.column("archive")),
            "site_id": _keys(batch.column("site")),
            "kept": pc.struct_field(batch.column("verdict"), "kept").cast(pa.int64()),
            "rank": self._ranks(batch),
            "date": batch.column("date").cast(pa.timestamp("us", tz="UTC")).cast(pa.int64()),
            "raw_key": _keys(raw),
            "raw_bytes": pc.if_else(pc.equal(raw, pa.scalar("")), 0, batch.column("raw_bytes")),
            "text_key": _keys(text),
            "text_bytes": pc.if_else(pc.equal(text, pa.scalar("")), 0, batch.column("text_bytes")),
        }
        schema = schema_of(Unit)
        return {"units": pa.RecordBatch.from_arrays([columns[name] for name in schema.names], schema=schema)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """The unit all the same: it is made from numbers only, which cannot fail."""
        return self(batch, lambda _: None)

    def _ranks(self, batch: pa.RecordBatch) -> Any:
        """Smaller is better: ties go to the earlier, then to the smaller id."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if self.keep == "longest":
            return pc.negate(batch.column("text_bytes"))
        if self.keep == "earliest":
            return pa.array([0] * batch.num_rows, pa.int64())
        return pa.array([self._scored(scores) for scores in batch.column("scores").to_pylist()], pa.int64())

    def _scored(self, scores: Any) -> int:
        found = [item["value"] for item in scores if item["name"] == self.score]
        return -round(found[0] * MICRO) if found else WORST


def _keys(words: Any) -> Any:
    """The hash of each string; where many are equal, each is hashed once."""
    import pyarrow as pa

    coded = words.dictionary_encode()
    return pa.array([int64_hash(word) for word in coded.dictionary.to_pylist()], pa.int64()).take(
        coded.indices
    )
