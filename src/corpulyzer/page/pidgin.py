"""Nigerian Pidgin beside English: pages of it are found, and English ones keep every answer that they had.

The ensemble takes Pidgin for English. A second look at each English paragraph finds it, but now and then
takes a short English sentence for Pidgin too; so what it says counts only where it is sure, and says so of
most of a page's English.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpulyzer.page.identify import Identified
    from corpulyzer.page.identify.ensemble import Ensemble

PIDGIN, ENGLISH = "pcm", "eng"
# So sure it is of 53 of 58 paragraphs of Pidgin that nothing was made of, and of 2 of 5,569 English ones.
LEAST = 0.95


@dataclass(frozen=True)
class OrPidgin:
    """The answers of the ensemble; on a page whose English is mostly Pidgin, that is what it is called."""

    ensemble: Ensemble

    @property
    def languages(self) -> frozenset[str]:
        """The codes that it can give."""
        return self._second.languages

    def prepare(self) -> None:
        """Load what most pages need."""
        self.ensemble.prepare()

    def __call__(self, paragraphs: Sequence[str]) -> list[Identified]:
        """One answer for each paragraph of a page, in order."""
        found = self.ensemble(paragraphs)
        english = [number for number, each in enumerate(found) if each.language == ENGLISH]
        if not english:
            return found
        again = dict(zip(english, self._second([paragraphs[number] for number in english]), strict=True))
        pidgin = [number for number in english if _is_pidgin(again[number])]
        if 2 * _size(found, pidgin) <= _size(found, english):
            return found
        return [again[number] if number in pidgin else each for number, each in enumerate(found)]

    @cached_property
    def _second(self) -> Ensemble:
        from corpulyzer.page.identify.guess import with_pidgin

        return with_pidgin(self.ensemble)


def _is_pidgin(answer: Identified) -> bool:
    return answer.language == PIDGIN and answer.confidence >= LEAST


def _size(found: Sequence[Identified], numbers: Sequence[int]) -> int:
    """The bytes of English that some paragraphs have."""
    return sum(found[number].languages.get(ENGLISH, 0) for number in numbers)
