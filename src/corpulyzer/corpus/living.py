"""The documents without those of pages that are gone from the web, beside the documents (CZ-9).

`documents/` is made from archives alone and never changes by it. Parts in which documents are dropped are
written again below `gone/`; what is there holds. The policy for duplicates starts from these.
"""

from __future__ import annotations

from corpulyzer.storage import Storage

FOLDER = "gone"


def living_parts(storage: Storage) -> dict[str, str]:
    """The file of each part of the documents, by its name below `documents/`: with its dead pages dropped."""
    names = [file.removeprefix("documents/") for file in storage.list("documents", ".parquet")]
    beside = set(storage.list(FOLDER, ".parquet"))
    return {name: file if (file := beside_of(name)) in beside else f"documents/{name}" for name in names}


def beside_of(part: str) -> str:
    """Where the documents of a part stand with the dead pages dropped, if it has any."""
    return f"{FOLDER}/{part}"


def forget_dead(storage: Storage) -> None:
    """Void what was found of dead pages, because documents are about to change."""
    for file in storage.list(FOLDER, ".parquet"):
        storage.delete(file)
