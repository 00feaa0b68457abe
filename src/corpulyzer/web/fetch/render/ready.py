"""Is there a browser, and the package that drives it? Asked before a crawl begins."""

from __future__ import annotations

import asyncio
import importlib.util

from corpulyzer.errors import UserError
from corpulyzer.web.fetch.render.chromium import ASKED, OR
from corpulyzer.web.fetch.render.processes import PROC
from corpulyzer.web.fetch.settings import FetchSettings


def must_be_there(settings: FetchSettings) -> None:
    """Return if pages can be rendered, or are not to be; UserError says what is missing."""
    if settings.render == "never":
        return
    if importlib.util.find_spec("playwright") is None:
        raise UserError(
            f"{ASKED}, and Playwright, which drives it, is not installed.",
            f"Run `pip install 'corpulyzer[render]'`, {OR}",
        )
    if not PROC.is_dir():
        raise UserError(f"{ASKED}, whose memory can be limited on Linux only.", 'Set fetch.render = "never".')
    asyncio.run(_try(settings))


async def _try(settings: FetchSettings) -> None:
    """Start a browser once."""
    from corpulyzer.web.fetch.render.browser import Browser, BrowserError

    try:
        async with Browser(settings) as browser:
            await browser.start()
    except BrowserError as error:
        raise UserError(
            f"{ASKED}, and Chromium does not start: {error}",
            f"Start it by hand to see why, name another with fetch.chromium, {OR}",
        ) from None
