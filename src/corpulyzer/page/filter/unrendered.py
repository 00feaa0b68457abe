"""Drop pages that show their text in a browser only."""

from __future__ import annotations

from corpulyzer.records import KEEP, Page, Verdict, drop

NEEDS_BROWSER = "needs_browser"


def shows_text(page: Page) -> Verdict:
    """Keep a page unless extraction found it to be an empty shell; the detail is the evidence."""
    found = page.labels.get(NEEDS_BROWSER, "")
    return drop(NEEDS_BROWSER, found) if found else KEEP
