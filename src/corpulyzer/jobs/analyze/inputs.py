"""What lies beside the tables of a corpus and is of use to its measures: labels, ranks, copies, rounds."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.without_copies import current_parts, read_state
from corpulyzer.engine.derived.table import Table
from corpulyzer.errors import UserError
from corpulyzer.measure.pages.duplicates import Duplicates, LevelCount
from corpulyzer.storage import Storage
from corpulyzer.storage.toml import from_toml

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Dataset, Engine
    from corpulyzer.web.commoncrawl.wanted import Wanted

LABELS = ("sites.toml", "sites.csv")
RANKS = "ranks"
QUALITY = "analysis/quality.json"


def site_labels(storage: Storage) -> dict[str, Mapping[str, str]]:
    """Facts about sites that people wrote down: a table for each site in sites.toml, or rows of sites.csv."""
    found: dict[str, Mapping[str, str]] = {}
    for name in LABELS:
        if storage.exists(name):
            text = storage.read(name).decode("utf-8")
            found |= _of_toml(text, storage.path(name)) if name.endswith("toml") else _of_csv(text)
    return found


def _of_toml(text: str, name: str) -> dict[str, Mapping[str, str]]:
    tables = from_toml(text, name)
    for site, facts in tables.items():
        if not isinstance(facts, dict) or any(isinstance(value, dict) for value in facts.values()):
            raise UserError(f"{name}: {site} is no site.", 'Write sites in quotes: ["news.example"].')
    return {site: {key: _written(value) for key, value in facts.items()} for site, facts in tables.items()}


def _of_csv(text: str) -> dict[str, Mapping[str, str]]:
    rows = csv.DictReader(text.splitlines())
    return {
        row["site"]: {k: v for k, v in row.items() if k != "site" and v} for row in rows if row.get("site")
    }


def _written(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def rank_files(storage: Storage) -> dict[str, str]:
    """The files of ranks in the folder `ranks`, by their names without ending."""
    files = storage.list(RANKS)
    return {PurePosixPath(file).name.partition(".")[0]: storage.path(file) for file in files}


def seed_sites(corpus: CorpusFolder) -> tuple[str, ...]:
    """The sites that seeds are on."""
    from corpulyzer.url import site_of
    from corpulyzer.web import seeds

    level = corpus.config.corpus.site
    return tuple(sorted({site_of(seed.url, level) for seed in seeds.read(corpus.home)}))


def seed_sources(corpus: CorpusFolder, engine: Engine) -> tuple[dict[str, Any], ...]:
    """What each source of seeds was worth."""
    from corpulyzer.web.seeds import sightings
    from corpulyzer.web.seeds.report import seed_report

    tables = corpus.table("fetches"), corpus.table("documents")
    seen = list(sightings(corpus.storage))
    languages = [language.code for language in corpus.targets.languages]
    return seed_report(engine, seen, tables, languages).sources if seen else ()


def round_notes(storage: Storage) -> tuple[dict[str, Any], ...]:
    """What each round of a crawl noted when it was done."""
    from corpulyzer.corpus import rounds

    done = (each for each in rounds.rounds(storage) if each.done("commit"))
    return tuple({"round": each.number, **each.read("commit")} for each in done)


def dedup_counts(corpus: CorpusFolder) -> Duplicates | None:
    """The counts of copies as far as they were looked for; None if they never were."""
    from corpulyzer.dedup.settings import LEVELS

    known = read_state(corpus.storage).get("levels", {})
    if not known:
        return None
    counts = tuple(LevelCount(**known[level]["count"]) for level in LEVELS if level in known)
    return Duplicates(counts, tuple(level for level in corpus.config.dedup.policy if level in known))


def dedup_tables(corpus: CorpusFolder) -> dict[str, Dataset]:
    """The labels of copies by level, and the sentences of the corpus as hashes where they were cut."""
    from corpulyzer.dedup.passages import Passage
    from corpulyzer.jobs.dedup.run import has_labels, stored_labels
    from corpulyzer.records.columns import schema_of

    known = read_state(corpus.storage).get("levels", {})
    found = {level: stored_labels(corpus, level) for level in known if has_labels(corpus, level)}
    sentences = Table(corpus.storage, "duplicates/sentences").dataset(schema_of(Passage))
    if sentences.files and "sentence" in known:
        found["sentences"] = sentences
    return found


def index_rows(storage: Storage, language: str) -> tuple[Dataset | None, Dataset | None, str]:
    """The rows of Common Crawl's index of a language, the sizes of releases, and what the rows keep to.

    Where several filters were tried, the rows are those of the one that takes all pages of the language, else
    of one that names no hosts or domains, else of the one that most releases were read with; what it keeps to
    is told in words, and empty for all pages. Releases that are not read to the end are left out.
    """
    from corpulyzer.engine import Dataset
    from corpulyzer.records.columns import schema_of
    from corpulyzer.web.commoncrawl import TOTALS, IndexRow
    from corpulyzer.web.commoncrawl.counts import LanguageCount

    folders: dict[Wanted, list[str]] = {}
    for wanted, folder in _whole_releases(storage):
        if wanted.language == language:
            folders.setdefault(wanted, []).append(folder)
    if not folders:
        return None, None, ""
    best = min(folders, key=lambda each: (_preference(each), -len(folders[each]), each.key))
    rows = [file for folder in folders[best] for file in storage.list(folder, ".parquet")]
    counts = storage.list(TOTALS, ".parquet")
    index = Dataset(tuple(map(storage.path, rows)), schema_of(IndexRow))
    totals = Dataset(tuple(map(storage.path, counts)), schema_of(LanguageCount)) if counts else None
    return index, totals, best.restriction


def _preference(wanted: Wanted) -> int:
    """0 for a filter that takes all pages of a language, 1 for one by rank alone, 2 for one by place."""
    return 2 if wanted.hosts or wanted.tlds else int(wanted.rank != "any")


def _whole_releases(storage: Storage) -> Iterator[tuple[Wanted, str]]:
    """Each filter with a folder that has all its rows of a release; once, where both indexes were asked."""
    from corpulyzer.web.commoncrawl import FOLDER
    from corpulyzer.web.commoncrawl.wanted import read_wanted

    seen = set()
    for file in sorted(storage.list(FOLDER, "whole.json")):
        note = json.loads(storage.read(file))
        # The index server's notes of earlier versions do not say what was asked for.
        if "wanted" in note and (found := (read_wanted(note), note["release"])) not in seen:
            seen.add(found)
            yield found[0], file.rpartition("/")[0]


def annotated(storage: Storage) -> Dataset | None:
    """The annotations of documents; None where nobody has annotated them."""
    from corpulyzer.records.annotation import TABLE, annotation_schema

    found = Table(storage, TABLE).dataset(annotation_schema())
    return found if found.files else None


def row_versions(corpus: CorpusFolder) -> dict[str, str]:
    """The versions of the files of documents and annotations, from the logs of their tables."""
    from corpulyzer.records.annotation import TABLE

    own, annotated = corpus.storage, corpus.annotated
    found = {own.path(part.file): part.version for part in current_parts(own)}
    return found | {annotated.path(part.file): part.version for part in Table(annotated, TABLE).parts()}


def related_corpora(storage: Storage) -> list[dict[str, Any]]:
    """Other corpora as people wrote them down: the tables `[[corpus]]` of related.toml (CZ-49)."""
    name = "related.toml"
    if not storage.exists(name):
        return []
    found = from_toml(storage.read(name), storage.path(name)).get("corpus", [])
    return [dict(each) for each in found]


def qualities(corpus: CorpusFolder) -> dict[str, float]:
    """The mean quality of the documents of each language of a corpus of several, where it was measured."""
    from corpulyzer.corpus.language_folders import codes_there, storage_of

    found = {}
    for code in [] if corpus.targets.only else codes_there(corpus.storage):
        own = storage_of(corpus.storage, code)
        if own.exists(QUALITY):
            results = json.loads(own.read(QUALITY))["results"]
            found[code] = next(each["facts"].get("mean") for each in results if each["name"] == "quality")
    return {code: mean for code, mean in found.items() if mean is not None}
