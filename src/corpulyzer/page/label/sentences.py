"""How many sentences of a page are in the target language (XH-3), and in its relatives (XH-10)."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple, Protocol

from annotated_types import Ge, Gt, Le

from corpulyzer.records import UNDETERMINED, Page
from corpulyzer.records.changed import changed
from corpulyzer.records.targets import language_of
from corpulyzer.text import sentences

# All that ends a line, and tabs: one character for one, so that places stay the same.
_TO_SPACES = dict.fromkeys(map(ord, "\n\r\t\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ")


class Piece(NamedTuple):
    """Characters `begins` to `stops` of a text, and how they read with its lines joined."""

    begins: int
    stops: int
    text: str


class Answer(Protocol):
    """The language of a text, and from 0 to 1 how sure."""

    @property
    def language(self) -> str: ...

    @property
    def confidence(self) -> float: ...


Identifier = Callable[[Sequence[str]], Sequence[Answer]]


@dataclass(frozen=True, slots=True)
class CountSentences:
    """Count a page's sentences and those of the target, as scores `sentences` and `target_sentences`.

    The sentences are those of the whole text with its lines joined by spaces, as the authors did, so that a
    menu is one sentence and not one for each item. Each is looked at by itself, in pieces where it is long; a
    piece counts for the target if that is its language with a confidence of `min_confidence` or more. Pieces
    of the target's relatives are counted the same way, each relative under its code: `zul_sentences`.
    """

    max_characters: Annotated[int, "Longest piece of a sentence that is looked at as one.", Gt(0)] = 300
    min_confidence: Annotated[float, "Confidence from which a piece counts.", Ge(0), Le(1)] = 0.5

    def __call__(self, page: Page, *, target: str, identify: Identifier) -> Page:
        found = Counter(language for _, language in self.told(page.text, identify))
        counts = {"sentences": float(found.total()), "target_sentences": float(found[target])}
        for relative in language_of(target).relatives:
            if found[relative]:
                counts[f"{relative}_sentences"] = float(found[relative])
        return changed(page, scores={**page.scores, **counts})

    def told(self, text: str, identify: Identifier) -> Iterator[tuple[Piece, str]]:
        """Each piece of a text with the language for which it counts; `und` for none."""
        for piece in self.pieces(text):
            (answer,) = identify([piece.text])
            yield piece, answer.language if answer.confidence >= self.min_confidence else UNDETERMINED

    def pieces(self, text: str) -> Iterator[Piece]:
        """The sentences of a text whose lines are joined by spaces, in pieces where they are long."""
        joined, place = text.translate(_TO_SPACES), 0
        for sentence in sentences(joined):
            for piece in textwrap.wrap(sentence, self.max_characters):
                begins = joined.index(piece, place)
                place = begins + len(piece)
                yield Piece(begins, place, piece)
