"""What was asked for: settings from flags, environment, file, preset and defaults, each with its origin.

A setting is a field of a frozen dataclass; the path of fields is its key (`filter.content_size.min_bytes`),
the string in its annotation explains it. Stages with parameters are such dataclasses themselves, so a table
of the TOML file is the stage that it configures.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from corpulyzer.annotate.settings import Annotate
from corpulyzer.corpus.settings.by_language import (
    LEARNED,
    NOTHING_LEARNED,
    LanguageTable,
    apart,
    language_tables,
    learned,
)
from corpulyzer.corpus.settings.environment import (
    must_be_set,
    of_environment,
    of_languages,
    of_tables,
    variables_in,
)
from corpulyzer.corpus.settings.estimate import EstimateTable
from corpulyzer.corpus.settings.file import FILE, flat, must_be_known, place
from corpulyzer.corpus.settings.merging import Layer, merged
from corpulyzer.corpus.settings.plugins import (
    PAGE_KINDS,
    complete,
    found_plugins,
    names_in_use,
    plugins_of,
    registry_of,
    with_plugins,
    with_sources,
)
from corpulyzer.corpus.settings.tables import AnalyzeTable, CorpusTable, CrawlTable, EngineTable, SearchTable
from corpulyzer.dedup.settings import Dedup
from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.page.filter import Filters
from corpulyzer.page.label.opt_outs import OptOutPolicy
from corpulyzer.page.settings import ExtractTable, IdentifyTable, LabelTable, own_extract, own_filters
from corpulyzer.plugins.settings import ExportTable, PluginsTable, SeedsTable
from corpulyzer.records.settings import Key, Setting, built, keys_of
from corpulyzer.records.targets import targets_of
from corpulyzer.storage import Storage
from corpulyzer.web.commoncrawl import CommonCrawlSettings
from corpulyzer.web.fetch.settings import FetchSettings
from corpulyzer.web.frontier.scope import Scope
from corpulyzer.web.frontier.settings import FrontierSettings


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of a corpus."""

    preset: Annotated[
        str, "Published pipeline to reproduce: default, corpulyzer, hrwac, isixhosa, c4corpus."
    ] = "default"
    corpus: CorpusTable = field(default_factory=CorpusTable)
    extract: ExtractTable = field(default_factory=ExtractTable)
    identify: IdentifyTable = field(default_factory=IdentifyTable)
    label: LabelTable = field(default_factory=LabelTable)
    filter: Filters = field(default_factory=Filters)
    dedup: Dedup = field(default_factory=Dedup)
    annotate: Annotate = field(default_factory=Annotate)
    opt_outs: OptOutPolicy = field(default_factory=OptOutPolicy)
    crawl: CrawlTable = field(default_factory=CrawlTable)
    scope: Scope = field(default_factory=Scope)
    frontier: FrontierSettings = field(default_factory=FrontierSettings)
    fetch: FetchSettings = field(default_factory=FetchSettings)
    commoncrawl: CommonCrawlSettings = field(default_factory=CommonCrawlSettings)
    analyze: AnalyzeTable = field(default_factory=AnalyzeTable)
    search: SearchTable = field(default_factory=SearchTable)
    engine: EngineTable = field(default_factory=EngineTable)
    estimate: EstimateTable = field(default_factory=EstimateTable)
    export: ExportTable = field(default_factory=ExportTable)
    seeds: SeedsTable = field(default_factory=SeedsTable)
    plugins: PluginsTable = field(default_factory=PluginsTable)
    by_language: tuple[LanguageTable, ...] = field(default=(), metadata={"setting": False})

    def of_language(self, code: str) -> Config:
        """The settings as a corpus of one of the languages alone would have them."""
        targets = targets_of(self.corpus)
        if targets.only is not None:
            return self
        tag = tag_of(targets.of_document(code))
        alone = replace(self, corpus=replace(self.corpus, language=tag, languages=()), by_language=())
        own = next((each for each in self.by_language if each.code == code), None)
        if own is None:
            return alone
        identify = replace(self.identify, min_confidence=own.min_confidence)
        return replace(
            alone,
            extract=own_extract(self, code),
            identify=identify,
            filter=self.filters_of(code),
            annotate=own.annotate,
        )

    @property
    def every_filter(self) -> Filters:
        """The filters of the corpus, with those that any of its languages has besides."""
        others = (name for each in self.by_language for name in each.filter.document)
        return replace(self.filter, document=tuple(dict.fromkeys((*self.filter.document, *others))))

    def filters_of(self, code: str) -> Filters:
        """The filters that judge the pages of a language."""
        return own_filters(self, code)


def tag_of(language: Language) -> str:
    """The code of a language, with its script where that is not the usual one."""
    usual = language.script in ("", *language.scripts[:1])
    return language.code if usual else f"{language.code}-{language.script}"


@cache
def keys() -> tuple[Key, ...]:
    """Every key of ours, in the order of the classes; found out once, as it takes a hundredth of a second."""
    return tuple(keys_of(Config()))


def load(
    folder: str | Path | None = None,
    flags: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
) -> tuple[Config, list[Setting]]:
    """The merged configuration of a corpus folder, and every setting with its origin.

    Flags win over the environment, that over the file, that over what was learned, that over the preset, that
    over the defaults.
    """
    storage = None if folder is None else Storage(folder)
    text = storage.read(FILE).decode("utf-8") if storage is not None and storage.exists(FILE) else ""
    name = storage.path(FILE) if storage is not None else FILE
    before = NOTHING_LEARNED if storage is None else learned(storage)
    variables = os.environ if environment is None else environment
    config, settings = merge(text, name, flags or {}, variables, before)
    return (with_sources(config, storage) if storage is not None else config), settings


def load_with_plugins(folder: str | Path) -> list[Setting]:
    """Every setting of a corpus folder, those of its plug-ins included, which are run to know them."""
    config, settings = load(folder)
    own = complete(plugins_of(config), settings, Storage(folder))
    known = {setting.key for setting in own}
    return [*(setting for setting in settings if setting.key not in known), *own]


def merge(
    text: str,
    name: str,
    flags: Mapping[str, Any],
    environment: Mapping[str, str],
    learned_before: Mapping[str, Any] = NOTHING_LEARNED,
) -> tuple[Config, list[Setting]]:
    """Like `load`, for the text of a settings file called `name`; the files of plug-ins are not read.

    `learned_before` is what was learned of the languages.
    """
    known = {key.name: key for key in keys()}
    variables = variables_in(environment)
    layers: list[Layer] = [
        (flags, "flag"),
        ({**of_environment(variables, known), **of_languages(variables, known)}, "environment"),
        (flat(text, name, known), name),
        (learned_before, LEARNED),
    ]
    preset = next((str(values["preset"]) for values, _ in layers if "preset" in values), "default")
    layers.append((preset_values(preset, known), f"preset {preset}"))
    layers, languages = apart(layers)
    settings = merged(known.values(), layers, text)
    config = _settled(build({setting.key: setting.value for setting in settings}))
    config, more = _with_own(config, layers, variables, text, name)
    for setting in settings:
        _must_be_named(setting, config, text)
    tables, of_language = language_tables(config, layers, languages, known, text)
    return replace(config, by_language=tables), [*settings, *more, *of_language]


def _settled(config: Config) -> Config:
    """The settings with a set of one language as the language that it is; UserError where they contradict."""
    if not config.corpus.languages:
        return config
    only = targets_of(config.corpus).only
    if only is not None:
        return replace(config, corpus=replace(config.corpus, language=tag_of(only), languages=()))
    if config.identify.hint:
        raise UserError(
            "identify.hint tells CLD2 to expect one language, and the corpus is for several.",
            "Set it to false, or make a corpus for one language.",
        )
    return config


def _with_own(
    config: Config,
    layers: list[Layer],
    variables: Mapping[str, Any],
    text: str,
    name: str,
) -> tuple[Config, list[Setting]]:
    """The settings with the plug-ins that they name, and what was set for these; every key must be known."""
    known = {key.name for key in keys()}
    given = {key: value for values, _ in reversed(layers) for key, value in values.items()}
    loose = {key: value for key, value in given.items() if key not in known}
    tables = [f"{plugin.table}." for plugin in found_plugins(config, loose)]
    from_environment = of_tables(variables, tables)
    layers = [layers[0], ({**layers[1][0], **from_environment}, layers[1][1]), *layers[2:]]
    must_be_set(variables, {*known, *from_environment, *of_languages(variables, known)})
    must_be_known(layers[2][0], text, name, known, tables)
    more: dict[str, Setting] = {}
    for values, origin in layers:
        for key, value in values.items():
            if key not in known and key.startswith(tuple(tables)):
                more.setdefault(key, Setting(key, value, origin, ""))
    own = {key: setting.value for key, setting in more.items()}
    return with_plugins(config, list(found_plugins(config, own))), list(more.values())


def _must_be_named(setting: Setting, config: Config, text: str) -> None:
    """UserError if a setting names an extractor, an identifier, a label or a filter that there is not."""
    for kind in PAGE_KINDS:
        for name, key in names_in_use(config, kind).items():
            if key == setting.key:
                try:
                    registry_of(kind).plugin(name, plugins_of(config, kind))
                except UserError as error:
                    where = place(setting.origin, setting.key, text)
                    raise UserError(f"{where}: {setting.key}: {error.message}", error.hint) from None


def build(values: Mapping[str, Any]) -> Config:
    """A `Config` of flat values; keys that are missing keep their defaults."""
    config: Config = built(values, Config())
    return config


def preset_names() -> list[str]:
    """The presets that exist; `default` is the one without a file."""
    return ["default", *sorted(file.stem for file in (Path(__file__).parent / "presets").glob("*.toml"))]


def preset_values(preset: str, known: Mapping[str, Key]) -> dict[str, Any]:
    """The flat values of a preset that ships with the package."""
    if preset == "default":
        return {}
    if preset not in preset_names():
        raise UserError(f"There is no preset {preset!r}.", f"Presets: {', '.join(preset_names())}.")
    text = (Path(__file__).parent / "presets" / f"{preset}.toml").read_text("utf-8")
    values = flat(text, f"preset {preset}", known)
    must_be_known(values, text, f"preset {preset}", known)
    return values
