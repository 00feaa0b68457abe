"""A person makes a corpus at the desk, in a real browser and without a terminal."""

import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from urllib.parse import quote

import pytest

from corpulyzer.api.corpus import open_corpus
from corpulyzer.lab.demo.prose import Prose
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.serve.desk.app import Desk
from corpulyzer.serve.desk.app import application as desk_application
from corpulyzer.serve.documents import Wanted, select

from .conftest import CHROMIUM, running
from .test_browser import SLOW, Visit

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: `make browser` installs it")
WORK = 300_000
"""Milliseconds that a command may take on a busy machine."""
GRAVE = ("critical", "serious", "moderate", "minor")


def assert_accessible(page):
    """No finding of axe-core on a page; a frame with a crawled page is not ours."""
    found = axe.Axe().run(page, options={"iframes": False}).response["violations"]
    told = [(each["id"], each["impact"], [node["html"] for node in each["nodes"]][:3]) for each in found]
    assert not [each for each in told if each[1] in GRAVE], (page.url, told)


def assert_fits(page):
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


@contextmanager
def desk_in(folder):
    """A desk that runs, as `Visit` takes it."""
    with running(desk_application(Desk(folder))) as address:
        yield type("At", (), {"address": address})()


@pytest.mark.slow
def test_from_the_name_of_a_language_to_an_export(browser, tmp_path):
    web = BuiltInWeb("urd", sites=6, pages=120)
    with web.serve() as server, desk_in(tmp_path) as served, Visit(browser, served) as visit:
        page = visit.go("/")
        assert "no corpus here yet" in page.inner_text("main")
        assert_accessible(page)
        page.click("main >> text=New corpus")
        page.fill("#language", "اردو")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=single sentences right")
        assert_accessible(page)
        page.click("main a >> text=Urdu >> nth=0")
        page.fill("[name=seeds]", "\n".join(web.seeds(6, rich=0.8)))
        page.fill("[name=pages]", "60")
        page.click("text=Connection")
        page.fill("[name=delay]", "0.05")
        page.fill("[name=proxy]", server.proxy_url)
        page.check("[name=private]")
        assert_accessible(page)
        page.click("text=Make it and start")
        page.wait_for_selector("[role=alert] >> text=needs a contact")
        assert "400" in visit.wrong.pop(), "the browser says so too"
        assert page.input_value("[name=proxy]") == server.proxy_url, "what was filled in is still there"
        assert list(tmp_path.iterdir()) == [], "nothing is made of a form with a mistake"
        page.fill("[name=contact]", "me@example.org")
        page.click("text=Make it and start")
        page.wait_for_url("**/corpora/urdweb/work")
        page.wait_for_selector("[data-step=done] >> text=crawl", timeout=WORK)
        # The page is made anew when work has ended: then there is something to do next.
        page.wait_for_selector(".tasks button:not([disabled])")
        assert_accessible(page)
        for verb in ("dedup", "annotate", "report", "export FORMAT"):
            assert f"corpulyzer {verb} --project {tmp_path}/urdweb" in page.inner_text(".tasks")
        page.click(".tasks button >> text=Find copies")
        page.wait_for_selector("[data-step=done] code >> text=corpulyzer dedup", timeout=WORK)
        page.click(".tasks button >> text=Write the report")
        page.wait_for_selector("[data-step=running] code >> text=corpulyzer report", timeout=WORK)
        assert page.locator(".tasks button:not([disabled])").count() == 0, "one thing at a time"
        page.click("button >> text=Stop")
        page.wait_for_selector("[data-step=stopped] code >> text=corpulyzer report", timeout=WORK)
        page.wait_for_selector("#export button:not([disabled])")
        page.select_option("[name=format]", "jsonl")
        page.click("#export button")
        page.wait_for_selector("[data-step=done] code >> text=corpulyzer export jsonl", timeout=WORK)
        with page.expect_download() as download:
            page.click(".files a >> text=jsonl >> nth=0")
        assert download.value.path().stat().st_size > 1_000
        page = visit.go("/")
        page.click("main h2 a")
        page.wait_for_selector(".funnel")
        page.click("nav >> text=Sites")
        page.wait_for_url("**/corpora/urdweb/sites")
        page.click("[data-row] >> nth=0")
        page.wait_for_url("**/corpora/urdweb/sites/*")
        page.click("[data-row] >> nth=0")
        page.wait_for_selector("#text")
        assert page.url.startswith(f"{served.address}/corpora/urdweb/documents/")
        page.click(".top .desk")
        page.wait_for_selector(".cards")
    corpus = open_corpus(tmp_path / "urdweb")
    assert corpus.config.crawl.contact == "me@example.org" and corpus.config.crawl.pages == 60
    assert len(corpus.documents.kept()) > 5


@pytest.mark.slow
def test_every_page_is_accessible_and_fits_a_phone_in_urdu(browser, tmp_path, urdu_folder):
    shutil.copytree(urdu_folder, tmp_path / "urduweb")
    open_corpus(tmp_path / "urduweb").audit.sample(5, "one")
    one = "/corpora/urduweb"
    row = select(open_corpus(urdu_folder), Wanted(words="خبر"), 0, 1)[0][0]
    paths = ["/", "/new?q=urdu", "/new?language=qaa", f"{one}/", f"{one}/sites", f"{one}/sites/{row['site']}"]
    paths += [f"{one}/documents", f"{one}/documents/{row['id']}", f"{one}/work"]
    tools = ("words?n=2", "keywords", "sketch", "thesaurus", "compare", "subcorpora", "audit", "audit/one")
    paths += [f"{one}/{tool}" for tool in (*tools, "audit/one/score", "search?q=%5Bx")]
    paths += [f"{one}/search?q={quote('کے')}&show={show}" for show in ("", "collocations", "distribution")]
    with desk_in(tmp_path) as served, Visit(browser, served, "phone") as visit:
        page = visit.go("/")
        page.select_option(".foot select", "ur")
        page.wait_for_selector("html[lang=ur]")
        for path in paths:
            page = visit.go(path)
            assert_fits(page)
            assert_accessible(page)
        assert page.evaluate("getComputedStyle(document.body).direction") == "rtl"


@pytest.mark.slow
def test_a_crawl_outlives_its_desk_and_is_stopped_from_the_next(browser, tmp_path):
    web = BuiltInWeb("urd", sites=8, pages=2_000)
    with web.serve() as server:
        with desk_in(tmp_path) as served, Visit(browser, served) as visit:
            page = visit.go("/new?language=urd")
            page.fill("[name=seeds]", "\n".join(web.seeds(6, rich=0.8)))
            page.fill("[name=contact]", "me@example.org")
            page.click("text=Connection")
            page.fill("[name=delay]", "0.2")
            page.fill("[name=proxy]", server.proxy_url)
            page.check("[name=private]")
            page.click("text=Make it and start")
            page.wait_for_selector("button >> text=Pause", timeout=WORK)
            page.click("text=Watch it on the overview")
            page.wait_for_selector("[data-state=running]", timeout=WORK)
        with desk_in(tmp_path) as served, Visit(browser, served, "phone") as visit:
            page = visit.go("/desk")
            page.wait_for_selector(".cards .state >> text=crawling")
            page.click(".cards a >> text=Work")
            page.click("button >> text=Pause")
            page.wait_for_selector("button >> text=Resume", timeout=WORK)
            assert_fits(page)
            page.click("button >> text=Resume")
            page.wait_for_selector("button >> text=Pause", timeout=WORK)
            page.click("button >> text=Stop")
            page.wait_for_selector("[data-step=stopped]", timeout=WORK)
            page.wait_for_selector("button >> text=Go on", timeout=WORK)


def test_a_corpus_without_contact_and_seeds_says_so_and_takes_them(browser, tmp_path):
    with desk_in(tmp_path) as served, Visit(browser, served, "phone") as visit:
        page = visit.go("/new?language=xho")
        page.click("text=Make it only")
        page.wait_for_url("**/corpora/xhoweb/work")
        assert page.locator("text=Start the crawl").count() == 0
        page.click("summary >> text=Add seeds")
        page.click("text=A search engine, or other places")
        page.fill("[name=dumps]", served.address)
        page.check("[name=wikipedia]")
        page.wait_for_selector("#reach-wikipedia >> text=can be reached")
        page.fill("[name=mirror]", str(tmp_path / "nowhere"))
        page.check("[name=commoncrawl]")
        page.wait_for_selector("#reach-commoncrawl >> text=there is no such folder")
        assert_fits(page)
        assert_accessible(page)
        page = visit.go("/corpora/xhoweb/")
        page.fill(".missing [name=contact]", "me@example.org")
        page.click(".missing button >> text=Keep")
        page.wait_for_selector("text=The settings are kept")
        page.fill(".missing [name=seeds]", "https://indaba.example/\nnot an address at all")
        page.click(".missing button >> text=Add")
        page.wait_for_selector("text=1 seeds were added, 1 refused")
        page.wait_for_selector("text=Start the crawl")


@pytest.mark.slow
def test_a_language_that_nothing_knows_is_learned_from_an_uploaded_file(browser, tmp_path):
    import random

    rng = random.Random(5)
    prose = Prose("xho")
    swap = str.maketrans("aeioukltn", "eiouatknl")
    sentences = [prose.paragraph(rng).split(".")[0].translate(swap) for _ in range(600)]
    file = tmp_path / "sentences.txt"
    file.write_text("\n".join(sentences), "utf-8")
    desk = tmp_path / "desk"
    desk.mkdir()
    with desk_in(desk) as served, Visit(browser, served) as visit:
        page = visit.go("/new?language=qaa")
        page.wait_for_selector("text=Nothing here identifies this language")
        page.fill("[name=language_name]", "Ours")
        page.set_input_files("[data-into='#sentence-text']", file)
        sync_api.expect(page.locator("#sentence-text")).to_have_value("\n".join(sentences), timeout=SLOW)
        page.click("text=Make it only")
        page.wait_for_url("**/corpora/qaaweb/work")
        page.wait_for_selector("[data-step=done] >> text=identify train qaa", timeout=WORK)
        page.wait_for_selector("#train button:not([disabled])", state="attached")
        assert page.locator("#train .stale").count() == 0
        assert "F1" in page.text_content(".steps-done pre")


@pytest.mark.slow
def test_work_that_was_killed_is_gone_on_with(browser, tmp_path):
    from corpulyzer.api.corpus import create
    from corpulyzer.serve.work.steps import Step, write

    corpus = create("xho", tmp_path / "xhoweb")
    write(corpus.storage, [Step(("seeds", "list"), "running"), Step(("status",))])
    with desk_in(tmp_path) as served, Visit(browser, served) as visit:
        page = visit.go("/")
        page.wait_for_selector(".cards .state >> text=cut off")
        page = visit.go("/corpora/xhoweb/work")
        page.click("text=Go on")
        page.wait_for_selector("[data-step=done] >> nth=1", timeout=WORK)


def test_serve_without_a_corpus_opens_the_desk(browser, tmp_path):
    command = [sys.executable, "-m", "corpulyzer", "serve", "--port", "0"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        said = process.stdout.readline()
        assert said.startswith("The desk is at http://127.0.0.1:")
        page = browser.new_page()
        page.goto(said.split()[4])
        assert "Corpora" in page.inner_text("h1")
        page.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


@pytest.mark.slow
def test_seeds_come_from_a_search_engine_and_from_common_crawl(browser, tmp_path, monkeypatch):
    from local_services import SearXng, serve
    from small_release import URDU, Mirror, write_release

    monkeypatch.setattr("corpulyzer.serve.work.seeds.QUERIES", 2)
    monkeypatch.setenv("CORPULYZER_COMMONCRAWL_PAUSE_SECONDS", "0")
    write_release(tmp_path / "mirror", "CC-MAIN-2024-10", pages=20)
    desk = tmp_path / "desk"
    desk.mkdir()
    pages = [("https://akhbar.example/1", "خبر", URDU)]
    with (
        serve(SearXng(pages)) as engine,
        serve(Mirror(tmp_path / "mirror", [])) as mirror,
        desk_in(desk) as served,
        Visit(browser, served) as visit,
    ):
        page = visit.go("/new?language=urd")
        page.click("text=A search engine, or other places")
        page.select_option("[name=provider]", "searxng")
        page.fill("[name=endpoint]", engine.url)
        page.fill("[name=search_text]", URDU * 5)
        page.fill("[name=mirror]", mirror.url)
        page.check("[name=commoncrawl]")
        page.wait_for_selector("#reach-commoncrawl >> text=can be reached")
        page.click("text=Make it only")
        page.wait_for_selector("[data-step=done] >> text=seeds search", timeout=WORK)
        page.wait_for_selector("[data-step=done] >> text=commoncrawl seeds", timeout=WORK)
        page.wait_for_selector("#seeds button:not([disabled])", state="attached")
        told = page.inner_text("#seeds")
        assert "search searxng" in told and "commoncrawl" in told
        assert_accessible(page)
    assert engine.asked and mirror.asked
