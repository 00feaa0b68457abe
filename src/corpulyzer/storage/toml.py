"""The one reader of TOML that people write: what is wrong is said with its file and line."""

from __future__ import annotations

import tomllib
from typing import Any

from corpulyzer.errors import UserError


def from_toml(text: str | bytes, name: str) -> dict[str, Any]:
    """The tables of a file called `name`; UserError says where it is no TOML."""
    try:
        return tomllib.loads(text if isinstance(text, str) else text.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        hint = "Mend that line and run the command again."
        raise UserError(f"{name} is not valid TOML: {error}.", hint) from None
