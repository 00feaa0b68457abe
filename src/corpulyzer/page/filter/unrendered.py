"""Drop pages that show their text in a browser only."""

from __future__ import annotations

from corpulyzer.records import KEEP, Page, Verdict, drop

NEEDS_BROWSER = "needs_browser"


def needs_browser(page: Page) -> bool:
    """Whether extraction found a page to be an empty shell that scripts fill."""
    return NEEDS_BROWSER in page.labels


def shows_text(page: Page) -> Verdict:
    """Keep a page that is no empty shell; of one that is, the detail is the evidence."""
    return drop(NEEDS_BROWSER, page.labels[NEEDS_BROWSER]) if needs_browser(page) else KEEP
