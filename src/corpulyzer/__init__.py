"""Corpulyzer: a corpus of any language out of the web, and a measure of how good it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpulyzer.comparison import compare
    from corpulyzer.corpus import Corpus
    from corpulyzer.corpus import open_corpus as open
    from corpulyzer.errors import UserError
    from corpulyzer.extract import Extraction, extract
    from corpulyzer.identify import Identification, identify
    from corpulyzer.language import Language
    from corpulyzer.record import Document, Page, Paragraph, Verdict

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
    "extract",
    "identify",
    "open",
]

# Looked up on first use, so that `import corpulyzer` costs next to nothing.
_HOMES = {
    "Corpus": "corpus:Corpus",
    "compare": "comparison:compare",
    "open": "corpus:open_corpus",
    "UserError": "errors:UserError",
    "Extraction": "extract:Extraction",
    "extract": "extract:",
    "Identification": "identify:Identification",
    "identify": "identify:",
    "Language": "language:Language",
    "Document": "record:Document",
    "Page": "record:Page",
    "Paragraph": "record:Paragraph",
    "Verdict": "record:Verdict",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return globals().setdefault("__version__", version("corpulyzer"))
    if name not in _HOMES:
        raise AttributeError(f"module 'corpulyzer' has no attribute {name!r}")
    from importlib import import_module

    home, attribute = _HOMES[name].split(":")
    module = import_module(f"corpulyzer.{home}")
    return getattr(module, attribute) if attribute else module
