"""Which identifiers know a language, and what they take it for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from corpulyzer.page.identify.cld2 import Cld2
from corpulyzer.page.identify.ensemble import MODELS, hidden_behind
from corpulyzer.page.identify.installed import installed
from corpulyzer.page.identify.table import head

MIN_SHOWN = 0.01
AS_TARGET = "as a target"
"""What knows a language only where it is the one that a corpus is for."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """The identifiers that know a language, and its confusions, each with its share of paragraphs.

    `confused` is of the ensemble, measured on text that it was not trained on; `cld2_says` is of CLD2 alone.
    """

    known_to: tuple[str, ...] = ()
    confused: Mapping[str, float] = field(default_factory=dict)
    cld2_says: Mapping[str, float] = field(default_factory=dict)


def coverage(corpus: str | Path | None = None) -> dict[str, Coverage]:
    """By code the coverage of each known language, with the models of a corpus and of the user."""
    own = [head(Path(file)) for file in installed(corpus)]
    known: dict[str, list[str]] = {code: ["cld2"] for code in sorted(Cld2().languages)}
    confused: dict[str, dict[str, float]] = {}
    # A model of the user decides before a group, and a group before the table of its script.
    for name, header in [*(("own model", each) for each in own), *_heads().items()]:
        for code in _codes(header):
            known.setdefault(code, []).append(name)
            found = header["notes"].get("confusions", {})
            confused.setdefault(code, found if name == "own model" else found.get(code, {}))
    instead: dict[str, dict[str, float]] = {}
    for label, answers in hidden_behind().items():
        instead.setdefault(label.partition("-")[0], {}).update(answers)
    return {
        code: Coverage(
            known_to=tuple(names),
            confused={k: v for k, v in confused.get(code, {}).items() if v >= MIN_SHOWN},
            cld2_says=instead.get(code, {}),
        )
        for code, names in known.items()
    }


@dataclass(frozen=True, slots=True)
class Measured:
    """Single sentences of a language from one source that no table has seen, and how they were told."""

    source: str
    texts: int
    right: int
    wrong: Mapping[str, int]


@cache
def measurements() -> dict[str, tuple[Measured, ...]]:
    """By code what a language was measured on when the models were made; those that are missing were not."""
    table = json.loads((MODELS / "measured.json").read_text("utf-8"))
    return {
        code: tuple(Measured(source, **figures) for source, figures in by_source.items())
        for code, by_source in table.items()
    }


def _codes(header: dict[str, Any]) -> set[str]:
    return {label.partition("-")[0] for label in header["labels"]}


@cache
def _heads() -> dict[str, dict[str, Any]]:
    """What the tables that ship say of themselves: groups first, then scripts, then the chains."""
    groups = {file.stem.removeprefix("group-"): head(file) for file in sorted(MODELS.glob("group-*.table"))}
    scripts = {file.stem.replace("all-", "all "): head(file) for file in sorted(MODELS.glob("all-*.table"))}
    single = {AS_TARGET: head(MODELS / "target-pcm.table"), "markov": head(MODELS / "markov.table")}
    return {**groups, **scripts, **single}
