"""The data card: what a corpus is made of and what is missing from it, for whoever is to use it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from corpulyzer.measure.result import Result
from corpulyzer.report.about import About
from corpulyzer.report.cells import table_view

ROWS = 15
MANY_ROWS = 1_000
GAPS = (
    "Pages behind logins, forms and scripts are not in it, nor what site owners keep crawlers out of.",
    "Languages are told by machine, paragraph by paragraph; close relatives may be mixed in.",
    "Main content is found by machine: some boilerplate stays, some content is lost.",
    "Nobody has read the whole of it. It holds personal data, errors and opinions of the web.",
)


def card(
    about: About, results: Sequence[Result], sources: Mapping[str, int], settings: Mapping[str, Any]
) -> str:
    """The card as Markdown; `sources` count records by where they are from."""
    known = {result.name: result for result in results}
    parts = [
        f"# {about.name}: data card",
        f"A corpus of {about.language} ({about.code}) from the web, made with Corpulyzer {about.version}.",
        *([about.as_of] if about.as_of else []),
        *_numbers(known.get("funnel"), "languages" if "languages" in known else "language"),
        "## Sources",
        *_sources(sources),
        *_section("Funnel", known.get("funnel")),
        "## Filters and settings",
        "Settings that differ from the defaults:",
        "\n".join(f"- `{key} = {value!r}`" for key, value in settings.items()) or "- none",
        *_section("Largest sites", known.get("top_sites")),
        *_section("Languages", known.get("language_presence")),
        *_section("Languages", known.get("languages"), MANY_ROWS),
        *_section("Copies", known.get("duplicates")),
        *_section("Licenses", known.get("licenses")),
        "Texts belong to their authors. A license that a page names is a label, not advice; pages without "
        "one are not free to be copied as they are.",
        *_section("Audit", known.get("audit")),
        *_section("Machine translation", known.get("machine_translation")),
        *_section("Personal data", known.get("pii")),
        "## Known gaps",
        "\n".join(f"- {gap}" for gap in (*GAPS, *_warnings(known))),
        "## Citation",
        f"> {about.name}, a corpus of {about.language} from the web. Made with Corpulyzer {about.version}, "
        f"{about.made}.",
    ]
    return "\n\n".join(parts) + "\n"


def _numbers(funnel: Result | None, of: str) -> list[str]:
    if funnel is None:
        return []
    facts = funnel.facts
    return [
        f"{facts['documents']:,} documents, {facts['tokens']:,} words, "
        f"{facts['target_bytes']:,} bytes of the {of}, {facts['sites']:,} sites."
    ]


def _sources(sources: Mapping[str, int]) -> list[str]:
    if not sources:
        return ["Nothing was fetched or imported."]
    return ["\n".join(f"- {name}: {count:,} records" for name, count in sources.items())]


def _section(title: str, result: Result | None, rows: int = ROWS) -> list[str]:
    if result is None:
        return []
    return [f"## {title}", result.summary, *([markdown(result, rows)] if result.rows.num_rows else [])]


def markdown(result: Result, rows: int = ROWS) -> str:
    """The first rows of a result as a Markdown table."""
    view = table_view(result, rows)
    lines = [
        "| " + " | ".join(column.title for column in view.columns) + " |",
        "|" + "|".join("---:" if column.number else "---" for column in view.columns) + "|",
        *("| " + " | ".join(_plain(value) for value in row) + " |" for row in view.rows),
    ]
    return "\n".join(lines)


def _plain(value: str) -> str:
    return value.replace("|", "\\|").replace("\n", " ")


def _warnings(known: Mapping[str, Result]) -> Iterator[str]:
    """What the measures of origin say of their limits."""
    for name in ("concentration", "duplicates", "look_alikes"):
        if name in known:
            yield from known[name].warnings
