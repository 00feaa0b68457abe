"""A document as others get it: under an id that it keeps, with its metadata and where it came from."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import regex

from corpulyzer.records import Document, content_labels
from corpulyzer.records.licensed import Licensed

if TYPE_CHECKING:
    import pyarrow as pa

LicenseOf = Callable[[Licensed], str]
"""The license of a document: as its page has it, or as it stands after its site's vote."""

SOURCE = "source."
# Text fields that an import of one of our exports stores, and that the next export takes from there.
RESTORED = ("title", "author", "published", "archive", "record_id")
_OURS = regex.compile(r"crp-[0-9a-f]{16}")
_CONTENT = regex.compile(r"[a-z0-9_ ]{0,200}")
_LICENSE = regex.compile(r"cc0|cc-[a-z-]{2,20}|public-domain|")


@dataclass(frozen=True, slots=True)
class Span:
    """A paragraph of a published text: its place, what it was on the page, its language, how sure that is."""

    start: int
    end: int
    kind: str
    language: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Published:
    """One document of an export. The order of the fields is that of columns and keys.

    `archive`, `offset` and `record_id` name the record that it was made of; `source` is what a foreign
    import told of it. `copies` is how many documents it stands for: itself, its copies and its near-copies; 0
    where none were looked for.
    """

    id: str
    url: str
    site: str
    date: datetime
    language: str
    license: str
    license_basis: str
    title: str
    author: str
    published: str
    tokens: int
    text_bytes: int
    target_bytes: int
    copies: int
    text_digest: str
    archive: str
    offset: int
    record_id: str
    machine_translation: str
    content: str
    scores: Mapping[str, float]
    source: Mapping[str, str]
    text: str
    paragraphs: tuple[Span, ...]


def as_it_is(document: Licensed) -> str:
    """The license as the page has it."""
    return document.license


def published_id(document: int) -> str:
    """The id of a document that was never published before.

    >>> published_id(-1)
    'crp-ffffffffffffffff'
    """
    return f"crp-{document & 0xFFFFFFFFFFFFFFFF:016x}"


def published_ids(documents: pa.RecordBatch) -> list[str]:
    """The ids under which `publish` gives documents, of which `id` and `labels` are there."""
    import pyarrow as pa
    import pyarrow.compute as pc

    keys: list[Any] = documents.column("id").to_pylist()
    found = list(map(published_id, keys))
    labels = documents.column("labels")
    pairs = pc.list_flatten(labels)
    own = pc.equal(pc.struct_field(pairs, "name"), pa.scalar(f"{SOURCE}id"))
    rows: list[Any] = pc.list_parent_indices(labels).filter(own).to_pylist()
    known: list[Any] = pc.struct_field(pairs, "value").filter(own).to_pylist()
    for row, value in zip(rows, known, strict=True):
        if _OURS.fullmatch(value):
            found[row] = value
    return found


def publish(document: Document, license_of: LicenseOf = as_it_is) -> Published:
    """The document as it is published.

    One that came in by an export of ours keeps the id and the metadata that it had there, so that exports of
    imports of exports are alike.
    """
    foreign = {
        name.removeprefix(SOURCE): value
        for name, value in document.labels.items()
        if name.startswith(SOURCE) and name != f"{SOURCE}omitted_fields"
    }
    made = Published(
        id=published_id(document.id),
        **{name: getattr(document, name) for name in _SAME},
        license=license_of(document),
        copies=0,
        content=" ".join(sorted(content_labels(document.labels))),
        source=foreign,
        paragraphs=tuple(
            Span(p.start, p.end, p.kind, p.language, round(p.confidence, 4)) for p in document.paragraphs
        ),
    )
    return _restored(made, foreign) if _OURS.fullmatch(foreign.get("id", "")) else made


_SAME = (
    *("url", "site", "date", "language", "license_basis", "title", "author", "published", "tokens"),
    *("text_bytes", "target_bytes", "text_digest", "archive", "offset", "record_id"),
    *("machine_translation", "scores", "text"),
)


def _restored(made: Published, known: Mapping[str, str]) -> Published:
    """The document with what its first export said of it; what comes from outside is checked."""
    told: dict[str, Any] = {name: known[name] for name in RESTORED if name in known}
    if not made.content and _CONTENT.fullmatch(known.get("content", "")):
        told["content"] = known.get("content", "")
    if not made.license and _LICENSE.fullmatch(known.get("license", "")):
        told |= {"license": known.get("license", ""), "license_basis": known.get("license_basis", "")[:20]}
    told |= {name: int(known[name]) for name in ("offset", "copies") if known.get(name, "").isdigit()}
    return replace(made, id=known["id"], source=_dictionary(known.get("source", "")), **told)


def _dictionary(text: str) -> dict[str, str]:
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}
