"""Near-duplicate documents: what a method has to know, and the map that signs documents with it.

A method turns a text into a signature. Texts with equal keys are taken for the same. Texts that share a
bucket are candidates, and `similar` decides about a pair from its two signatures alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from corpulyzer.records import int64_hash

if TYPE_CHECKING:
    import pyarrow as pa

Grouping = Literal["linked", "greedy"]


@dataclass(frozen=True, slots=True)
class Signature:
    """A text in brief: a key of all of it, the bytes to compare, the buckets that it falls into."""

    key: int
    value: bytes
    buckets: tuple[int, ...] = ()


class Method(Protocol):
    """A way to tell near-duplicates. `grouping` says what similar pairs make:

    `linked`: whatever is linked by similar pairs is one cluster. `greedy`: the best document of all is kept
    and what is similar to it goes, then the best of the rest, so that no two that are kept are similar.
    """

    @property
    def name(self) -> str: ...

    @property
    def grouping(self) -> Grouping: ...

    def sign(self, text: str) -> Signature | None:
        """The signature of a text; None for one that must never be merged with another."""
        ...

    def similar(self, left: Sequence[bytes], right: Sequence[bytes]) -> list[bool]:
        """Whether each text on the left is a near-duplicate of the one on the right."""
        ...


@dataclass(frozen=True, slots=True)
class SignDocuments:
    """Map: documents in; the signatures of kept documents and their buckets out.

    With `within_language`, documents of two languages share no key and no bucket, and so are never compared.
    """

    method: Method
    within_language: bool = False

    @property
    def stage(self) -> str:
        return self.method.name

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        import pyarrow as pa

        buckets = pa.schema([("id", pa.int64()), ("key", pa.int64())])
        signatures = buckets.append(pa.field("value", pa.binary()))
        return {"buckets": buckets, "signatures": signatures}

    @property
    def columns(self) -> tuple[str, ...]:
        return ("id", "language", "text", "verdict")

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        signed: list[tuple[int, Signature]] = []
        for number, row in enumerate(batch.to_pylist()):
            at(number)
            signature = self.method.sign(row["text"]) if row["verdict"]["kept"] else None
            if signature is not None:
                own = _within(row["language"], signature) if self.within_language else signature
                signed.append((row["id"], own))
        return self._tables(signed)

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """A text that cannot be signed has no signature: it is never merged, and counted as unsigned."""
        return self._tables([])

    def _tables(self, signed: list[tuple[int, Signature]]) -> dict[str, pa.RecordBatch]:
        import pyarrow as pa

        schemas = self.outputs
        signatures: dict[str, list[Any]] = {
            "id": [key for key, _ in signed],
            "key": [signature.key for _, signature in signed],
            "value": [signature.value for _, signature in signed],
        }
        buckets: dict[str, list[Any]] = {
            "id": [key for key, signature in signed for _ in signature.buckets],
            "key": [bucket for _, signature in signed for bucket in signature.buckets],
        }
        return {
            "buckets": pa.RecordBatch.from_pydict(buckets, schema=schemas["buckets"]),
            "signatures": pa.RecordBatch.from_pydict(signatures, schema=schemas["signatures"]),
        }


def _within(language: str, signature: Signature) -> Signature:
    """The signature with keys of one language alone."""
    key, *buckets = (int64_hash(language, str(each)) for each in (signature.key, *signature.buckets))
    return Signature(key, signature.value, tuple(buckets))


@dataclass(frozen=True, slots=True)
class ComparePairs:
    """Map: pairs of documents with their signatures in, the pairs that are similar out."""

    method: Method

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        import pyarrow as pa

        return {"edges": pa.schema([("a", pa.int64()), ("b", pa.int64())])}

    @property
    def batch_rows(self) -> int:
        return 5_000

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        import pyarrow as pa

        at(0)
        rows = batch.select(["value_a", "value_b"]).to_pylist()
        left, right = [row["value_a"] for row in rows], [row["value_b"] for row in rows]
        alike = pa.array(self.method.similar(left, right), pa.bool_())
        return {"edges": batch.select(["a", "b"]).filter(alike)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        return {"edges": self.outputs["edges"].empty_table().to_batches(1)[0]}
