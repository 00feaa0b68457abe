"""What a round brought, joined: links with their sources, fetches with their documents and the list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from corpulyzer.engine import Dataset
from corpulyzer.records import RENDERED
from corpulyzer.records.targets import Targets
from corpulyzer.web.frontier.clues import TARGET_SENTENCES
from corpulyzer.web.frontier.store.arrays import as_table, at, ints, joined, piece, positions, read

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.web.frontier import Ints

FETCH = ("id", "url_id", "url", "site", "date", "outcome", "status", "location", "purpose")
DOCUMENT = (
    *("id", "target_bytes", "text_bytes", "text", "paragraphs", "language", "languages"),
    *("scores", "verdict"),
)
LINK = (
    "source_id",
    "source_url_id",
    "target_id",
    "target",
    "target_site",
    "spelling",
    "anchor",
    "rel",
    "hreflang",
    "element",
)
LIST = "site_id section_id prefix_id stem evidence hops seed cash fetches failures pause".split()
KNOWN = "digest from_target anchors_target anchors_script anchors_other anchors_named".split()
MOVING = ("cash", "hops")
"""Columns of the list that a round may have changed in the frontier since the list was made."""
UNCOUNTED = -1


@dataclass(frozen=True, slots=True)
class Brought:
    """What a round brought: the tables made of its archives, and the list that it worked through."""

    fetches: Dataset
    documents: Dataset
    links: Dataset
    listed: Dataset

    def read(self, targets: Targets) -> Read:
        """The tables in memory; where there are several targets, `target_bytes` are those of all of them."""
        documents = read(self.documents, DOCUMENT)
        return Read(
            read(self.fetches, FETCH),
            documents if targets.only is not None else _with_all_bytes(documents, targets),
            read(self.links, LINK),
            read(self.listed, ("id", *LIST)),
        )


@dataclass(frozen=True, slots=True)
class Read:
    """The tables of a round in memory."""

    fetches: pa.Table
    documents: pa.Table
    links: pa.Table
    listed: pa.Table

    def as_known(self, front: pa.Table) -> Read:
        """The same, with what moves in lists as these rows of the frontier, by id, have it now."""
        place = positions(ints(self.listed, "id"), ints(front, "id"))
        listed: dict[str, Any] = {name: piece(self.listed, name) for name in self.listed.column_names}
        for name in MOVING:
            listed[name] = np.where(place >= 0, at(ints(front, name), place), ints(self.listed, name))
        return replace(self, listed=as_table(listed, self.listed.schema))

    def links_with_sources(self) -> pa.RecordBatch:
        """The links, each with what is known of its source, as `clues.ReadLinks` reads them."""
        import pyarrow as pa

        source, page = ints(self.links, "source_id"), ints(self.links, "source_url_id")
        fetch = joined(source, ints(self.fetches, "id"))
        document = joined(source, ints(self.documents, "id"))
        line = joined(page, ints(self.listed, "id"))
        target_bytes = at(ints(self.documents, "target_bytes"), document)
        sentences = at(self._target_sentences(), document, UNCOUNTED)
        _, where, outlinks = np.unique(source, return_inverse=True, return_counts=True)
        columns: dict[str, Any] = {
            "source_site": _strings_at(self.fetches, "site", fetch),
            "target_bytes": target_bytes,
            "target_text": np.where(sentences == UNCOUNTED, target_bytes, sentences),
            "text_bytes": at(ints(self.documents, "text_bytes"), document),
            "hops": at(ints(self.listed, "hops"), line),
            "cash": at(ints(self.listed, "cash"), line),
            "outlinks": outlinks[where] if len(source) else source,
        }
        arrays = [piece(self.links, name) for name in LINK] + [pa.array(each) for each in columns.values()]
        return pa.RecordBatch.from_arrays(arrays, names=[*LINK, *columns])

    def fetched_pages(self, known: pa.Table) -> list[dict[str, Any]]:
        """The last fetch of each URL, with its document, its line of the list, and what is known of it.

        What a browser made of a page stands for the page. `known` are rows of the frontier, by id.
        """
        fetches = self.fetches.to_pylist()
        pages, rendered = _last(fetches, "page"), _last(fetches, RENDERED, "ok")
        attempts: dict[int, int] = {}
        for fetch in fetches:
            if fetch["purpose"] == "page":
                attempts[fetch["url_id"]] = attempts.get(fetch["url_id"], 0) + 1
        ids = np.array(sorted(pages), np.int64)
        made = [rendered.get(key, pages[key])["id"] for key in ids.tolist()]
        documents = _rows_at(self.documents, np.array(made, np.int64), DOCUMENT[1:])
        lines, earlier = _rows_at(self.listed, ids, LIST), _rows_at(known, ids, KNOWN)
        return [
            pages[key] | _judged(document) | line | before | {"attempts": attempts[key]}
            for key, document, line, before in zip(ids.tolist(), documents, lines, earlier, strict=True)
        ]

    def counts(self) -> dict[str, int]:
        """All pages that the round read, and those with any text of the target: Eq. 6 (CZ-29)."""
        target = ints(self.documents, "target_bytes")
        return {"read_pages": len(target), "target_pages": int((target > 0).sum())}

    def _target_sentences(self) -> Ints:
        """How many sentences of each document are in the target language (XH-6), where they were counted."""
        counts = np.full(self.documents.num_rows, UNCOUNTED, np.int64)
        for place, scores in enumerate(self.documents.column("scores").to_pylist()):
            for score in scores or ():
                if score["name"] == TARGET_SENTENCES:
                    counts[place] = int(score["value"])
        return counts


def _with_all_bytes(documents: pa.Table, targets: Targets) -> pa.Table:
    """The documents with the bytes of all target languages together as their target bytes."""
    import pyarrow as pa

    sums = [
        sum(each["value"] for each in sizes or () if targets.judging_shown(each["name"]))
        for sizes in documents.column("languages").to_pylist()
    ]
    place = documents.schema.get_field_index("target_bytes")
    return documents.set_column(place, documents.schema.field(place), pa.array(sums, pa.int64()))


def _last(fetches: list[dict[str, Any]], purpose: str, outcome: str = "") -> dict[int, dict[str, Any]]:
    """The last fetch of each URL for a purpose; of two at the same time the lower id."""
    found: dict[int, dict[str, Any]] = {}
    for fetch in fetches:
        if fetch["purpose"] != purpose or (outcome and fetch["outcome"] != outcome):
            continue
        other = found.get(fetch["url_id"])
        if other is None or (fetch["date"], -fetch["id"]) > (other["date"], -other["id"]):
            found[fetch["url_id"]] = fetch
    return found


def _rows_at(table: pa.Table, ids: Ints, names: list[str] | tuple[str, ...]) -> list[dict[str, Any]]:
    """The rows with these ids as dictionaries; a row that is not there has None in all columns."""
    place = joined(ids, ints(table, "id"))
    rows = table.select(names).take(place[place >= 0]).to_pylist()
    found = iter(rows)
    nothing = dict.fromkeys(names)
    return [next(found) if each else nothing for each in (place >= 0).tolist()]


def _judged(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document's columns, with whether the corpus keeps it in place of its verdict."""
    verdict = document["verdict"]
    kept = None if verdict is None else int(bool(verdict["kept"]) or verdict["reason"] == "gone")
    return {**document, "kept": kept}


def _strings_at(table: pa.Table, name: str, place: Any) -> list[str]:
    words = [*table.column(name).to_pylist(), ""]
    return [words[each] for each in place.tolist()]
