"""Which parts each shard was made of: documents of a part with the same rows need not be read to be compared.

A file beside the tables of a format has, for each shard, the version of its list and the versions and rows of
its parts. It is written when the tables are whole, and what it says of another list than there is counts for
nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from corpulyzer.engine.derived import Part
from corpulyzer.engine.derived.table import Table
from corpulyzer.engine.workbench import count_rows

FILE = "parts.json"


def note_parts(listed: Table, shards: Mapping[str, Sequence[Part]]) -> None:
    """Write down the parts of all shards, whose list is up to date."""
    before, known = _read(listed), listed.entries()
    rows = {version: count for shard in before.values() for version, count in shard["parts"]}
    said = {
        name: {
            "listed": known[name].version,
            "parts": [(part.version, rows.get(part.version) or count_rows(part.file)) for part in shard],
        }
        for name, shard in shards.items()
    }
    listed.storage.write(FILE, json.dumps(said).encode())


def digests_by_version(listed: Table, name: str, digests: Sequence[str]) -> dict[str, Sequence[str]]:
    """The digests of the documents that are listed, by the version of their part; none where nobody knows."""
    said = _read(listed).get(name)
    if said is None or said["listed"] != listed.entries()[name].version:
        return {}
    found, first = {}, 0
    for version, rows in said["parts"]:
        found[version] = digests[first : first + rows]
        first += rows
    return found if first == len(digests) else {}


def follow_parts(
    listed: Table,
    name: str,
    before: str,
    kept: Sequence[bool],
    new: Mapping[str, str],
    documents: Mapping[str, int],
) -> None:
    """Note that of the documents of a shard some are gone from its list, whose version was `before`.

    `new` has the versions of parts by those that they had; of other parts that lost documents nobody knows,
    nor of those that have not as many `documents`, by version, as are left in the list.
    """
    said = _read(listed)
    shard = said.get(name)
    if shard is None or shard["listed"] != before:
        return
    parts, first = [], 0
    for version, rows in shard["parts"]:
        left = sum(kept[first : first + rows])
        first += rows
        now = version if left == rows else new.get(version, "")
        parts.append((now if documents.get(now) == left else "", left))
    said[name] = {"listed": listed.entries()[name].version, "parts": parts}
    listed.storage.write(FILE, json.dumps(said).encode())


def _read(listed: Table) -> dict[str, Any]:
    content = listed.storage.read_if_there(FILE)
    try:
        found: dict[str, Any] = json.loads(content or b"{}")
    except ValueError:
        return {}
    return found
