"""The text of a settings file: its values, the line of a key, and a key set in it."""

from __future__ import annotations

import difflib
import json
from collections.abc import Collection, Mapping
from typing import Any

from corpulyzer.errors import UserError
from corpulyzer.storage.toml import from_toml

FILE = "corpulyzer.toml"


def flat(text: str, name: str, known: Collection[str]) -> dict[str, Any]:
    """The flat values of a settings file, under keys that are known or not."""
    found: dict[str, Any] = {}
    _flatten(from_toml(text, name), "", known, found)
    return found


RETIRED = {"concordance.index": "There is one index now: delete the line, and the next search makes it."}
"""What to do about settings that there were."""


def must_be_known(
    values: Collection[str], text: str, name: str, known: Collection[str], tables: Collection[str] = ()
) -> None:
    """UserError, with its line, for a key that is not known and not in one of the tables of plug-ins."""
    for key in values:
        if key not in known and not key.startswith(tuple(tables)):
            hint = RETIRED.get(key) or nearest(key, list(known))
            hint = hint or "`corpulyzer config` lists the keys there are."
            raise UserError(f"{name}, line {line_of(key, text)}: there is no setting {key!r}.", hint)


def with_setting(text: str, key: str, value: Any) -> str:
    """The settings file `text` with `key` set: its line changed, or added to its table.

    >>> with_setting("[corpus]\\nname = 'a'  # mine\\n", "corpus.name", "b")
    '[corpus]\\nname = "b"  # mine\\n'
    """
    table, _, name = key.rpartition(".")
    line = f"{name} = {json.dumps(value, ensure_ascii=False)}"
    lines, here, last = text.splitlines(), "", None
    for number, old in enumerate(lines):
        bare = old.split("#")[0].strip()
        if bare.startswith("["):
            here = bare.strip("[] ")
        elif here == table and bare.split("=")[0].strip() == name:
            comment = old.partition("#")[2]
            lines[number] = f"{line}  #{comment}" if comment else line
            return "\n".join(lines) + "\n"
        if here == table and bare:
            last = number
    if last is None:
        lines += ["", f"[{table}]", line]
    else:
        lines.insert(last + 1, line)
    return "\n".join(lines) + "\n"


def line_of(key: str, text: str) -> int:
    """The line of `text` that sets `key`, as a person would look for it; 1 where it cannot be told."""
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.split("#")[0].strip()
        if bare.startswith("["):
            table = bare.strip("[] ") + "."
            if table == key + ".":
                return number
        elif "=" in bare:
            name = table + bare.split("=")[0].strip().replace('"', "")
            if key == name or key.startswith(name + "."):
                return number
    return 1


def place(origin: str, key: str, text: str) -> str:
    """Where a setting was made, for a message; `text` is that of the settings file.

    >>> place("a.toml [language.xho]", "filter.document", "[language.xho]\\nfilter.document = []")
    'a.toml [language.xho], line 2'
    """
    file, _, table = origin.partition(" [")
    full = f"{table.rstrip(']')}.{key}" if table else key
    return f"{origin}, line {line_of(full, text)}" if file.endswith(".toml") else f"The {origin}"


def nearest(word: str, choices: list[str]) -> str:
    """A hint with the choices that look most like `word`."""
    close = difflib.get_close_matches(word, choices, n=3, cutoff=0.5)
    return f"Did you mean {' or '.join(close)}?" if close else ""


def _flatten(table: Mapping[str, Any], prefix: str, known: Collection[str], into: dict[str, Any]) -> None:
    for name, value in table.items():
        path = prefix + name
        if isinstance(value, dict) and path not in known:
            _flatten(value, path + ".", known, into)
            if not value and not any(key.startswith(path + ".") for key in known):
                into[path] = value
        else:
            into[path] = value
