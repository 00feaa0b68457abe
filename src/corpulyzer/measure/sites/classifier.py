"""Sites by a document classifier that the user brings: its mean score over a site's documents (CZ-53).

The classifier is any function `module:name` that takes a text and returns a number, or numbers by label.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from corpulyzer.engine import Dataset, Source, Unit
from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.measure.bench import Bench
from corpulyzer.measure.figures import bars
from corpulyzer.measure.result import Result
from corpulyzer.measure.text.counts import tag_of
from corpulyzer.measure.text.target_text import COLUMNS, texts_of
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.storage import Storage

if TYPE_CHECKING:
    import pyarrow as pa

MICRO = 1_000_000
TOP_SITES = 100
ONE = "score"
FAILED = "(failed)"
SITES_SQL = """
select site, label, sum(documents) as documents, sum(score) as score from scores
group by site, label order by site nulls last, label nulls last
"""


@dataclass(frozen=True, slots=True)
class ScoreCount:
    """A site's documents and the sum of their scores for a label, in millionths."""

    site: str
    label: str
    documents: int
    score: int


@dataclass(frozen=True, slots=True)
class Classify:
    """Map: documents in, sums of scores by site out; kept documents alone, their target text."""

    function: str
    language: str

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"scores": schema_of(ScoreCount)}

    def prepare(self) -> None:
        """Import the classifier once."""
        load(self.function)

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        classify, code = load(self.function), Language.find(self.language).code
        rows = []
        for row, text in enumerate(texts_of(batch, code)):
            at(row)
            if text.kept and text.target:
                found = classify(text.target)
                scores = found if isinstance(found, Mapping) else {ONE: found}
                rows += [
                    ScoreCount(text.site, str(label), 1, round(float(score) * MICRO))
                    for label, score in scores.items()
                ]
        return {"scores": batch_of(rows, ScoreCount)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """The document as one that the classifier could not take."""
        return {"scores": batch_of([ScoreCount(batch.column("site")[0].as_py(), FAILED, 1, 0)], ScoreCount)}


@cache
def load(name: str) -> Callable[[str], Any]:
    """The function that `module:name` stands for."""
    module, _, function = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise UserError(
            f"The classifier {name!r} cannot be imported: {error}.",
            "Name it as module:function, and see that Python finds the module (PYTHONPATH).",
        ) from None
    if not callable(found):
        raise UserError(f"The classifier {name!r} is no function.", "Name it as module:function.")
    classify: Callable[[str], Any] = found
    return classify


def measure(bench: Bench) -> list[Result]:
    """The mean score of each site; nothing where there is no classifier."""
    if not bench.classifier:
        return []
    load(bench.classifier)
    storage = Storage(Storage(bench.folder).path("classifier"))
    step = Classify(bench.classifier, tag_of(bench))
    units = [
        Unit(Source(path=file, columns=COLUMNS), {"scores": storage.path(f"{number:05d}.parquet")})
        for number, file in enumerate(bench.documents.files)
    ]
    bench.engine.map(step, units)
    scores = Dataset(tuple(unit.targets["scores"] for unit in units), schema_of(ScoreCount))
    rows = bench.engine.query(SITES_SQL, {"scores": scores}).to_pylist()
    for file in storage.list("", ".parquet"):
        storage.delete(file)
    return [_result(bench, rows)]


def _result(bench: Bench, rows: list[dict[str, Any]]) -> Result:
    failed = sum(row["documents"] for row in rows if row["label"] == FAILED)
    rows = [
        {"site": row["site"], "label": row["label"], "documents": row["documents"],
         "mean": row["score"] / row["documents"] / MICRO}
        for row in rows
        if row["label"] != FAILED
    ]  # fmt: skip
    rows.sort(key=lambda row: (row["label"], -row["mean"], row["site"]))
    documents = sum(row["documents"] for row in rows)
    mean = sum(row["mean"] * row["documents"] for row in rows) / documents if documents else None
    labels = {row["label"] for row in rows}
    over = "" if len(labels) != 1 or mean is None else f", on average {mean:.3f} a document"
    return Result(
        name="classifier",
        title="Sites by your classifier",
        definition=f"The mean score of {bench.classifier} over the kept documents of each site.",
        citation="Tahir & Mehmood 2021, on uses of a corpus (CZ-53)",
        rows=table_of(
            rows[:TOP_SITES],
            {"site": "string", "label": "string", "documents": "int64", "mean": "double"},
        ),
        summary=f"{len({row['site'] for row in rows}):,} sites scored{over}.",
        parameters={"classifier": bench.classifier, "sites_shown": TOP_SITES},
        spec=bars("site", "mean"),
        warnings=(
            "The score means what its author says; nothing here has checked it.",
            *([f"{failed:,} documents could not be scored."] if failed else []),
        ),
    )
