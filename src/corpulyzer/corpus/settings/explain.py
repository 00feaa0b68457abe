"""Which settings a key names, and what they are for a language."""

from __future__ import annotations

from collections.abc import Sequence

from corpulyzer.corpus.settings.by_language import PREFIX
from corpulyzer.corpus.settings.file import nearest
from corpulyzer.errors import UserError
from corpulyzer.records.settings import Setting
from corpulyzer.records.targets import Wanted, targets_of


def explained(settings: Sequence[Setting], key: str) -> list[Setting]:
    """The setting of a key, or those of a table; UserError with the nearest key where there is none."""
    found = [setting for setting in settings if setting.key == key or setting.key.startswith(f"{key}.")]
    if not found:
        known = [setting.key for setting in settings]
        hint = nearest(key, known) or "`corpulyzer config` lists the keys there are."
        raise UserError(f"There is no setting {key!r}.", hint)
    return found


def settings_of_language(corpus: Wanted, settings: Sequence[Setting], code: str) -> list[Setting]:
    """Every setting as it is for a language, with where that comes from; `settings` are those of the corpus.

    UserError for a language that the corpus is not for.
    """
    start = f"{PREFIX}{targets_of(corpus).named(code).code}."
    own = {each.key.removeprefix(start): each for each in settings if each.key.startswith(start)}
    return [
        Setting(each.key, own[each.key].value, own[each.key].origin, each.explanation)
        if each.key in own
        else each
        for each in settings
        if not each.key.startswith(PREFIX)
    ]
