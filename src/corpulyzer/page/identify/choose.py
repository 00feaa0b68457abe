"""The identifier that the settings name."""

from __future__ import annotations

from corpulyzer.errors import UserError
from corpulyzer.page.identify import Identifier

METHODS = ("ensemble", "cld2", "markov")


def identifier_of(
    method: str = "ensemble",
    *,
    target: str = "",
    model: str = "",
    models: tuple[str, ...] = (),
    min_confidence: float = 0.0,
    hint: bool = False,
) -> Identifier:
    """The identifier of a method, or of a fastText `model` file, for a target language.

    `models` are files of languages of one's own, which the ensemble alone can use; with a `hint`, CLD2 alone
    is told to expect the target.
    """
    if model:
        from corpulyzer.page.identify.fasttext import FastText

        return FastText(model, min_confidence)
    if method == "cld2":
        from corpulyzer.page.identify.cld2 import Cld2

        return Cld2(target if hint else "")
    if method == "markov":
        from corpulyzer.page.identify.markov import Markov

        return Markov()
    if method != "ensemble":
        raise UserError(f"There is no identifier {method!r}.", f"Identifiers: {', '.join(METHODS)}.")
    from corpulyzer.page.identify.ensemble import Ensemble

    return Ensemble(target, models, min_confidence)
