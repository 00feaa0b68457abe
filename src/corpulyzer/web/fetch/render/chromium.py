"""Where Chromium is."""

from __future__ import annotations

import shutil
from pathlib import Path

from corpulyzer.errors import UserError
from corpulyzer.web.fetch.settings import FetchSettings

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ASKED = 'fetch.render = "needed" asks for a browser'
OR = 'or set fetch.render = "never".'


def executable(settings: FetchSettings, playwrights: str = "") -> str:
    """The path of Chromium, perhaps that of `playwrights` own; UserError if there is none."""
    if settings.chromium:
        found = shutil.which(settings.chromium)
        if found is None:
            raise UserError(
                f"{ASKED}, and fetch.chromium names {settings.chromium!r}, which is no program.",
                "Name the path of Chromium, or leave fetch.chromium empty to find it on the PATH.",
            )
        return found
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None and playwrights and Path(playwrights).exists():
        found = playwrights
    if found is None:
        raise UserError(
            f"{ASKED}, and there is no Chromium.",
            f"Install one (`apt install chromium`, or `playwright install chromium`), {OR}",
        )
    return found
