"""The explorer of a corpus of several languages: an overview, and the pages of each language."""

from selectolax.lexbor import LexborHTMLParser

from .test_explorer import ask, secret


def links(text):
    return {it.attributes["href"] for it in LexborHTMLParser(text).css("a[href]")}


def test_the_overview_leads_to_each_language_that_has_documents(several):
    status, _, text = ask(several, "/")
    shown = LexborHTMLParser(text)
    rows = [
        [cell.text(strip=True) for cell in row.css("td")] for row in shown.css("table.languages tbody tr")
    ]
    assert status == 200
    assert [(row[0], row[1], row[-1]) for row in rows] == [
        ("Croatianhrv", "5", "62.5%"),
        ("Slovenianslv", "3", "37.5%"),
    ]
    assert {"/languages/hrv/", "/languages/slv/"} <= links(text)
    chosen = [it.attributes["value"] for it in shown.css(".top select[name=language] option")]
    assert chosen == ["", "hrv", "slv"]


def test_each_language_has_pages_of_its_own_documents_that_stay_in_it(several):
    for path in ("/", "/sites", "/documents", "/search", "/audit"):
        status, _, text = ask(several, f"/languages/hrv{path}")
        assert status == 200, path
        assert {"/languages/hrv/sites", "/languages/hrv/search"} <= links(text)
        assert "slv.example" not in text
    _, _, text = ask(several, "/languages/hrv/search?q=je")
    assert "hrv.example" in text
    stories = [it for it in links(text) if it.startswith("/documents/")]
    status, _, text = ask(several, stories[0].partition("#")[0])
    assert status == 200 and "hrv.example" in text, "a document has one page, whatever its language"


def test_what_is_of_one_language_asks_for_one_and_a_choice_leads_back(several):
    for here in ("search", "audit"):
        _, _, text = ask(several, f"/{here}")
        assert f"/languages/slv/{here}" in links(text)
        status, headers, _ = ask(several, f"/languages?here={here}&language=slv")
        assert (status, headers["location"]) == (303, f"/languages/slv/{here}")
    assert ask(several, "/languages?here=sites&language=")[1]["location"] == "/sites"


def test_an_audit_of_a_language_is_drawn_and_labelled_in_it(several):
    form = {"secret": secret(several), "name": "eyes", "size": "2", "seed": "0"}
    status, headers, _ = ask(several, "/languages/slv/audit", "POST", form)
    assert (status, headers["location"]) == (303, "/languages/slv/audit/eyes")
    status, _, text = ask(several, headers["location"])
    item = LexborHTMLParser(text).css_first("input[name=id]").attributes["value"]
    form = {"secret": secret(several), "id": item, "label": "CC", "annotator": "me"}
    status, headers, _ = ask(several, "/languages/slv/audit/eyes", "POST", form)
    assert headers["location"].startswith("/languages/slv/audit/eyes?")
    assert ask(several, "/languages/slv/audit/eyes/score")[0] == 200


def test_a_language_that_the_corpus_is_not_for_has_no_pages(several, xhosa):
    assert ask(several, "/languages/eng/")[0] == 404
    assert ask(several, "/languages/xho/documents")[0] == 200, "it may have none yet"
    assert ask(xhosa, "/languages/xho/")[0] == 404, "a corpus of one language has one set of pages"
