"""Write docs/reference/commands.md, settings.md and the columns of folder.md from the code.

python tools/reference.py
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import regex
from typer.main import get_command

from corpulyzer.cli import app
from corpulyzer.corpus.settings.config import keys
from corpulyzer.dedup import meanings as dedup
from corpulyzer.dedup.labels import LABELS_SQL, PASSAGES_SQL
from corpulyzer.dedup.passages import Passage
from corpulyzer.dedup.slices import in_slices, slices
from corpulyzer.dedup.units import Unit
from corpulyzer.engine import Dataset
from corpulyzer.engine.local import LocalEngine
from corpulyzer.records import Document, Edge, Evidence, Fetch, Paragraph, Verdict
from corpulyzer.records import meanings as records
from corpulyzer.records.annotation import Annotation, Sentence, Token
from corpulyzer.records.columns import schema_of
from corpulyzer.web.commoncrawl import IndexRow
from corpulyzer.web.commoncrawl import meanings as commoncrawl
from corpulyzer.web.commoncrawl.counts import LanguageCount
from corpulyzer.web.frontier import meanings as frontier
from corpulyzer.web.frontier.tables import Cell, Known, Listed, Site, Spoken

FOLDER = Path(__file__).parent.parent / "docs" / "reference"
MARKUP = regex.compile(r"\[/?bold\]")


def commands() -> str:
    """Every command with its usage, options and example."""
    parts = [
        "# Commands\n",
        "Results go to standard output, progress and advice to standard error. Exit codes: 0 done, 1 an error "
        "that you can mend, 2 wrong usage, 3 stopped early, by you or because there is no network (the same "
        "command goes on).\n",
    ]
    for name, command in leaves(get_command(app), "corpulyzer"):
        arguments = [p for p in command.params if p.param_type_name == "argument"]
        options = [p for p in command.params if p.param_type_name == "option"]
        usage = " ".join(
            [name, *(p.metavar or p.name.upper() for p in arguments), "[OPTIONS]" if options else ""]
        )
        parts.append(f"## `{name}`\n\n{prose(command.help)}\n\n```\n{usage.strip()}\n```\n")
        rows = [f"| `{p.metavar or p.name.upper()}` | {p.help or ''} |" for p in arguments]
        rows += [
            f"| `{', '.join(p.opts)}{' ' + p.metavar if p.metavar else ''}` | {p.help or ''} |"
            for p in options
        ]
        parts.append(
            "\n".join(["| | |", "|---|---|", *(row.replace("local|spark", "local\\|spark") for row in rows)])
            + "\n"
        )
    return "\n".join(parts)


def leaves(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The commands below a group, with their full names; a group that can be called itself counts too."""
    for name, below in getattr(command, "commands", {}).items():
        if getattr(below, "commands", None):
            yield from leaves(below, f"{path} {name}")
        else:
            yield f"{path} {name}", below


def prose(text: str | None) -> str:
    return MARKUP.sub("`", inspect.cleandoc(text or ""))


def settings() -> str:
    """Every setting with its default and meaning."""
    rows = [
        f"| `{key.name}` | `{key.default!r}` | {key.explanation.replace('|', chr(92) + '|')} |"
        for key in keys()
    ]
    head = [
        "# Settings\n",
        "A key is a path of tables in `corpulyzer.toml`; `filter.content_size.min_bytes` is `min_bytes` in",
        "`[filter.content_size]`. A flag wins over the environment (`CORPULYZER_FILTER_CONTENT_SIZE_MIN_BYTES`), that",
        "over the file, that over the preset, that over the default. In a corpus of several languages, a table such as",
        "`[language.xho]` goes before the rest of the file ([Many languages](../how-to/languages.md)).\n",
        "| key | default | meaning |",
        "|---|---|---|",
    ]
    return "\n".join([*head, *rows]) + "\n"


TABLES = {
    "fetches": Fetch,
    "documents, corpus": Document,
    "paragraphs of a document": Paragraph,
    "licenses of a document": Evidence,
    "verdict of a document": Verdict,
    "links": Edge,
    "frontier": Known,
    "rounds/…/list.parquet": Listed,
    "sites": Site,
    "prefixes": Cell,
    "languages": Spoken,
    "annotations": Annotation,
    "sentences of an annotation": Sentence,
    "tokens of a sentence": Token,
    "commoncrawl": IndexRow,
    "commoncrawl-totals": LanguageCount,
    "duplicates/units": Unit,
    "duplicates/paragraphs, duplicates/sentences": Passage,
}
MEANINGS = records.MEANINGS | frontier.MEANINGS | commoncrawl.MEANINGS | dedup.MEANINGS
COLUMNS = "## Every column\n"


def folder() -> str:
    """The page on the corpus folder: its prose as it stands, and every column of every table."""
    prose_, _, _ = (FOLDER / "folder.md").read_text("utf-8").partition(COLUMNS)
    parts = [table(name, schema_of(record), MEANINGS[record]) for name, record in TABLES.items()]
    for name, schema in label_schemas().items():
        parts.append(table(name, schema, {column: dedup.LABELS[column] for column in schema.names}))
    return "\n".join([f"{prose_}{COLUMNS}", *parts])


def table(name: str, schema: pa.Schema, meanings: Mapping[str, str]) -> str:
    rows = [f"| `{field.name}` | {type_of(field.type)} | {meanings[field.name]} |" for field in schema]
    return "\n".join([f"### {name}\n", "| column | type | meaning |", "|---|---|---|", *rows]) + "\n"


def type_of(kind: pa.DataType) -> str:
    """An Arrow type as a reader of the tables knows it.

    >>> type_of(pa.list_(pa.struct([("name", pa.string()), ("value", pa.int64())])))
    'list of name, value'
    """
    if pa.types.is_list(kind):
        return f"list of {type_of(kind.value_type).removeprefix('struct of ')}"
    if pa.types.is_struct(kind):
        return f"struct of {', '.join(field.name for field in kind)}"
    return "timestamp (UTC)" if pa.types.is_timestamp(kind) else str(kind)


def label_schemas() -> dict[str, pa.Schema]:
    """The columns of the labels of copies, as their queries give them for no documents."""
    members = pa.schema([(name, pa.int64()) for name in ("id", "cluster", "weight")])
    given = {"members": members, "units": schema_of(Unit), "passages": schema_of(Passage)}
    queries = {
        "duplicates/labels of raw, document, near": (in_slices(LABELS_SQL), ("members", "units")),
        "duplicates/labels of paragraph, sentence": (in_slices(PASSAGES_SQL), ("passages", "units")),
    }
    engine = LocalEngine(1)
    return {
        name: engine.query(
            sql, {"slices": slices(), **{each: Dataset((), given[each]) for each in tables}}
        ).schema
        for name, (sql, tables) in queries.items()
    }


if __name__ == "__main__":
    (FOLDER / "folder.md").write_text(folder(), "utf-8")
    (FOLDER / "commands.md").write_text(commands(), "utf-8")
    (FOLDER / "settings.md").write_text(settings(), "utf-8")
