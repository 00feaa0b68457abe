"""A real browser walks every page of the explorer: no error, no request to anyone else, nothing that acts."""

import shutil
from urllib.parse import quote

import pytest

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.audit.labels import read_labels
from corpulyzer.corpus.folder import write_settings
from corpulyzer.jobs.crawl.loop import totals
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.serve.documents import Wanted, select
from corpulyzer.web.seeds import Candidate, add

from .conftest import CHROMIUM, HOSTILE_TITLE, OUTSIDE, hostile, serving

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: `make browser` installs it")
SIZES = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
SLOW = 60_000


class Visit:
    """A tab of a browser, and everything that went wrong in it."""

    def __init__(self, browser, served, size="desktop", scheme="light"):
        self.served, self.wrong = served, []
        self.context = browser.new_context(viewport=SIZES[size], color_scheme=scheme)
        self.context.set_default_timeout(SLOW)
        self.page = self.context.new_page()
        self.context.on("page", lambda page: self.wrong.append(f"a window: {page.url}"))
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.wrong.append(dialog.message), dialog.dismiss()))
        self.context.on("request", self._see)

    def _hear(self, message):
        if message.type in ("error", "warning"):
            self.wrong.append(message.text)

    def _see(self, request):
        if not request.url.startswith((self.served.address, "data:")):
            self.wrong.append(request.url)

    def go(self, path):
        answer = self.page.goto(self.served.address + path)
        assert answer.status == 200, path
        return self.page

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.context.close()
        assert kind or not self.wrong, self.wrong


def first(served, **wanted):
    return select(served.corpus, Wanted(**wanted), 0, 1)[0][0]


def test_the_pages_of_several_languages_fit_a_phone_and_a_choice_leads_to_one(browser, several):
    with Visit(browser, several, "phone") as visit:
        for path in ("/", "/languages/hrv/", "/languages/hrv/search?q=je", "/search"):
            page = visit.go(path)
            assert page.evaluate("document.documentElement.scrollWidth") <= SIZES["phone"]["width"], path
        page.select_option("select[name=language]", "slv")
        page.wait_for_url("**/languages/slv/search")


@pytest.mark.slow
@pytest.mark.parametrize("size, scheme", [("desktop", "light"), ("phone", "dark")])
def test_every_page_fits_its_screen(browser, urdu, size, scheme):
    row = first(urdu, words="خبر")
    word = quote("کے")
    paths = ["/", "/sites", f"/sites/{row['site']}", "/documents", "/documents?verdict=dropped", "/audit"]
    paths += [f"/documents/{row['id']}", f"/search?q={word}", f"/search?q={word}&sort=before"]
    paths += [
        f"/search?q={word}&show={show}" for show in ("collocations", "clusters", "sites", "distribution")
    ]
    paths += ["/words", "/words?n=2", "/words?list=lemmas"]
    with Visit(browser, urdu, size, scheme) as visit:
        for path in paths:
            page = visit.go(path)
            page.wait_for_load_state("networkidle")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
            dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 27)"
            assert dark == (scheme == "dark")


def test_the_theme_is_switched_and_remembered(browser, urdu):
    with Visit(browser, urdu) as visit:
        page = visit.go("/")
        page.click("[data-theme-switch]")
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
        page = visit.go("/sites")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 27)"


def test_search_in_urdu_reads_from_right_to_left(browser, urdu):
    with Visit(browser, urdu) as visit:
        page = visit.go("/")
        page.keyboard.press("/")
        page.keyboard.type("کے")
        page.keyboard.press("Enter")
        page.wait_for_selector(".kwic")
        assert page.get_attribute(".kwic", "dir") == "rtl"
        before, match, after = (
            page.locator(f".kwic .{name}").nth(3).bounding_box() for name in ("before", "match", "after")
        )
        assert before["x"] > match["x"] > after["x"], "what was read before stands on the right"
        assert page.locator(".kwic .match").first.inner_text() == "کے"
        assert "in 1" in page.inner_text(".total")
        address = page.url
        page.keyboard.press("j")
        page.keyboard.press("Enter")
        page.wait_for_selector("#text")
        assert "کے" in page.inner_text("#text")
        page.goto(address)
        assert page.input_value("#q") == "کے", "the address holds the search"


def test_search_in_isixhosa_finds_phrases_and_beginnings(browser, xhosa):
    text = next(iter(xhosa.corpus.documents.kept().texts()))
    words = text.split("\n")[1].split()[:2]
    phrase = " ".join(words)
    with Visit(browser, xhosa) as visit:
        page = visit.go(f"/search?q={quote(phrase)}")
        assert page.locator(".kwic .match").first.inner_text().lower() == phrase.lower()
        page.fill("#q", f"{words[1][:3]}*")
        page.click("text=Filters")
        page.select_option("[name=sort]", "after")
        page.click("form[role=search] button")
        page.wait_for_selector(".kwic")
        found = page.locator(".kwic .match").all_inner_texts()
        assert found and all(each.lower().startswith(words[1][:3].lower()) for each in found)
        after = [each.strip().lower() for each in page.locator(".kwic .after").all_text_contents()]
        assert after[0][:1] <= after[-1][:1]
        page.click("text=Collocations")
        page.wait_for_selector(".measure")
        assert page.get_attribute("[aria-label='What to show'] [aria-current]", "href").endswith(
            "show=collocations&sort=after"
        )


def test_from_the_word_list_to_the_lines_with_two_words(browser, urdu):
    with Visit(browser, urdu) as visit:
        page = visit.go("/")
        page.click("nav >> text=Words")
        page.select_option("[name=n]", "2")
        page.click("text=List")
        page.wait_for_selector(".list [data-row]")
        pair = page.locator(".list [data-row]").first.inner_text()
        page.locator(".list [data-row]").first.click()
        page.wait_for_selector(".kwic")
        assert page.input_value("#q") == pair
        page.fill("#q", '[word="کے"]')
        page.keyboard.press("Enter")
        page.wait_for_selector(".kwic .match >> text=/^کے$/")
        page.click("text=Collocations")
        page.wait_for_selector(".measure")
        other = page.locator(".list [data-row]").first.inner_text()
        page.locator(".list [data-row]").first.click()
        page.wait_for_selector(".kwic")
        lines = page.locator(".kwic tbody tr").all_inner_texts()
        assert lines and all(other in line for line in lines)
        assert "Cite" in page.inner_text(".cite")


def test_a_large_index_is_made_behind_the_scenes(browser, xhosa_folder, monkeypatch):
    shutil.rmtree(xhosa_folder / "index", ignore_errors=True)
    monkeypatch.setattr("corpulyzer.serve.search.concordance.AT_ONCE_BYTES", 0)
    with serving(xhosa_folder) as served, Visit(browser, served) as visit:
        page = visit.go("/search?q=*%20ba*")
        page.wait_for_selector("text=The index is being made")
        page.wait_for_selector(".kwic")
        assert page.locator(".kwic .match").first.inner_text().lower().startswith("ba")
        assert page.locator("header.top").count() == 1


def test_the_story_of_a_page_is_told(browser, urdu):
    row = first(urdu, words="copy.html")
    with Visit(browser, urdu) as visit:
        page = visit.go(f"/documents/{row['id']}")
        assert page.locator(".text .target").count() >= 5
        assert page.locator(".blocks .kept").count() >= 5 and page.locator(".blocks .dropped").count() >= 1
        page.locator("#fetched").scroll_into_view_if_needed()
        frame = page.frame_locator("iframe")
        assert "خبر 3" in frame.locator("h1").inner_text()
        assert page.locator(".pair").count() >= 5, "the copy stands beside it"
        page.locator("#history summary").first.click()
        assert "fetched" in page.inner_text("#history")


def test_the_trap_would_catch_a_page_that_reaches_out(browser, urdu, trap):
    page = browser.new_page()
    page.route(
        "**/open", lambda route: route.fulfill(content_type="text/html", body=f"<img src={OUTSIDE}/open.png>")
    )
    page.goto(f"{urdu.address}/open")
    page.wait_for_timeout(2_000)
    page.close()
    assert "/open.png" in trap.hits
    trap.hits.clear()


def test_a_hostile_page_does_nothing(browser, urdu, trap):
    row = first(urdu, words="خطرناک")
    with Visit(browser, urdu) as visit:
        page = visit.go(f"/documents/{row['id']}")
        assert HOSTILE_TITLE in page.title() and HOSTILE_TITLE in page.inner_text("h1")
        page.locator("#fetched").scroll_into_view_if_needed()
        frame = page.frame_locator("iframe")
        frame.locator("#send").click()
        frame.locator("#out").click()
        frame.locator("p").first.click()
        page.wait_for_timeout(1_500)
        assert page.url.endswith(f"/documents/{row['id']}"), "nobody has led us away"
        assert page.evaluate("window.owned") is None
        assert len(page.frames) == 2
        visit.go(f"/documents/{row['id']}/fetched").wait_for_timeout(1_000)
        assert page.url.endswith("/fetched")
    assert trap.hits == []


def test_the_policy_alone_holds_a_hostile_page(browser, urdu, trap):
    """Were nothing taken out of the page, the sandbox and its policy would still let nothing out."""
    from corpulyzer.serve.security import CRAWLED_POLICY

    asked = []
    context = browser.new_context()
    page = context.new_page()
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    raw = {
        "content_type": "text/html",
        "body": hostile(),
        "headers": {"content-security-policy": CRAWLED_POLICY},
    }
    page.route("**/raw", lambda route: route.fulfill(**raw))
    outer = "<title>outer</title><iframe sandbox src=/raw></iframe>"
    page.route(
        "**/outer",
        lambda route: route.fulfill(
            content_type="text/html", body=outer, headers={"content-security-policy": "frame-src 'self'"}
        ),
    )
    page.goto(f"{urdu.address}/outer")
    page.wait_for_timeout(1_500)
    assert trap.hits == [] and asked == []
    assert page.title() == "outer" and page.evaluate("window.owned") is None
    context.close()


@pytest.mark.slow
def test_ten_documents_are_audited_with_keys(browser, urdu):
    with Visit(browser, urdu) as visit:
        page = visit.go("/audit")
        page.fill("[name=name]", "keys")
        page.fill("[name=size]", "10")
        page.click("text=Draw >> nth=-1")
        page.wait_for_selector(".labelling")
        for place, keys in enumerate(["1", "2", "m1", "1", "4", "o5", "1", "3", "1", "1"]):
            page.wait_for_selector(f".progress >> text=/^{place} of 10/")
            page.wait_for_load_state()  # keys are heard when its script has run
            for key in keys:
                page.keyboard.press(key)
        page.wait_for_selector("text=Everything is labelled")
        page.click("text=See what it says")
        page.wait_for_selector(".interval")
        assert "judged by 10 of 10 documents" in page.inner_text(".lead")
    labels = read_labels(urdu.corpus.storage, "keys", "me")
    assert [label.label for label in labels] == "CC CB CC CC WL NL CC CS CC CC".split()
    assert [label.flags for label in labels if label.flags] == [("MT",), ("OF",)]
    with Visit(browser, urdu, "phone", "light") as visit:
        for path in ("/audit/keys/score", "/audit"):
            page = visit.go(path)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert page.locator("a >> text=Score").bounding_box()["height"] < 40, "a word is in one line"


@pytest.mark.slow
def test_a_crawl_is_watched_paused_resumed_and_stopped(browser, tmp_path):
    web = BuiltInWeb("urd", sites=12, pages=2_000)
    folder = tmp_path / "live"
    storage = create("urd", folder).storage
    add(storage, [Candidate(url) for url in web.seeds(8, rich=0.8)], "command", round=1)
    with web.serve() as server, serving(folder) as served, Visit(browser, served) as visit:
        settings = {
            "crawl.contact": "me@example.org",
            "fetch.proxy": server.proxy_url,
            "fetch.allow_private": True,
        }
        write_settings(storage, settings | {"fetch.delay_seconds": 0.05, "engine.workers": 1})
        page = visit.go("/")
        page.fill("[name=pages]", "1000")
        page.click("text=Start")
        page.wait_for_selector("[data-state=running]")
        page.wait_for_selector("#crawl svg.curve")
        page.click("text=Pause")
        page.wait_for_selector("[data-state=paused]")
        paused = totals(open_corpus(folder))
        assert paused[0] > 0
        page.click("text=Resume")
        page.wait_for_selector("[data-state=running]")
        page.wait_for_selector("#crawl .bars li")
        page.click("text=Stop")
        page.wait_for_selector("[data-state=ended]")
        visit.go("/work").wait_for_selector("[data-step=stopped]")
        page = visit.go("/")
        assert int(page.inner_text(".numbers dd").replace(",", "")) > 0
        site = page.get_attribute("#crawl .bars a", "href")
        assert site.startswith("/sites/")
        page.click("nav >> text=Sites")
        page.click("[data-row] >> nth=0")
        page.click("button:text-is('Boost')")
        page.wait_for_selector("text=are seeds of the next round")
        page.click("button:text-is('Block')")
        page.wait_for_selector("text=Allow again")
    assert open_corpus(folder).config.scope.block
