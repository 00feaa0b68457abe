"""The labels of one annotator, given document by document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from corpulyzer.audit.labels import Label, read_labels, write_label
from corpulyzer.audit.sample import Item, read_sample
from corpulyzer.errors import UserError

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder


@dataclass(frozen=True, slots=True)
class Labelling:
    """The sample of an audit as one annotator sees it; `given` are their labels so far, by document."""

    items: tuple[Item, ...]
    given: dict[int, Label]

    @property
    def waiting(self) -> tuple[Item, ...]:
        """The documents without a label."""
        return tuple(item for item in self.items if item.id not in self.given)


def labelling(corpus: CorpusFolder, audit: str, annotator: str) -> Labelling:
    """What an annotator has labelled of an audit, and what not."""
    items = read_sample(corpus.storage, audit).items
    labels = read_labels(corpus.storage, audit, annotator)
    return Labelling(tuple(items), {label.id: label for label in labels})


def label(
    corpus: CorpusFolder,
    audit: str,
    annotator: str,
    document: int,
    code: str,
    flags: Iterable[str] = (),
    note: str = "",
) -> Label:
    """Keep what an annotator says of a document of the sample; a later label takes the place of this one."""
    if document not in {item.id for item in read_sample(corpus.storage, audit).items}:
        raise UserError("This document is not of the sample.", "Go back to the audit.")
    time = datetime.now(UTC).isoformat(timespec="seconds")
    said = Label(document, code, tuple(flags), note, time)
    write_label(corpus.storage, audit, annotator, said)
    return said
