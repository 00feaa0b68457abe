"""Whether a confidence keeps its word: of the answers given at .9, are nine of ten right?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

TENTHS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """The answers of one tenth of confidence: how many, their mean confidence, the share that is right."""

    answers: int
    confidence: float
    right: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """Answers by tenths of their confidence; tenths without answers are left out."""

    bins: tuple[Bin, ...] = ()

    @staticmethod
    def of(answers: Iterable[tuple[float, bool]]) -> Reliability:
        """From confidences and whether the answers were right."""
        tenths: list[list[tuple[float, bool]]] = [[] for _ in range(TENTHS)]
        for confidence, right in answers:
            tenths[min(int(confidence * TENTHS), TENTHS - 1)].append((confidence, right))
        return Reliability(tuple(_bin(each) for each in tenths if each))

    @property
    def expected_error(self) -> float:
        """The mean distance of confidence and share that is right, each tenth by its number of answers.

        >>> Reliability.of([(0.75, True), (0.75, False), (1.0, True), (1.0, True)]).expected_error
        0.125
        """
        total = sum(each.answers for each in self.bins)
        distances = sum(each.answers * abs(each.confidence - each.right) for each in self.bins)
        return distances / total if total else 0.0

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        rows = [
            {"answers": each.answers, "confidence": each.confidence, "right": each.right}
            for each in self.bins
        ]
        return {"expected_calibration_error": self.expected_error, "bins": rows}


def _bin(answers: list[tuple[float, bool]]) -> Bin:
    size = len(answers)
    return Bin(size, sum(sure for sure, _ in answers) / size, sum(right for _, right in answers) / size)
