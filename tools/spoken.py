"""The sentences that Python code says, with names in the places of their values, for catalogues."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import regex

# A sentence or a part of one: two words with a space between them.
_WORDS = regex.compile(r"[\p{L}\p{N})`’'.,:;-] +[\p{L}\p{N}(`%“]")
_VALUE = regex.compile(r"%\(\w+\)s")
_CODE = regex.compile(
    r"(?i)[\n<>{}\\$^=|]|://|doctype|charset=|-src |noscript|system-ui|\bsans\b|\bwww\b|^ac ai"
    r"|^\s*(select|insert|create|begin|analyze|order by|union|max\()\b"
)
LEAST_LETTERS = 4
KINDS = {"string", "int64", "double", "bool", "[string]"}
SILENT = {"compile", "Markup", "getattr", "query", "strftime", "cast", "Citation", "import_module"}
"""Functions whose texts nobody reads."""


def spoken(file: Path) -> Iterator[str]:
    """The sentences of a module, and headings of columns and results, which may be a single word."""
    tree = ast.parse(file.read_text("utf-8"))
    skipped = set(map(id, _silent(tree)))
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.JoinedStr):
            text = _with_names(node)
            if is_sentence(text):
                yield text
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and is_sentence(node.value):
            yield node.value
        elif isinstance(node, ast.keyword) and node.arg in ("title", "definition"):  # which may be a formula
            yield from _texts(node.value)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "translated":
            yield from (each for argument in node.args for each in _constants(argument))
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "fromkeys":
            yield from _same_columns(node)
        elif isinstance(node, ast.Dict):
            yield from _columns(node)


def errors(file: Path) -> Iterator[str]:
    """The sentences of the errors that a module raises, and nothing else of it."""
    tree = ast.parse(file.read_text("utf-8"))
    for node in ast.walk(tree):
        name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Call) and (name.endswith("Error") or name == "refuse"):
            for argument in node.args:
                yield from _texts(argument)


def _texts(node: ast.expr) -> Iterator[str]:
    """The texts that an expression gives."""
    if isinstance(node, ast.JoinedStr):
        yield _with_names(node)
    elif isinstance(node, ast.IfExp):
        yield from (*_texts(node.body), *_texts(node.orelse))
    else:
        yield from _constants(node)


def _constants(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value


def is_sentence(text: str) -> bool:
    """Whether a text is one for readers."""
    own = sum(each.isalpha() for each in _VALUE.sub("", text))
    return own >= LEAST_LETTERS and bool(_WORDS.search(text)) and not _CODE.search(text)


def _columns(node: ast.Dict) -> Iterator[str]:
    """The headings of a table, if a dictionary has the kinds of its columns."""
    known = [
        (key, getattr(each, "value", "")) for key, each in zip(node.keys, node.values, strict=True) if key
    ]
    if known and all(isinstance(value, str) and value in KINDS for _, value in known):
        for key, _ in known:
            yield from (name.replace("_", " ") for name in _constants(key))


def _same_columns(node: ast.Call) -> Iterator[str]:
    """The headings of columns of one kind: `dict.fromkeys(names, kind)`."""
    names, *kind = node.args
    if kind and getattr(kind[0], "value", "") in KINDS and isinstance(names, ast.Tuple | ast.List):
        yield from (name.replace("_", " ") for each in names.elts for name in _constants(each))


def _silent(tree: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, pieces of larger strings, queries, and what is given to silent functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield from (each for each in node.values if isinstance(each, ast.Constant))
            for each in node.values:
                if isinstance(each, ast.FormattedValue) and each.format_spec is not None:
                    yield from ast.walk(each.format_spec)
        elif isinstance(node, ast.Assign) and any("SQL" in ast.unparse(each) for each in node.targets):
            yield from ast.walk(node)
        elif isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in SILENT:
                yield from ast.walk(node)
        elif isinstance(node, ast.keyword) and node.arg in ("citation", "of", "column_name"):
            yield from ast.walk(node.value)


def _with_names(node: ast.JoinedStr) -> str:
    """The text of an f-string with names in the places of its values."""
    parts, seen = [], []
    for each in node.values:
        if isinstance(each, ast.Constant):
            parts.append(str(each.value))
        elif isinstance(each, ast.FormattedValue):
            name = _name(each.value)
            seen.append(name)
            number = seen.count(name)
            parts.append(f"%({name if number == 1 else f'{name}{number}'})s")
    return "".join(parts)


def _name(value: ast.expr) -> str:
    """A name for a value: that of its variable, attribute or key."""
    if isinstance(value, ast.Name):
        return value.id
    if isinstance(value, ast.Attribute):
        return value.attr
    if isinstance(value, ast.Subscript):
        key = value.slice
        return (
            key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else _name(value.value)
        )
    if isinstance(value, ast.Call):
        return _name(value.args[0]) if value.args else _name(value.func)
    return "value"
