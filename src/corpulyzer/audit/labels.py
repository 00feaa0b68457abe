"""The labels of the audit, one key each, and the files in which they are kept."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

import regex

from corpulyzer.errors import UserError
from corpulyzer.storage import Storage
from corpulyzer.storage.lock import editing

FOLDER = "audit"
CITATION = "Kreutzer et al. (2022), Quality at a Glance"


@dataclass(frozen=True, slots=True)
class Kind:
    """A label or a flag: its code, its key, and what it means. `good`: the document is in the language."""

    code: str
    key: str
    name: str
    meaning: str
    good: bool = False


LABELS = (
    Kind("CC", "1", "correct", "In the language, and natural text.", good=True),
    Kind("CB", "2", "boilerplate", "In the language, but menus, lists or other low quality.", good=True),
    Kind("CS", "3", "short", "In the language, but too short to be of use.", good=True),
    Kind("WL", "4", "wrong language", "Text of another language."),
    Kind("NL", "5", "not language", "No language at all: code, numbers, broken characters."),
)
FLAGS = (
    Kind("MT", "m", "machine-translated", "Reads as if a machine had translated it."),
    Kind("OF", "o", "offensive", "Offensive or pornographic."),
    Kind("SP", "a", "spam", "Written to sell or to be found: advertisements, rows of links and keywords."),
)
_NAME = regex.compile(r"[\w.-]{1,60}")


@dataclass(frozen=True, slots=True)
class Label:
    """What one annotator says of one document."""

    id: int
    label: str
    flags: tuple[str, ...] = ()
    note: str = ""
    time: str = ""


def by_keys(keys: str) -> tuple[str, tuple[str, ...]]:
    """The label and flags that a person has typed, such as `1` or `m2`; UserError where they make no sense.

    >>> by_keys("m4")
    ('WL', ('MT',))
    """
    labels = {kind.key: kind.code for kind in LABELS}
    flags = {kind.key: kind.code for kind in FLAGS}
    typed = keys.strip().lower()
    chosen = [labels[key] for key in typed if key in labels]
    if len(chosen) != 1 or any(key not in labels and key not in flags for key in typed):
        known = ", ".join(f"{kind.key} {kind.name}" for kind in (*LABELS, *FLAGS))
        raise UserError(f"{keys!r} is no label.", f"One of 1 to 5, with m, o or a where it applies: {known}.")
    return chosen[0], tuple(flags[key] for key in flags if key in typed)


def checked(label: Label) -> Label:
    """The label, if its codes exist; UserError if not."""
    if label.label not in {kind.code for kind in LABELS}:
        raise UserError(f"There is no label {label.label!r}.", f"Labels: {_codes(LABELS)}.")
    if unknown := set(label.flags) - {kind.code for kind in FLAGS}:
        raise UserError(f"There is no flag {unknown.pop()!r}.", f"Flags: {_codes(FLAGS)}.")
    return label


def write_label(storage: Storage, audit: str, annotator: str, label: Label) -> None:
    """Add a label to those of an annotator; a later one for the same document takes its place."""
    with editing(storage, "audit label"):
        known = {each.id: each for each in read_labels(storage, audit, annotator)}
        known[label.id] = checked(label)
        lines = (json.dumps(asdict(each), ensure_ascii=False) for each in known.values())
        storage.write(_file(audit, annotator), "".join(f"{line}\n" for line in lines).encode())


def read_labels(storage: Storage, audit: str, annotator: str) -> list[Label]:
    """The labels of an annotator, in the order in which documents were first labelled."""
    file = _file(audit, annotator)
    if not storage.exists(file):
        return []
    rows = map(json.loads, storage.read_lines(file))
    return [Label(**{**row, "flags": tuple(row["flags"])}) for row in rows]


def annotators(storage: Storage, audit: str) -> list[str]:
    """Who has labelled."""
    files = storage.list(f"{FOLDER}/{audit}/labels", ".jsonl")
    return [file.rpartition("/")[2].removesuffix(".jsonl") for file in files]


def all_labels(storage: Storage, audit: str) -> dict[str, list[Label]]:
    """The labels of everybody."""
    return {name: read_labels(storage, audit, name) for name in annotators(storage, audit)}


def must_be_name(name: str, what: str) -> None:
    """Guarantee that a name can be that of a file, and leads nowhere else."""
    if not _NAME.fullmatch(name) or name.startswith("."):
        raise UserError(f"{name!r} cannot name an {what}.", "Use letters, digits, dots and hyphens.")


def _file(audit: str, annotator: str) -> str:
    must_be_name(annotator, "annotator")
    must_be_name(audit, "audit")
    return f"{FOLDER}/{audit}/labels/{annotator}.jsonl"


def _codes(kinds: Iterable[Kind]) -> str:
    return ", ".join(kind.code for kind in kinds)


def shares(labels: Sequence[Label], code: str) -> float:
    """The share of annotators who gave a document a label or flag."""
    return sum(code == label.label or code in label.flags for label in labels) / len(labels)
