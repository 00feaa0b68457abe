"""What was asked for: settings from flags, environment, file, preset and defaults, each with its origin.

A setting is a field of a frozen dataclass; the path of fields is its key (`filter.content_size.min_bytes`),
the string in its annotation explains it. Stages with parameters are such dataclasses themselves, so a table
of the TOML file is the stage that it configures.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

from annotated_types import Ge, Gt

from corpulyzer.annotate.settings import Annotate
from corpulyzer.corpus.settings.file import line_of, nearest, settings_of
from corpulyzer.dedup.settings import Dedup
from corpulyzer.errors import UserError
from corpulyzer.page.filter import Filters
from corpulyzer.page.label.opt_outs import OptOutPolicy
from corpulyzer.page.settings import ExtractTable, IdentifyTable, LabelTable
from corpulyzer.storage import Storage
from corpulyzer.web.commoncrawl import CommonCrawlSettings
from corpulyzer.web.fetch.settings import FetchSettings
from corpulyzer.web.frontier.scope import Scope
from corpulyzer.web.frontier.settings import FrontierSettings

FILE = "corpulyzer.toml"
ENVIRONMENT = "CORPULYZER_"


@dataclass(frozen=True, slots=True)
class CorpusTable:
    """What the corpus is."""

    language: Annotated[
        str, "Target language: ISO 639-3, with a script where there are several (srp-Cyrl)."
    ] = ""
    name: Annotated[str, "Name of the corpus, for reports and exports."] = ""
    site: Annotated[
        Literal["host", "registered"],
        "What a site is in documents: a host without www., or the domain that someone registered.",
    ] = "host"


@dataclass(frozen=True, slots=True)
class CrawlTable:
    """How far a crawl goes, and in what steps."""

    contact: Annotated[
        str, "Mail address or web page of whoever crawls; part of the user agent, required."
    ] = ""
    pages: Annotated[
        int, "Requests for pages in all, failed ones and redirects included; 0: no limit.", Ge(0)
    ] = 0
    rounds: Annotated[int, "Rounds in all; 0: no limit.", Ge(0)] = 0
    minutes: Annotated[float, "Minutes that one run may take; 0: no limit.", Ge(0)] = 0.0
    round_pages: Annotated[int, "URLs of a round at most; a small budget makes smaller rounds.", Ge(1)] = 2000
    round_minutes: Annotated[float, "Minutes that a round may fetch; the rest waits for the next.", Gt(0)] = (
        10.0
    )


@dataclass(frozen=True, slots=True)
class EngineTable:
    """Where maps and queries run."""

    name: Annotated[Literal["local", "spark"], "`local`: this machine; `spark`: a Spark cluster."] = "local"
    master: Annotated[str, "Spark master URL, such as spark://host:7077 or local[2]."] = "local[*]"
    workers: Annotated[int, "Worker processes on this machine; 0 means one per processor.", Ge(0)] = 0
    memory_gigabytes: Annotated[float, "Memory that queries may take on this machine.", Gt(0)] = 3.0
    page_seconds: Annotated[float, "Processor time that one page may take.", Gt(0)] = 10.0
    page_megabytes: Annotated[int, "Memory that one page may take beyond an idle worker's.", Gt(0)] = 1024


@dataclass(frozen=True, slots=True)
class AnalyzeTable:
    """How the corpus is measured."""

    sample: Annotated[
        int, "Documents that a measure may take where it cannot take all (topics, morphs).", Ge(1)
    ] = 20_000
    seed: Annotated[int, "Decides every random choice of a measure."] = 1
    reference: Annotated[str, "Word list to find keywords against: a file of words with their counts."] = ""
    topics: Annotated[int, "Number of topics, as many as the model is asked for.", Ge(2)] = 20
    topic_names: Annotated[str, "File with names for topics, given by hand."] = ""
    lemma_pairs: Annotated[
        str, "File of lemmas in two languages, by which `compare` matches topics across them."
    ] = ""
    classifier: Annotated[str, "A classifier of your own, module:function, averaged by site."] = ""


@dataclass(frozen=True, slots=True)
class ConcordanceTable:
    """How the concordance finds words."""

    index: Annotated[
        Literal["fts5", "tantivy"],
        "`fts5`: in the SQLite file; `tantivy`: in a folder beside it, for large corpora,"
        " with `pip install 'corpulyzer[tantivy]'`.",
    ] = "fts5"


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
    concordance: ConcordanceTable = field(default_factory=ConcordanceTable)
    engine: EngineTable = field(default_factory=EngineTable)


@dataclass(frozen=True, slots=True)
class Setting:
    """A key with its value, where the value comes from, and what it means."""

    key: str
    value: Any
    origin: str
    explanation: str


@dataclass(frozen=True, slots=True)
class Key:
    """A key that exists: the type its values must have, its default, and its explanation."""

    name: str
    type: Any
    default: Any
    explanation: str


def keys(table: Any = None, prefix: str = "") -> Iterator[Key]:
    """Every key there is, in the order of the classes."""
    table = Config() if table is None else table
    hints = get_type_hints(type(table), include_extras=True)
    for item in fields(table):
        value = getattr(table, item.name)
        if is_dataclass(value):
            yield from keys(value, f"{prefix}{item.name}.")
        elif item.metadata.get("setting", True):
            annotation = hints[item.name]
            notes = [note for note in getattr(annotation, "__metadata__", ()) if isinstance(note, str)]
            yield Key(prefix + item.name, annotation, value, " ".join(notes))


def load(
    folder: str | Path | None = None,
    flags: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
) -> tuple[Config, list[Setting]]:
    """The merged configuration of a corpus folder, and every setting with its origin.

    Flags win over the environment, that over the file, that over the preset, that over the defaults.
    """
    storage = None if folder is None else Storage(folder)
    text = storage.read(FILE).decode("utf-8") if storage is not None and storage.exists(FILE) else ""
    name = storage.path(FILE) if storage is not None else FILE
    return merge(text, name, flags or {}, os.environ if environment is None else environment)


def merge(
    text: str, name: str, flags: Mapping[str, Any], environment: Mapping[str, str]
) -> tuple[Config, list[Setting]]:
    """Like `load`, for the text of a settings file called `name`."""
    known = {key.name: key for key in keys()}
    layers = [
        (flags, "flag"),
        (_from_environment(environment, known), "environment"),
        (settings_of(text, name, known), name),
    ]
    preset = next((str(values["preset"]) for values, _ in layers if "preset" in values), "default")
    layers.append((preset_values(preset, known), f"preset {preset}"))
    settings = []
    for key in known.values():
        value, origin = next(
            ((values[key.name], origin) for values, origin in layers if key.name in values),
            (key.default, "default"),
        )
        settings.append(Setting(key.name, _checked(key, value, origin, text), origin, key.explanation))
    config: Config = build({setting.key: setting.value for setting in settings})
    for setting in settings:
        _must_be_named(setting, config, text)
    return config, settings


def _must_be_named(setting: Setting, config: Config, text: str) -> None:
    """UserError if a setting names an extractor or a filter that there is not."""
    try:
        if setting.key in ("filter.received", "filter.document"):
            config.filter.chain(setting.value)
        elif setting.key == "extract.method" and setting.origin != "default":
            from corpulyzer.page.extract import extractor_named

            extractor_named(setting.value)
    except UserError as error:
        where = _place(setting.origin, setting.key, text)
        raise UserError(f"{where}: {setting.key}: {error.message}", error.hint) from None


def _place(origin: str, key: str, text: str) -> str:
    return f"{origin}, line {line_of(key, text)}" if origin.endswith(".toml") else f"The {origin}"


def build(values: Mapping[str, Any], table: Any = None, prefix: str = "") -> Any:
    """A `Config` of flat values; keys that are missing keep their defaults."""
    table = Config() if table is None else table
    changed = {}
    for item in fields(table):
        default = getattr(table, item.name)
        path = prefix + item.name
        changed[item.name] = (
            build(values, default, path + ".") if is_dataclass(default) else values.get(path, default)
        )
    return type(table)(**changed)


def preset_names() -> list[str]:
    """The presets that exist; `default` is the one without a file."""
    return ["default", *sorted(file.stem for file in (Path(__file__).parent / "presets").glob("*.toml"))]


def preset_values(preset: str, known: Mapping[str, Key]) -> dict[str, Any]:
    """The flat values of a preset that ships with the package."""
    if preset == "default":
        return {}
    if preset not in preset_names():
        raise UserError(f"There is no preset {preset!r}.", f"Presets: {', '.join(preset_names())}.")
    file = Path(__file__).parent / "presets" / f"{preset}.toml"
    return settings_of(file.read_text("utf-8"), f"preset {preset}", known)


def _from_environment(environment: Mapping[str, str], known: Mapping[str, Key]) -> dict[str, Any]:
    names = {ENVIRONMENT + key.upper().replace(".", "_"): key for key in known}
    values: dict[str, Any] = {}
    for variable, text in environment.items():
        if variable.startswith(ENVIRONMENT):
            if variable not in names:
                hint = nearest(variable, list(names)) or "`corpulyzer config` lists the keys there are."
                raise UserError(f"The environment variable {variable} names no setting.", hint)
            values[names[variable]] = _parsed(text)
    return values


def _parsed(text: str) -> Any:
    """The TOML value that `text` is, or the text itself where it is none (`me@uni.example`)."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _checked(key: Key, value: Any, origin: str, text: str) -> Any:
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(key.type).validate_python(value)
    except ValidationError as error:
        problem = error.errors()[0]["msg"]
        where = _place(origin, key.name, text)
        raise UserError(
            f"{where}: {key.name} = {value!r} is not possible: {problem[0].lower()}{problem[1:]}.",
            f"{key.explanation} The default is {key.default!r}.",
        ) from None
