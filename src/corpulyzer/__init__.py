"""Corpulyzer: a corpus of any language out of the web, and a measure of how good it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpulyzer.api.corpus import Corpus, create, upgrade
    from corpulyzer.api.corpus import open_corpus as open
    from corpulyzer.errors import UserError
    from corpulyzer.export.formats import ExportFormat, Format
    from corpulyzer.jobs.compare import compare
    from corpulyzer.jobs.train import train_language, train_tagger
    from corpulyzer.lab.estimate import estimate
    from corpulyzer.language import Language
    from corpulyzer.measure.bench import Bench, Measure
    from corpulyzer.measure.result import Result
    from corpulyzer.page.extract import Extraction, Extractor, extract
    from corpulyzer.page.extract.blocks import Block
    from corpulyzer.page.filter import Filter
    from corpulyzer.page.identify import Identified, Identifier
    from corpulyzer.page.identify.plain_text import Identification, identify
    from corpulyzer.page.label.own import Label
    from corpulyzer.records import KEEP, Document, Page, Paragraph, Verdict, drop
    from corpulyzer.web.seeds import Candidate
    from corpulyzer.web.seeds.own import SeedSource

__version__: str

__all__ = [
    "KEEP",
    "Bench",
    "Block",
    "Candidate",
    "Corpus",
    "Document",
    "ExportFormat",
    "Extraction",
    "Extractor",
    "Filter",
    "Format",
    "Identification",
    "Identified",
    "Identifier",
    "Label",
    "Language",
    "Measure",
    "Page",
    "Paragraph",
    "Result",
    "SeedSource",
    "UserError",
    "Verdict",
    "compare",
    "create",
    "drop",
    "estimate",
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
    "estimate": "lab.estimate:estimate",
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
    # For plug-ins.
    "Bench": "measure.bench:Bench",
    "Block": "page.extract.blocks:Block",
    "Candidate": "web.seeds:Candidate",
    "ExportFormat": "export.formats:ExportFormat",
    "Extractor": "page.extract:Extractor",
    "Filter": "page.filter:Filter",
    "Format": "export.formats:Format",
    "Identified": "page.identify:Identified",
    "Identifier": "page.identify:Identifier",
    "KEEP": "records:KEEP",
    "Label": "page.label.own:Label",
    "Measure": "measure.bench:Measure",
    "Result": "measure.result:Result",
    "SeedSource": "web.seeds.own:SeedSource",
    "drop": "records:drop",
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
