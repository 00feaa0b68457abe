"""The index of a corpus for its concordance: where it stands, and how it follows the documents."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpulyzer.concordance.index import Entry, Index
from corpulyzer.storage import is_remote
from corpulyzer.view import current_parts

if TYPE_CHECKING:
    from corpulyzer.corpus import Corpus, Progress

FILE = "index/concordance.sqlite"
COLUMNS = ("id", "url", "site", "title", "license", "date", "scores", "target_bytes", "text_bytes", "text")
ROWS_AT_ONCE = 500
TIDY_FROM_PARTS = 5


def index_of(corpus: Corpus) -> Index:
    """The index of a corpus, which may be stale or not there yet.

    SQLite needs a disk: the index of a corpus in an object store is in the user's cache folder.
    """
    root = corpus.storage.root
    if not is_remote(root):
        return Index(Path(corpus.storage.path(FILE)), corpus.language)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "corpulyzer"
    return Index(cache / hashlib.sha256(root.encode()).hexdigest()[:16] / Path(FILE).name, corpus.language)


def refresh(corpus: Corpus, progress: Progress | None = None) -> Index:
    """The index, brought up to date: only parts whose documents have changed are read."""
    index = index_of(corpus)
    parts = _signatures(corpus)
    index.must_be_current()
    changed, gone = index.stale(parts)
    for name in gone:
        index.forget(name)
    for done, name in enumerate(changed):
        if progress:
            progress("indexing documents", done, len(changed))
        index.put(name, parts[name], _entries(corpus, parts[name].partition("\t")[0]))
    if progress and changed:
        progress("indexing documents", len(changed), len(changed))
    if len(changed) >= TIDY_FROM_PARTS:
        index.tidy()
    return index


def is_stale(corpus: Corpus) -> bool:
    """Whether documents have changed since the index was made."""
    return any(index_of(corpus).stale(_signatures(corpus)))


def _signatures(corpus: Corpus) -> dict[str, str]:
    """Each part of the documents with what tells that it is another one: its file, size and time."""
    storage = corpus.storage
    names = storage.list("documents", ".parquet")
    files = current_parts(storage, names)
    filesystem, _ = storage.filesystem()
    infos = filesystem.get_file_info([storage.inner_path(file) for file in files])
    return {
        name: f"{file}\t{info.size}\t{info.mtime_ns}"
        for name, file, info in zip(names, files, infos, strict=True)
    }


def _entries(corpus: Corpus, file: str) -> Iterator[Entry]:
    """The kept documents of a part."""
    from corpulyzer.documents import Documents

    kept = Documents(corpus.storage, (file,)).kept()
    for batch in kept.batches(list(COLUMNS), rows=ROWS_AT_ONCE):
        for row in batch.to_pylist():
            yield Entry(
                id=row["id"],
                url=row["url"],
                site=row["site"],
                title=row["title"],
                license=row["license"],
                date=int(row["date"].timestamp()),
                quality=quality_of(row),
                text=row["text"],
            )


def quality_of(row: Mapping[str, Any]) -> float | None:
    """The document's quality score; where none was given, the share of its text in the target language."""
    scores = {item["name"]: item["value"] for item in row["scores"]}
    if "quality" in scores:
        return float(scores["quality"])
    return min(1.0, row["target_bytes"] / row["text_bytes"]) if row["text_bytes"] else None
