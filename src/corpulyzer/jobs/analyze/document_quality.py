"""The quality of every document, one meaning for exports and concordance: the score that it carries itself,
else that of the measure `quality`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.measure.quality.score import NOISE, Fence, fence, parts_of, scores_of
from corpulyzer.records import int64_hash
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import open_input

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Dataset, Engine
    from corpulyzer.engine.workbench import Workbench

QUALITY = "quality"
ROWS_AT_ONCE = 2_000
DIGITS = 4

QUALITY_SQL = """
select c.archive_id, c.id, case when c.carries = 1 then c.own else s.quality end as quality
from carried as c left join scored as s on s.id = c.id
where c.carries = 1 or s.quality is not null
order by c.archive_id nulls last, c.id nulls last
"""


@dataclass(frozen=True, slots=True)
class Scored:
    """A document and its score, from 0 to 1."""

    id: int
    quality: float


@dataclass(frozen=True, slots=True)
class Carried:
    """A kept document of an archive, whether it carries a score itself (1) or not (0), and which."""

    archive_id: int
    id: int
    carries: int
    own: float


@dataclass(frozen=True, slots=True)
class Score:
    """Map: counts of text in, the scores of their documents out."""

    fences: tuple[Fence, ...]

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"scored": schema_of(Scored)}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        import pyarrow as pa

        at(0)
        scores = [round(score, DIGITS) for score in scores_of(parts_of(batch, self.fences)).tolist()]
        columns = [batch.column("id"), pa.array(scores, pa.float64())]
        return {"scored": pa.RecordBatch.from_arrays(columns, schema=schema_of(Scored))}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """The score all the same: it is made from numbers only, which cannot fail."""
        return self(batch, lambda _: None)


@dataclass(frozen=True, slots=True)
class Carry:
    """Map: documents in, those kept out, each with the score that it carries itself."""

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"carried": schema_of(Carried)}

    @property
    def columns(self) -> tuple[str, ...]:
        return ("id", "archive", "scores", "verdict")

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        import pyarrow as pa
        import pyarrow.compute as pc

        at(0)
        kept = batch.filter(pc.struct_field(batch.column("verdict"), "kept"))
        archives: list[Any] = kept.column("archive").to_pylist()
        keys = {archive: int64_hash(archive) for archive in set(archives)}
        own = own_qualities(kept)
        ids: list[Any] = kept.column("id").to_pylist()
        columns = [
            pa.array([keys[archive] for archive in archives], pa.int64()),
            kept.column("id"),
            pa.array([int(key in own) for key in ids], pa.int64()),
            pa.array([round(own.get(key, 0.0), DIGITS) for key in ids], pa.float64()),
        ]
        return {"carried": pa.RecordBatch.from_arrays(columns, schema=schema_of(Carried))}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """The rows all the same: they are made from numbers only, which cannot fail."""
        return self(batch, lambda _: None)


def qualities(corpus: CorpusFolder, engine: Engine, work: Workbench) -> Dataset:
    """The scores (`archive_id`, `id`, `quality`) of the kept documents, in the order of archives and ids.

    Fences come from the whole corpus, so a document's score is the one that the report counts. A document
    without text in the language has no score, unless it carries one.
    """
    from corpulyzer.jobs.analyze.run import bench_for
    from corpulyzer.measure.statistics.distribution import value_counts
    from corpulyzer.measure.text.counts import text_counts

    bench = bench_for(corpus, engine)
    facts = text_counts(bench)["facts"]
    raw = value_counts(engine, facts, list(NOISE))
    scored = work.map("scored", Score(tuple(fence(name, raw[name]) for name in NOISE)), facts)
    carried = work.map("carried", Carry(), bench.documents, Carry().columns)
    return work.spread(QUALITY, QUALITY_SQL, carried=carried, scored=scored)


def own_qualities(documents: pa.RecordBatch) -> dict[int, float]:
    """The scores that documents carry themselves, by id; of several, the first."""
    import pyarrow as pa
    import pyarrow.compute as pc

    ids: list[Any] = documents.column("id").to_pylist()
    scores = documents.column("scores")
    pairs = pc.list_flatten(scores)
    own = pc.equal(pc.struct_field(pairs, "name"), pa.scalar(QUALITY))
    rows: list[Any] = pc.list_parent_indices(scores).filter(own).to_pylist()
    values: list[Any] = pc.struct_field(pairs, "value").filter(own).to_pylist()
    found: dict[int, float] = {}
    for row, value in zip(rows, values, strict=True):
        found.setdefault(ids[row], float(value))
    return found


def scores_in(table: Dataset) -> Iterator[tuple[int, float]]:
    """The ids and scores of a table that `qualities` has made."""
    for path in table.files:
        for batch in _batches(path):
            yield from zip(*(batch.column(name).to_pylist() for name in ("id", QUALITY)), strict=True)


def _batches(path: str) -> Iterator[pa.RecordBatch]:
    import pyarrow.parquet as pq

    with open_input(path) as stored, pq.ParquetFile(stored) as parquet:
        yield from parquet.iter_batches(ROWS_AT_ONCE, use_threads=False)
