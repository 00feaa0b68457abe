"""The text that measures count: the paragraphs of a document in the target language, in small letters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from corpulyzer.dedup.passages import Cut
from corpulyzer.language import Language

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = ("id", "site", "text", "paragraphs", "languages", "scores", "verdict")
# Turkic languages whose I has no dot in small letters.
_DOTLESS = frozenset({"tur", "aze", "azj", "azb", "kaz", "crh", "gag", "tat"})
_TO_DOTLESS = str.maketrans({"I": "ı", "İ": "i"})


@dataclass(frozen=True, slots=True)
class Text:
    """A document as its text is counted: what is in the target language, and what is not.

    `sentences` are those of the target where pages are judged by them; the target's text is then theirs.
    """

    row: int
    id: int
    site: str
    kept: bool
    target: str
    other: str
    confidences: tuple[tuple[float, int], ...]
    sentences: tuple[str, ...] | None = None

    @property
    def whole(self) -> str:
        return f"{self.target}\n{self.other}" if self.other else self.target


def fold(text: str, language: Language) -> str:
    """The text in small letters, as the language writes them.

    >>> fold("IRMAK", Language.find("tur")), fold("IRMAK", Language.find("swa"))
    ('ırmak', 'irmak')
    """
    if language.code in _DOTLESS and language.script == "Latn":
        text = text.translate(_TO_DOTLESS)
    return text.lower()


def texts_of(batch: pa.RecordBatch, code: str, cut: Cut | None = None) -> Iterator[Text]:
    """The documents of a batch, paragraphs sorted by whether they are in the language `code`.

    With `cut`, which gives the sentences of the language in a text, those of kept documents are.
    Columns are read flat: paragraph by paragraph as Python records would cost more than all the counting.
    """
    import pyarrow.compute as pc

    paragraphs = batch.column("paragraphs")
    ends = pc.list_value_length(paragraphs).to_pylist()
    flat = pc.list_flatten(paragraphs)
    names = ("start", "end", "language", "confidence")
    spans = list(zip(*(pc.struct_field(flat, name).to_pylist() for name in names), strict=True))
    kept = pc.struct_field(batch.column("verdict"), "kept").to_pylist()
    first = 0
    rows = zip(*(batch.column(name).to_pylist() for name in ("id", "site", "text")), kept, ends, strict=True)
    for row, (key, site, text, stays, count) in enumerate(rows):
        own = spans[first : first + count]
        first += count
        target = "\n".join([text[start:end] for start, end, language, _ in own if language == code])
        other = "\n".join([text[start:end] for start, end, language, _ in own if language != code])
        sure = tuple(
            (confidence, end - start) for start, end, language, confidence in own if language == code
        )
        found = Text(row, key, site, stays, target, other, sure)
        yield by_sentences(found, text, cut) if cut and stays else found


def by_sentences(found: Text, text: str, cut: Cut) -> Text:
    """The same document, sentences sorted instead of paragraphs."""
    own, others, last = [], [], 0
    for begins, stops, sentence in cut(text):
        own.append(sentence)
        others.append(text[last:begins].strip())
        last = stops
    others.append(text[last:].strip())
    return replace(found, target="\n".join(own), other="\n".join(filter(None, others)), sentences=tuple(own))
