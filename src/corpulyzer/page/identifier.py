"""The identifier that settings ask for."""

from __future__ import annotations

from functools import cache

from corpulyzer.page.identify import Identifier
from corpulyzer.page.identify.choose import identifier_of
from corpulyzer.page.settings import IdentifyTable


@cache
def identifier_by(table: IdentifyTable, target: str) -> Identifier:
    """The identifier that the table `[identify]` asks for; made once in each process."""
    return identifier_of(
        table.method,
        target=target,
        model=table.model,
        models=table.models,
        min_confidence=table.min_confidence,
        hint=table.hint,
        plugins=table.plugins,
    )
