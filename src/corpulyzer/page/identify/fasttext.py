"""Models in the format of fastText, such as GlotLID and OpenLID, by their path.

Labels like `__label__urd_Arab` are mapped to our codes; a paragraph's bytes all go to its label. The library
that reads them is an extra: `pip install 'corpulyzer[fasttext]'`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import regex

from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.page.identify import Identified
from corpulyzer.records import UNDETERMINED

_PREFIX = "__label__"
_MIN_LETTERS = 3
_LETTER = regex.compile(r"\p{L}")
_NO_TEXT = regex.compile(r"[\x00-\x1f\x7f\ud800-\udfff]+")


@dataclass(frozen=True, slots=True)
class FastText:
    """One label for each paragraph; `und` where the model is not surer than `min_confidence`."""

    path: str
    min_confidence: float = 0.0

    @property
    def languages(self) -> frozenset[str]:
        """The codes that it can give."""
        model = _model(self.path)
        labels = model.get_labels() if hasattr(model, "get_labels") else ()
        return frozenset(map(code_of, labels)) - {UNDETERMINED}

    def __call__(self, paragraphs: Sequence[str]) -> list[Identified]:
        """One answer for each paragraph, in order."""
        model = _model(self.path)
        return [self._identified(model, paragraph) for paragraph in paragraphs]

    def _identified(self, model: Any, paragraph: str) -> Identified:
        size = len(paragraph.encode("utf-8", "surrogatepass"))
        text = _NO_TEXT.sub(" ", paragraph).strip()
        language, confidence = UNDETERMINED, 0.0
        if len(_LETTER.findall(text[:200])) >= _MIN_LETTERS:
            labels, scores = model.predict(text, 1)
            if len(labels) and float(scores[0]) > self.min_confidence:
                # Rounding takes a probability of one a little above it.
                language, confidence = code_of(labels[0]), min(1.0, float(scores[0]))
        if language == UNDETERMINED:
            confidence = 0.0
        return Identified(language, confidence, {language: size} if size else {})


@cache
def code_of(label: str) -> str:
    """The code of a model's label; `und` for one that names no language.

    >>> [code_of(f"__label__{name}") for name in ("urd_Arab", "pes_Arab", "en", "x")]
    ['urd', 'fas', 'eng', 'und']
    """
    try:
        return Language.find(regex.split("[_-]", label.removeprefix(_PREFIX))[0]).code
    except UserError:
        return UNDETERMINED


@cache
def _model(path: str) -> Any:
    if not Path(path).is_file():
        raise UserError(f"There is no model {path}.", "Name a fastText model, such as glotlid.bin.")
    try:
        import fasttext
    except ImportError:
        raise UserError(
            f"To read {path} the fastText library is needed.",
            "Install it: pip install 'corpulyzer[fasttext]'.",
        ) from None
    try:
        return fasttext.load_model(path)
    except (ValueError, RuntimeError) as error:
        raise UserError(
            f"{path} is no fastText model: {error}.", "Download it again, or name another."
        ) from None
