"""Which settings a key names."""

from __future__ import annotations

from collections.abc import Sequence

from corpulyzer.corpus.settings.file import nearest
from corpulyzer.errors import UserError
from corpulyzer.records.settings import Setting


def explained(settings: Sequence[Setting], key: str) -> list[Setting]:
    """The setting of a key, or those of a table; UserError with the nearest key where there is none."""
    found = [setting for setting in settings if setting.key == key or setting.key.startswith(f"{key}.")]
    if not found:
        known = [setting.key for setting in settings]
        hint = nearest(key, known) or "`corpulyzer config` lists the keys there are."
        raise UserError(f"There is no setting {key!r}.", hint)
    return found
