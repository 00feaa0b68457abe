"""The card of a dataset: a YAML header that the hub reads, and what people must know."""

from __future__ import annotations

import json
from collections.abc import Iterable

from corpulyzer.export.formats import About
from corpulyzer.text.masks import TOKENS
from corpulyzer.text.traces import KINDS

SIZES = (
    *((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")),
    *((10_000_000, "1M<n<10M"), (100_000_000, "10M<n<100M"), (1_000_000_000, "100M<n<1B")),
)
EXPLAINED = {
    "id": "the same in every export, and after an import of an export",
    "url": "where the page was",
    "site": "its host, without www.",
    "date": "when it was fetched",
    "language": "the language of most of its text (ISO 639-3)",
    "license": "Creative Commons license that the page declares; empty if none was found",
    "license_basis": "where on the page the license stands",
    "title": "title that the page declares",
    "author": "author that the page declares",
    "published": "date that the page declares",
    "tokens": "words and numbers in the text",
    "text_bytes": "size of the text in UTF-8",
    "target_bytes": "of these, bytes in the target language",
    "copies": "documents that it stands for: itself, its copies and near-copies; 0: not looked for",
    "text_digest": "MD5 of the text",
    "archive": "archive that holds the page",
    "offset": "place of its record there",
    "record_id": "WARC-Record-ID of that record",
    "machine_translation": "trace of a translation machine, if there is one",
    "content": "labels that lists of words and addresses gave, such as adult or spam",
    "scores": "numbers that labels gave",
    "source": "what an import told of the document",
    "text": "main content, one paragraph a line",
    "paragraphs": "place (code points), kind, language and its confidence of each paragraph",
}


def card(about: About, columns: Iterable[str]) -> str:
    """The text of README.md."""
    rows = "\n".join(f"| `{name}` | {EXPLAINED[name]} |" for name in columns)
    left_out = ", ".join(f"{count:,} by {why}" for why, count in about.left_out.items()) or "none"
    return f"""{header(about)}
# {about.name}, version {about.version}

Web text in {about.language.name}: {about.documents:,} documents, {about.tokens:,} tokens, \
{about.text_bytes:,} bytes.
Made by {about.software} on {about.created[:10]}. Selection: {about.selection}.
Kept documents that were left out: {left_out}.

{_counts("License", {kind or "none found": n for kind, n in about.licenses.items()})}

{_counts("Language", about.languages)}

## Columns

| column | meaning |
|---|---|
{rows}

## Personal data

{people(about)}

## Use

```python
from datasets import load_dataset
load_dataset("PATH/OF/THIS/FOLDER"{_first_part(about)})
```

The texts belong to their authors. A license is what the page said of itself when it was fetched; where none
was found, the law of your country decides what you may do with a text. `manifest.json` has the settings and
the checksum of every file, and says what has changed since the version before.
"""


def people(about: About) -> str:
    """What there is of people in the texts, and what stands in its place where it was masked."""
    found = {kind: count for kind, count in about.people.items() if count}
    hidden = [f"{count:,} {KINDS[kind]} by `{TOKENS[kind]}`" for kind, count in _only(found, about.masked)]
    left = [f"{count:,} {KINDS[kind]}" for kind, count in found.items() if kind not in about.masked]
    looked = ", ".join(KINDS[kind] for kind in about.masked)
    lines = [
        f"Replaced in the texts: {', '.join(hidden)}." if hidden else "",
        f"Looked for to be replaced, and not found: {looked}." if looked and not hidden else "",
        f"In the texts as they are: {', '.join(left)}." if left else "",
    ]
    known = " ".join(filter(None, lines)) or f"No {', '.join(KINDS.values())} were found."
    return f"{known} Names, postal addresses and all else that may point to people were not looked for."


def _only(counts: dict[str, int], kinds: Iterable[str]) -> list[tuple[str, int]]:
    return [(kind, counts[kind]) for kind in kinds if kind in counts]


def _first_part(about: About) -> str:
    return f', "{next(iter(about.parts))}"' if about.parts else ""


def header(about: About) -> str:
    """The YAML header between its lines of dashes; JSON strings are YAML strings."""
    size = next((name for most, name in SIZES if about.documents < most), "n>1B")
    whole = {"": tuple(about.splits) or ("train",)}
    lines = [
        "---",
        "language:",
        *(f'- "{code}"' for code in about.tags),
        f"license: {_license(about)}",
        f"pretty_name: {json.dumps(about.name, ensure_ascii=False)}",
        f"version: {about.version}",
        "size_categories:",
        f"- {size}",
        "task_categories:",
        "- text-generation",
        "- fill-mask",
        "tags:",
        "- web",
        "- corpulyzer",
        "configs:",
        *(line for name, splits in (about.parts or whole).items() for line in _config(name, splits)),
        "---",
    ]
    return "\n".join(lines) + "\n"


def _config(name: str, splits: Iterable[str]) -> list[str]:
    """The lines of one configuration: the whole data, or one language of several."""
    folder = f"data/{name}/" if name else "data/"
    files = [
        line
        for split in splits
        for line in (f"      - split: {split}", f"        path: {folder}{split}-*.parquet")
    ]
    return [f"  - config_name: {name or 'default'}", "    data_files:", *files]


def _license(about: About) -> str:
    """The hub's word for what all documents have in common."""
    kinds = set(about.licenses)
    if kinds == {"cc0"}:
        return "cc0-1.0"
    return "cc" if kinds and all(kind.startswith("cc") for kind in kinds) else "other"


def _counts(name: str, counts: dict[str, int]) -> str:
    rows = "\n".join(f"| {kind} | {count:,} |" for kind, count in counts.items())
    return f"| {name} | documents |\n|---|--:|\n{rows}"
