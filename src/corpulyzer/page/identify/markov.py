"""Second-order Markov chains of characters with a function-word filter, paragraph by paragraph (HR-8).

The language of a paragraph is the one whose chain gives its letters the highest probability, each letter
after the two before it. Function words that one of two look-alikes has and the other has not (`tko`, `ko`)
count besides. And the answer stands only if the paragraph has the usual share of that language's commonest
words; paragraphs of a few words are exempt from that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from corpulyzer.page.identify import Asked, Identified
from corpulyzer.page.identify.group import Decider, Decision
from corpulyzer.page.identify.table import Table, load
from corpulyzer.records import UNDETERMINED

FILE = Path(__file__).with_name("models") / "markov.table"
MIN_WORDS = 8


@dataclass(frozen=True, slots=True)
class Markov:
    """One language for each paragraph, of the 22 whose chains ship with the package."""

    path: str = str(FILE)

    @property
    def languages(self) -> frozenset[str]:
        """The codes that it can give."""
        return frozenset(_decider(self.path).table.codes)

    def __call__(self, paragraphs: Sequence[str]) -> list[Identified]:
        """One answer for each paragraph, in order."""
        decider = _decider(self.path)
        return [
            self._identified(paragraph, decision, decider.table)
            for paragraph, decision in zip(paragraphs, decider(paragraphs), strict=True)
        ]

    def _identified(self, paragraph: str, decision: Decision, table: Table) -> Identified:
        size = len(paragraph.encode("utf-8", "surrogatepass"))
        code, confidence = decision.code, decision.confidence
        if not decision.fits or not has_function_words(paragraph, code, table):
            code, confidence = UNDETERMINED, 0.0
        return Identified(code, confidence, {code: size} if size else {})


def markov(_asked: Asked) -> Markov:
    """The identifier as the settings ask for it."""
    return Markov()


def has_function_words(paragraph: str, code: str, table: Table) -> bool:
    """Whether a paragraph has the usual share of a language's commonest words.

    A language in several scripts has a filter for each; passing one is enough.
    """
    words = paragraph.lower().split()
    if len(words) < MIN_WORDS:
        return True
    filters = _filters(table).get(code, [])
    return any(sum(word in common for word in words) >= least * len(words) for common, least in filters)


@cache
def _filters(table: Table) -> dict[str, list[tuple[frozenset[str], float]]]:
    found: dict[str, list[tuple[frozenset[str], float]]] = {}
    for label, (words, least) in table.notes["function_words"].items():
        found.setdefault(label.partition("-")[0], []).append((frozenset(words.split()), least))
    return found


@cache
def _decider(path: str) -> Decider:
    return Decider(load(Path(path)))
