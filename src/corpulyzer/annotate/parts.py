"""What the parts of annotations are made of: the kept documents of a part, and all that the annotator is."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpulyzer.engine.derived import Part, made_of, stale
from corpulyzer.engine.derived.table import Table
from corpulyzer.records.annotation import TABLE
from corpulyzer.records.fingerprint import fingerprint
from corpulyzer.storage import Storage

if TYPE_CHECKING:
    from corpulyzer.annotate import AnnotateDocuments

COLUMNS = ("id", "text", "text_digest", "paragraphs", "verdict")


def wanted_of(step: AnnotateDocuments, documents: Sequence[Part]) -> dict[str, str]:
    """What the annotations of documents are made of, by part."""
    mark = fingerprint_of(step)
    return {part.name: made_of([part.version], mark) for part in documents}


def not_annotated(storage: Storage, documents: Sequence[Part]) -> int:
    """How many parts of the documents have changed since they were annotated; 0 if nothing is annotated.

    Settings do not count: flags of `annotate` are nowhere written down.
    """
    table = Table(storage, TABLE)
    made = table.made()
    if not made:
        return 0
    for name in table.lost():
        made.pop(name, None)
    marks = {name: found.partition(".")[2] for name, found in made.items()}
    return len(
        stale(made, {part.name: made_of([part.version], marks.get(part.name, "")) for part in documents})
    )


def fingerprint_of(step: AnnotateDocuments) -> str:
    """A fingerprint of what annotations depend on besides the texts: settings, and models by their bytes."""
    backend: Any = step.backend
    model = getattr(backend, "model", "")
    asked = {
        "backend": backend.name,
        "settings": replace(backend, model=content(model) or model) if model else backend,
        "language": step.language,
        "morphs": content(step.morphs.model) if step.morphs else None,
    }
    return fingerprint("annotations", asked)


def content(model: str) -> str:
    """The digest of a model's file; empty if the model is not a file."""
    path = Path(model)
    return hashlib.sha256(path.read_bytes()).hexdigest() if model and path.is_file() else ""
