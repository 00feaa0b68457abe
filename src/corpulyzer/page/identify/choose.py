"""The identifier that the settings name.

To add one, write it in a module of its own and name it in `IDENTIFIERS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corpulyzer.page.identify import Asked, Identified, Identifier
from corpulyzer.plugins import IDENTIFIER, Plugin
from corpulyzer.plugins.registry import Registry
from corpulyzer.plugins.running import Called, made

_HERE = "corpulyzer.page.identify"


def _one_each(found: object, paragraphs: Sequence[str]) -> bool:
    if not isinstance(found, list) or len(found) != len(paragraphs):
        return False
    return all(isinstance(each, Identified) for each in found)


IDENTIFIERS = Registry(
    IDENTIFIER,
    {
        "ensemble": f"{_HERE}.ensemble:ensemble",
        "cld2": f"{_HERE}.cld2:cld2",
        "markov": f"{_HERE}.markov:markov",
    },
    "a list with one Identified for each paragraph",
    _one_each,
    ("method", "model", "models", "min_confidence", "hint", "keep", "sentences", "plugins"),
)


@dataclass(frozen=True, slots=True)
class FromPlugin:
    """An identifier of a plug-in."""

    call: Called

    @property
    def languages(self) -> frozenset[str]:
        """The codes that it says it can give; none if it does not say."""
        return frozenset(getattr(made(self.call.plugin), "languages", ()))

    def prepare(self) -> None:
        """Load what it needs, if it has a way to."""
        prepare = getattr(made(self.call.plugin), "prepare", None)
        if callable(prepare):
            prepare()

    def __call__(self, paragraphs: Sequence[str]) -> list[Identified]:
        """One answer for each paragraph, in order."""
        found: list[Identified] = self.call(paragraphs)
        return found


def identifier_of(
    method: str = "ensemble",
    *,
    target: str = "",
    model: str = "",
    models: tuple[str, ...] = (),
    min_confidence: float = 0.0,
    hint: bool = False,
    plugins: tuple[Plugin, ...] = (),
) -> Identifier:
    """The identifier of a method, or of a fastText `model` file, for a target language.

    `models` are files of languages of one's own, which the ensemble alone can use; with a `hint`, CLD2 alone
    is told to expect the target. `plugins` are those of the corpus.
    """
    if model:
        from corpulyzer.page.identify.fasttext import FastText

        return FastText(model, min_confidence)
    found = IDENTIFIERS.named(method, plugins)
    if isinstance(found, Called):
        return FromPlugin(found)
    ours: Identifier = found(Asked(target, models, min_confidence, hint))
    return ours
