"""How well languages are told apart: folders of one file a language, from single words to documents.

The claim that paragraphs err no more than documents (HR-18) can be tried: the level is an option.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from corpulyzer.errors import UserError
from corpulyzer.lab.evaluate.reliability import Reliability
from corpulyzer.lab.evaluate.short_texts import short_texts
from corpulyzer.page.identify import Identified, Identifier, leading
from corpulyzer.page.identify.told import total
from corpulyzer.page.identify.training.crops import to_measure
from corpulyzer.page.identify.training.samples import (
    DOCUMENT_CHARACTERS,
    PARAGRAPH_CHARACTERS,
    WHOLES,
    Sample,
    code_in,
    joined,
    read_folder,
)
from corpulyzer.records import UNDETERMINED

SHORT = ("word", "pair", "cut", "headline", "mixed")
LEVELS = (*SHORT, "sentence", "paragraph", "document")
Item = tuple[str, list[str]]
"""The true code of a text, and its paragraphs."""


@dataclass(frozen=True, slots=True)
class ForTarget:
    """Precision, recall and F1 for one language, and the share of each rival that was taken for it."""

    code: str
    precision: float
    recall: float
    f1: float
    false_positives: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "false_positives": self.false_positives,
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The answers of one identifier: how many texts of a language were given which."""

    name: str
    answers: Mapping[tuple[str, str], int]
    bytes: int
    seconds: float
    reliability: Reliability = field(default_factory=Reliability)

    @property
    def texts(self) -> int:
        return sum(self.answers.values())

    @property
    def codes(self) -> list[str]:
        """The languages of the texts."""
        return sorted({true for true, _ in self.answers})

    @property
    def accuracy(self) -> float:
        right = sum(size for (true, given), size in self.answers.items() if true == given)
        return right / self.texts if self.texts else 0.0

    @property
    def undetermined(self) -> float:
        """The share of texts that got no answer."""
        none = sum(size for (_, given), size in self.answers.items() if given == UNDETERMINED)
        return none / self.texts if self.texts else 0.0

    @property
    def macro_f1(self) -> float:
        """The mean F1 of the languages of the texts, each counted as one."""
        return sum(self.of(code).f1 for code in self.codes) / len(self.codes) if self.answers else 0.0

    @property
    def texts_per_second(self) -> float:
        return self.texts / max(self.seconds, 1e-9)

    @property
    def megabytes_per_second(self) -> float:
        return self.bytes / 1e6 / max(self.seconds, 1e-9)

    def of(self, code: str) -> ForTarget:
        """Precision, recall and F1 for one language, and what was taken for it."""
        true, given = self._totals()
        right = self.answers.get((code, code), 0)
        taken = {
            other: size / true[other]
            for (other, answer), size in self.answers.items()
            if answer == code and other != code
        }
        both = true[code] + given[code]
        return ForTarget(
            code=code,
            precision=right / given[code] if given[code] else 0.0,
            recall=right / true[code] if true[code] else 0.0,
            f1=2 * right / both if both else 0.0,
            false_positives=dict(sorted(taken.items(), key=lambda pair: (-pair[1], pair[0]))),
        )

    def confusions(self) -> list[tuple[str, str, int, float]]:
        """True language, wrong answer, how often, and as a share of the language's texts; the most first."""
        true, _ = self._totals()
        wrong = [(a, b, size, size / true[a]) for (a, b), size in self.answers.items() if a != b]
        return sorted(wrong, key=lambda row: (-row[2], row[0], row[1]))

    def to_json(self, code: str = "") -> dict[str, Any]:
        """The same as plain values, with the figures of one language, or of all."""
        return {
            "identifier": self.name,
            "texts": self.texts,
            "accuracy": self.accuracy,
            "macro_f1": self.macro_f1,
            "undetermined": self.undetermined,
            "reliability": self.reliability.to_json(),
            "texts_per_second": self.texts_per_second,
            "megabytes_per_second": self.megabytes_per_second,
            "confusions": [
                {"language": a, "answer": b, "texts": size, "share": share}
                for a, b, size, share in self.confusions()
            ],
            "languages": {each: self.of(each).to_json() for each in ([code] if code else self.codes)},
        }

    def _totals(self) -> tuple[Counter[str], Counter[str]]:
        true: Counter[str] = Counter()
        given: Counter[str] = Counter()
        for (a, b), size in self.answers.items():
            true[a] += size
            given[b] += size
        return true, given


def evaluate_identification(items: Sequence[Item], identifier: Identifier, name: str) -> Evaluation:
    """The answers of an identifier to texts of known language, and the processor time it took.

    A text counts as what the identifier can know of it: one of a spoken Arabic for which it has no code is
    right where it is called Arabic, and stands under that code.
    """
    known = identifier.languages
    answers: Counter[tuple[str, str]] = Counter()
    sure: list[tuple[float, bool]] = []
    if items:
        identifier(items[0][1])  # loads the tables, which is not timed
    start = time.process_time()
    for own, paragraphs in items:
        code = own if own in known else WHOLES.get(own, own)
        found = identifier(paragraphs)
        first = found[0] if len(found) == 1 else Identified(*leading(total(found)))
        answers[code, first.language] += 1
        if first.language != UNDETERMINED:
            sure.append((first.confidence, first.language == code))
    seconds = time.process_time() - start
    size = sum(len(text.encode()) for _, paragraphs in items for text in paragraphs)
    return Evaluation(name, answers, size, seconds, Reliability.of(sure))


def read_items(folder: Path, level: str, limit: int = 0, *, kept_out: bool = False) -> list[Item]:
    """The texts of a folder at a level, at most `limit` of each file; its own documents where it has them.

    With `kept_out`, only those lines of which the table of short text was not made.
    """
    if level not in LEVELS:
        raise UserError(f"There is no level {level!r}.", f"Levels: {', '.join(LEVELS)}.")
    if level == "document" and any(folder.glob("*.docs.jsonl")):
        return list(_documents(folder, limit))
    samples = read_folder(folder)
    if kept_out:
        samples = [replace(sample, lines=tuple(to_measure(sample.lines))) for sample in samples]
    return [
        (sample.code, paragraphs)
        for sample in samples
        for paragraphs in islice(_texts(sample, level), limit or None)
    ]


def _texts(sample: Sample, level: str) -> Iterator[list[str]]:
    if level == "sentence":
        return ([line] for line in sample.lines)
    if level in SHORT:
        return ([text] for text in short_texts(sample, level))
    # A file that is shorter than a paragraph is one.
    paragraphs = list(joined(sample.lines, PARAGRAPH_CHARACTERS)) or [" ".join(sample.lines)]
    if level == "paragraph":
        return ([text] for text in paragraphs)
    each = DOCUMENT_CHARACTERS // PARAGRAPH_CHARACTERS
    return (paragraphs[i : i + each] for i in range(0, len(paragraphs), each))


def _documents(folder: Path, limit: int) -> Iterator[Item]:
    for file in sorted(folder.glob("*.docs.jsonl")):
        code = code_in(file.name.removesuffix(".docs.jsonl"))
        lines = file.read_text("utf-8").splitlines()
        for line in lines[: limit or None]:
            text = json.loads(line).get("text") or ""
            if text.strip():
                yield code, [part for part in text.split("\n") if part.strip()]
