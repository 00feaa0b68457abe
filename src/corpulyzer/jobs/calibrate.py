"""The threshold of the content-size filter: what each would keep, and the one that the rule chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from corpulyzer.corpus.folder import CorpusFolder, write_settings
from corpulyzer.engine.progress import Progress, silent
from corpulyzer.errors import UserError
from corpulyzer.jobs.process import process
from corpulyzer.measure.pages.thresholds import Column, ThresholdTable, threshold_table
from corpulyzer.page.filter.content_size import KEEP_SHARE

if TYPE_CHECKING:
    from corpulyzer.engine import Engine

AnyCorpus = TypeVar("AnyCorpus", bound=CorpusFolder)
COLUMNS: dict[str, Column] = {"bytes": "target_bytes", "characters": "target_characters"}


def calibrate(
    corpus: CorpusFolder, engine: Engine, unit: str = "bytes", keep: float = KEEP_SHARE
) -> ThresholdTable:
    """What each threshold would keep, and the largest that keeps the share `keep` of the target text."""
    corpus.of_one_language("`corpulyzer calibrate`")
    if unit not in COLUMNS or not 0 < keep <= 1:
        raise UserError(
            f"--unit {unit} --keep {keep} is not possible.",
            f"Units: {', '.join(COLUMNS)}; shares: 0 to 1.",
        )
    return threshold_table(engine, corpus.table("documents"), COLUMNS[unit], keep=keep)


def use_threshold(
    corpus: AnyCorpus,
    engine: Engine,
    table: ThresholdTable,
    unit: str = "bytes",
    progress: Progress = silent,
) -> AnyCorpus:
    """Write the chosen threshold to the settings, and judge the documents by it; return the corpus anew."""
    chosen = {"filter.content_size.min_bytes": table.chosen, "filter.content_size.unit": unit}
    write_settings(corpus.storage, chosen)
    now = corpus.reopened()
    process(now, engine, progress=progress)
    return now
