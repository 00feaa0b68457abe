"""What a person does in a browser: clicks, waits for the page, takes results home; and whether a page is sound."""

import importlib.util
import shutil
from pathlib import Path

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SIZES = {"desktop": {"width": 1400, "height": 900}, "phone": {"width": 390, "height": 844}}
SLOW = 120_000


def must_be_sound(page):
    """The page fits its screen, and axe finds nothing serious in it."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url
    found = importlib.util.find_spec("axe_playwright_python")
    if found is None:
        return
    page.evaluate((Path(found.submodule_search_locations[0]) / "axe.min.js").read_text("utf-8"))
    worst = [
        each for each in page.evaluate("axe.run()")["violations"] if each["impact"] in ("serious", "critical")
    ]
    assert not worst, (page.url, [(each["id"], each["nodes"][0]["html"]) for each in worst])


def taken(page, kind):
    with page.expect_download() as download:
        page.click(f".takeaway a:text-is('{kind}')")
    return Path(download.value.path()).read_bytes()


def follow(page, selector):
    """Click, and wait until the page to which that leads is there: until then the last one would answer."""
    with page.expect_navigation():
        page.click(selector)


def tool(page, name):
    follow(page, f".desk a:text-is('{name}')")
