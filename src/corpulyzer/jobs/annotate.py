"""Annotations of the kept documents, brought up to date with the documents and the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpulyzer.annotate import Annotated
from corpulyzer.annotate import annotate as annotate_parts
from corpulyzer.corpus.full_stops import learn_stops
from corpulyzer.corpus.kept_documents import kept_parts, write_kept
from corpulyzer.engine.progress import Progress, silent
from corpulyzer.jobs.languages import large_languages
from corpulyzer.storage.lock import changing

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine


def annotate(
    corpus: CorpusFolder, engine: Engine, *, retrain: bool = False, progress: Progress = silent
) -> Annotated:
    """Annotate the kept documents that are new or changed; with `retrain`, the morphs are learned again."""
    corpus.one_at_a_time("`corpulyzer annotate`")
    with changing(corpus.storage, "annotate"):
        write_kept(corpus.storage, engine)
        return annotate_parts(
            corpus.storage,
            kept_parts(corpus.storage),
            engine,
            corpus.config.annotate,
            corpus.config.corpus.language,
            learned=learn_stops(corpus.storage, corpus.config.corpus.language),
            retrain=retrain,
            progress=progress,
        )


def annotate_each(
    corpus: CorpusFolder, engine: Engine, *, retrain: bool = False, progress: Progress = silent
) -> dict[str, Annotated]:
    """The same for each language of a corpus that has enough documents, by its own tools and settings."""
    return {
        each.language.code: annotate(each, engine, retrain=retrain, progress=progress)
        for each in large_languages(corpus, engine)
    }
