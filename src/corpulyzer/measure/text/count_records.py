"""What the one reading of all texts gives: the rows of its outputs, and which of them add up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpulyzer.measure.text.facts import TextFacts
from corpulyzer.measure.text.target_text import COLUMNS
from corpulyzer.records import Document
from corpulyzer.records.columns import schema_of

if TYPE_CHECKING:
    import pyarrow as pa

SUMS = {
    "words": ("tokens", "documents"),
    "grams": ("tokens",),
    "characters": ("characters",),
    "sentences": ("copies",),
    "languages": ("documents", "bytes", "sentences"),
    "margins": ("paragraphs", "characters"),
}
"""The outputs that add up, with the columns that do; the others have a row for each document."""
READ = "read"
"""The output that remembers what was counted, so that it can be taken off."""
SIGN = "sign"
NOT_TAKEN_OFF = "could not be counted a second time"


@dataclass(frozen=True, slots=True)
class WordCount:
    """A word on a site: in paragraphs of the target language (`target` 1) or in others (0)."""

    word: str
    site: int
    target: int
    tokens: int
    documents: int


@dataclass(frozen=True, slots=True)
class GramCount:
    """A run of words (`word2`, `word3`: hashed) or of characters (`char3`: packed), and its number."""

    kind: str
    key: int
    tokens: int


@dataclass(frozen=True, slots=True)
class CharacterCount:
    """A character by its code point, counted in all text of kept documents."""

    code: int
    characters: int


@dataclass(frozen=True, slots=True)
class SentenceCount:
    """A sentence by the hash of its folded text: how often it occurs, and its words."""

    key: int
    copies: int
    words: int


@dataclass(frozen=True, slots=True)
class LanguageCount:
    """A language on a site: documents it is in, its bytes, and its sentences where they were counted."""

    site: str
    kept: int
    language: str
    documents: int
    bytes: int
    sentences: int


@dataclass(frozen=True, slots=True)
class MarginCount:
    """How sure identification was of target paragraphs on a site, in ten bands of confidence."""

    site: str
    kept: int
    band: int
    paragraphs: int
    characters: int


@dataclass(frozen=True, slots=True)
class SampleText:
    """The target text of a document in the sample."""

    key: int
    id: int
    site: str
    text: str


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that could not be counted, and why."""

    id: int
    why: str


RECORDS: dict[str, type] = {
    "words": WordCount,
    "grams": GramCount,
    "characters": CharacterCount,
    "sentences": SentenceCount,
    "languages": LanguageCount,
    "margins": MarginCount,
    "sampled": SampleText,
    "failures": Failure,
    "facts": TextFacts,
}


def read_schema() -> pa.Schema:
    """The columns of what is remembered of a document."""
    import pyarrow as pa

    documents = schema_of(Document)
    kept = pa.field("verdict", pa.struct([("kept", pa.bool_())]))
    return pa.schema([kept if name == "verdict" else documents.field(name) for name in COLUMNS])


def remembered(batch: pa.RecordBatch) -> pa.RecordBatch:
    """What counts of documents follow from: the text of those that are kept, the languages of all."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kept = pc.struct_field(batch.column("verdict"), "kept")
    columns = {name: batch.column(name) for name in COLUMNS}
    columns["text"] = pc.if_else(kept, columns["text"], "")
    columns["verdict"] = pa.StructArray.from_arrays([kept], ["kept"])
    schema = read_schema()
    return pa.RecordBatch.from_arrays(
        [columns[name].cast(schema.field(name).type) for name in COLUMNS], schema=schema
    )
