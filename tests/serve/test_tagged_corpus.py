"""A crawl of Slovene with a tagger that was trained on a treebank, asked by a linguist in a real browser."""

import io
import json
import zipfile
from xml.etree import ElementTree

import pytest
from lasting import engine_of

from corpulyzer import train_tagger

from .clicks import CHROMIUM, SIZES, SLOW, follow, must_be_sound, taken, tool
from .conftest import crawled, serving

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: `make browser` installs it"),
]
PATTERN = '[lemma="leto" & tag="N.*"] []{0,3} [tag="V.*"] within s'
LEARNED_FROM, PAGES = 300, 80
SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
QUICK = {"options": "epochs=2;batch_size=50;dimension=16", "tagger_options": "models=1;iterations=3"}


def sentences(path):
    return path.read_text("utf-8").strip().split("\n\n")


@pytest.fixture(scope="session")
def slovene_folder(shared_data, made_once):
    """A crawl of the built-in web over HTTP, tagged by what was learned from a treebank."""
    pytest.importorskip("ufal.udpipe", reason="UDPipe is not installed")
    treebank = shared_data("ud.tar.gz") / "Slovenian-SSJ"

    def made(folder):
        learned_from = sentences(treebank / "sl_ssj-ud-dev.conllu")[:LEARNED_FROM]
        model = folder / "sl.udpipe"
        train_tagger(["\n\n".join(learned_from) + "\n\n"], model, **QUICK)
        corpus = crawled("slv", folder / "slovenski", pages=PAGES, **{"annotate.model": str(model)})
        assert len(list(corpus.documents.kept())) > 20
        corpus.annotate(engine=engine_of(corpus))

    return made_once("slovene tagged", made) / "slovenski"


@pytest.fixture
def desk(slovene_folder):
    with serving(slovene_folder) as served:
        yield served


@pytest.fixture(params=SIZES)
def page_there(desk, request):
    """A page of the explorer, at the width of a desk and of a phone."""
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(viewport=SIZES[request.param], bypass_csp=True)
        context.set_default_timeout(SLOW)
        shown = context.new_page()
        shown.goto(f"{desk.address}/search")
        yield shown
        browser.close()


def ask(page, query):
    page.fill("#q", query)
    follow(page, "button.main")


def table(page, kind):
    """What a person has taken home, as rows of values."""
    data = taken(page, kind)
    if kind == "JSON":
        return [list(row.values()) for row in json.loads(data)]
    if kind == "XLSX":
        sheet = ElementTree.fromstring(zipfile.ZipFile(io.BytesIO(data)).read("xl/worksheets/sheet1.xml"))
        return [["".join(cell.itertext()) for cell in row] for row in sheet.iter(f"{SHEET}row")][1:]
    return [line.split(",") for line in data.decode("utf-8-sig").splitlines()[1:]]


def test_a_pattern_of_lemmas_and_tags_gives_lines_and_a_subcorpus(desk, page_there):
    page = page_there
    ask(page, PATTERN)
    must_be_sound(page)
    matches = page.locator(".kwic .match").all_inner_texts()
    assert matches and all(match.lower().startswith("let") for match in matches)
    found = page.inner_text(".total")
    rows = {len(table(page, kind)) for kind in ("CSV", "XLSX", "JSON")}
    assert rows == {int(found.split()[0])} and len(matches) <= max(rows)
    follow(page, "text=Save these documents as a subcorpus")
    name = f"years-{page.viewport_size['width']}"
    page.fill("[name=name]", name)
    follow(page, "button.main")
    must_be_sound(page)
    follow(page, f"a:text-is('{name}')")
    ask(page, PATTERN)
    assert page.inner_text(".total") == found and name in page.inner_text(".within")


def test_what_stands_around_a_pattern_is_counted_and_spread(page_there):
    page = page_there
    ask(page, '[lemma="leto"]')
    hits = sum(int(row[1]) for row in table_of(page, "Distribution"))
    assert hits == int(page.inner_text(".total").split()[0])
    words = [row[0] for row in table_of(page, "Collocations")]
    assert words and all(any(letter.isalnum() for letter in word) for word in words)


def table_of(page, view):
    follow(page, f".tabs a:text-is('{view}')")
    must_be_sound(page)
    return table(page, "JSON")


def test_a_sketch_has_grammatical_relations_and_leads_to_their_lines(page_there):
    page = page_there
    tool(page, "Word sketch")
    ask(page, "lemma:leto")
    must_be_sound(page)
    rows = table(page, "JSON")
    relations = {row[0] for row in rows}
    assert {"adjectives before", "adpositions before"} <= relations
    together = {word: n for relation, word, n, *_ in rows if relation == "adpositions before"}
    assert together["od"] >= 2 and together["iz"] >= 2, "as in `od leta 1998`, `iz leta 1998`"
    assert table(page, "CSV")[0][:2] == rows[0][:2] == table(page, "XLSX")[0][:2]
    follow(page, ".sketch a >> nth=0")
    page.wait_for_selector(".kwic")
    must_be_sound(page)


@pytest.mark.parametrize("listed, pair", [("lemmas", "biti"), ("tags", "ADJ NOUN")])
def test_lemmas_and_tags_in_a_row_are_listed_and_found(page_there, listed, pair):
    page = page_there
    tool(page, "Word list")
    page.select_option("[name=list]", listed)
    page.select_option("[name=n]", "2")
    follow(page, "button.main")
    must_be_sound(page)
    rows = table(page, "JSON")
    value, count = next(row[:2] for row in rows if pair in row[0])
    follow(page, f".list a:text-is('{value}')")
    shown = page.inner_text(".total").split()[0].replace(",", "")
    assert shown.isdecimal() and abs(int(shown) - count) <= 0.5 * count
    must_be_sound(page)
