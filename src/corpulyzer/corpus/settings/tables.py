"""Settings that belong to no stage: what a corpus is, how it is crawled and measured, and where that runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import Ge, Gt, Le

from corpulyzer.corpus.settings.spark import SparkSettings
from corpulyzer.plugins import Plugin, own_plugins
from corpulyzer.records.fingerprint import NOT_HASHED


@dataclass(frozen=True, slots=True)
class CorpusTable:
    """What the corpus is."""

    language: Annotated[
        str, "Target language: ISO 639-3, with a script where there are several (srp-Cyrl)."
    ] = ""
    languages: Annotated[
        tuple[str, ...],
        'Instead of `language`: several, or ["all"] for every language that is found. A page belongs to the'
        " one that has most bytes on it.",
    ] = ()
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
    overlap: Annotated[bool, "Fetch the next round while the last is read; choices are a round behind."] = (
        True
    )
    round_minutes: Annotated[float, "Minutes that a round may fetch; the rest waits for the next.", Gt(0)] = (
        10.0
    )
    fetchers: Annotated[
        int, "Fetchers at once, each with its own sites: processes, or tasks of the Spark cluster.", Ge(1)
    ] = 1
    hosts: Annotated[
        tuple[str, ...], "Machines that the fetchers run on, in turn; none: this machine, or the cluster."
    ] = ()
    host_command: Annotated[
        str, "Command that starts Python on a host; its standard input must reach Python."
    ] = "ssh -o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=15 {host} python3"
    lease_seconds: Annotated[
        float, "With several fetchers: so long after one is gone, another gets its sites.", Ge(1)
    ] = 30.0
    balance: Annotated[
        Literal["bytes", "even"],
        "For several languages: `bytes`, the best of all languages comes first; `even`, each language gets as"
        " many requests as the others, as far as there is something to fetch.",
    ] = "bytes"


@dataclass(frozen=True, slots=True)
class EngineTable:
    """Where maps and queries run."""

    name: Annotated[Literal["local", "spark"], "`local`: this machine; `spark`: a Spark cluster."] = "local"
    master: Annotated[str, "Spark master URL, such as spark://host:7077 or local[2]."] = "local[*]"
    workers: Annotated[int, "Worker processes on this machine; 0 means one per processor.", Ge(0)] = 0
    memory_gigabytes: Annotated[float, "Memory that queries may take on this machine.", Gt(0)] = 3.0
    page_seconds: Annotated[float, "Processor time that one page may take.", Gt(0)] = 10.0
    page_megabytes: Annotated[int, "Memory that one page may take beyond an idle worker's.", Gt(0)] = 1024
    part_pages: Annotated[
        int,
        "Pages of an archive that make one part of its tables; 0: 50,000 on a cluster, so that parts are few,"
        " and 2,000 on one machine, where a part is what is made again for a change.",
        Ge(0),
    ] = 0
    spark: SparkSettings = field(default_factory=SparkSettings)


@dataclass(frozen=True, slots=True)
class AnalyzeTable:
    """How the corpus is measured."""

    sample: Annotated[
        int, "Documents that a measure may take where it cannot take all (topics, morphs).", Ge(1)
    ] = 20_000
    seed: Annotated[int, "Decides every random choice of a measure."] = 1
    refit: Annotated[
        float,
        "Share of documents that may have changed before topics and growth curves are fitted again.",
        Ge(0),
        Le(1),
    ] = field(default=0.05, metadata=NOT_HASHED)
    reference: Annotated[str, "Word list to find keywords against: a file of words with their counts."] = ""
    topics: Annotated[int, "Number of topics, as many as the model is asked for.", Ge(2)] = 20
    topic_names: Annotated[str, "File with names for topics, given by hand."] = ""
    lemma_pairs: Annotated[
        str, "File of lemmas in two languages, by which `compare` matches topics across them."
    ] = ""
    classifier: Annotated[str, "A classifier of your own, module:function, averaged by site."] = ""
    plugins: tuple[Plugin, ...] = own_plugins(hashed=False)


@dataclass(frozen=True, slots=True)
class SearchTable:
    """What the concordance is made of."""

    most_documents: Annotated[
        int, "Documents of a concordance at most: its index is built by one machine, on its own disk.", Ge(1)
    ] = 20_000_000
