"""Lists of words, with weights, that score a text: how they are written in files, and what a text gets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from corpulyzer.errors import UserError
from corpulyzer.text.word import tokens

REMARK = "#"
THRESHOLD = "# threshold:"


@dataclass(frozen=True)
class WordList:
    """Words, or several in a row, in small letters, each with its weight.

    `threshold` is the score from which a text counts, where the list says one.
    """

    weights: Mapping[tuple[str, ...], float]
    threshold: float | None = None

    def score(self, words: Sequence[str]) -> tuple[float, int]:
        """The mean weight of a text's words, and how many different entries it has.

        >>> word_list("bad\\nvery bad\\t3", "a.txt").score(words_of("Very bad, and bad"))
        (1.25, 2)
        """
        total, found = 0.0, set()
        for place, word in enumerate(words):
            for entry in self._by_first.get(word, ()):
                if tuple(words[place : place + len(entry)]) == entry:
                    total += self.weights[entry]
                    found.add(entry)
        return (total / len(words) if words else 0.0), len(found)

    @cached_property
    def _by_first(self) -> dict[str, list[tuple[str, ...]]]:
        entries: dict[str, list[tuple[str, ...]]] = {}
        for entry in self.weights:
            entries.setdefault(entry[0], []).append(entry)
        return entries


def words_of(text: str) -> list[str]:
    """The words of a text as lists have them."""
    return tokens(text.lower())


def word_list(text: str, name: str) -> WordList:
    """The list that the text of a file says; `name` is that of the file, for errors."""
    weights: dict[tuple[str, ...], float] = {}
    threshold = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(THRESHOLD):
            threshold = _number(line.removeprefix(THRESHOLD), f"{name}, line {number}")
        elif line.strip() and not line.startswith(REMARK):
            entry, _, weight = line.partition("\t")
            words = tuple(words_of(entry))
            if not words:
                raise UserError(f"{name}, line {number}: {entry!r} has no word.", "Write a word a line.")
            weights[words] = _number(weight, f"{name}, line {number}") if weight.strip() else 1.0
    return WordList(weights, threshold)


def as_text(found: WordList, remarks: Iterable[str] = ()) -> str:
    """A list as the text of a file, the heaviest entry first."""
    lines = [f"{REMARK} {remark}" for remark in remarks]
    lines += [f"{THRESHOLD} {found.threshold:.6g}"] if found.threshold is not None else []
    entries = sorted(found.weights.items(), key=lambda item: (-item[1], item[0]))
    lines += [f"{' '.join(words)}\t{weight:.4g}" for words, weight in entries]
    return "".join(f"{line}\n" for line in lines)


def _number(written: str, where: str) -> float:
    try:
        return float(written)
    except ValueError:
        raise UserError(
            f"{where}: {written.strip()!r} is no number.", "Write word, tab, weight; or the word alone."
        ) from None
