"""A corpus that was crawled, in a real browser: a person goes through every page of explorer and report."""

import csv
import io
import json
from pathlib import Path

import pytest
from lasting import engine_of

from corpulyzer.serve.documents import Wanted, select

from .conftest import CHROMIUM, crawled, serving
from .test_desk_browser import assert_accessible, assert_fits

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: `make browser` installs it"),
    pytest.mark.endurance,
]
SIZES = {"desktop": {"width": 1400, "height": 900}, "phone": {"width": 390, "height": 844}}
SLOW = 300_000


@pytest.fixture(scope="module")
def urdu_crawl(tmp_path_factory):
    """An explorer of a crawl in Urdu, with its copies, a report and a subcorpus to compare with."""
    folder = tmp_path_factory.mktemp("crawled") / "urduweb"
    corpus = crawled("urd", folder, **{"analyze.topics": 4})
    engine = engine_of(corpus)
    corpus.dedup(engine=engine)
    corpus.report(engine=engine)
    with serving(folder) as served:
        yield served


@pytest.fixture(params=SIZES)
def tab(browser, request):
    """A tab of a browser as wide as a desktop's or a phone's."""
    context = browser.new_context(viewport=SIZES[request.param], bypass_csp=True)
    context.set_default_timeout(SLOW)
    yield context.new_page()
    context.close()


def sound(page):
    assert_fits(page)
    assert_accessible(page)


def follow(page, selector):
    with page.expect_navigation():
        page.click(selector)


def taken(page, kind, place=".takeaway"):
    with page.expect_download() as download:
        page.click(f"{place} a:text-is('{kind}') >> nth=0")
    return Path(download.value.path()).read_bytes()


def must_be_taken_home(page, figure=True):
    """A table comes as CSV, XLSX and JSON with the same rows, a figure as SVG and PNG; there is a citation."""
    rows = list(csv.DictReader(io.StringIO(taken(page, "CSV").decode("utf-8-sig"))))
    assert rows and len(rows) == len(json.loads(taken(page, "JSON")))
    assert taken(page, "XLSX").startswith(b"PK")
    if figure:
        assert taken(page, "SVG").startswith(b"<svg") and taken(page, "PNG").startswith(b"\x89PNG")
    assert page.locator(".takeaway [data-permalink]").count()


def ask(page, word):
    page.fill("#q", word)
    follow(page, "button.main")


def test_a_linguist_works_with_a_crawl_in_urdu(urdu_crawl, tab):
    page = tab
    page.goto(f"{urdu_crawl.address}/words")
    sound(page)
    must_be_taken_home(page)
    words = page.locator(".list [data-row]").all_inner_texts()
    word = next(each for each in words[5:] if len(each) > 2)
    page.select_option("[name=n]", "3")
    follow(page, "button.main")
    sound(page)
    follow(page, ".list [data-row] >> nth=0")
    page.wait_for_selector(".kwic[dir=rtl]")
    ask(page, f'[word="{word}"] []{{0,2}} [] within s')
    sound(page)
    assert page.locator(".kwic .match").count() > 3
    must_be_taken_home(page, figure=False)
    ask(page, word)
    for show in ("Collocations", "Clusters", "Sites", "Distribution"):
        follow(page, f"[aria-label='What to show'] a:text-is('{show}')")
        sound(page)
        must_be_taken_home(page)
        assert word in page.inner_text(".cite")
    for over in ("By license", "By topic", "By tenths of the corpus"):
        follow(page, f".tabs a:text-is('{over}')")
        sound(page)
    for tool, more in (("Word sketch", {}), ("Thesaurus", {}), ("Compare two words", {"other": words[0]})):
        follow(page, f".desk a:text-is('{tool}')")
        page.fill("[name=q]", word)
        for name, value in more.items():
            page.fill(f"[name={name}]", value)
        follow(page, "button.main")
        sound(page)
        must_be_taken_home(page)
    page.goto(f"{urdu_crawl.address}/search?q={word}")
    follow(page, "text=Save these documents as a subcorpus")
    name = f"some{page.viewport_size['width']}"
    page.fill("[name=name]", name)
    follow(page, "button.main")
    sound(page)
    must_be_taken_home(page, figure=False)
    follow(page, f"a:text-is('{name}')")
    follow(page, ".desk a:text-is('Keywords')")
    page.select_option("[name=against]", "the whole corpus")
    follow(page, "button.main")
    page.wait_for_selector(".total")
    sound(page)


@pytest.mark.parametrize("interface", ["en", "ur"])
def test_every_page_of_a_crawl_is_sound(urdu_crawl, tab, interface):
    page, row = tab, select(urdu_crawl.corpus, Wanted(verdict="kept"), 0, 1)[0][0]
    page.goto(urdu_crawl.address)
    page.select_option(".foot select", interface)
    page.wait_for_selector(f"html[lang={interface}]")
    for path in ("/", "/sites", f"/sites/{row['site']}", "/documents"):
        page.goto(urdu_crawl.address + path)
        sound(page)
        must_be_taken_home(page, figure=path != "/documents")
        assert page.locator(".cite").count()
    for path in (f"/documents/{row['id']}", "/audit", "/work", "/nowhere"):
        page.goto(urdu_crawl.address + path)
        sound(page)
    page.goto(f"{urdu_crawl.address}/report")
    page.wait_for_function("document.querySelectorAll('.plot:not(.drawn)').length === 0")
    assert page.get_attribute("html", "dir") == ("rtl" if interface == "ur" else "ltr")
    sound(page)
