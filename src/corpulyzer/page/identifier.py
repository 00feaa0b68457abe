"""The identifier that the settings of a corpus ask for."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from corpulyzer.page.identify.choose import identifier_of

if TYPE_CHECKING:
    from corpulyzer.page.identify import Identifier
    from corpulyzer.page.settings import IdentifyTable


@cache
def identifier_by(table: IdentifyTable, target: str) -> Identifier:
    """The identifier of the table `[identify]` for a target language; made once in each process."""
    return identifier_of(
        table.method,
        target=target,
        model=table.model,
        models=table.models,
        min_confidence=table.min_confidence,
        hint=table.hint,
        plugins=table.plugins,
    )
