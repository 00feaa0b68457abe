"""The quality score of every document, as the measure `quality` has it, in a table to look it up in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.record import batch_of, schema_of
from corpulyzer.storage import ParquetSink, open_input

if TYPE_CHECKING:
    from corpulyzer.corpus import Corpus
    from corpulyzer.engine import Engine


@dataclass(frozen=True, slots=True)
class Scored:
    """A document and its score, from 0 to 1."""

    id: int
    quality: float


def write_quality(corpus: Corpus, engine: Engine, target: str) -> None:
    """Write the scores (`id`, `quality`) of the kept documents to a Parquet file.

    Fences come from the whole corpus, so a document's score is the one that the report counts.
    """
    import pyarrow.parquet as pq

    from corpulyzer.analysis import bench_of
    from corpulyzer.analyze.distribution import value_counts
    from corpulyzer.analyze.quality_score import NOISE, fence, parts_of, score_of
    from corpulyzer.analyze.text_counts import text_counts

    facts = text_counts(bench_of(corpus, engine))["facts"]
    raw = value_counts(engine, facts, list(NOISE))
    fences = tuple(fence(name, raw[name]) for name in NOISE)
    with ParquetSink(target, schema_of(Scored)) as sink:
        for file in facts.files:
            with open_input(file) as stored, pq.ParquetFile(stored) as parquet:
                for batch in parquet.iter_batches(5_000, use_threads=False):
                    rows: list[Any] = batch.to_pylist()
                    scored = [Scored(row["id"], score_of(parts_of(row, fences))) for row in rows]
                    sink.write(batch_of(scored, Scored))
