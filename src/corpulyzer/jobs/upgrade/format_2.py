"""Fingerprints as they were in folders of format 2, so that these are known again. Nothing here ever changes.

Parts of documents were told by what their footers say and by their columns, `corpus/` and the index of
the concordance by sizes and times of files. What is hashed with `fingerprint` fits as long as the versions of
its stages are the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from corpulyzer.records.fingerprint import digest, fingerprint

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.storage import Storage

OWN = ("ARROW:schema", "pandas")


class Head(NamedTuple):
    """What a Parquet file said of itself: its footer by name, its columns and its rows."""

    footer: dict[str, str]
    columns: list[str]
    rows: int


@dataclass(frozen=True, slots=True)
class Part:
    """A file of documents: its name below `documents/`, what it was made by, its rows."""

    name: str
    made_by: str
    rows: int


def head(storage: Storage, file: str) -> Head:
    """What a file says of itself."""
    import pyarrow.parquet as pq

    with storage.open_input(file) as stored, pq.ParquetFile(stored) as parquet:
        schema, rows = parquet.schema_arrow, parquet.metadata.num_rows
    footer = {key.decode(): value.decode() for key, value in (schema.metadata or {}).items()}
    return Head({key: said for key, said in footer.items() if key not in OWN}, schema.names, rows)


def parts(storage: Storage) -> list[Part]:
    """The files of documents in a folder."""
    found = []
    for file in storage.list("documents", ".parquet"):
        said = head(storage, file)
        found.append(Part(file.removeprefix("documents/"), digest([said.footer, said.columns]), said.rows))
    return found


def beside_documents(step: Any, part: Part) -> str:
    """The fingerprint of what a step of the search for duplicates made of a part."""
    return fingerprint(step.stage, {"settings": step, "documents": part.made_by})


def level(corpus: CorpusFolder, steps: dict[str, Any], found: Sequence[Part], name: str) -> str:
    """The fingerprint of the labels of a level of duplicates."""
    settings = corpus.config.dedup
    own = {
        "near": fingerprint(settings.method, settings.near),
        "paragraph": fingerprint("passages", steps["passages"]),
        "sentence": fingerprint("passages", corpus.language.code),
    }
    units = fingerprint("units", steps["units"])
    return fingerprint("duplicates", {"documents": list(found), "units": units, "own": own.get(name)})


def view(corpus: CorpusFolder, levels: Mapping[Any, str], applied: tuple[str, ...]) -> str:
    """The fingerprint of the documents without copies; `levels` are the fingerprints of all levels."""
    asked = {
        "levels": [(name, levels[name]) for name in applied],
        "filter": corpus.config.filter,
        "site_memory": levels["paragraph"] if corpus.config.dedup.site_memory else None,
    }
    return fingerprint("view", asked)


def analysis(corpus: CorpusFolder, bench: Any, folder: dict[str, Any]) -> str:
    """The fingerprint of measures. `folder` is what they followed from besides the bench, by name."""
    storage = corpus.storage
    asked = {
        "settings": corpus.config.analyze,
        "filter": corpus.config.filter,
        "duplicates": bench.duplicates,
        "site_labels": bench.site_labels,
        "rounds": bench.rounds,
        "index": [file.removeprefix(storage.root) for file in bench.index.files] if bench.index else [],
        "audits": [(result.summary, result.to_csv()) for result in bench.audits],
        "site": corpus.config.corpus.site,
    }
    return fingerprint("analysis", asked | folder)


def annotation_footers(storage: Storage) -> list[tuple[str, dict[str, str]]]:
    """What the footers of annotations say, by file."""
    return [(file, head(storage, file).footer) for file in storage.list("annotations", ".parquet")]


def scored_for(signatures: dict[str, str]) -> str:
    """The name of the state of an index whose documents were scored."""
    return hashlib.sha256(repr(sorted(signatures.items())).encode()).hexdigest()


def same_parts(storage: Storage, stamp: str, documents: str, annotations: str) -> bool:
    """Whether the stamp of a part of the index is that of its documents, and of its annotations if any."""
    annotated = stamp.split("\t")[3]
    if not same_file(storage, stamp, documents) or bool(annotated) != bool(annotations):
        return False
    return not annotations or same_file(storage, f"{annotations}\t{annotated}", annotations)


def same_file(storage: Storage, stamp: str, file: str) -> bool:
    """Whether a stamp (path, size, time) is that of a file. The time does not count: copies have another."""
    filesystem, _ = storage.filesystem()
    info = filesystem.get_file_info(storage.inner_path(file))
    return stamp.split("\t")[:2] == [file, str(info.size)]
