"""How many sentences of a page are in the target language (XH-3), and in its relatives (XH-10)."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol

from annotated_types import Ge, Gt, Le

from corpulyzer.language import Language
from corpulyzer.records import Page
from corpulyzer.records.changed import changed
from corpulyzer.text import sentences


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
        total = 0
        found: Counter[str] = Counter()
        for piece in self._pieces(page.text):
            (answer,) = identify([piece])
            total += 1
            if answer.confidence >= self.min_confidence:
                found[answer.language] += 1
        counts = {"sentences": float(total), "target_sentences": float(found[target])}
        for relative in Language.find(target).relatives:
            if found[relative]:
                counts[f"{relative}_sentences"] = float(found[relative])
        return changed(page, scores={**page.scores, **counts})

    def _pieces(self, text: str) -> Iterator[str]:
        for sentence in sentences(" ".join(text.splitlines())):
            yield from textwrap.wrap(sentence, self.max_characters)
