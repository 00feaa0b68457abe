"""What a person must hear even if they asked for quiet: that nothing was kept, and what to do about it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.measure.pages.funnel import Funnel


def unknown_language(corpus: CorpusFolder) -> str:
    """A warning if the identifier of a corpus can never find its language; empty if it may."""
    if _is_known(corpus):
        return ""
    language, place = corpus.language, corpus.storage.root
    if (method := corpus.config.identify.method) != "ensemble" and _names(corpus) - {"markov"}:
        return (
            f"The identifier {method} does not know {language.name} ({language.code}): every page would be "
            f'dropped. Set identify.method = "ensemble", which knows it, in {place}/corpulyzer.toml.'
        )
    return (
        f"No identifier here knows {language.name} ({language.code}): every page would be dropped. "
        f"Train one with `corpulyzer identify train {language.code} SENTENCES.txt --project {place}` (a few "
        "hundred sentences, one a line), or set identify.model to a fastText model that has it."
    )


def nothing_kept(corpus: CorpusFolder, funnel: Funnel) -> str:
    """Why a corpus that has pages keeps none of them, with the next step; empty if it keeps some."""
    from corpulyzer.measure.pages.funnel import reasons

    if funnel.kept or not funnel.steps[0].pages:
        return ""
    dropped: dict[str, int] = {}
    for step in funnel.steps:
        dropped |= {reason: dropped.get(reason, 0) + count for reason, count in step.dropped.items()}
    pages = funnel.steps[0].pages
    said = f"Nothing was kept of {pages:,} page{'s' * (pages != 1)}: {reasons(dropped)}."
    place = corpus.storage.root
    hint = f"`corpulyzer why URL --project {place}` tells why one was dropped; the settings decide."
    return f"{said}\n{unknown_language(corpus) or hint}"


def _is_known(corpus: CorpusFolder) -> bool:
    from corpulyzer.page.identify.table import head

    asked, code = corpus.config.identify, corpus.language.code
    if asked.model:
        return True  # whoever names a model knows which languages it has
    if asked.method != "ensemble":
        return asked.method in _names(corpus)
    own = (label for file in asked.models for label in head(Path(file))["labels"])
    return bool(_names(corpus) - {"markov"}) or code in {label.partition("-")[0] for label in own}


def _names(corpus: CorpusFolder) -> set[str]:
    """The identifiers and tables that know the language of a corpus."""
    from corpulyzer.page.identify.coverage import Coverage, coverage

    return set(coverage().get(corpus.language.code, Coverage()).known_to)
