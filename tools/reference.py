"""Write docs/reference/commands.md and settings.md from the code that they describe.

python tools/reference.py
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import regex
from typer.main import get_command

from corpulyzer.cli import app
from corpulyzer.corpus.settings.config import keys

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
        "over the file, that over the preset, that over the default.\n",
        "| key | default | meaning |",
        "|---|---|---|",
    ]
    return "\n".join([*head, *rows]) + "\n"


if __name__ == "__main__":
    (FOLDER / "commands.md").write_text(commands(), "utf-8")
    (FOLDER / "settings.md").write_text(settings(), "utf-8")
