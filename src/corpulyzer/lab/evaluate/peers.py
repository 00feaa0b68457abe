"""Identifiers to compare with: our own by name, those of other projects where they are installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from corpulyzer.errors import UserError
from corpulyzer.lab.evaluate.identification import Evaluation, evaluate_identification, read_items
from corpulyzer.language import Language
from corpulyzer.page.identify import Identified, Identifier
from corpulyzer.page.identify.choose import IDENTIFIERS, identifier_of
from corpulyzer.page.identify.cld2 import best_guess
from corpulyzer.page.identify.installed import installed
from corpulyzer.records import UNDETERMINED

PEERS = {"cld2-guess": "pycld2", "py3langid": "py3langid", "lingua": "lingua", "langdetect": "langdetect"}


@dataclass(frozen=True, slots=True)
class Peer:
    """A function from text to a code of one's own, as an identifier of paragraphs."""

    answer: Callable[[str], str]
    languages: frozenset[str] = frozenset()
    _codes: dict[str, str] = field(default_factory=dict)

    def __call__(self, paragraphs: Sequence[str]) -> list[Identified]:
        """One answer for each paragraph, in order."""
        return [self._identified(paragraph) for paragraph in paragraphs]

    def _identified(self, paragraph: str) -> Identified:
        code = self._code(self.answer(paragraph))
        size = len(paragraph.encode("utf-8", "surrogatepass"))
        return Identified(code, float(code != UNDETERMINED), {code: size} if size else {})

    def _code(self, theirs: str) -> str:
        if theirs not in self._codes:
            try:
                self._codes[theirs] = Language.find(theirs).code
            except UserError:
                self._codes[theirs] = UNDETERMINED
        return self._codes[theirs]


def compare_identifiers(
    folder: Path,
    names: Iterable[str],
    target: str = "",
    level: str = "paragraph",
    limit: int = 0,
    *,
    kept_out: bool = False,
) -> list[Evaluation]:
    """What each identifier makes of a folder's texts at a level; `limit` texts of a language, 0: all."""
    items = read_items(folder, level, limit, kept_out=kept_out)
    return [evaluate_identification(items, peer(name, target), name) for name in names]


def peer(name: str, target: str = "") -> Identifier:
    """The identifier of a name, or of a fastText model's path."""
    if name in IDENTIFIERS.ours:
        return identifier_of(name, target=target, models=installed())
    if name.endswith((".bin", ".ftz")):
        return identifier_of(model=name)
    if name not in PEERS:
        known = ", ".join([*IDENTIFIERS.ours, *PEERS])
        raise UserError(
            f"There is no identifier {name!r}.", f"Known: {known}, or the path of a fastText model."
        )
    if find_spec(PEERS[name]) is None:
        raise UserError(f"{name} is not installed.", f"Install it: pip install {name}.")
    makers = {"py3langid": _py3langid, "lingua": _lingua, "langdetect": _langdetect}
    # CLD2 answers where it is sure; its best guess is what an application with short text asks it for.
    return Peer(best_guess if name == "cld2-guess" else makers[name]())


def _py3langid() -> Callable[[str], str]:
    import py3langid

    return lambda text: str(py3langid.classify(text)[0])


def _lingua() -> Callable[[str], str]:
    import lingua

    detector: Any = lingua.LanguageDetectorBuilder.from_all_languages().build()

    def answer(text: str) -> str:
        found = detector.detect_language_of(text)
        return found.iso_code_639_3.name.lower() if found else ""

    return answer


def _langdetect() -> Callable[[str], str]:
    import langdetect

    langdetect.DetectorFactory.seed = 0

    def answer(text: str) -> str:
        try:
            return str(langdetect.detect(text))
        except langdetect.LangDetectException:
            return ""

    return answer
