"""What a removal takes out, found before anything is touched."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.takedowns import Removed
from corpulyzer.corpus.without_copies import levels_asked, living_parts, read_state
from corpulyzer.engine.derived.table import Table
from corpulyzer.jobs.as_of import restore as earlier
from corpulyzer.jobs.remove.tables import archives_with, rows_of
from corpulyzer.storage import Storage

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.warc.index import Entry

    Records = Mapping[str, list[Entry]]


def plan_of(corpus: CorpusFolder, name: str, why: str) -> tuple[dict[str, Any], Records]:
    """Everything to be done, and the records of each archive that go."""
    from corpulyzer.warc.erase import matching

    storage, wanted = corpus.storage, Removed((name,))
    inside: dict[str, list[Entry]] = {}
    outside: dict[str, int] = {}
    for path, relative in archives_with(storage, wanted):
        found = matching(path, wanted)
        if found and relative:
            inside[relative] = found
        elif found:
            outside[path] = len(found)
    found_in = dict(_documents(storage, wanted))
    ids = [each for found in found_in.values() for each in found]
    counts = {
        "records": sum(map(len, inside.values())),
        "documents": len(ids),
        "kept": _kept(storage, found_in, set(ids)),
        "links": _links(storage, found_in, set(ids)),
    }
    plan = {
        "name": name,
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "why": why,
        "counts": counts,
        "outside": outside,
        "exports": list(_exported(storage)) if ids else [],
        "archives": list(inside),
        "fetches": {part.name: part.version for part in Table(storage, "fetches").parts()},
        "ids": ids,
        "parts": list(found_in),
        "levels": levels_asked(read_state(storage)),
        "flags": read_state(storage).get("flags", {}),
    }
    return plan, inside


def _documents(storage: Storage, wanted: Removed) -> Iterator[tuple[str, list[int]]]:
    """The parts that have documents of wanted URLs, each with their ids.

    All parts are read. Between which values the sites of a part are rules none out: hosts below a removed one
    may stand anywhere in their order, and a site is a host or a registered domain, by a setting.
    """
    documents = Table(storage, "documents")
    for name in documents.files():
        rows = rows_of(storage, [documents.file(name)], ["id", "url"])
        if found := [row["id"] for row in rows if wanted(row["url"])]:
            yield name, found


def _kept(storage: Storage, parts: Collection[str], ids: set[int]) -> int:
    """How many of these documents are kept; parts of all tables that have them are called as `parts`."""
    files = [part.file for part in living_parts(storage) if part.name in parts]
    rows = rows_of(storage, files, ["id", "verdict"])
    return sum(row["id"] in ids and row["verdict"]["kept"] for row in rows)


def _links(storage: Storage, parts: Collection[str], ids: set[int]) -> int:
    """How many links these documents have; the same holds for their parts."""
    links = Table(storage, "links")
    files = [links.file(name) for name in links.files() if name in parts]
    return sum(row["source_id"] in ids for row in rows_of(storage, files, ["source_id"]))


def _exported(storage: Storage) -> Iterator[str]:
    """The names of the exports that were made; of those of the corpus as it was earlier, which are deleted
    with it, the ones that were written elsewhere.
    """
    from corpulyzer.export.versions import is_here, versions

    yield from (version.name for version in versions(storage))
    for place in earlier.all_there(storage):
        moment = place.root.rstrip("/").rpartition("/")[2]
        elsewhere = (version for version in versions(place) if not is_here(place, version))
        yield from (f"{version.name} of as_of/{moment}" for version in elsewhere)
