"""What annotation adds to a document: sentences, tokens, lemmas, tags, morphs, each with its place.

The table `annotations` stands beside `documents`, a file for each of its files and a row for each kept
document. Read it through `Annotations`; for a document without a row, `segmented` gives sentences and tokens.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from corpulyzer.records import Paragraph
from corpulyzer.records.columns import record_of, schema_of
from corpulyzer.storage import open_input
from corpulyzer.text.spans import form_of, sentence_spans, token_spans

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.language import Language
    from corpulyzer.text import Learned

TABLE = "annotations"
TOKENS = "sentences.list.element.tokens.list.element"
"""Where the fields of tokens stand in the schema of a file."""
FAILED = "failed: "


@dataclass(frozen=True, slots=True)
class Token:
    """A token at `text[start:end]`. Fields that the method does not give are empty.

    `upos` is a universal tag, `xpos` that of the language's own tag set (MULTEXT-East where the model has
    it), `feats` are universal features, `morphs` the parts of the form with spaces between. The words of a
    contraction share one span.
    """

    start: int
    end: int
    form: str
    lemma: str = ""
    upos: str = ""
    xpos: str = ""
    feats: str = ""
    morphs: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence at `text[start:end]`, and the number of its paragraph."""

    start: int
    end: int
    paragraph: int
    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Annotation:
    """The sentences of a document. `text_digest` is that of their text, `method` names what made them."""

    id: int
    text_digest: str
    method: str
    sentences: tuple[Sentence, ...]


def segmented(
    text: str, paragraphs: Iterable[Paragraph], language: Language | None, learned: Learned | None = None
) -> tuple[Sentence, ...]:
    """The sentences and tokens of a text, without lemmas, tags or morphs."""
    found = []
    for number, paragraph in enumerate(paragraphs):
        inside = text[paragraph.start : paragraph.end]
        for first, last in sentence_spans(inside, language, learned):
            start, end = paragraph.start + first, paragraph.start + last
            tokens = tuple(
                Token(start + a, start + b, form_of(text, (start + a, start + b)))
                for a, b in token_spans(text[start:end], language)
            )
            if tokens:
                found.append(Sentence(start, end, number, tokens))
    return tuple(found)


class Place(NamedTuple):
    """Where the annotation of a document is: the number of its row in a row group of a file."""

    file: str
    group: int
    row: int


class Annotations:
    """Looks up the annotations of documents; keeps one row group in memory, that of the last look-up."""

    def __init__(self, files: Iterable[str]) -> None:
        self._files: dict[str, list[str]] = {}
        for file in files:
            name = file.partition("?")[0].rpartition("/")[2].rsplit(".", 2)[0]
            self._files.setdefault(name, []).append(file)
        self._archive = ""
        self._places: dict[int, Place] = {}
        self._held: dict[tuple[str, int], pa.RecordBatch] = {}

    def of(self, archive: str, document_id: int, text_digest: str) -> Annotation | None:
        """The annotation of a document of an archive; None if there is none for the text as it is."""
        place = self.place(archive, document_id)
        if place is None:
            return None
        row = self._group(place).slice(place.row, 1)
        found: Annotation = record_of(Annotation, row.to_pylist()[0])
        return found if found.text_digest == text_digest and not found.method.startswith(FAILED) else None

    def place(self, archive: str, document_id: int) -> Place | None:
        """Where the annotation of a document is stored, whatever text it is of; None if there is none."""
        if archive != self._archive:
            self._archive, self._places = archive, _places(self._files.get(archive, ()))
        return self._places.get(document_id)

    def _group(self, place: Place) -> pa.RecordBatch:
        at = (place.file, place.group)
        if at not in self._held:
            self._held = {at: _row_group(*at)}
        return self._held[at]


def _places(files: Iterable[str]) -> dict[int, Place]:
    """Where the annotation of each document is."""
    import pyarrow.parquet as pq

    places: dict[int, Place] = {}
    for file in files:
        with open_input(file) as stored, pq.ParquetFile(stored) as parquet:
            for group in range(parquet.num_row_groups):
                ids: list[Any] = parquet.read_row_group(group, columns=["id"]).column("id").to_pylist()
                places.update({key: Place(file, group, row) for row, key in enumerate(ids)})
    return places


def _row_group(file: str, group: int) -> pa.RecordBatch:
    import pyarrow.parquet as pq

    with open_input(file) as stored, pq.ParquetFile(stored) as parquet:
        (rows,) = parquet.read_row_group(group).combine_chunks().to_batches()
        return rows


def annotation_schema() -> pa.Schema:
    """The schema of the table."""
    return schema_of(Annotation)
