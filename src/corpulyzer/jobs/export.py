"""A corpus handed on: its kept documents exported, with its annotations, licenses and settings."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from corpulyzer.annotate import STATE, table_of
from corpulyzer.corpus.full_stops import learned_stops
from corpulyzer.corpus.kept_documents import file_name, kept_parts, write_kept
from corpulyzer.corpus.kept_documents import table_of as table_of_kept
from corpulyzer.corpus.language_folders import codes_there, storage_of
from corpulyzer.corpus.settings.lists import without_lists
from corpulyzer.corpus.settings.plugins import without_sources
from corpulyzer.corpus.subcorpora import members
from corpulyzer.corpus.takedowns import as_written, unfinished
from corpulyzer.corpus.without_copies import read_state
from corpulyzer.dedup.labels import SIZES_SQL, labels_file
from corpulyzer.engine import Dataset
from corpulyzer.engine.derived.table import Table
from corpulyzer.engine.progress import silent
from corpulyzer.engine.workbench import Workbench, stored
from corpulyzer.errors import UserError
from corpulyzer.export import FORMATS, Export, Exported, Options, format_named
from corpulyzer.export.formats import OF_ONE_LANGUAGE
from corpulyzer.export.mask import Mask
from corpulyzer.export.render import Numbers, Render
from corpulyzer.export.select import CREATIVE_COMMONS, NONE, Selection, Splits
from corpulyzer.jobs.as_of import restore
from corpulyzer.records import Document
from corpulyzer.records.annotation import TABLE
from corpulyzer.records.columns import schema_of
from corpulyzer.records.fingerprint import digest, fingerprint
from corpulyzer.records.targets import Targets
from corpulyzer.storage.content import digest_of_rows
from corpulyzer.storage.lock import changing

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.engine.derived import Part
    from corpulyzer.engine.progress import Progress
    from corpulyzer.measure.licenses.vote import Licenses
    from corpulyzer.records.licensed import Licensed
    from corpulyzer.storage import Storage

WORK = "exports/work"
SIZED = pa.schema([(name, pa.int64()) for name in ("id", "representative", "weight")])


@dataclass(frozen=True)
class AfterVote:
    """The license of a document as the vote of its site leaves it."""

    licenses: Licenses

    def __call__(self, document: Licensed) -> str:
        return self.licenses.of(document)


def export(
    corpus: CorpusFolder,
    engine: Engine,
    format: str,
    *,
    to: str = "",
    language: str = "",
    selection: Selection | None = None,
    splits: Splits | None = None,
    options: Options | None = None,
    mask: Mask | None = None,
    progress: Progress | None = None,
) -> Exported:
    """Write the kept documents in a format, as the next version below `exports/`, or into the folder `to`.

    With a `language`, those of that language alone, in a corpus of several; with a `mask`, with tokens in the
    place of traces of people.

    Duplicates that are older than the documents are brought up to date first, if they were ever looked for.
    """
    if name := as_written(unfinished(corpus.storage)):
        raise UserError(
            f"The removal of {name} was cut short, so what it takes out may still be here.",
            f"Finish it first: `corpulyzer remove {name} --project {corpus.storage.root}`.",
        )
    with changing(corpus.storage, "export"):
        return _written(corpus, engine, format, to, language, selection, splits, options, mask, progress)


def _written(
    corpus: CorpusFolder,
    engine: Engine,
    format: str,
    to: str,
    language: str,
    selection: Selection | None,
    splits: Splits | None,
    options: Options | None,
    mask: Mask | None,
    progress: Progress | None,
) -> Exported:
    from corpulyzer.corpus.archives import archives, check
    from corpulyzer.jobs.dedup.run import refresh
    from corpulyzer.measure.licenses.vote import licenses

    storage = corpus.storage
    annotations = tuple(file for place in _annotated(corpus) for file in table_of(place).files)
    found = archives(storage)
    if format == "warc" and (options or Options()).content == "page":
        _must_be_as_received(mask)
        check(found)
    asked = replace(
        options or Options(),
        annotated=bool(annotations),
        minimal_html=minimal_html,
        archives={archive.name: archive.path for archive in found},
    )
    if format == "delta":
        _must_be_as_stored(selection, splits, mask, language)
        asked = replace(asked, kept=partial(_stored, corpus.storage))
    selection, targets = _of_language(corpus, selection or Selection(), language)
    if format in OF_ONE_LANGUAGE and not targets.only:
        raise UserError(
            f"The format {format} is for one language, and {corpus.name} is for {targets.name}.",
            "Name one with --language.",
        )
    own = corpus.config.export.plugins
    if format not in FORMATS.ours:
        corpus.load_plugins([FORMATS.plugin(format, own)])
    chosen = format_named(format, asked, own)
    _must_be_licenses(selection.licenses)
    _must_be_labels(corpus, selection.without)
    if format == "frequency" and asked.unit == "lemma":
        _must_have_lemmas(corpus)
    refreshed = ("duplicates",) if refresh(corpus, engine, progress) else ()
    documents = corpus.table("documents")
    votes = licenses(engine, documents)
    work = Workbench(engine, storage, WORK)
    work.clear()
    render = Render(
        chosen.make,
        targets,
        selection,
        splits or Splits(),
        AfterVote(votes),
        annotations,
        _scores(corpus, work) if selection.min_quality is not None else None,
        learned_stops(corpus.storage),
        _copies(corpus, work),
        mask or Mask(),
        _members(corpus, selection.subcorpus),
        _version(corpus) if annotations else "",
    )
    about = {"corpus": corpus.name, "settings": asdict(without_lists(without_sources(corpus.config)))}
    if then := restore.about(storage):
        about["as_of"] = then
    try:
        write = Export(
            storage,
            _kept(corpus, engine),
            chosen,
            render,
            corpus.name,
            about,
            made_with=_settings(render, chosen.name, asked),
            beside=_beside(render, votes),
        )
        return replace(write(engine, to, progress), refreshed=refreshed)
    finally:
        work.clear()


def minimal_html(paragraphs: Iterable[tuple[str, str]]) -> str:
    """Paragraphs as minimal HTML; formats that ask for none load no extractors."""
    from corpulyzer.page.extract.minimal_html import minimal_html as made

    return made(paragraphs)


def _members(corpus: CorpusFolder, subcorpus: str) -> frozenset[int] | None:
    """The ids of the documents of a subcorpus; None where all are meant."""
    if not subcorpus:
        return None
    corpus.one_at_a_time("A subcorpus")
    return members(corpus.storage, subcorpus)


def _of_language(corpus: CorpusFolder, selection: Selection, asked: str) -> tuple[Selection, Targets]:
    """The selection and the languages of an export: those of the corpus, or the one that is asked for."""
    if not asked:
        return selection, corpus.targets
    found = corpus.targets.named(asked)
    if corpus.targets.only:
        return selection, corpus.targets
    return replace(selection, language=found.code), Targets((found,))


def _must_be_as_received(mask: Mask | None) -> None:
    if mask is not None and mask.kinds:
        raise UserError(
            "Pages as received cannot be masked: what people wrote stands in their markup too.",
            "Write what was made of them with --content text or --content html.",
        )


def _must_be_as_stored(
    selection: Selection | None, splits: Splits | None, mask: Mask | None, language: str
) -> None:
    if language or (selection or Selection()) != Selection() or len((splits or Splits()).shares) > 1:
        raise UserError(
            "The format delta has all documents of the corpus in one table.",
            "Choose and split where you read it, or take another format: hf is Parquet, too.",
        )
    if mask is not None and mask.kinds:
        raise UserError(
            "The files of the corpus are handed on as they are.", "Mask them in another format: hf."
        )


def _kept(corpus: CorpusFolder, engine: Engine) -> list[Part]:
    """The parts of the documents, each with the path and the version of its kept rows, up to date."""
    write_kept(corpus.storage, engine)
    table = table_of_kept(corpus.storage)
    return [part._replace(file=table.path(file_name(part.name))) for part in kept_parts(corpus.storage)]


def _stored(storage: Storage) -> tuple[Storage, list[Part], Dataset]:
    """The folder with `corpus/`, its files, and the table that they are."""
    table = table_of_kept(storage)
    return storage, table.parts(), table.dataset(schema_of(Document))


def _settings(render: Render, format: str, options: Options) -> str:
    """A fingerprint of all settings that decide what becomes of a document."""
    asked = [render.targets, render.selection, render.splits, render.mask]
    return fingerprint("export", [format, options.unit, options.content, *asked])


def _beside(render: Render, votes: Licenses) -> str:
    """A fingerprint of what is known of documents beside their rows."""
    numbers = [given.version if given else "" for given in (render.quality, render.copies)]
    return digest([votes.sites, numbers, render.members])


def _must_be_licenses(asked: tuple[str, ...]) -> None:
    from corpulyzer.page.label.license_kinds import KINDS, UNSPECIFIED

    possible = (*KINDS, UNSPECIFIED, CREATIVE_COMMONS, NONE)
    for kind in asked:
        if kind not in possible:
            raise UserError(f"There is no license {kind!r}.", f"Licenses: {', '.join(possible)}.")


def _must_be_labels(corpus: CorpusFolder, asked: tuple[str, ...]) -> None:
    """UserError for a label that no list gives; without lists, documents may have those of another corpus."""
    known = sorted({file.label for file in corpus.config.label.content.files})
    for label in asked if known else ():
        if label not in known:
            raise UserError(f"There is no label {label!r}.", f"Labels by lists: {', '.join(known)}.")


def _annotated(corpus: CorpusFolder) -> list[Storage]:
    """The folders that have annotations: that of the corpus, or those of its languages."""
    if corpus.targets.only is not None:
        return [corpus.storage]
    return [storage_of(corpus.storage, code) for code in codes_there(corpus.storage)]


def _version(corpus: CorpusFolder) -> str:
    """What tells the annotations from earlier ones: their rows, and by sizes of files how these lie there."""
    tables = [Table(place, TABLE).entries() for place in _annotated(corpus)]
    return digest(
        [(name, table[name].version, table[name].bytes) for table in tables for name in sorted(table)]
    )


def _has_lemmas(place: Storage) -> bool:
    stored = place.read(STATE) if place.exists(STATE) else b"{}"
    return "lemma" in json.loads(stored).get("gives", ("lemma",)) and bool(place.list(TABLE, ".parquet"))


def _must_have_lemmas(corpus: CorpusFolder) -> None:
    if not any(map(_has_lemmas, _annotated(corpus))):
        raise UserError(
            "The corpus has no lemmas to count.",
            "Make them with `corpulyzer annotate`, or count words: `--unit word`.",
        )


def _copies(corpus: CorpusFolder, work: Workbench) -> Numbers | None:
    """The size of each cluster of copies, by document; None where none were looked for."""
    from corpulyzer.jobs.dedup.current_labels import as_asked
    from corpulyzer.jobs.dedup.run import Run

    known = read_state(corpus.storage).get("levels", {})
    if not {"document", "near"} & known.keys():
        return None
    empty = Dataset((), SIZED)
    levels = {
        level: stored(corpus.storage, labels_file(level)) if level in known else empty
        for level in ("document", "near")
    }
    # Labels hold without the keys of which they were made, so nobody has looked yet whether these are there;
    # and they hold under the settings with which copies were last looked for.
    units = Run(as_asked(corpus), work.engine, silent).units
    return _numbers("copies", work.spread("copies", SIZES_SQL, units=units, **levels))


def _scores(corpus: CorpusFolder, work: Workbench) -> Numbers:
    """The quality of every document, in a table for as long as the export takes."""
    from corpulyzer.jobs.analyze.document_quality import QUALITY, qualities

    return _numbers(QUALITY, qualities(corpus, work.engine, work))


def _numbers(column: str, table: Dataset) -> Numbers:
    return Numbers(tuple(table.files), column, digest_of_rows(*table.files))
