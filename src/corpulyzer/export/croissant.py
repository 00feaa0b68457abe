"""The description of the Parquet files in Croissant, which search engines and loaders of datasets read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from corpulyzer.export.card import EXPLAINED, people
from corpulyzer.export.files import Written
from corpulyzer.export.formats import About

# The context of Croissant 1.0, word for word what its validator compares with.
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
TYPES = {
    **dict.fromkeys(("tokens", "text_bytes", "target_bytes", "copies", "offset"), "sc:Integer"),
    "date": "sc:Date",
    "url": "sc:URL",
}
# Lists of records: described in the card, which Croissant's flat fields cannot do.
NESTED = ("scores", "source", "paragraphs")
PARQUET = "application/x-parquet"


def croissant_json(about: About, files: Sequence[Written]) -> str:
    """The text of croissant.json: every file with its checksum, and the flat columns of the documents."""
    value = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": about.name,
        "description": f"Web text in {about.language.name}: {about.documents:,} documents; {about.selection}",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "citeAs": f"{about.name}, version {about.version}, made by {about.software}",
        "license": sorted(kind or "no license was found" for kind in about.licenses),
        "version": f"{about.version.lstrip('v').lstrip('0') or '0'}.0.0",
        "datePublished": about.created[:10],
        "inLanguage": list(about.tags),
        "rai:personalSensitiveInformation": people(about),
        "distribution": [_file(file) for file in files],
        "recordSet": [_records(file) for file in files],
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _file(file: Written) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path,
        "contentUrl": file.path,
        "contentSize": f"{file.bytes} B",
        "encodingFormat": PARQUET,
        "sha256": file.sha256,
    }


def _records(file: Written) -> dict[str, Any]:
    """The documents of one file."""
    stem = file.path.removeprefix("data/").removesuffix(".parquet")
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{stem}/{name}",
            "name": name,
            "description": meaning,
            "dataType": TYPES.get(name, "sc:Text"),
            "source": {"fileObject": {"@id": file.path}, "extract": {"column": name}},
        }
        for name, meaning in EXPLAINED.items()
        if name not in NESTED
    ]
    return {"@type": "cr:RecordSet", "@id": stem, "name": stem, "field": fields}
