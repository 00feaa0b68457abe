"""The report in a real browser: it draws everything, asks nobody outside, and works with keys and on a phone."""

import shutil
from pathlib import Path

import pytest
from lasting import engine_of

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.jobs.dedup.run import deduplicate
from corpulyzer.lab.demo.archive import write_archive
from corpulyzer.report import write_report

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: `make browser` installs it")
SIZES = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
WITHIN = ("file:", "data:", "blob:")


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Visit:
    """A page opened in a browser, and everything that went wrong on it."""

    def __init__(self, browser, file, size="desktop", scheme="light"):
        self.wrong = []
        self.page = browser.new_page(viewport=SIZES[size], color_scheme=scheme)
        self.page.on("console", lambda message: self.wrong.append(message.text))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on(
            "request", lambda request: request.url.startswith(WITHIN) or self.wrong.append(request.url)
        )
        self.page.goto(Path(file).as_uri())
        drawn = (
            "document.querySelectorAll('.plot').length === document.querySelectorAll('.plot.drawn').length"
        )
        self.page.wait_for_function(drawn, timeout=60_000)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.page.close()

    def ask(self, script):
        return self.page.evaluate(script)


def report_of(corpus):
    return corpus.storage.path("report/index.html")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_figure_is_drawn_and_nothing_is_asked_of_a_network(browser, corpora, size, scheme):
    with Visit(browser, report_of(corpora["one_site"]), size, scheme) as visit:
        assert visit.ask("document.querySelectorAll('.plot svg').length") > 8
        assert visit.ask("document.documentElement.scrollWidth <= window.innerWidth"), "it scrolls sideways"
        assert visit.wrong == []


def test_the_first_page_for_a_funder_takes_two_sheets_and_the_measures_follow(browser, corpora, tmp_path):
    import pypdfium2

    with Visit(browser, report_of(corpora["one_site"])) as visit:
        visit.page.pdf(path=tmp_path / "report.pdf", prefer_css_page_size=True)
    with pypdfium2.PdfDocument(tmp_path / "report.pdf") as printed:
        sheets = [printed[number].get_textpage().get_text_range() for number in range(3)]
        width, height = printed[0].get_size()
    assert (round(width), round(height)) == (595, 842), "A4"
    front = "\n".join(sheets[:2])
    for part in ("From where", "How good", "Under which license", "How to cite"):
        assert part in front
    assert "The funnel" in sheets[2] and "The funnel" not in front


@pytest.mark.slow
def test_axe_finds_nothing_serious_in_a_report(browser, corpora):
    axe = pytest.importorskip("axe_playwright_python", reason="axe is not installed")
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.goto(Path(report_of(corpora["one_site"])).as_uri())
    page.wait_for_function("document.querySelectorAll('.plot:not(.drawn)').length === 0", timeout=300_000)
    page.evaluate((Path(axe.__path__[0]) / "axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    context.close()
    assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []


@pytest.mark.slow
def test_every_link_leads_somewhere_and_every_detail_opens(browser, corpora):
    with Visit(browser, report_of(corpora["one_site"])) as visit:
        links = visit.page.locator("nav a")
        for number in range(links.count()):
            target = links.nth(number).get_attribute("href")
            links.nth(number).click()
            visit.page.wait_for_function("target => location.hash === target", arg=target)
            assert visit.ask(f"document.getElementById({target[1:]!r}) !== null")
        visit.page.locator("main details > summary").evaluate_all("all => all.forEach(each => each.click())")
        visit.page.locator("main details > summary").evaluate_all("all => all.forEach(each => each.click())")
        assert visit.wrong == []


def test_keys_alone_reach_the_report(browser, corpora):
    with Visit(browser, report_of(corpora["one_site"])) as visit:
        visit.page.keyboard.press("Tab")
        assert visit.ask("document.activeElement.className") == "skip"
        visit.page.keyboard.press("Enter")
        visit.page.wait_for_function("location.hash === '#main'")
        visit.page.keyboard.press("Tab")
        assert visit.ask("document.querySelector('main').contains(document.activeElement)")


def test_whoever_cannot_see_hears_what_a_figure_shows(browser, corpora):
    with Visit(browser, report_of(corpora["one_site"])) as visit:
        labels = visit.ask("[...document.querySelectorAll('.plot')].map(p => p.getAttribute('aria-label'))")
        assert labels and all(label and label.startswith("Figure: ") for label in labels)
        assert visit.ask(
            "[...document.querySelectorAll('table')].every(t => t.caption && t.caption.textContent)"
        )
        assert visit.ask("document.querySelectorAll('main, nav, header, footer').length") == 4
        assert visit.ask("document.querySelectorAll('h1').length") == 1


@pytest.mark.slow
def test_a_wheel_scrolls_the_page_and_with_a_key_zooms_the_figure(browser, corpora):
    with Visit(browser, report_of(corpora["one_site"])) as visit:
        figure = visit.page.locator("[data-figure=zipf]")
        figure.scroll_into_view_if_needed()
        labels = "document.querySelector('[data-figure=zipf] .role-axis-label').textContent"
        box, before = figure.bounding_box(), visit.ask(labels)
        visit.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        visit.page.mouse.wheel(0, 100)
        visit.page.wait_for_timeout(200)
        assert visit.ask(labels) == before
        figure.scroll_into_view_if_needed()
        box = figure.bounding_box()
        visit.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        visit.page.keyboard.down("Control")
        visit.page.mouse.wheel(0, -400)
        visit.page.keyboard.up("Control")
        visit.page.wait_for_timeout(300)
        assert visit.ask(labels) != before and visit.wrong == []


def test_pointing_at_a_bar_tells_its_numbers(browser, corpora):
    with Visit(browser, report_of(corpora["one_site"])) as visit:
        visit.page.locator("[data-figure=funnel] .mark-rect path").first.hover()
        visit.page.wait_for_selector("#vg-tooltip-element.visible")
        assert "pages" in visit.page.locator("#vg-tooltip-element").inner_text()


def test_a_page_without_figures_has_no_errors_either(browser, corpora):
    with Visit(browser, report_of(corpora["empty"]), "phone") as visit:
        assert visit.wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("language", ["urd", pytest.param("xho", marks=pytest.mark.endurance)])
def test_the_demo_corpora_are_shown_at_any_width(browser, tmp_path, language):
    write_archive(tmp_path / "web.warc.gz", target=language)
    create(language, tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", {"engine.workers": 1, "analyze.topics": 2})
    engine = engine_of(corpus)
    corpus.import_(str(tmp_path / "web.warc.gz"), engine=engine)
    deduplicate(corpus, engine)
    file = write_report(corpus, engine)
    for size in SIZES:
        with Visit(browser, file, size, "dark") as visit:
            assert visit.ask("document.documentElement.scrollWidth <= window.innerWidth")
            assert visit.ask("document.querySelectorAll('.plot svg').length") > 20 and visit.wrong == []
