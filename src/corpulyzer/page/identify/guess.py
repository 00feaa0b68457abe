"""A best guess for every text, however short, with the chance that it is right.

The ensemble answers first and is one of three witnesses; see `short.py` for the others. Where only certain
answers are wanted, those that are not surer than `min_confidence` are `und`. A corpus asks the ensemble
alone, which leaves what is doubtful.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from corpulyzer.page.identify import Asked, Identified
from corpulyzer.page.identify.ensemble import MODELS, Ensemble
from corpulyzer.page.identify.short import shipped
from corpulyzer.records import UNDETERMINED


@dataclass(frozen=True)
class BestGuess:
    """One answer for each paragraph that has a letter of a known script."""

    ensemble: Ensemble = field(default_factory=lambda: with_pidgin(Ensemble()))
    min_confidence: float = 0.0

    @property
    def languages(self) -> frozenset[str]:
        """The codes that it can give."""
        return self.ensemble.languages.union(shipped().codes)

    def __call__(self, paragraphs: Sequence[str]) -> list[Identified]:
        """One answer for each paragraph, in order."""
        return guessed(paragraphs, self.ensemble(paragraphs), self.min_confidence)


def guess(asked: Asked) -> BestGuess:
    """The identifier as the settings ask for it."""
    return BestGuess(with_pidgin(Ensemble(asked.target, asked.models)), asked.min_confidence)


def with_pidgin(ensemble: Ensemble) -> Ensemble:
    """The ensemble with an eye on Pidgin wherever English is found, which would be dear in a corpus."""
    return replace(ensemble, models=(*ensemble.models, str(MODELS / "target-pcm.table")))


def guessed(
    texts: Sequence[str], found: Sequence[Identified], min_confidence: float = 0.0
) -> list[Identified]:
    """The best guesses for texts that the ensemble has answered; `und` where they are not sure enough."""
    return [
        _answer(first, code, confidence) if confidence > min_confidence else _answer(first, UNDETERMINED, 0.0)
        for first, (code, confidence) in zip(found, shipped()(texts, found), strict=True)
    ]


def _answer(first: Identified, code: str, confidence: float) -> Identified:
    """The guess, with the bytes that the ensemble gave to its own answer; those of other stretches stay."""
    sizes = dict(first.languages)
    if first.language != code:
        moved = sizes.pop(first.language, 0) + (sizes.pop(UNDETERMINED, 0) if code != UNDETERMINED else 0)
        if moved:
            sizes[code] = sizes.get(code, 0) + moved
    return Identified(code, confidence, sizes)
