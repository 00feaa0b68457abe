"""The language of a text that is no page, for whoever has a question and no corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corpulyzer.page.identify import Identified, leading
from corpulyzer.page.identify.ensemble import Ensemble
from corpulyzer.page.identify.guess import guessed, with_pidgin
from corpulyzer.page.identify.installed import installed
from corpulyzer.page.identify.told import total
from corpulyzer.text import script_of


@dataclass(frozen=True, slots=True)
class Identification:
    """The language of a text, its script (ISO 15924), its bytes by language, and from 0 to 1 how sure."""

    language: str
    script: str
    bytes: Mapping[str, int]
    confidence: float


def identify(text: str, min_confidence: float = 0.0) -> Identification:
    """The likeliest language of a text of any length, and from 0 to 1 the chance that this is right.

    Bytes are told line by line. A guess that is not surer than `min_confidence` is `und`, and so is text
    without letters.

    >>> identify("اردو زبان پاکستان کی قومی زبان ہے اور بہت سے لوگ یہ زبان بولتے ہیں").language
    'urd'
    >>> identify("Guten Morgen").language, identify("1984").language
    ('deu', 'und')
    """
    lines = text.split("\n")
    found = with_pidgin(Ensemble(models=installed()))(lines)
    languages = total(found)
    language, share = leading(languages)
    first = Identified(language, share * _mean_confidence(found, language), languages)
    (best,) = guessed([" ".join(lines)], [first], min_confidence)
    return Identification(best.language, script_of(text), best.languages, best.confidence)


def _mean_confidence(found: Sequence[Identified], language: str) -> float:
    """How sure the answers for a language are, each paragraph counted by its bytes of it."""
    sizes = [(each.languages.get(language, 0), each) for each in found if each.language == language]
    bytes_ = sum(size for size, _ in sizes)
    # What a paragraph of several languages lacks in share is not lack of confidence.
    sure = sum(
        size * min(1.0, each.confidence * sum(each.languages.values()) / size) for size, each in sizes if size
    )
    return sure / bytes_ if bytes_ else 0.0
