"""The settings of pages: their tables of the settings file, and the part of all settings that stages see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal, Protocol

from annotated_types import Ge, Le

from corpulyzer.page.filter import Filters
from corpulyzer.page.label.content import Content
from corpulyzer.page.label.license import License
from corpulyzer.page.label.opt_outs import OptOutPolicy
from corpulyzer.page.label.sentences import CountSentences
from corpulyzer.plugins import Plugin, own_plugins
from corpulyzer.records.fingerprint import NOT_HASHED
from corpulyzer.url import Level


@dataclass(frozen=True, slots=True)
class ExtractTable:
    """How the main text of a page is found."""

    method: Annotated[
        str, "Extractor: default, web_am, …, or your own; `corpulyzer extract --help` lists them."
    ] = "default"
    kinds: Annotated[
        Literal["broad", "tags"],
        "What paragraphs are called: h, p, li, td …, or by their own tags: h1, dd, th … for minimal HTML.",
    ] = "broad"
    embedded: Annotated[
        bool, "Take the article out of the data (JSON) of a page that shows next to none without its scripts."
    ] = True
    stop_words: Annotated[
        str, "For `justext`: file of stop words, a word a line; without, length and links decide."
    ] = ""
    plugins: tuple[Plugin, ...] = own_plugins()


@dataclass(frozen=True, slots=True)
class IdentifyTable:
    """How languages are told apart."""

    method: Annotated[
        str,
        "`ensemble`: CLD2, with tables of look-alikes and models of your own; `guess`: an answer for every"
        " paragraph, however short; or one identifier alone: `cld2`, `markov`, one of a plug-in.",
    ] = "ensemble"
    model: Annotated[str, "File of a fastText model to use instead, such as glotlid.bin."] = ""
    models: Annotated[
        tuple[str, ...], "Models of your own; those in the corpus folder and in your data folder are found."
    ] = ()
    min_confidence: Annotated[float, "Answers that are not surer than this count as none.", Ge(0), Le(1)] = (
        0.0
    )
    hint: Annotated[bool, "Tell CLD2, where it is the method, to expect the target language."] = False
    keep: Annotated[
        Literal["all", "target"], "`target`: paragraphs in other languages are taken out of a page."
    ] = "all"
    sentences: CountSentences = field(default_factory=CountSentences)
    plugins: tuple[Plugin, ...] = own_plugins()


@dataclass(frozen=True, slots=True)
class LabelTable:
    """Which facts are looked for on a page."""

    license: License = field(default_factory=License)
    # Of what follows the language of a page, in a fingerprint of its own.
    content: Content = field(default_factory=Content, metadata=NOT_HASHED)
    more: Annotated[tuple[str, ...], "Labels of plug-ins that pages get too, in order."] = ()
    plugins: tuple[Plugin, ...] = own_plugins()


class TargetSettings(Protocol):
    """What the corpus is, as far as a page needs to know it."""

    @property
    def language(self) -> str: ...
    @property
    def languages(self) -> tuple[str, ...]: ...
    @property
    def site(self) -> Level: ...


class OwnSettings(Protocol):
    """The settings of one of several languages."""

    @property
    def code(self) -> str: ...
    @property
    def min_confidence(self) -> float: ...
    @property
    def extract(self) -> ExtractTable: ...
    @property
    def filter(self) -> Filters: ...


class PageSettings(Protocol):
    """The settings of a corpus, as far as pages depend on them. A pipeline is kept for each."""

    @property
    def corpus(self) -> TargetSettings: ...
    @property
    def extract(self) -> ExtractTable: ...
    @property
    def identify(self) -> IdentifyTable: ...
    @property
    def label(self) -> LabelTable: ...
    @property
    def filter(self) -> Filters: ...
    @property
    def opt_outs(self) -> OptOutPolicy: ...
    @property
    def by_language(self) -> Sequence[OwnSettings]: ...
    def filters_of(self, code: str) -> Filters: ...
    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Target:
    """What the corpus is, and nothing else of it."""

    language: str
    languages: tuple[str, ...]
    site: Level


@dataclass(frozen=True, slots=True)
class OwnTable:
    """What pages depend on of the settings of one of several languages."""

    code: str
    min_confidence: float
    extract: ExtractTable
    filter: Filters


@dataclass(frozen=True, slots=True)
class PageTables:
    """The settings that pages depend on, and no others, so that workers load nothing else."""

    corpus: Target
    extract: ExtractTable
    identify: IdentifyTable
    label: LabelTable
    filter: Filters
    opt_outs: OptOutPolicy
    by_language: tuple[OwnTable, ...]

    def filters_of(self, code: str) -> Filters:
        """The filters that judge the pages of a language."""
        return own_filters(self, code)


def page_tables(settings: PageSettings) -> PageTables:
    """What pages depend on of the settings of a corpus."""
    corpus = settings.corpus
    return PageTables(
        Target(corpus.language, corpus.languages, corpus.site),
        settings.extract,
        settings.identify,
        settings.label,
        settings.filter,
        settings.opt_outs,
        tuple(
            OwnTable(each.code, each.min_confidence, each.extract, each.filter)
            for each in settings.by_language
        ),
    )


def own_filters(settings: PageSettings, code: str) -> Filters:
    """The filters that judge the pages of a language: its own, or those of the corpus."""
    own = next((each.filter for each in settings.by_language if each.code == code), None)
    return settings.filter if own is None else replace(own, plugins=settings.filter.plugins)


def own_extract(settings: PageSettings, code: str) -> ExtractTable:
    """How the main text of the pages of a language is found: its own way, or that of the corpus."""
    own = next((each.extract for each in settings.by_language if each.code == code), None)
    return settings.extract if own is None else replace(own, plugins=settings.extract.plugins)
