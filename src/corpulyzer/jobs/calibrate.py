"""Thresholds of filters: what each would keep, what documents show, and what those in use throw away."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from corpulyzer.corpus.documents import Documents
from corpulyzer.corpus.folder import CorpusFolder, write_settings
from corpulyzer.corpus.settings.by_language import LEARNED
from corpulyzer.engine.progress import Progress, silent
from corpulyzer.errors import UserError
from corpulyzer.jobs.process import process
from corpulyzer.measure.pages.learned_thresholds import (
    ALONE,
    FILTERS_KEY,
    LearnedThresholds,
    learned_thresholds,
)
from corpulyzer.measure.pages.strictness import LOOKS, Strictness, strictness
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
    corpus.of_one_language("The table of content sizes")
    _must_be_possible(unit, keep)
    return threshold_table(engine, corpus.table("documents"), COLUMNS[unit], keep=keep)


def _must_be_possible(unit: str, keep: float) -> None:
    if unit not in COLUMNS or not 0 < keep <= 1:
        raise UserError(
            f"--unit {unit} --keep {keep} is not possible.",
            f"Units: {', '.join(COLUMNS)}; shares: 0 to 1.",
        )


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


def learn(corpus: CorpusFolder, unit: str = "bytes", keep: float = KEEP_SHARE) -> list[LearnedThresholds]:
    """The thresholds that the documents of each language of a corpus of several show."""
    _must_be_possible(unit, keep)
    if corpus.targets.only is not None:
        raise UserError(
            "Thresholds are learned by language in a corpus of several languages.",
            "For one, `corpulyzer calibrate` chooses the content size.",
        )
    filters = _judging(corpus)
    found = learned_thresholds(_looked_at(corpus, COLUMNS[unit]), unit, keep, filters=filters)
    if filters == corpus.config.filter.document:
        return found
    return [replace(each, values={**each.values, FILTERS_KEY: list(filters)}) for each in found]


def _judging(corpus: CorpusFolder) -> tuple[str, ...]:
    """The filters of documents, with those that are learned where nobody has said which there are to be."""
    known = corpus.config.filter.document
    origin = next(each.origin for each in corpus.settings if each.key == FILTERS_KEY)
    return known if origin != "default" else (*known, *(name for name in ALONE if name not in known))


def rejects(corpus: CorpusFolder, engine: Engine, number: int = 5, seed: int = 0) -> list[Strictness]:
    """What the thresholds in use throw away in each language, with some of it for a speaker to look at."""
    if number < 0:
        raise UserError(f"{number} documents cannot be drawn.", "Give 0 or more.")
    return strictness(engine, corpus.table("documents"), corpus.targets, number, seed)


def use_learned(
    corpus: AnyCorpus, engine: Engine, found: Sequence[LearnedThresholds], progress: Progress = silent
) -> AnyCorpus:
    """Keep what was learned until it is learned again, judge the documents by it; return the corpus anew."""
    stored = {
        "languages": {each.language: dict(each.values) for each in found},
        "documents": {each.language: each.documents for each in found},
    }
    corpus.storage.write(LEARNED, json.dumps(stored, indent=1).encode())
    now = corpus.reopened()
    process(now, engine, progress=progress)
    return now


def _looked_at(corpus: CorpusFolder, size: Column) -> Iterator[tuple[int, str, int, str]]:
    """The documents that are in a language of the corpus, kept or dropped for how their text looks."""
    from corpulyzer.corpus.without_copies import living_parts

    files = tuple(part.file for part in living_parts(corpus.storage))
    columns = ["id", "language", size, "text", "verdict"]
    for batch in Documents(corpus.storage, files).batches(columns):
        for row in batch.to_pylist():
            known = corpus.targets.judging_shown(row["language"])
            if known and row["verdict"]["reason"] in ("", *LOOKS):
                yield row["id"], known, row[size], row["text"]
