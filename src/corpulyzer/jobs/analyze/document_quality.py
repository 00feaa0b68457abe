"""The quality of every document, one meaning for exports and concordance: the score that it carries itself,
else that of the measure `quality`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.storage import ParquetSink, open_input

if TYPE_CHECKING:
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
    from corpulyzer.jobs.analyze.run import bench_for
    from corpulyzer.measure.lasting import part_of
    from corpulyzer.measure.quality.score import NOISE, fence, parts_of, score_of
    from corpulyzer.measure.statistics.distribution import value_counts
    from corpulyzer.measure.text.counts import text_counts

    bench = bench_for(corpus, engine)
    facts = text_counts(bench)["facts"]
    raw = value_counts(engine, facts, list(NOISE))
    fences = tuple(fence(name, raw[name]) for name in NOISE)
    # Counts of text are kept part by part, in the order of the names of the parts.
    with ParquetSink(target, schema_of(Scored)) as sink:
        for documents, counted in zip(sorted(bench.documents.files, key=part_of), facts.files, strict=True):
            found = {row["id"]: score_of(parts_of(row, fences)) for row in _rows(counted)}
            carried = ((row["id"], own_quality(row)) for row in _rows(documents, ["id", "scores", "verdict"]))
            found |= {key: score for key, score in carried if score is not None}
            scored = [Scored(key, round(found[key], DIGITS)) for key in sorted(found)]
            sink.write(batch_of(scored, Scored))


def own_quality(row: Mapping[str, Any]) -> float | None:
    """The score that a kept document carries itself."""
    if not row["verdict"]["kept"]:
        return None
    return next((float(each["value"]) for each in row["scores"] if each["name"] == QUALITY), None)


def scores_in(path: str) -> Iterator[tuple[int, float]]:
    """The ids and scores of a file that `write_quality` made."""
    for row in _rows(path):
        yield row["id"], row["quality"]


def _rows(path: str, columns: list[str] | None = None) -> Iterator[dict[str, Any]]:
    import pyarrow.parquet as pq

    with open_input(path) as stored, pq.ParquetFile(stored) as parquet:
        for batch in parquet.iter_batches(ROWS_AT_ONCE, columns=columns, use_threads=False):
            yield from batch.to_pylist()
