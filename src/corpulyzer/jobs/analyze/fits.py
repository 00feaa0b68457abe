"""Fits to a sample of the documents (topics, growth curves), kept while few of these are others than then.

A fit is as costly after one new document as the first time, and says next to nothing else. So it is made
again when more than `analyze.refit` of the documents have changed, or anything else that it follows from;
until then its results say how large the corpus was, and how much is new. Documents are compared by the facts
of their texts, and as many of them as are sampled, so that this costs the same for any corpus.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from corpulyzer.engine import Dataset
from corpulyzer.engine.derived.table import Table
from corpulyzer.jobs.analyze.follows import contents_beside
from corpulyzer.measure.text.counts import TextCounts, tag_of, text_counts
from corpulyzer.records.annotation import TABLE as ANNOTATIONS
from corpulyzer.records.fingerprint import VERSIONS, fingerprint

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pyarrow.parquet as pq

    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.measure.bench import Bench
    from corpulyzer.measure.panels import Panel
    from corpulyzer.measure.result import Result

FOLDER = "analysis/fits"
BASIS_SQL = """
select id, characters, words, types, sentences, entropy_mille, compression_mille from facts
where key < {below} order by id nulls last
"""
SAME_SQL = """
select count(*) as now, count(b.id) as same
from (select id, characters, words, types, sentences, entropy_mille, compression_mille from facts
      where key < {below}) as f
left join basis as b
on f.id = b.id and f.characters = b.characters and f.words = b.words and f.types = b.types
   and f.sentences = b.sentences and f.entropy_mille = b.entropy_mille
   and f.compression_mille = b.compression_mille
"""


@dataclass(frozen=True, slots=True)
class Fit:
    """What the results of a panel were fitted to: how many documents there were, and a file that lists some.

    `rules` are all else that they follow from. `changed` is the share of the documents that were others when
    this was last looked at.
    """

    basis: str
    rules: str
    documents: int
    below: int
    sampled: int
    changed: float = 0.0


def fit_now(corpus: CorpusFolder, bench: Bench, panel: Panel, of: str) -> Fit:
    """The fit to the documents as they are, which `of` is a fingerprint of; they are listed in a file."""
    counts = text_counts(bench)
    # A name of its own: a file under the old name would speak for results that are not made yet.
    basis = f"{FOLDER}/{panel.name}-{of}.parquet"
    facts = {"facts": counts["facts"]}
    bench.engine.query(BASIS_SQL.format(below=counts.sample_below), facts, corpus.storage.path(basis))
    rules = _rules(corpus, bench, panel)
    return Fit(basis, rules, counts.documents, counts.sample_below, _footer(corpus, basis).num_rows)


def forget_others(corpus: CorpusFolder, panel: Panel, fit: Fit) -> None:
    """Delete the lists of documents that earlier fits of a panel were made of."""
    for file in corpus.storage.list(FOLDER, ".parquet"):
        if file.startswith(f"{FOLDER}/{panel.name}-") and file != fit.basis:
            corpus.storage.delete(file)


def fit_kept(corpus: CorpusFolder, bench: Bench, panel: Panel, known: Mapping[str, Any] | None) -> Fit | None:
    """The known fit, with the share of documents that are others now; None if it is to be made anew."""
    if not known or not corpus.storage.exists(known["basis"]):
        return None
    before, counts = Fit(**known), text_counts(bench)
    if before.below != counts.sample_below or before.rules != _rules(corpus, bench, panel):
        return None
    most = max(counts.documents, before.documents, 1)
    changed = max(_changed(corpus, bench, counts, before), abs(counts.documents - before.documents) / most)
    return replace(before, changed=changed) if changed <= corpus.config.analyze.refit else None


def noted(results: Sequence[Result], fit: Mapping[str, Any] | None, refit: float) -> tuple[Result, ...]:
    """The results, which say so where the documents are others than those that they were fitted to."""
    if not fit or not fit["changed"]:
        return tuple(results)
    said = (
        f"Fitted when {fit['documents']:,} documents had text in the language; {fit['changed']:.1%} of them "
        f"are others now. It is fitted again when more than {refit:.0%} are (analyze.refit)."
    )
    return tuple(replace(result, warnings=(*result.warnings, said)) for result in results)


def _changed(corpus: CorpusFolder, bench: Bench, counts: TextCounts, before: Fit) -> float:
    """The share of the sampled documents that have come, gone or changed since."""
    schema = _footer(corpus, before.basis).schema.to_arrow_schema()
    basis = Dataset((corpus.storage.path(before.basis),), schema)
    tables = {"facts": counts["facts"], "basis": basis}
    found = bench.engine.query(SAME_SQL.format(below=before.below), tables).to_pylist()[0]
    most = max(found["now"], before.sampled)
    return 1 - found["same"] / most if most else 0.0


def _rules(corpus: CorpusFolder, bench: Bench, panel: Panel) -> str:
    """What a fit follows from beside the documents."""
    annotated = Table(corpus.annotated, ANNOTATIONS).made().values()
    asked = {
        "settings": corpus.config.analyze,
        "language": tag_of(bench),
        "sentences": bench.sentences,
        "learned": bench.learned,
        "counts": VERSIONS["text_counts"],
        # Annotations are made of documents and by rules; the rules alone count here.
        "annotations": sorted({mark.partition(".")[2] for mark in annotated}),
        "files": contents_beside(corpus),
        "panel": [panel.name, panel.version],
    }
    return fingerprint("analysis", asked)


def _footer(corpus: CorpusFolder, file: str) -> pq.FileMetaData:
    import pyarrow.parquet as pq

    with corpus.storage.open_input(file) as stored:
        return pq.read_metadata(stored)
