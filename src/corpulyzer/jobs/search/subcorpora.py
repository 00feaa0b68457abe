"""Subcorpora of a corpus: documents chosen by filters or by a query, saved, and used as a corpus."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from corpulyzer.audit.labels import FLAGS, LABELS, all_labels
from corpulyzer.audit.sample import audits
from corpulyzer.corpus.subcorpora import Subcorpus, is_behind, must_be_name, save, write_subcorpus
from corpulyzer.errors import UserError
from corpulyzer.jobs.search.concordance import known_topics
from corpulyzer.jobs.search.refresh import refresh, score
from corpulyzer.search.finding.only import Only
from corpulyzer.search.matches import documents_with
from corpulyzer.search.query import parse
from corpulyzer.search.spread.topics import topics_of
from corpulyzer.storage.lock import HeldError, changing

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.engine.progress import Progress
    from corpulyzer.search.index import Index

Folder = TypeVar("Folder", bound="CorpusFolder")
Opened = Callable[[], "AbstractContextManager[Engine]"]


@dataclass(frozen=True, slots=True)
class Choice:
    """What the documents of a subcorpus have in common; what is left empty limits nothing.

    `query` is as in a search, `topic` the name of a topic of the report, `label` a label or flag that an
    annotator of an audit gave, such as CC or MT.
    """

    query: str = ""
    site: str = ""
    license: str = ""
    since: str = ""
    until: str = ""
    min_quality: float | None = None
    topic: str = ""
    label: str = ""

    @property
    def asked(self) -> dict[str, Any]:
        """What limits something, by its name."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in values.items() if value not in ("", None)}

    @property
    def only(self) -> Only:
        """The part that every search can be limited by."""
        return Only(self.site, self.license, self.since, self.until, self.min_quality)


def save_subcorpus(
    corpus: CorpusFolder, name: str, choice: Choice, note: str = "", progress: Progress | None = None
) -> Subcorpus:
    """Save the documents that a choice leaves under a name; UserError where it leaves none."""
    corpus.one_at_a_time("`corpulyzer subcorpus`")
    must_be_name(name)
    if corpus.subcorpus:
        raise UserError("A subcorpus is chosen out of a whole corpus.", "Leave out --in.")
    if not choice.asked:
        raise UserError(
            "A subcorpus of all documents is the corpus.", "Give a query, a site, a license, a day …"
        )
    index = refresh(corpus, progress) if choice.min_quality is None else score(corpus)
    ids = _chosen(corpus, index, choice)
    if not ids:
        raise UserError("No document meets that.", "Try the same in a search first.")
    made = datetime.now(UTC).isoformat(timespec="seconds")
    found = Subcorpus(name, choice.asked, made, len(ids), note.strip())
    save(corpus.storage, found, ids)
    return found


def _chosen(corpus: CorpusFolder, index: Index, choice: Choice) -> set[int]:
    """The ids of the documents that a choice leaves."""
    query = parse(choice.query, index.language) if choice.query else None
    found = documents_with(index, query, choice.only)
    if choice.topic:
        found = _of_topic(corpus, index, choice.topic, found)
    ids = set(found.values())
    return ids & labelled(corpus, choice.label) if choice.label else ids


def _of_topic(corpus: CorpusFolder, index: Index, topic: str, found: dict[int, int]) -> dict[int, int]:
    known = known_topics(corpus)
    if topic not in known:
        hint = f"Topics: {'; '.join(known)}." if known else "Find topics with `corpulyzer analyze topics`."
        raise UserError(f"There is no topic {topic!r}.", hint)
    told = topics_of(index, known)
    return {number: key for number, key in found.items() if told.get(number) == topic}


def labelled(corpus: CorpusFolder, label: str) -> set[int]:
    """The ids of the documents to which an annotator of any audit gave a label or flag."""
    codes = [kind.code for kind in (*LABELS, *FLAGS)]
    if label not in codes:
        raise UserError(f"There is no label {label!r}.", f"Labels: {', '.join(codes)}.")
    return {
        each.id
        for audit in audits(corpus.storage)
        for given in all_labels(corpus.storage, audit).values()
        for each in given
        if label == each.label or label in each.flags
    }


def in_subcorpus(corpus: Folder, name: str, engine: Opened) -> Folder:
    """A subcorpus as a corpus of its own, its documents brought up to date.

    While another command changes the corpus, they stay as they are.
    """
    found = corpus.of_subcorpus(name)
    if is_behind(corpus.storage, name):
        try:
            with (
                changing(corpus.storage, "subcorpus"),
                changing(found.storage, "subcorpus"),
                engine() as runner,
            ):
                write_subcorpus(corpus.storage, runner, name)
        except HeldError:
            if not found.table("documents").files:
                raise
    return found
