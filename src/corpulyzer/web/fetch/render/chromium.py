"""Is there a Chromium, and the package that drives it? Asked before a crawl begins."""

from __future__ import annotations

import asyncio
import importlib.util
import shutil
from pathlib import Path

from corpulyzer.errors import UserError
from corpulyzer.web.fetch.render.processes import PROC
from corpulyzer.web.fetch.settings import FetchSettings

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_ASKED = 'fetch.render = "needed" asks for a browser'
_OR = 'or set fetch.render = "never".'


def must_be_there(settings: FetchSettings) -> None:
    """Return if pages can be rendered, or are not to be; UserError says what is missing."""
    if settings.render == "never":
        return
    if importlib.util.find_spec("playwright") is None:
        raise UserError(
            f"{_ASKED}, and Playwright, which drives it, is not installed.",
            f"Run `pip install 'corpulyzer[render]'`, {_OR}",
        )
    if not PROC.is_dir():
        raise UserError(
            f"{_ASKED}, whose memory can be limited on Linux only.", 'Set fetch.render = "never".'
        )
    asyncio.run(_try(settings))


async def _try(settings: FetchSettings) -> None:
    """Start a browser once."""
    from corpulyzer.web.fetch.render.browser import Browser, BrowserError

    try:
        async with Browser(settings) as browser:
            await browser.start()
    except BrowserError as error:
        raise UserError(
            f"{_ASKED}, and Chromium does not start: {error}",
            f"Run `{executable(settings)} --version` to see why, name another with fetch.chromium, {_OR}",
        ) from None


def executable(settings: FetchSettings, playwrights: str = "") -> str:
    """The path of Chromium, perhaps that of `playwrights` own; UserError if there is none."""
    if settings.chromium:
        found = shutil.which(settings.chromium)
        if found is None:
            raise UserError(
                f"{_ASKED}, and fetch.chromium names {settings.chromium!r}, which is no program.",
                "Name the path of Chromium, or leave fetch.chromium empty to find it on the PATH.",
            )
        return found
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None and playwrights and Path(playwrights).exists():
        found = playwrights
    if found is None:
        raise UserError(
            f"{_ASKED}, and there is no Chromium.",
            f"Install one (`apt install chromium`, or `playwright install chromium`), {_OR}",
        )
    return found
