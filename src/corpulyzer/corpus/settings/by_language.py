"""Settings of single languages: tables such as `[language.xho]`, and what was learned of each language.

A key of such a table is one that the corpus has too. For a language each source of settings is asked twice,
for the language's own table first; what no table of the language sets is as it is for the corpus.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from corpulyzer.annotate.settings import Annotate
from corpulyzer.corpus.settings.file import nearest, place
from corpulyzer.corpus.settings.merging import Layer, merged
from corpulyzer.errors import UserError
from corpulyzer.page.filter import FILTERS, Filters
from corpulyzer.page.settings import ExtractTable
from corpulyzer.records.settings import Key, Setting, built
from corpulyzer.records.targets import targets_of

if TYPE_CHECKING:
    from corpulyzer.corpus.settings.config import Config
    from corpulyzer.storage import Storage

PREFIX = "language."
LEARNED = "calibration.json"
NOTHING_LEARNED: Mapping[str, Any] = MappingProxyType({})
SETTABLE = ("extract.", "filter.", "annotate.", "identify.min_confidence")
# Asked before anything is known of a page's language.
TOO_EARLY = "filter.received"


@dataclass(frozen=True, slots=True)
class LanguageTable:
    """The settings of one language that differ, or may differ, from those of the corpus."""

    code: str
    min_confidence: float = 0.0
    extract: ExtractTable = field(default_factory=ExtractTable)
    filter: Filters = field(default_factory=Filters)
    annotate: Annotate = field(default_factory=Annotate)


def apart(layers: Sequence[Layer]) -> tuple[list[Layer], list[Layer]]:
    """The layers without the keys of languages, and these keys alone, layer by layer."""
    corpus: list[Layer] = []
    languages: list[Layer] = []
    for values, origin in layers:
        own = {key: value for key, value in values.items() if key.startswith(PREFIX)}
        corpus.append(({key: value for key, value in values.items() if key not in own}, origin))
        languages.append((own, origin))
    return corpus, languages


def learned(storage: Storage) -> dict[str, Any]:
    """What was learned of the languages of a corpus and is kept until it is learned again, as settings."""
    if not storage.exists(LEARNED):
        return {}
    try:
        stored = json.loads(storage.read(LEARNED))["languages"]
        return {f"{PREFIX}{code}.{key}": value for code, own in stored.items() for key, value in own.items()}
    except (ValueError, KeyError, AttributeError, TypeError):
        raise UserError(
            f"{storage.path(LEARNED)} is damaged.", "Delete it: what it says can be learned again."
        ) from None


def language_tables(
    config: Config,
    layers: Sequence[Layer],
    languages: Sequence[Layer],
    known: Mapping[str, Key],
    text: str,
) -> tuple[tuple[LanguageTable, ...], list[Setting]]:
    """The tables of all languages that have one, and what was set in them, as settings."""
    languages = [(_still_wanted(config, values, origin), origin) for values, origin in languages]
    if not any(values for values, _ in languages):
        return (), []
    by_code = [(_by_code(config, values, origin, known, text), origin) for values, origin in languages]
    tables, more = [], []
    for code in sorted({code for values, _ in by_code for code in values}):
        settings = _merged(code, layers, by_code, known, text)
        table: LanguageTable = _table(code, settings)
        _must_have_effect(config, table, settings, text)
        tables.append(table)
        more += _in_tables(code, settings)
    return tuple(tables), more


def _still_wanted(config: Config, values: Mapping[str, Any], origin: str) -> Mapping[str, Any]:
    """The values of a layer; what was learned of languages that have left the corpus since is passed over."""
    if origin != LEARNED or not values:
        return values
    targets = targets_of(config.corpus)
    if targets.only is not None:
        return NOTHING_LEARNED
    wanted = tuple(f"{PREFIX}{code}." for code in targets.codes) if targets.languages else PREFIX
    return {key: value for key, value in values.items() if key.startswith(wanted)}


def _in_tables(code: str, settings: Sequence[Setting]) -> list[Setting]:
    """The settings of a language that its own tables make, under their full keys."""
    return [
        Setting(f"{PREFIX}{code}.{each.key}", each.value, each.origin, each.explanation)
        for each in settings
        if each.origin.endswith(_named(code))
    ]


def _named(code: str) -> str:
    return f" [{PREFIX}{code}]"


def _by_code(
    config: Config, values: Mapping[str, Any], origin: str, known: Mapping[str, Key], text: str
) -> dict[str, dict[str, Any]]:
    """The values of a layer by language and key; UserError for a language or a key that cannot be there."""
    targets = targets_of(config.corpus)
    found: dict[str, dict[str, Any]] = {}
    for key, value in values.items():
        where = place(origin, key, text)
        name, _, inner = key.removeprefix(PREFIX).partition(".")
        if targets.only is not None:
            raise UserError(
                f"{where}: {key!r} is for corpora of several languages.",
                f"This one is for {targets.only.name} alone: set {inner or 'it'} in its own table.",
            )
        try:
            code = targets.named(name).code
        except UserError as error:
            raise UserError(f"{where}: {error.message}", error.hint) from None
        if inner not in known:
            hint = nearest(inner, list(known)) or "`corpulyzer config` lists the keys there are."
            raise UserError(f"{where}: there is no setting {inner!r} for a language.", hint)
        if not inner.startswith(SETTABLE) or inner == TOO_EARLY:
            raise UserError(f"{where}: {inner} cannot be set for one language.", _why_not(inner))
        found.setdefault(code, {})[inner] = value
    return found


def _why_not(key: str) -> str:
    if key == TOO_EARLY:
        return "It is used before the language of a page is known, so it holds for the whole corpus."
    return "A language may have its own extract.*, filter.*, annotate.* and identify.min_confidence."


def _merged(
    code: str,
    layers: Sequence[Layer],
    by_code: Sequence[tuple[Mapping[str, Mapping[str, Any]], str]],
    known: Mapping[str, Key],
    text: str,
) -> list[Setting]:
    """Every key that a language may set, with the value that holds for it."""
    asked: list[Layer] = []
    for (values, origin), (own, _) in zip(layers, by_code, strict=True):
        asked += [(own.get(code, {}), origin + _named(code)), (values, origin)]
    return merged((key for key in known.values() if key.name.startswith(SETTABLE)), asked, text)


def _table(code: str, settings: Sequence[Setting]) -> LanguageTable:
    values = {each.key: each.value for each in settings}
    values["min_confidence"] = values["identify.min_confidence"]
    table: LanguageTable = built(values, LanguageTable(code))
    return table


def _must_have_effect(config: Config, table: LanguageTable, settings: Sequence[Setting], text: str) -> None:
    """UserError for a filter that is asked before the language is known, or what there is not."""
    for each in _in_tables(table.code, settings):
        _, _, name = each.key.partition(".filter.")
        name = name.partition(".")[0]
        if name in config.filter.received and name not in table.filter.document:
            raise UserError(
                f"{each.origin}: {each.key} would have no effect.",
                f"The filter {name} looks at pages as received, before their language is known. Name it in "
                f"filter.document of the language, or set it for the whole corpus.",
            )
    for name in table.filter.document:
        if name not in FILTERS.ours:
            FILTERS.plugin(name, config.filter.plugins)
    if table.extract.method not in (ExtractTable().method, config.extract.method):
        from corpulyzer.page.extract import EXTRACTORS

        if table.extract.method not in EXTRACTORS.ours:
            EXTRACTORS.plugin(table.extract.method, config.extract.plugins)
