"""How good the identifier is on texts of sources that it has not seen.

The path is the one that documents take: the ensemble, with tables from which the tested texts were left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpulyzer.lab.evaluate.identification import Evaluation
from corpulyzer.page.identify import Identifier
from corpulyzer.page.identify.cld2 import Cld2
from corpulyzer.page.identify.ensemble import Ensemble, forget_models
from corpulyzer.page.identify.training.held_out import held_out
from corpulyzer.page.identify.training.recipe import PLANS
from corpulyzer.page.identify.training.samples import PARAGRAPH_CHARACTERS, Sample, joined

# The source that has the most languages: all of them are tried there, elsewhere those of groups.
WIDEST = "flores"
_EVERY_SENTENCE_OF = frozenset(next(plan.labels for plan in PLANS if plan.name == "nguni"))
_STEP = 4


@dataclass(frozen=True, slots=True)
class Unseen:
    """Answers by identifier, level, source, true label and given code: how many texts."""

    answers: Mapping[tuple[str, str, str, str, str], int]

    def of(self, name: str, level: str, labels: Iterable[str] = (), source: str = "") -> Evaluation:
        """The answers of one identifier at one level: of some labels or of all, of one source or of all."""
        wanted = frozenset(labels)
        found: Counter[tuple[str, str]] = Counter()
        for (own, at, where, label, code), size in self.answers.items():
            if (own, at) == (name, level) and source in ("", where) and (not wanted or label in wanted):
                found[label.partition("-")[0], code] += size
        return Evaluation(name, found, 0, 0.0)


def cross_source(samples: Sequence[Sample], folder: Path) -> Unseen:
    """The answers of the ensemble and of CLD2 alone on each source, with tables trained without it.

    By paragraph, all groups on all sources and all languages of the widest; by sentence, all isiXhosa with
    its neighbours, and every fourth of the widest.
    """
    in_groups = {label for plan in PLANS for label in plan.labels}
    answers: Counter[tuple[str, str, str, str, str]] = Counter()
    for held in held_out(samples, folder):
        known: dict[str, Identifier] = {"ensemble": Ensemble(folder=str(held.folder)), "cld2": Cld2()}
        for sample in held.samples:
            if sample.label not in in_groups and held.source != WIDEST:
                continue
            for level, texts in _texts(sample, held.source).items():
                for name, identifier in known.items():
                    given = (identifier([text])[0].language for text in texts)
                    answers.update((name, level, held.source, sample.label, code) for code in given)
        forget_models()
    return Unseen(answers)


def _texts(sample: Sample, source: str) -> dict[str, Sequence[str]]:
    sentences: Sequence[str] = ()
    if sample.label in _EVERY_SENTENCE_OF:
        sentences = sample.lines
    elif source == WIDEST:
        sentences = sample.lines[::_STEP]
    return {"paragraph": list(joined(sample.lines, PARAGRAPH_CHARACTERS)), "sentence": sentences}
