"""Tokens and sentences only, for languages that no annotator knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corpulyzer.language import Language
from corpulyzer.records import Paragraph
from corpulyzer.records.annotation import Sentence, segmented
from corpulyzer.text import Learned


@dataclass(frozen=True, slots=True)
class Plain:
    """The one tokeniser and the one sentence splitter, with what is known of the language."""

    language: str
    learned: Learned | None = None
    name: str = "plain"
    gives: tuple[str, ...] = ()

    def load(self) -> None:
        """Nothing to load."""

    def __call__(self, text: str, paragraph: int, start: int, end: int) -> Sequence[Sentence]:
        return plain_sentences(text, paragraph, start, end, self.language, self.learned)


def plain_sentences(
    text: str, paragraph: int, start: int, end: int, language: str, learned: Learned | None = None
) -> list[Sentence]:
    """The sentences of one paragraph; their tokens have no lemmas or tags."""
    from dataclasses import replace

    found = segmented(text, [Paragraph(start, end)], Language.find(language), learned)
    return [replace(sentence, paragraph=paragraph) for sentence in found]
