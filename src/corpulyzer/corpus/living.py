"""The documents without those of pages that are gone from the web, beside the documents (CZ-9).

`documents/` is made from archives alone and never changes by it. Parts in which documents are dropped are
written again below `gone/`, a table of its own. The policy for duplicates starts from these.
"""

from __future__ import annotations

from corpulyzer.engine.derived import Part
from corpulyzer.engine.derived.table import Table, with_those_beside
from corpulyzer.storage import Storage

DOCUMENTS, FOLDER = "documents", "gone"


def living_parts(storage: Storage) -> list[Part]:
    """The parts of the documents; of those with dead pages, the ones below `gone/` instead."""
    return with_those_beside(Table(storage, DOCUMENTS).parts(), Table(storage, FOLDER))
