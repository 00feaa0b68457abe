"""The likeliest language of a text of any length, and the chance that this is right.

Three witnesses are heard. A small network of one layer: every word and n-gram has a vector of some numbers,
and the mean of a text's vectors is compared with that of each language. CLD2's best guess, sure or not: what
it answers to short text of each language was counted. And an answer of the ensemble, as far as it is sure. A
language with more text on the web is likelier beforehand, and those of other scripts are out of question. If
the likeliest has look-alikes, their own table has its say (`group.py`). A corpus asks the ensemble alone,
which leaves what is doubtful.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from corpulyzer.page.identify import Asked, Identified
from corpulyzer.page.identify.cld2 import best_guess
from corpulyzer.page.identify.ensemble import MODELS, Ensemble, calls_of_groups
from corpulyzer.page.identify.group import GUESS_WORDS, Near, groups_of, log_shares, shared_out
from corpulyzer.page.identify.scorer import Scorer
from corpulyzer.page.identify.table import Floats, Table, load
from corpulyzer.records import UNDETERMINED
from corpulyzer.text import weightiest_script

_LOOKED_AT, _ASKED_ABOUT = 400, 2000
# Letters from which the next row of `mix` holds: the longer a text, the more each witness is worth.
BANDS = (12, 20, 40, 80, 160)
# What CLD2 answers was counted for texts of fewer letters than this, and for longer ones.
ANSWER_BANDS = (20, 60)
# An answer of the ensemble counts by the log of its odds, and by so many nats more for being given at all.
_GIVEN, _LEAST, _MOST = 3.0, 0.02, 0.995
# Where the table of a group has decided, it counts so many times: it was made for telling these apart.
_FROM_GROUP = 2.0
# Where they are not its target, the ensemble takes them for English.
_PIDGINS = ("pcm-Latn",)
# What a label of another script loses, in nats.
_OTHER_SCRIPT = -1e3
# Han characters alone may be Japanese as well.
_ALSO = {"Hani": ("Jpan",), "Jpan": ("Hani",)}


class Guess(NamedTuple):
    """A language, and from 0 to 1 the chance that it is right."""

    code: str
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class Short:
    """Guesses by one table: its columns are no languages but the numbers of a vector.

    `folder` has the tables of look-alikes.
    """

    table: Table
    folder: str = str(MODELS)
    groups: list[Near] = field(init=False, repr=False)
    beforehand: Floats = field(init=False, repr=False)
    codes: tuple[str, ...] = field(init=False)
    _scorer: Scorer = field(init=False, repr=False)
    _output: Floats = field(init=False, repr=False)
    _steps: Floats = field(init=False, repr=False)
    _start: Floats = field(init=False, repr=False)
    _of_code: Floats = field(init=False, repr=False)
    _rows: dict[str, Floats] = field(init=False, repr=False)
    _group_of: dict[int, Near] = field(init=False, repr=False)
    _in_script: dict[str, Floats] = field(init=False, repr=False)
    _answers: list[dict[str, Floats]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        notes = self.table.notes
        labels = notes["labels"]
        codes = tuple(dict.fromkeys(label.partition("-")[0] for label in labels))
        members = np.array([[float(label.startswith(f"{code}-")) for code in codes] for label in labels])
        groups = groups_of(notes["groups"], labels, Path(self.folder), notes["unheard"])
        for name, value in (
            ("groups", groups),
            ("_group_of", {int(place): group for group in groups for place in group.places}),
            ("codes", codes),
            ("_scorer", Scorer(self.table)),
            ("_output", np.asarray(notes["output"], float).T),
            ("_steps", np.asarray(notes["steps"], float)),
            ("_start", np.asarray(notes["start"], float)),
            ("_of_code", members),
            ("_rows", _by_code(labels, codes)),
            ("beforehand", np.asarray(notes["prior"], float)),
            ("_in_script", _by_script(labels)),
            ("_answers", [_by_answer(each, labels) for each in notes["answers"]]),
        ):
            object.__setattr__(self, name, value)

    def __call__(self, texts: Sequence[str], first: Sequence[Identified] = ()) -> list[Guess]:
        """A guess for each text; none for one without a letter of a script that is known.

        `first` are the ensemble's answers; it alone speaks for languages that the network does not know.
        """
        found = first or [Identified()] * len(texts)
        rows = zip(self.evidence(texts), texts, found, strict=True)
        return [self._guessed(own, text, answer) for own, text, answer in rows]

    def evidence(self, texts: Sequence[str]) -> Floats:
        """What the network thinks of each label, in nats below certainty: a row for each text."""
        sums = self._scorer(texts, [GUESS_WORDS] * len(texts)).astype(float)
        means = (sums[:, :-1] * self._steps + self._start) / (sums[:, -1:] + 1)
        return log_shares(means @ self._output)

    def told(self, text: str) -> list[Floats]:
        """What each group of look-alikes says of a text, as if it were of the group."""
        return [group([text])[0] for group in self.groups]

    def _guessed(self, own: Floats, text: str, first: Identified) -> Guess:
        size = sum(map(str.isalpha, text[:_LOOKED_AT]))
        *weights, within, told, slope, shift = self.table.notes["mix"][bisect_right(BANDS, size)]
        heard = self.heard(own, text, first)
        if heard is None:
            return Guess(first.language, first.confidence)
        evidence = np.array(weights) @ heard[:-1] + heard[-1]
        if group := self._group_of.get(int(evidence.argmax())):
            own, beforehand = evidence[group.places], self.beforehand[group.places]
            evidence[group.places] = shared_out(
                own, beforehand, group([text])[0], (within * group.heard, told)
            )
        chances = self.chances(evidence)
        best = int(chances.argmax())
        chance = min(max(float(chances[best]), 1e-6), 1 - 1e-6)
        sure = 1 / (1 + math.exp(-slope * math.log(chance / (1 - chance)) - shift))
        known = self._may_be(first.language, heard[-1]) or first.confidence < sure
        return Guess(self.codes[best], sure) if known else Guess(first.language, first.confidence)

    def _may_be(self, code: str, certain: Floats) -> bool:
        """Whether the network knows a language in the script of a text: Uzbek in Latin, not in Arabic."""
        labels = self._rows.get(code)
        return labels is not None and bool((certain[labels > 0] > _OTHER_SCRIPT / 2).any())

    def heard(self, own: Floats, text: str, first: Identified) -> Floats | None:
        """What is known of each label: a row for each witness, and one for what is certain beforehand.

        None where no label is written in the script of the text.
        """
        possible = self._in_script.get(weightiest_script(text[:_LOOKED_AT]))
        if possible is None:
            return None
        size = sum(map(str.isalpha, text[:_LOOKED_AT]))
        answers = self._answers[bisect_right(ANSWER_BANDS, size)]
        theirs = answers.get(best_guess(text[:_ASKED_ABOUT]), answers[""])
        sure = min(max(first.confidence, _LEAST), _MOST)
        nats = math.log(sure / (1 - sure)) + _GIVEN
        nats *= _FROM_GROUP if first.language in calls_of_groups() else 1.0
        given = nats * self._rows.get(first.language, np.zeros_like(own))
        return np.stack([own, theirs, given, possible + self.beforehand])

    def chances(self, heard: Floats) -> Floats:
        """The chance of each code, from what was heard of each label, in nats."""
        return np.asarray(np.exp(log_shares(heard)) @ self._of_code)


def _by_code(labels: Sequence[str], codes: Sequence[str]) -> dict[str, Floats]:
    """By answer of the ensemble the labels that it speaks for: English stands for its pidgins as well."""
    return {
        code: np.array(
            [float(label.startswith(f"{code}-") or (code == "eng" and label in _PIDGINS)) for label in labels]
        )
        for code in codes
    }


def _by_script(labels: Sequence[str]) -> dict[str, Floats]:
    """By script what is added to each label: nothing where it is written in it, else a certain loss."""
    scripts = [label.partition("-")[2] for label in labels]
    return {
        own: np.array([0.0 if script in (own, *_ALSO.get(own, ())) else _OTHER_SCRIPT for script in scripts])
        for own in set(scripts)
    }


def _by_answer(shares: dict[str, dict[str, float]], labels: Sequence[str]) -> dict[str, Floats]:
    """By answer the log of its share in the texts of each label; under the empty one that of any other."""
    rare = np.array([math.log(shares[label][""]) for label in labels])
    columns: dict[str, Floats] = defaultdict(rare.copy)
    columns[""] = rare
    for number, label in enumerate(labels):
        for answer, share in shares[label].items():
            columns[answer][number] = math.log(share)
    return dict(columns)


@cache
def shipped() -> Short:
    """The guesses by the table that ships with the package."""
    return Short(load(MODELS / "short.table"))


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
