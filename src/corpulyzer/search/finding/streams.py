"""One document as it is read: its units from a shard, its text when someone asks for it.

Most answers need only units. A text is put together of them and of what is stored beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from corpulyzer.errors import UserError
from corpulyzer.search.packed import Spans, spans_of, text_of

if TYPE_CHECKING:
    from corpulyzer.search.finding.layer import Layer
    from corpulyzer.search.index import Index
    from corpulyzer.search.shards.column import Column


@dataclass(frozen=True, slots=True)
class Texts:
    """What is stored of texts beside their words, read when someone wants it; several at once are quicker."""

    index: Index
    stored: dict[int, tuple[bytes, bytes | None]] = field(default_factory=dict, repr=False)

    def fetch(self, numbers: Sequence[int]) -> None:
        """Read what is stored of some documents."""
        if not numbers:
            return
        with self.index.reading() as connection:
            for number in numbers:
                sql = "select rest, spans from texts where number = ?"
                row = connection.execute(sql, (number,)).fetchone()
                if row is None:
                    raise UserError("The index has changed meanwhile.", "Search again.")
                self.stored[number] = row

    def cut(self, number: int, words: Sequence[str]) -> tuple[str, Spans, Spans]:
        """The text of a document with these words, where they stand, and where tokens do."""
        if number not in self.stored:
            self.fetch([number])
        rest, spans = self.stored.pop(number)
        text, units = text_of(rest, words, self.index.language)
        return text, units, spans_of(spans) if spans else ()


class Streams:
    """A document in a layer: its units, and its text with where they stand."""

    __slots__ = ("_cut", "_texts", "begin", "document", "layer", "words")

    def __init__(self, layer: Layer, document: int, texts: Texts) -> None:
        self.layer, self.document, self._texts = layer, document, texts
        self.words = _words(layer.units, document)
        self.begin = self.words.begin
        self._cut: tuple[str, Spans] | None = None

    @property
    def is_read(self) -> bool:
        """Whether its text is there."""
        return self._cut is not None

    @property
    def text(self) -> str:
        return self._text_and_spans()[0]

    @property
    def spans(self) -> Spans:
        return self._text_and_spans()[1]

    def _text_and_spans(self) -> tuple[str, Spans]:
        if self._cut is None:
            shard = self.layer.shard
            words = _words(shard.words, self.document)[:]
            text, units, tokens = self._texts.cut(int(shard.numbers[self.document]), words)
            self._cut = text, units if self.layer.base == "words" else tokens
        return self._cut

    def paragraph(self, unit: int) -> tuple[int, int]:
        """The first unit of the paragraph in which a unit stands, and the one after its last."""
        import numpy as np

        begins, ends = self.layer.paragraphs(np.array([self.begin + unit]))
        return int(begins[0]) - self.begin, int(ends[0]) - self.begin


def _words(column: Column, document: int) -> Words:
    begin, end = column.starts[document : document + 2].tolist()
    return Words(column, begin, end)


class Words(Sequence[str]):
    """The units of a document, read as they are asked for."""

    __slots__ = ("_column", "_end", "begin")

    def __init__(self, column: Column, begin: int, end: int) -> None:
        self._column, self.begin, self._end = column, begin, end

    def __len__(self) -> int:
        return self._end - self.begin

    def __iter__(self) -> Iterator[str]:
        return iter(self[:])

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, int):
            return self[at : at + 1][0]
        begin, end, _ = at.indices(len(self))
        places = slice(self.begin + begin, self.begin + max(begin, end))
        return self._column.names(self._column.numbers(places))
