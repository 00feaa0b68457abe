"""Annotations of the kept documents, brought up to date with the documents and the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpulyzer.annotate import Annotated
from corpulyzer.annotate import annotate as annotate_files

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.engine.progress import Progress


def annotate(
    corpus: CorpusFolder, engine: Engine, *, retrain: bool = False, progress: Progress | None = None
) -> Annotated:
    """Annotate the kept documents that are new or changed; with `retrain`, the morphs are learned again."""
    return annotate_files(
        corpus.storage,
        corpus.documents.files,
        engine,
        corpus.config.annotate,
        corpus.config.corpus.language,
        retrain=retrain,
        progress=progress,
        accepted=corpus.accepted,
    )
