"""What is older than the documents, and the command that brings each up to date.

Every face asks here: a number that follows from stale duplicates is wrong, and must say so.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from corpulyzer.corpus.without_copies import GONE
from corpulyzer.engine.derived import is_made_of, orphans
from corpulyzer.engine.derived import stale as stale_parts
from corpulyzer.engine.derived.table import Table
from corpulyzer.errors import UserError

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder


@dataclass(frozen=True, slots=True)
class Stale:
    """Something that is older than what it is made of: its name, why, and the command that mends it."""

    what: str
    why: str
    command: str

    def __str__(self) -> str:
        return f"{self.why} `{self.command}` brings this up to date."

    def to_json(self) -> dict[str, str]:
        """The same as plain values."""
        return asdict(self)


def stale(corpus: CorpusFolder, *names: str) -> list[Stale]:
    """What is stale of a corpus, in the order in which it is mended; `names` limits what is looked at.

    What was never made is not stale.
    """
    if corpus.subcorpus and corpus.whole is not None:  # it is brought up to date by whoever asks for it
        return stale(corpus.whole, *(set(names or CHECKS) - OWN_OF_SUBCORPUS))
    found = []
    for name, why in CHECKS.items():
        if not names or name in names:
            said = why(corpus if name in (*BY_LANGUAGE, "report") else corpus.whole or corpus)
            if said:
                which = f" --language {corpus.language.code}" if corpus.whole and name in BY_LANGUAGE else ""
                command = f"{COMMANDS[name]}{which} --project {corpus.home.root}"
                found.append(Stale(name, said, command))
    return found


def _removal(corpus: CorpusFolder) -> str:
    """A removal that was cut short."""
    from corpulyzer.corpus.takedowns import as_written, unfinished

    name = as_written(unfinished(corpus.storage))
    return f"The removal of {name} was cut short: what it takes out may still be here." if name else ""


def _documents(corpus: CorpusFolder) -> str:
    """Archives without documents, documents of other settings, and dead pages that are not dropped again."""
    from corpulyzer.corpus.archives import archives
    from corpulyzer.corpus.parts import wanted_documents, wanted_fetches

    found = archives(corpus.storage)
    fetches = Table(corpus.storage, "fetches").entries()
    made = {name: entry.made_of for name, entry in fetches.items()}
    if unread := len(stale_parts(made, wanted_fetches(found))):
        count = f"{unread:,} archive" if unread == 1 else f"{unread:,} archives"
        return f"Not yet made into documents: {count}."
    documents = Table(corpus.storage, "documents").entries()
    made = {name: entry.made_of for name, entry in documents.items()}
    parts = wanted_documents(corpus.config, found, fetches, made)
    asked = {name: part.documents for name, part in parts.items()}
    if lost := sum(len(Table(corpus.storage, table).lost()) for table in ("fetches", "documents", "links")):
        return f"Missing from the tables of documents: {_parts(lost)}."
    behind = len(stale_parts(made, asked)) + len(orphans(made, asked))
    if behind:
        return f"Older than the settings: {_parts(behind)} of the documents."
    versions = {name: entry.version for name, entry in documents.items()}
    gone = Table(corpus.storage, GONE).made()
    void = sum(not is_made_of(of, versions.get(name, "")) for name, of in gone.items())
    return f"Dead pages are not dropped again in {_parts(void)} of the documents." if void else ""


def _frontier(corpus: CorpusFolder) -> str:
    from corpulyzer.jobs.crawl.rebuild import why_stale

    return why_stale(corpus)


def _duplicates(corpus: CorpusFolder) -> str:
    from corpulyzer.jobs.dedup.current_labels import stale_levels

    levels = stale_levels(corpus)
    if not levels:
        return ""
    return (
        f"The duplicates ({', '.join(levels)}) are older than the documents or settings, "
        "so copies may be counted as kept."
    )


def _corpus(corpus: CorpusFolder) -> str:
    from corpulyzer.corpus.kept_documents import files_behind, table_of

    behind = files_behind(corpus.storage) if table_of(corpus.storage).made() else 0
    files = f"{behind:,} file" if behind == 1 else f"{behind:,} files"
    return f"Older than the documents: {files} of corpus/." if behind else ""


def _annotations(corpus: CorpusFolder) -> str:
    from corpulyzer.annotate.parts import not_annotated
    from corpulyzer.corpus.kept_documents import kept_parts
    from corpulyzer.corpus.language_folders import behind as old_folders
    from corpulyzer.corpus.language_folders import codes_there, storage_of
    from corpulyzer.records.annotation import TABLE

    if corpus.targets.only is None:
        each = {code: storage_of(corpus.storage, code) for code in codes_there(corpus.storage)}
        annotated = [code for code, own in each.items() if Table(own, TABLE).made()]
        old = set(old_folders(corpus.storage, annotated))
        old |= {code for code in annotated if not_annotated(each[code], kept_parts(each[code]))}
        return f"The annotations of {', '.join(sorted(old))} are older than the documents." if old else ""
    behind = not_annotated(corpus.storage, kept_parts(corpus.storage))
    return f"The annotations of {_parts(behind)} are older than the documents." if behind else ""


def _index(corpus: CorpusFolder) -> str:
    from corpulyzer.jobs.search.refresh import fits, index_of
    from corpulyzer.jobs.search.refresh import stale as stale_index

    if not index_of(corpus).path.exists():
        return ""
    try:
        behind = stale_index(corpus).parts
    except UserError as error:
        return error.message
    if not behind or not fits(corpus):  # nothing brings it up to date; whoever searches is told why
        return ""
    return f"Older than the documents: {_parts(behind)} of the search index."


def _analysis(corpus: CorpusFolder) -> str:
    from corpulyzer.jobs.analyze.run import stale_panels

    behind = stale_panels(corpus)
    return f"Older than the documents or settings: the measures {', '.join(behind)}." if behind else ""


def _report(corpus: CorpusFolder) -> str:
    from corpulyzer.corpus.folder import MANIFEST, REPORT
    from corpulyzer.jobs.analyze.follows import report_made_of

    storage = corpus.storage
    if not storage.exists(REPORT):
        return ""
    manifest = json.loads(storage.read(MANIFEST)) if storage.exists(MANIFEST) else {}
    fresh = corpus.holds(manifest.get("made_of", ""), report_made_of(corpus))
    return "" if fresh else "The report is older than the documents or settings."


def _parts(count: int) -> str:
    return f"{count:,} part" if count == 1 else f"{count:,} parts"


BY_LANGUAGE = ("annotations", "index", "analysis")
"""What each language of a corpus of several has of its own, and is brought up to date by itself."""
OWN_OF_SUBCORPUS = {"index", "analysis", "report"}
CHECKS: dict[str, Callable[[CorpusFolder], str]] = {
    "removal": _removal,
    "documents": _documents,
    "frontier": _frontier,
    "duplicates": _duplicates,
    "corpus": _corpus,
    "annotations": _annotations,
    "index": _index,
    "analysis": _analysis,
    "report": _report,
}
COMMANDS = {
    "removal": "corpulyzer remove NAME",
    "documents": "corpulyzer process",
    "frontier": "corpulyzer process",
    "duplicates": "corpulyzer dedup",
    "corpus": "corpulyzer process",
    "annotations": "corpulyzer annotate",
    "index": "corpulyzer search WORD",
    "analysis": "corpulyzer analyze",
    "report": "corpulyzer report",
}
