"""Fingerprints as they were in folders of format 1, so that these are known again. Nothing here ever changes.

They were hashes of what Python prints of settings: the names of classes, their fields in order, and the
package's version. These are written down here as they were; only the values come from today's settings. A
setting that is newer than that is printed too, unless it has its default: then no old fingerprint fits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from corpulyzer.corpus.settings.config import Config
    from corpulyzer.dedup.settings import Dedup
    from corpulyzer.storage import Storage

VERSION = "0.1.0"
# The fields of each class, with the class of those that were one themselves.
FIELDS = {
    "ExtractTable": "method",
    "License": "method",
    "LabelTable": "license:License",
    "CountSentences": "max_characters min_confidence",
    "IdentifyTable": "method model models min_confidence hint keep sentences:CountSentences",
    "Hosts": "block allow",
    "Mime": "types",
    "RawSize": "min_bytes max_bytes",
    "MachineTranslation": "policy fingerprints sites not_sites",
    "ContentSize": "min_bytes unit",
    "MainLanguage": "min_confidence",
    "LanguageShare": "min_share",
    "Sentences": "min_count min_share inclusive",
    "Encoding": "max_share",
    "Punctuation": "max_share",
    "Length": "min_words",
    "Filters": "received document hosts:Hosts mime:Mime raw_size:RawSize"
    " machine_translation:MachineTranslation content_size:ContentSize main_language:MainLanguage"
    " language_share:LanguageShare sentences:Sentences encoding:Encoding punctuation:Punctuation"
    " length:Length",
    "OptOutPolicy": "nofollow rel_nofollow noindex noarchive noai tdm_reserved",
    "Scope": "tlds hosts paths block removed wikimedia",
    "Traps": "max_depth max_hops max_repeats max_parameters max_characters barren_pages",
    "Recrawl": "first_days min_days max_days dead_after give_up_after",
    "MinHash": "similarity characters permutations bands rows",
    "SimHash": "distance characters",
    "TextProfile": "strict min_length quantum",
    "Plain": "language name gives",
    "Simplemma": "language gives",
    "UDPipe": "model language gives",
    "Stanza": "package model language gives",
    "Spacy": "model gives",
    "Morphs": "model",
}
DOCUMENT = (
    "id url_id url site round archive offset record_id date status mime charset raw_bytes raw_digest"
    " truncated title declared_language canonical author published text text_digest text_bytes tokens"
    " paragraphs languages language target_bytes target_characters license licenses machine_translation"
    " labels scores verdict license_basis"
).split()
LEVEL_COUNT = (
    "level method units duplicates clusters largest within_site across_sites words duplicate_words"
    " unresolved note"
).split()
NEAR = {"minhash": "MinHash", "simhash": "SimHash", "text_profile": "TextProfile"}
BACKENDS = {
    "plain": "Plain",
    "simplemma": "Simplemma",
    "udpipe": "UDPipe",
    "stanza": "Stanza",
    "classla": "Stanza",
    "spacy": "Spacy",
}
MEASURED = "seed sample site_labels seed_sites reference topic_names classifier rounds".split()


class Part(NamedTuple):
    """A file of documents: its name below `documents/`, what it was made by, its rows."""

    name: str
    made_by: str
    rows: int


def documents(config: Config) -> dict[str, str]:
    """The fingerprints of documents, by group of stages."""
    filters, opt_outs = config.filter, config.opt_outs
    counted = "sentences" in filters.document
    translated = "machine_translation" in filters.document
    identify = _tuple(repr(config.corpus.language), _shown(config.identify, "IdentifyTable"), repr(counted))
    asked = {
        "extract": _tuple(
            repr(VERSION),
            repr(DOCUMENT),
            _shown(config.extract, "ExtractTable"),
            _shown(config.label, "LabelTable"),
            repr(opt_outs.nofollow),
            _chain(filters, filters.received),
            _shown(filters.machine_translation, "MachineTranslation") if translated else "()",
            identify if config.identify.keep == "target" else "()",
        ),
        "identify": identify,
        "filter": _tuple(
            _chain(filters, filters.document), _shown(opt_outs, "OptOutPolicy"), repr(config.corpus.site)
        ),
    }
    prints, before = {}, ""
    for group, text in asked.items():
        before = prints[group] = _hash(before + text)
    return prints


def frontier(config: Config) -> str:
    """The fingerprint of a frontier."""
    return _hash(
        _tuple(
            repr(VERSION),
            repr(documents(config)["filter"]),
            _shown(config.scope, "Scope"),
            _shown(config.frontier.traps, "Traps"),
            _shown(config.frontier.recrawl, "Recrawl"),
            _shown(config.opt_outs, "OptOutPolicy"),
        )
    )


def parts(storage: Storage) -> list[Part]:
    """The files of documents in a folder."""
    import pyarrow.parquet as pq

    found = []
    for file in storage.list("documents", ".parquet"):
        with storage.open_input(file) as stored, pq.ParquetFile(stored) as parquet:
            schema, rows = parquet.schema_arrow, parquet.metadata.num_rows
        made_by = _hash(repr((_footer(schema.metadata, (b"ARROW:schema", b"pandas")), schema.names)))
        found.append(Part(file.removeprefix("documents/"), made_by, rows))
    return found


def beside_documents(part: Part, asked: Dedup, language: str) -> dict[str, str]:
    """The fingerprints of the tables that the search for duplicates makes of a file of documents."""
    steps = {
        "units": f"MakeUnits(keep={asked.keep!r}, score={asked.score!r}, made_for='')",
        "passages": f"FindPassages(language={language!r}, scope={asked.paragraph_scope!r}, made_for='')",
        "signed": f"SignDocuments(method={_shown(asked.near, NEAR[asked.method])}, made_for='')",
    }
    return {name: _hash(_tuple(step, repr(part.made_by))) for name, step in steps.items()}


def level(name: str, found: Sequence[Part], asked: Dedup, language: str) -> str:
    """The fingerprint of the labels of a level of duplicates."""
    own = {
        "near": _shown(asked.near, NEAR[asked.method]),
        "paragraph": repr((asked.paragraph_scope, language)),
        "sentence": repr(language),
    }
    return _hash(_tuple(repr(list(found)), repr(asked.keep), repr(asked.score), own.get(name, "None")))


def view(levels: Mapping[Any, str], applied: tuple[str, ...], config: Config) -> str:
    """The fingerprint of the documents without copies; `levels` are the fingerprints of all levels."""
    memory = config.dedup.site_memory
    made_of = [levels[name] for name in (*applied, *(("paragraph",) if memory else ()))]
    return _hash(_tuple(repr(made_of), repr(applied), _shown(config.filter, "Filters"), repr(memory)))


def annotated(backend: Any, language: str, morphs: Any, digests: list[str]) -> str:
    """The fingerprint of annotations; `digests` are those of the models' files."""
    name = BACKENDS[backend.name.partition(" ")[0]]
    cut = _shown(morphs, "Morphs") if morphs else "None"
    step = f"backend={_shown(backend, name)}, language={language!r}, morphs={cut}, made_for=''"
    return _hash(_tuple(f"AnnotateDocuments({step})", repr(digests)))


def analysis(config: Config, bench: Any, folder: Mapping[str, Any]) -> str:
    """The fingerprint of measures. `folder` is what they followed from besides the bench, by name."""
    encoded = {
        name: {k.encode(): v.encode() for k, v in found.items()} for name, found in folder["annotations"]
    }
    footers = [(name, _footer(found, ())) for name, found in encoded.items()]
    return _hash(
        _tuple(
            repr(VERSION),
            repr(folder["parts"]),
            repr(folder["view"]),
            repr(folder["fetches"]),
            repr(_counts(bench.duplicates)),
            repr([str(getattr(bench, name)) for name in MEASURED]),
            repr(folder["ranks"]),
            repr(bench.index.files if bench.index else ()),
            repr(footers),
            repr([(result.summary, result.to_csv()) for result in bench.audits]),
            repr(folder["seeds"]),
            _shown(config.filter, "Filters"),
        )
    )


def _counts(found: Any) -> dict[str, Any] | None:
    if not found:
        return None
    levels = tuple({name: getattr(count, name) for name in LEVEL_COUNT} for count in found.levels)
    return {"levels": levels, "dropped_at": found.dropped_at}


def _footer(metadata: Mapping[bytes, bytes] | None, without: Iterable[bytes]) -> list[tuple[bytes, bytes]]:
    return sorted((key, value) for key, value in (metadata or {}).items() if key not in without)


def _chain(filters: Any, names: Iterable[str]) -> str:
    classes = dict(each.split(":") for each in FIELDS["Filters"].split() if ":" in each)
    return _tuple(*(_shown(getattr(filters, name), classes[name]) for name in names))


def _shown(value: Any, name: str) -> str:
    """A value as the class of this name was printed."""
    told = []
    for each in FIELDS[name].split():
        field, _, inner = each.partition(":")
        found = getattr(value, field)
        told.append(f"{field}={_shown(found, inner) if inner else repr(found)}")
    known = {each.partition(":")[0] for each in FIELDS[name].split()}
    for new in fields(value):
        default = new.default if new.default_factory is MISSING else new.default_factory()
        if new.name not in known and getattr(value, new.name) != default:
            told.append(f"{new.name}={getattr(value, new.name)!r}")
    return f"{name}({', '.join(told)})"


def _tuple(*shown: str) -> str:
    return f"({shown[0]},)" if len(shown) == 1 else f"({', '.join(shown)})"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
