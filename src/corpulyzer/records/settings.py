"""Settings as fields of dataclasses: a path of fields is a key, a string in its annotation explains it."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, get_type_hints

_NO_PLUGINS = "PYDANTIC_DISABLE_PLUGINS"


@dataclass(frozen=True, slots=True)
class Key:
    """A key that exists: the type its values must have, its default, and its explanation."""

    name: str
    type: Any
    default: Any
    explanation: str


@dataclass(frozen=True, slots=True)
class Setting:
    """A key with its value, where the value comes from, and what it means."""

    key: str
    value: Any
    origin: str
    explanation: str


def keys_of(table: Any, prefix: str = "") -> Iterator[Key]:
    """Every key of a table, which has the defaults, in the order of its classes."""
    hints = get_type_hints(type(table), include_extras=True)
    for item in fields(table):
        value = getattr(table, item.name)
        if is_dataclass(value):
            yield from keys_of(value, f"{prefix}{item.name}.")
        elif item.metadata.get("setting", True):
            annotation = hints[item.name]
            notes = [note for note in getattr(annotation, "__metadata__", ()) if isinstance(note, str)]
            yield Key(prefix + item.name, annotation, value, " ".join(notes))


def as_type(key: Key, value: Any) -> Any:
    """The value in the type of its key; ValueError says why that cannot be."""
    from pydantic import PydanticUserError, TypeAdapter, ValidationError

    try:
        with _without_plugins():
            adapter = TypeAdapter(key.type)
        found = adapter.validate_python(value)
    except PydanticUserError:
        raise ValueError(f"{key.name} is of a type that no setting can have.") from None
    except ValidationError as error:
        problem = error.errors()[0]["msg"]
        raise ValueError(
            f"{key.name} = {value!r} is not possible: {problem[0].lower()}{problem[1:]}."
        ) from None
    if isinstance(found, float) and not math.isfinite(found):
        raise ValueError(f"{key.name} = {value!r} is not possible: input should be a finite number.")
    return found


@contextmanager
def _without_plugins() -> Iterator[None]:
    """Keep pydantic from looking through all that is installed for plug-ins of its own: that takes .04 s."""
    before = os.environ.get(_NO_PLUGINS)
    os.environ[_NO_PLUGINS] = "__all__"
    try:
        yield
    finally:
        os.environ.pop(_NO_PLUGINS, None)  # another thread may have been here
        if before is not None:
            os.environ[_NO_PLUGINS] = before


def built(values: Mapping[str, Any], table: Any, prefix: str = "") -> Any:
    """A table of flat values; keys that are missing keep their defaults."""
    changed = {}
    for item in fields(table):
        default = getattr(table, item.name)
        path = prefix + item.name
        changed[item.name] = (
            built(values, default, path + ".") if is_dataclass(default) else values.get(path, default)
        )
    return type(table)(**changed)
