"""What the measures of a corpus follow from, as a fingerprint. `status` asks for it: no table is opened."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.full_stops import learned_stops
from corpulyzer.corpus.without_copies import current_parts
from corpulyzer.engine.derived import Part
from corpulyzer.engine.derived.table import Table
from corpulyzer.jobs.analyze import inputs
from corpulyzer.measure.panels import all_panels
from corpulyzer.measure.quality.audit import results as audited
from corpulyzer.measure.quality.evaluations import kept as evaluations
from corpulyzer.page.target_sentences import target_sentences
from corpulyzer.records.annotation import TABLE as ANNOTATIONS
from corpulyzer.records.fingerprint import digest, fingerprint
from corpulyzer.storage import exists, open_input
from corpulyzer.web.seeds import FILE as SEEDS

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder

OF_FRONTIER = {"version", "made_by"}
"""What the notes of a round say of the frontier's files, which measures do not depend on."""


def made_of(corpus: CorpusFolder) -> str:
    """A fingerprint of all that results follow from, as it is now."""
    storage, config = corpus.storage, corpus.config
    notes = inputs.round_notes(storage)
    index, _, _ = inputs.index_rows(storage, corpus.targets.together.code)
    asked: dict[str, Any] = {
        "settings": config.analyze,
        "filter": config.filter,
        "documents": _versions(current_parts(storage)),
        "fetches": _versions(Table(storage, "fetches").parts()),
        "duplicates": inputs.dedup_counts(corpus),
        "site_labels": inputs.site_labels(corpus.home),
        "rounds": [{key: note[key] for key in note.keys() - OF_FRONTIER} for note in notes],
        "ranks": {name: content(file) for name, file in inputs.rank_files(corpus.home).items()},
        "index": [file.removeprefix(storage.root) for file in index.files] if index else [],
        "annotations": _versions(Table(corpus.annotated, ANNOTATIONS).parts()),
        "audits": [(result.summary, result.to_csv()) for result in audited(storage)],
        "seeds": content(storage.path(SEEDS)) if storage.exists(SEEDS) else "",
        "site": config.corpus.site,
    }
    asked |= {name: value for name, value in _if_there(corpus).items() if value}
    return fingerprint("analysis", asked)


def _if_there(corpus: CorpusFolder) -> dict[str, Any]:
    """What counts only where there is some, because earlier fingerprints did not have it."""
    return {
        "by_language": {each.code: each.filter for each in corpus.config.by_language},
        "sentences": target_sentences(corpus.config),
        "learned": learned_stops(corpus.storage),
        "files": contents_beside(corpus),
        "qualities": inputs.qualities(corpus),
        "evaluations": [(result.summary, result.to_csv()) for result in evaluations(corpus.storage)],
    }


def report_made_of(corpus: CorpusFolder) -> str:
    """A fingerprint of all that a report follows from: the same, and the panels of plug-ins."""
    of, own = made_of(corpus), [panel.plugin for panel in all_panels(corpus.config.analyze.plugins)]
    plugins = [plugin for plugin in own if plugin is not None]
    return digest([of, plugins]) if plugins else of


def contents_beside(corpus: CorpusFolder) -> list[str]:
    """The digests of the files that people have put beside the documents, as the settings name them."""
    settings = corpus.config.analyze
    named = (
        beside(corpus, file) for file in (settings.reference, settings.topic_names, settings.lemma_pairs)
    )
    return [content(file) for file in named if file and exists(file)]


def beside(corpus: CorpusFolder, file: str) -> str:
    """A file that the settings name, in the corpus folder if it is there."""
    return corpus.home.path(file) if file and corpus.home.exists(file) else file


def _versions(parts: Iterable[Part]) -> list[tuple[str, str]]:
    return [(part.name, part.version) for part in parts]


def content(file: str) -> str:
    """The digest of a file."""
    import hashlib

    with open_input(file) as stored:
        return hashlib.sha256(stored.read()).hexdigest()
