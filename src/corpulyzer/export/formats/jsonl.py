"""JSON lines: an object a document, every field of `Published`, packed with zstd."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from corpulyzer.export.formats import Blocks, CollectBlocks, Format, Options, by_split
from corpulyzer.export.published import Published
from corpulyzer.export.render import Material


def jsonl(options: Options) -> Format:
    """JSON lines, one file for each split."""
    return Format(
        "jsonl", Blocks(line, by_split), CollectBlocks(".jsonl", options.compress or "zstd"), follows=True
    )


def line(material: Material) -> bytes:
    """The document as one line of JSON."""
    values = plain(material.published)
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def plain(document: Published) -> dict[str, Any]:
    """The document as plain values; dates in ISO 8601."""
    return {**asdict(document), "date": document.date.isoformat()}
