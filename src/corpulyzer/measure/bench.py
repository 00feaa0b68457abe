"""What every measure is given: an engine, a corpus' tables, and the choices that hold for all measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from corpulyzer.dedup.passages import Cut
from corpulyzer.engine import Dataset, Engine
from corpulyzer.language import Language
from corpulyzer.measure.pages.duplicates import Duplicates
from corpulyzer.measure.result import Result
from corpulyzer.page.filter import Filters
from corpulyzer.text import Learned
from corpulyzer.url import Level


@dataclass(frozen=True, slots=True)
class Bench:
    """A corpus as its measures see it; each measure is a function `measure(bench) -> list[Result]`.

    `folder` is a local path or URI where partial results are kept between measures, `lasting` one for those
    that know of what they were made, part by part. `versions` are those of the kept documents, by file, as
    far as they are known, and `row_versions` those of all rows of documents and annotations. `as_judged` are
    the documents with the filters' own verdicts, before copies and dead pages left; None where that is the
    same. `learned` is what documents show of full stops.
    `annotations` have the lemmas and tags of documents, where a tagger has been. `sample` is the most
    documents that a measure may take where it cannot take all; `seed` decides which. `site_labels` are facts
    about sites that people gave by hand, site by site. `reference` is a word list to compare with, `topics` a
    number of topics, `topic_names` a file of names for them, `lemma_pairs` one of lemmas in two languages,
    and `classifier` a function `module:name` over texts; each is empty where there is none. `filters` judged
    the documents; `sentences` gives the target sentences of a text, where they judged by them. `early_copies`
    are the reasons of copies that go before extraction; `site_level` is what a site of theirs is;
    `step_words` are names of the funnel's steps that the filters alone cannot give. `content` are the labels
    that lists of words and addresses give.
    `duplicates` are the counts of copies and `labels` the copies themselves, level by level, as far as they
    were looked for. `rounds` are the notes of a crawl's rounds, `ranks` files of ranks of sites by their
    names. `index` are rows of Common Crawl's index, `index_totals` the sizes of its releases;
    `index_restriction` says in words to which pages of the language the rows keep, and is empty for all.
    `audits` are what people found in samples, `evaluations` what methods found on gold pages. `seed_sources`
    gives a row for each source of seeds. `of_several` says that the documents are those of one language of a
    corpus of several, which has the fetches; of such a corpus itself, `qualities` are the mean qualities of
    languages. `made` is what measures have made on this bench and share, by name.
    """

    engine: Engine
    documents: Dataset
    fetches: Dataset
    links: Dataset
    language: Language
    folder: str
    lasting: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    row_versions: Mapping[str, str] = field(default_factory=dict)
    as_judged: Dataset | None = None
    learned: Learned | None = None
    annotations: Dataset | None = None
    seed: int = 1
    sample: int = 20_000
    site_labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    seed_sites: tuple[str, ...] = ()
    reference: str = ""
    topics: int = 20
    topic_names: str = ""
    lemma_pairs: str = ""
    classifier: str = ""
    filters: Filters = field(default_factory=Filters)
    sentences: Cut | None = None
    early_copies: tuple[str, ...] = ()
    content: tuple[str, ...] = ()
    site_level: Level = "host"
    step_words: Mapping[str, str] = field(default_factory=dict)
    duplicates: Duplicates | None = None
    labels: Mapping[str, Dataset] = field(default_factory=dict)
    rounds: tuple[Mapping[str, Any], ...] = ()
    ranks: Mapping[str, str] = field(default_factory=dict)
    index: Dataset | None = None
    index_totals: Dataset | None = None
    index_restriction: str = ""
    audits: tuple[Result, ...] = ()
    evaluations: tuple[Result, ...] = ()
    seed_sources: Callable[[], tuple[dict[str, Any], ...]] = tuple
    of_several: bool = False
    qualities: Mapping[str, float] = field(default_factory=dict)
    made: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)


Measure = Callable[[Bench], list[Result]]
"""A panel: what it measures of a corpus, as results."""
