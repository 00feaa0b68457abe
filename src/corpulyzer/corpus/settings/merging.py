"""Several sources of settings merged into one: the first that has a key decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from corpulyzer.corpus.settings.file import place
from corpulyzer.errors import UserError
from corpulyzer.records.settings import Key, Setting, as_type

Layer = tuple[Mapping[str, Any], str]
"""Values by key, and where they come from."""
DEFAULT = "default"


def merged(keys: Iterable[Key], layers: Sequence[Layer], text: str) -> list[Setting]:
    """Every key with its value of the first layer that has it; `text` is that of the settings file."""
    settings = []
    for key in keys:
        value, origin = next(
            ((values[key.name], origin) for values, origin in layers if key.name in values),
            (key.default, DEFAULT),
        )
        if origin != DEFAULT:
            value = _checked(key, value, origin, text)
        settings.append(Setting(key.name, value, origin, key.explanation))
    return settings


def _checked(key: Key, value: Any, origin: str, text: str) -> Any:
    try:
        return as_type(key, value)
    except ValueError as error:
        where = place(origin, key.name, text)
        raise UserError(f"{where}: {error}", f"{key.explanation} The default is {key.default!r}.") from None
