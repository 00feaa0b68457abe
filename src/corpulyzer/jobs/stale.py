"""What is older than the documents, and the command that brings each up to date.

Every face asks here: a number that follows from stale duplicates is wrong, and must say so.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

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
        return f"{self.why} Bring it up to date with `{self.command}`."

    def to_json(self) -> dict[str, str]:
        """The same as plain values."""
        return asdict(self)


def stale(corpus: CorpusFolder, *names: str) -> list[Stale]:
    """What is stale of a corpus, in the order in which it is mended; `names` limits what is looked at.

    What was never made is not stale.
    """
    found = []
    for name, why in CHECKS.items():
        if not names or name in names:
            said = why(corpus)
            if said:
                command = f"{COMMANDS[name]} --project {corpus.storage.root}"
                found.append(Stale(name, said, command))
    return found


def _documents(corpus: CorpusFolder) -> str:
    """Archives that no document is made of yet."""
    from corpulyzer.corpus.archives import archives
    from corpulyzer.corpus.tables import part_path

    known = set(corpus.storage.list("fetches", ".parquet"))
    unread = [each.name for each in archives(corpus.storage) if part_path("fetches", each) not in known]
    return f"{len(unread):,} archives have not been made into documents." if unread else ""


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
    from corpulyzer.corpus.kept_documents import STATE, files_behind

    behind = files_behind(corpus.storage) if corpus.storage.exists(STATE) else 0
    return f"{behind:,} files of corpus/ are older than the documents." if behind else ""


def _annotations(corpus: CorpusFolder) -> str:
    from corpulyzer.annotate.parts import not_annotated

    behind = not_annotated(corpus.storage, corpus.documents.files)
    return f"The annotations of {behind:,} parts are older than the documents." if behind else ""


def _index(corpus: CorpusFolder) -> str:
    from corpulyzer.jobs.search.refresh import index_of
    from corpulyzer.jobs.search.refresh import stale as stale_index

    if not index_of(corpus).path.exists():
        return ""
    try:
        behind = stale_index(corpus).parts
    except UserError as error:
        return error.message
    return f"{behind:,} parts of the search index are older than the documents." if behind else ""


def _analysis(corpus: CorpusFolder) -> str:
    from corpulyzer.jobs.analyze.run import stale_panels

    behind = stale_panels(corpus)
    return f"The measures {', '.join(behind)} are older than the documents or settings." if behind else ""


def _report(corpus: CorpusFolder) -> str:
    from corpulyzer.corpus.folder import MANIFEST, REPORT
    from corpulyzer.jobs.analyze.run import made_of

    storage = corpus.storage
    if not storage.exists(REPORT):
        return ""
    manifest = json.loads(storage.read(MANIFEST)) if storage.exists(MANIFEST) else {}
    fresh = manifest.get("made_of") == made_of(corpus)
    return "" if fresh else "The report is older than the documents or settings."


CHECKS: dict[str, Callable[[CorpusFolder], str]] = {
    "documents": _documents,
    "duplicates": _duplicates,
    "corpus": _corpus,
    "annotations": _annotations,
    "index": _index,
    "analysis": _analysis,
    "report": _report,
}
COMMANDS = {
    "documents": "corpulyzer process",
    "duplicates": "corpulyzer dedup",
    "corpus": "corpulyzer process",
    "annotations": "corpulyzer annotate",
    "index": "corpulyzer search WORD",
    "analysis": "corpulyzer analyze",
    "report": "corpulyzer report",
}
