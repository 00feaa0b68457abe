"""The manifest: all that is needed to know what made a corpus, and to make it again (C4-12)."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.settings.plugins import without_sources
from corpulyzer.corpus.without_copies import GONE, read_state
from corpulyzer.engine.derived.table import Table
from corpulyzer.jobs.analyze.follows import report_made_of
from corpulyzer.measure.result import Result
from corpulyzer.native import build
from corpulyzer.report.about import About, without_passwords

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder

PARTS = ("corpulyzer", "pyarrow", "duckdb", "pycld2", "selectolax", "rensa")
GIVEN = ("corpulyzer.toml", "seeds.jsonl", "imports")
TABLES = ("fetches", "documents", "links", GONE)
ARCHIVES = "warc"
PACKED = ".warc.gz"
BLOCK = 1 << 20


def manifest(corpus: CorpusFolder, about: About, results: Sequence[Result]) -> dict[str, Any]:
    """Settings, versions, seeds, counts and hashes of a corpus as plain values."""
    facts = {result.name: dict(result.facts) for result in results if result.facts}
    files = _files(corpus)
    return {
        "name": about.name,
        "language": {"code": about.code, "name": about.language},
        "made": about.made,
        "versions": {"python": platform.python_version(), **_versions()},
        "native": build(),
        "config": without_passwords(asdict(without_sources(corpus.config))),
        "settings": {each.key: each.origin for each in corpus.settings if each.origin != "default"},
        "random_seeds": {"analyze": corpus.config.analyze.seed},
        "counts": facts.get("funnel", {}),
        "facts": facts,
        "made_of": report_made_of(corpus),
        "files": files,
        "hash": _together(files),
    }


def _versions() -> dict[str, str]:
    found = {}
    for name in PARTS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _files(corpus: CorpusFolder) -> list[dict[str, Any]]:
    """All files with their sizes: what was given with SHA-256, parts of tables with a hash of their rows.

    That hash is in the log of the table, so no part is read. Records of archives carry digests themselves.
    """
    given = [name for place in GIVEN for name in _listed(corpus, place)]
    archives = [*(name for name in given if name.endswith(PACKED)), *_listed(corpus, ARCHIVES)]
    return [
        *({"path": name, **_hashed(corpus, name)} for name in given if not name.endswith(PACKED)),
        *_parts(corpus),
        *({"path": name, "bytes": _size(corpus, name), "sha256": ""} for name in archives),
    ]


def _parts(corpus: CorpusFolder) -> Iterator[dict[str, Any]]:
    view = read_state(corpus.storage).get("view", {}).get("folder", "")
    for name in (*TABLES, *([view] if view else [])):
        table = Table(corpus.storage, name)
        for entry in sorted(table.entries().values()):
            yield {"path": table.file(entry.name), "bytes": entry.bytes, "version": entry.version}


def _together(files: Sequence[Mapping[str, Any]]) -> str:
    """One hash for all files."""
    lines = (f"{file['path']} {file.get('version') or file['sha256']}\n" for file in files)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _size(corpus: CorpusFolder, name: str) -> int:
    with corpus.storage.open_input(name) as file:
        return int(file.size())


def _listed(corpus: CorpusFolder, place: str) -> list[str]:
    if "." in place:
        return [place] if corpus.storage.exists(place) else []
    return corpus.storage.list(place)


def _hashed(corpus: CorpusFolder, name: str) -> dict[str, Any]:
    found, size = hashlib.sha256(), 0
    with corpus.storage.open_input(name) as file:
        while block := file.read(BLOCK):
            found.update(block)
            size += len(block)
    return {"bytes": size, "sha256": found.hexdigest()}
