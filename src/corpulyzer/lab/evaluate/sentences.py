"""How well texts are cut into sentences, where their sentences are known.

The sentences of each document are joined by spaces, cut again, and the ends that were found compared with
those that there are. The last end of a document is given, and does not count.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import regex

from corpulyzer.errors import UserError
from corpulyzer.lab.evaluate.binary import Binary
from corpulyzer.language import Language
from corpulyzer.text import Learned, sentences
from corpulyzer.text.learn_stops import StopCounts

_SPACE = regex.compile(r"\s+")
_TEXT, _DOCUMENT = "# text = ", "# newdoc"
_AROUND = 30

Gold = list[list[str]]
"""Documents, each a list of its sentences."""


@dataclass(frozen=True, slots=True)
class Bounds(Binary):
    """Ends of sentences: found where one is, found where none is, missed; and the text around mistakes."""

    mistakes: tuple[tuple[str, str], ...]

    def to_json(self) -> dict[str, Any]:
        """The measurement as plain values."""
        counts = {name: getattr(self, name) for name in ("right", "wrong", "missed")}
        shares = {name: getattr(self, name) for name in ("precision", "recall", "f1")}
        return {**counts, **shares, "mistakes": [{"kind": kind, "at": at} for kind, at in self.mistakes]}


def read_gold(data: bytes, path: str) -> Gold:
    """The documents of a file called `path`: CoNLL-U, or a sentence a line, with empty lines between them."""
    text = data.decode("utf-8", "replace")
    documents = _from_conllu(text) if _TEXT in text else _from_lines(text)
    if not any(len(document) > 1 for document in documents):
        raise UserError(
            f"{path} has no document of two sentences.",
            "Give CoNLL-U with `# text`, or a sentence a line and an empty line after each document.",
        )
    return documents


def _from_conllu(text: str) -> Gold:
    documents: Gold = [[]]
    for line in text.splitlines():
        if line.startswith(_DOCUMENT):
            documents.append([])
        elif line.startswith(_TEXT) and (sentence := line.removeprefix(_TEXT).strip()):
            documents[-1].append(sentence)
    return [document for document in documents if document]


def _from_lines(text: str) -> Gold:
    documents: Gold = [[]]
    for line in map(str.strip, text.splitlines()):
        if line:
            documents[-1].append(line)
        else:
            documents.append([])
    return [document for document in documents if document]


def learned_from(gold: Gold, language: Language) -> Learned:
    """What the texts of other documents show of full stops; where their sentences end is not looked at."""
    counts = StopCounts(language)
    for document in gold:
        counts.add(" ".join(document))
    return counts.learned()


def evaluate_sentences(gold: Gold, language: Language, learned: Learned | None = None) -> Bounds:
    """How many ends of sentences are found again."""
    right = wrong = missed = 0
    mistakes: list[tuple[str, str]] = []
    for document in gold:
        text = " ".join(document)
        solid = _SPACE.sub("", text)
        known, found = _ends(document), _ends(sentences(text, language, learned))
        right += len(known & found)
        wrong += len(found - known)
        missed += len(known - found)
        mistakes += [("wrong", _around(solid, end)) for end in sorted(found - known)]
        mistakes += [("missed", _around(solid, end)) for end in sorted(known - found)]
    return Bounds(right, wrong, missed, tuple(mistakes))


def _ends(parts: Iterable[str]) -> set[int]:
    """Where sentences end, white space not counted, but for the last."""
    place, ends = 0, []
    for part in parts:
        place += len(_SPACE.sub("", part))
        ends.append(place)
    return set(ends[:-1])


def _around(solid: str, end: int) -> str:
    return f"{solid[max(0, end - _AROUND) : end]} | {solid[end : end + _AROUND]}"
