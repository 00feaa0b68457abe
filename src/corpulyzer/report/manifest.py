"""The manifest: all that is needed to know what made a corpus, and to make it again (C4-12)."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.settings.plugins import without_sources
from corpulyzer.jobs.analyze.follows import report_made_of
from corpulyzer.measure.result import Result
from corpulyzer.native import build
from corpulyzer.report.about import About, without_passwords

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder

PARTS = ("corpulyzer", "pyarrow", "duckdb", "pycld2", "selectolax", "rensa")
TABLES = ("corpulyzer.toml", "seeds.jsonl", "imports", "fetches", "documents", "links")
BESIDE = ("gone", "duplicates/view")
ARCHIVES = "warc"
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
        "hash": hashlib.sha256("".join(f"{f['path']} {f['sha256']}\n" for f in files).encode()).hexdigest(),
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
    """Each table's files with size and SHA-256, and the archives, whose records carry digests themselves."""
    names = [name for table in (*TABLES, *BESIDE) for name in _listed(corpus, table)]
    archives = [
        {"path": name, "bytes": _size(corpus, name), "sha256": ""} for name in _listed(corpus, ARCHIVES)
    ]
    return [*({"path": name, **_hashed(corpus, name)} for name in names), *archives]


def _size(corpus: CorpusFolder, name: str) -> int:
    with corpus.storage.open_input(name) as file:
        return int(file.size())


def _listed(corpus: CorpusFolder, table: str) -> list[str]:
    if "." in table:
        return [table] if corpus.storage.exists(table) else []
    return corpus.storage.list(table)


def _hashed(corpus: CorpusFolder, name: str) -> dict[str, Any]:
    found, size = hashlib.sha256(), 0
    with corpus.storage.open_input(name) as file:
        while block := file.read(BLOCK):
            found.update(block)
            size += len(block)
    return {"bytes": size, "sha256": found.hexdigest()}
