"""The protocol that every annotator implements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from corpulyzer.records.annotation import Sentence, Token
from corpulyzer.text import tokens


class Backend(Protocol):
    """A frozen dataclass that goes to workers as it is, and loads what it needs on first use.

    `gives` names the fields of a token that it fills in, as far as its model can: lemma, upos, xpos, feats.
    """

    @property
    def name(self) -> str:
        """The name, with what distinguishes the model."""
        ...

    @property
    def gives(self) -> tuple[str, ...]: ...

    def load(self) -> None:
        """Load the model; UserError with the next step where that cannot be."""
        ...

    def __call__(self, text: str, paragraph: int, start: int, end: int) -> Sequence[Sentence]:
        """The sentences of `text[start:end]`, one paragraph; places are those in the whole text."""
        ...


def is_word(token: Token) -> bool:
    """Whether a token is a word or a number, no punctuation."""
    return bool(tokens(token.form))
