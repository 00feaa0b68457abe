"""The linguist's desk in a real browser: a person clicks from tool to tool and takes results home."""

import json
import shutil

import pytest

from corpulyzer.search.company import thesaurus

from .clicks import CHROMIUM, SIZES, SLOW, follow, must_be_sound, taken, tool
from .conftest import serving

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: `make browser` installs it")
WORD = "سال"


@pytest.fixture
def desk(urdu_folder, tmp_path, monkeypatch):
    """An explorer of a corpus that may be changed, in which words with little company count too."""
    folder = tmp_path / "urduweb"
    shutil.copytree(urdu_folder, folder)
    monkeypatch.setattr(thesaurus, "LEAST", 3)
    with serving(folder) as served:
        yield served


@pytest.fixture
def page_of(desk):
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

        def opened(size):
            context = browser.new_context(viewport=SIZES[size], bypass_csp=True)
            context.set_default_timeout(SLOW)
            return context.new_page()

        yield opened
        browser.close()


@pytest.mark.parametrize("size", SIZES)
def test_a_person_goes_from_word_to_word(desk, page_of, size):
    page = page_of(size)
    page.goto(f"{desk.address}/search")
    tool(page, "Word sketch")
    page.fill("#q", WORD)
    follow(page, "button.main")
    must_be_sound(page)
    rows = json.loads(taken(page, "JSON"))
    assert rows[0].keys() == {"relation", "word", "together", "count", "log_dice"}
    assert taken(page, "SVG").startswith(b"<svg") and taken(page, "PNG").startswith(b"\x89PNG")
    follow(page, ".sketch a >> nth=0")
    page.wait_for_selector(".kwic")
    shown = int(page.inner_text(".total").split()[0])
    assert shown == rows[0]["together"]
    tool(page, "Thesaurus")
    page.fill("#q", WORD)
    follow(page, "button.main")
    must_be_sound(page)
    assert taken(page, "CSV").decode("utf-8-sig").startswith("word,similarity,count,shared")
    follow(page, ".list a.quiet >> nth=0")
    page.wait_for_selector(".sketch section >> nth=2")
    must_be_sound(page)
    assert taken(page, "SVG").startswith(b"<svg")
    assert WORD in page.inner_text(".cite")


def test_documents_are_saved_as_a_subcorpus_used_and_deleted(desk, page_of):
    page = page_of("desktop")
    page.goto(f"{desk.address}/search?q={WORD}")
    hits = page.inner_text(".total")
    follow(page, "text=Save these documents as a subcorpus")
    must_be_sound(page)
    page.fill("[name=name]", "a/b")
    follow(page, "button.main")
    assert "cannot name" in page.inner_text(".problem")
    page.fill("[name=name]", "years")
    follow(page, "button.main")
    follow(page, "a:text-is('years')")
    page.fill("#q", WORD)
    follow(page, "button.main")
    assert page.inner_text(".total") == hits and "years" in page.inner_text(".within")
    tool(page, "Keywords")
    page.select_option("[name=against]", "the whole corpus")
    follow(page, "button.main")
    page.wait_for_selector(".total")
    must_be_sound(page)
    tool(page, "Word list")
    assert "/subcorpora/years/words" in page.url
    follow(page, "text=Leave it")
    tool(page, "Subcorpora")
    follow(page, "button.warn")
    page.wait_for_url("**/subcorpora")
    assert page.locator("a:text-is('years')").count() == 0 and not desk.corpus.subcorpora


def test_the_same_seed_draws_the_same_lines(desk, page_of):
    page = page_of("desktop")
    page.goto(f"{desk.address}/search?q={WORD}")
    page.click("summary")
    page.select_option("[name=sort]", "random")
    page.fill("[name=seed]", "7")
    follow(page, "button.main")
    first = page.inner_text(".kwic")
    follow(page, ".takeaway a:text-is('Permalink')")
    assert page.inner_text(".kwic") == first
    page.click("summary")
    page.fill("[name=seed]", "8")
    follow(page, "button.main")
    assert page.inner_text(".kwic") != first


def test_the_report_has_a_way_back_to_the_explorer(desk, page_of):
    desk.corpus.storage.write("report/index.html", b"<!doctype html><title>x</title><!--explorer-->")
    page = page_of("desktop")
    page.goto(f"{desk.address}/report")
    follow(page, "text=in the explorer")
    page.wait_for_selector(".funnel")
    assert page.url == f"{desk.address}/"
