"""Paragraphs and sentences of the corpus as hashes with where they stand (HR-7, XH-15)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

from corpulyzer.language import Language
from corpulyzer.records import int64_hash
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.records.targets import language_of
from corpulyzer.text import Learned, sentences, tokens

if TYPE_CHECKING:
    import pyarrow as pa

Scope = Literal["site", "corpus"]
Sentence = tuple[int, int, str]
"""First character, the one behind the last, and how it reads."""


class Cut(Protocol):
    """Gives the sentences of a text, where a corpus has rules of its own for them."""

    def __call__(self, text: str) -> Iterable[Sentence]: ...

    def prepare(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Passage:
    """Characters `begins` to `stops` of a document. Passages of one scope and key are copies."""

    document: int
    number: int
    begins: int
    stops: int
    words: int
    key: int
    scope_id: int
    site_id: int


@dataclass(frozen=True, slots=True)
class FindPassages:
    """Map: documents in; the paragraphs and sentences of kept documents out.

    `sentences` cuts texts where the corpus has sentences of its own; else they end with their line, and
    `learned` is what the corpus shows of its full stops. Without a `language` each document is cut by its
    own; with `within_language`, passages of documents of two languages are no copies.
    """

    stage: ClassVar[str] = "passages"
    language: str = ""
    scope: Scope = "site"
    sentences: Cut | None = None
    learned: Learned | None = None
    within_language: bool = False

    def prepare(self) -> None:
        """Load, before workers are forked, what they then share."""
        if self.sentences is not None:
            self.sentences.prepare()

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"sentences": schema_of(Passage), "paragraphs": schema_of(Passage)}

    @property
    def columns(self) -> tuple[str, ...]:
        return ("id", "site", "language", "text", "paragraphs", "verdict")

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        found: dict[str, list[Passage]] = {"paragraphs": [], "sentences": []}
        for number, row in enumerate(batch.to_pylist()):
            at(number)
            if row["verdict"]["kept"]:
                language = language_of(self.language or row["language"])
                by_line = partial(_by_line, language=language, learned=self.learned)
                cut: Callable[[str], Iterable[Sentence]] = self.sentences or by_line
                scope = self._scope(row, 0)
                found["paragraphs"] += self._paragraphs(row)
                found["sentences"] += sentence_passages(row, cut(row["text"]), language, scope)
        return {name: batch_of(passages, Passage) for name, passages in found.items()}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """A text that cannot be cut has no passages, and so none that repeats another."""
        return {name: batch_of([], Passage) for name in self.outputs}

    def _paragraphs(self, row: dict[str, Any]) -> Iterator[Passage]:
        site = int64_hash(row["site"])
        scope = self._scope(row, site if self.scope == "site" else 0)
        for number, span in enumerate(row["paragraphs"]):
            text = row["text"][span["start"] : span["end"]]
            yield Passage(
                document=row["id"],
                number=number,
                begins=span["start"],
                stops=span["end"],
                words=len(tokens(text)),
                key=int64_hash(text),
                scope_id=scope,
                site_id=site,
            )

    def _scope(self, row: Mapping[str, Any], scope: int) -> int:
        """The key of where copies of a document's passages are looked for."""
        return int64_hash(row["language"], str(scope)) if self.within_language else scope


def sentence_passages(
    row: Mapping[str, Any], cut: Iterable[Sentence], language: Language | None, scope: int = 0
) -> Iterator[Passage]:
    """The sentences of a document with their places; copies differ in case at most (XH-15)."""
    site_id = int64_hash(row["site"])
    for number, (begins, stops, sentence) in enumerate(cut):
        yield Passage(
            document=row["id"],
            number=number,
            begins=begins,
            stops=stops,
            words=len(tokens(sentence, language)),
            key=sentence_key(sentence),
            scope_id=scope,
            site_id=site_id,
        )


def _by_line(text: str, language: Language | None, learned: Learned | None) -> Iterator[Sentence]:
    place = 0
    for sentence in sentences(text, language, learned):
        begins = text.index(sentence, place)
        place = begins + len(sentence)
        yield begins, place, sentence


def sentence_key(sentence: str) -> int:
    """The key of a sentence, the same whatever the case of its letters."""
    return int64_hash(sentence.casefold())


def runs(passages: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of one text, in order, joined where no more than white space can be between them.

    >>> runs([(0, 10), (11, 20), (40, 50)])
    [(0, 20), (40, 50)]
    """
    joined: list[tuple[int, int]] = []
    for begins, stops in sorted(passages):
        if joined and begins <= joined[-1][1] + 2:
            joined[-1] = (joined[-1][0], max(stops, joined[-1][1]))
        else:
            joined.append((begins, stops))
    return joined
