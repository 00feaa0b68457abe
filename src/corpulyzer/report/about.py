"""What a corpus is, in a few words: the head of the page and of the card."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import regex

import corpulyzer
from corpulyzer.corpus.folder import REPORT
from corpulyzer.corpus.parts import source_of
from corpulyzer.engine.derived.table import Table
from corpulyzer.jobs.as_of.restore import about as as_of

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder

SOURCES_NAMED = 30


@dataclass(frozen=True, slots=True)
class About:
    """The name of a corpus, its language, and who made the report when.

    `tag` is the code of the language as web pages have it. `whole` is where the report on all languages is,
    from that on one of several, or on all documents, from that on a subcorpus; `of` says which. `as_of` says
    of which moment it is, unless that is now.
    """

    name: str
    code: str
    language: str
    own_name: str
    direction: str
    version: str
    made: str
    kind: str = "Report on a corpus"
    tag: str = ""
    whole: str = ""
    of: str = "All languages of the corpus"
    as_of: str = ""


def about(corpus: CorpusFolder) -> About:
    """What the head of a report says."""
    language = corpus.targets.together
    return About(
        name=corpus.name,
        code=language.code,
        tag=language.iso639_1 or language.code,
        language=language.name,
        own_name=language.own_name,
        direction=language.direction or "auto",
        version=corpulyzer.__version__,
        made=datetime.now(UTC).date().isoformat(),
        whole=f"../../../{REPORT}" if corpus.whole is not None else "",
        of="All documents of the corpus" if corpus.subcorpus else "All languages of the corpus",
        as_of=as_of(corpus.home).get("says", ""),
    )


def sources(corpus: CorpusFolder) -> dict[str, int]:
    """How many records are from the crawl, and from each archive that was imported."""
    records: Counter[str] = Counter()
    for part in Table(corpus.storage, "fetches").parts():
        if part.rows:
            records[source_of(part.name)] += part.rows
    named = sorted(records)[:SOURCES_NAMED]
    rest = records.total() - sum(records[name] for name in named)
    found = {name: records[name] for name in named}
    return {**found, **({f"{len(records) - SOURCES_NAMED:,} other archives": rest} if rest else {})}


def changed_settings(corpus: CorpusFolder) -> dict[str, Any]:
    """The settings that are not as the defaults are, whoever chose them."""
    from corpulyzer.corpus.settings.config import keys

    defaults = {key.name: key.default for key in keys()}
    changed = {each.key: each.value for each in corpus.settings if each.value != defaults.get(each.key)}
    shown: dict[str, Any] = without_passwords(changed)
    return shown


def without_passwords(value: Any) -> Any:
    """Settings without what stands before the @ of an address, since cards and manifests are published.

    >>> without_passwords({"proxy": "http://me:secret@proxy.example:8080"})
    {'proxy': 'http://proxy.example:8080'}
    """
    if isinstance(value, dict):
        return {key: without_passwords(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [without_passwords(each) for each in value]
    return regex.sub(r"(?<=://)[^/@\s]+@", "", value) if isinstance(value, str) else value
