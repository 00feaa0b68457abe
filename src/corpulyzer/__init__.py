"""Corpulyzer: a corpus of any language out of the web, and a measure of how good it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpulyzer.api.corpus import Corpus, create, upgrade
    from corpulyzer.api.corpus import open_corpus as open
    from corpulyzer.errors import UserError
    from corpulyzer.jobs.compare import compare
    from corpulyzer.jobs.train import train_language, train_tagger
    from corpulyzer.language import Language
    from corpulyzer.page.extract import Extraction, extract
    from corpulyzer.page.identify.plain_text import Identification, identify
    from corpulyzer.records import Document, Page, Paragraph, Verdict

__version__: str

__all__ = [
    "Corpus",
    "Document",
    "Extraction",
    "Identification",
    "Language",
    "Page",
    "Paragraph",
    "UserError",
    "Verdict",
    "compare",
    "create",
    "extract",
    "identify",
    "open",
    "train_language",
    "train_tagger",
    "upgrade",
]

# Looked up on first use, so that `import corpulyzer` costs next to nothing.
_HOMES = {
    "Corpus": "api.corpus:Corpus",
    "compare": "jobs.compare:compare",
    "create": "api.corpus:create",
    "open": "api.corpus:open_corpus",
    "train_language": "jobs.train:train_language",
    "train_tagger": "jobs.train:train_tagger",
    "upgrade": "api.corpus:upgrade",
    "UserError": "errors:UserError",
    "Extraction": "page.extract:Extraction",
    "extract": "page.extract:extract",
    "Identification": "page.identify.plain_text:Identification",
    "identify": "page.identify.plain_text:identify",
    "Language": "language:Language",
    "Document": "records:Document",
    "Page": "records:Page",
    "Paragraph": "records:Paragraph",
    "Verdict": "records:Verdict",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return globals().setdefault("__version__", version("corpulyzer"))
    if name not in _HOMES:
        raise AttributeError(f"module 'corpulyzer' has no attribute {name!r}")
    from importlib import import_module

    home, attribute = _HOMES[name].split(":")
    return getattr(import_module(f"corpulyzer.{home}"), attribute)
