"""The quality of every document, one meaning for exports and concordance: the score that it carries itself,
else that of the measure `quality`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.records.columns import schema_of
from corpulyzer.storage import ParquetSink, open_input

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine

QUALITY = "quality"
ROWS_AT_ONCE = 2_000
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Scored:
    """A document and its score, from 0 to 1."""

    id: int
    quality: float


def write_quality(corpus: CorpusFolder, engine: Engine, target: str) -> None:
    """Write the scores (`id`, `quality`) of the kept documents to a Parquet file.

    Fences come from the whole corpus, so a document's score is the one that the report counts. A document
    without text in the language has no score, unless it carries one.
    """
    import pyarrow as pa

    from corpulyzer.jobs.analyze.run import bench_for
    from corpulyzer.measure.lasting import part_of
    from corpulyzer.measure.quality.score import NOISE, fence, parts_of, scores_of
    from corpulyzer.measure.statistics.distribution import value_counts
    from corpulyzer.measure.text.counts import text_counts

    bench = bench_for(corpus, engine)
    facts = text_counts(bench)["facts"]
    raw = value_counts(engine, facts, list(NOISE))
    fences = tuple(fence(name, raw[name]) for name in NOISE)
    # Counts of text are kept part by part, in the order of the names of the parts.
    with ParquetSink(target, schema_of(Scored)) as sink:
        for documents, counted in zip(sorted(bench.documents.files, key=part_of), facts.files, strict=True):
            found: dict[int, float] = {}
            for batch in _batches(counted):
                scores = scores_of(parts_of(batch, fences)).tolist()
                ids: list[Any] = batch.column("id").to_pylist()
                found |= zip(ids, scores, strict=True)
            for batch in _batches(documents, ["id", "scores", "verdict"]):
                found |= own_qualities(batch)
            keys = sorted(found)
            columns: dict[str, list[Any]] = {
                "id": keys,
                "quality": [round(found[key], DIGITS) for key in keys],
            }
            sink.write(pa.RecordBatch.from_pydict(columns, schema=schema_of(Scored)))


def own_qualities(documents: pa.RecordBatch) -> dict[int, float]:
    """The scores that kept documents carry themselves, by id; of several, the first."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kept: list[Any] = pc.struct_field(documents.column("verdict"), "kept").to_pylist()
    ids: list[Any] = documents.column("id").to_pylist()
    scores = documents.column("scores")
    pairs = pc.list_flatten(scores)
    own = pc.equal(pc.struct_field(pairs, "name"), pa.scalar(QUALITY))
    rows: list[Any] = pc.list_parent_indices(scores).filter(own).to_pylist()
    values: list[Any] = pc.struct_field(pairs, "value").filter(own).to_pylist()
    found: dict[int, float] = {}
    for row, value in zip(rows, values, strict=True):
        if kept[row]:
            found.setdefault(ids[row], float(value))
    return found


def scores_in(path: str) -> Iterator[tuple[int, float]]:
    """The ids and scores of a file that `write_quality` made."""
    for batch in _batches(path):
        yield from zip(*(batch.column(name).to_pylist() for name in ("id", "quality")), strict=True)


def _batches(path: str, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
    import pyarrow.parquet as pq

    with open_input(path) as stored, pq.ParquetFile(stored) as parquet:
        yield from parquet.iter_batches(ROWS_AT_ONCE, columns=columns, use_threads=False)
