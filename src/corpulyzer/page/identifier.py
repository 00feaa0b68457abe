"""The identifier that the settings of a corpus ask for."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from corpulyzer.page.identify import AtLeast
from corpulyzer.page.identify.choose import identifier_of
from corpulyzer.page.pidgin import PIDGIN, OrPidgin
from corpulyzer.records.targets import Targets, targets_of

if TYPE_CHECKING:
    from corpulyzer.page.identify import Identifier
    from corpulyzer.page.settings import IdentifyTable, PageSettings


def identifier_for(config: PageSettings) -> Identifier:
    """The identifier of a corpus: for several languages it runs without a target.

    Where languages ask for confidences of their own, those are applied to its answers. Nigerian Pidgin is
    looked for where it is one of the languages.
    """
    table, targets = config.identify, targets_of(config.corpus)
    if targets.only is not None:
        return identifier_by(table, targets.only.code)
    own = tuple((each.code, each.min_confidence) for each in config.by_language)
    if all(least == table.min_confidence for _, least in own):
        return _for_several(table, targets)
    return AtLeast(_for_several(replace(table, min_confidence=0.0), targets), table.min_confidence, own)


def _for_several(table: IdentifyTable, targets: Targets) -> Identifier:
    found = identifier_by(table, "")
    if PIDGIN not in targets.codes:
        return found
    from corpulyzer.page.identify.ensemble import Ensemble

    return OrPidgin(found) if isinstance(found, Ensemble) else found


@cache
def identifier_by(table: IdentifyTable, target: str) -> Identifier:
    """The identifier of the table `[identify]` for a target language, or none; made once in each process."""
    return identifier_of(
        table.method,
        target=target,
        model=table.model,
        models=table.models,
        min_confidence=table.min_confidence,
        hint=table.hint,
        plugins=table.plugins,
    )
