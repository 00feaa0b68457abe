"""`corpulyzer.extract` and the stage behind it."""

import json

import pytest

import corpulyzer
from corpulyzer import extract
from corpulyzer.errors import UserError
from corpulyzer.page.extract import EXTRACTORS, Extract, extractor_named
from corpulyzer.page.extract.decode import decode
from corpulyzer.page.extract.links import MAX_LINKS
from corpulyzer.page.extract.parse import parse
from corpulyzer.records import Page

SENTENCE = (
    "Ovo je rečenica koja je dovoljno duga da bude dio članka, a ne izbornika ili potpisa ispod neke slike."
)
HTML = f"""<html lang="hr"><head><title> Naslov
 stranice </title><link rel="canonical" href="/pravi"></head>
<body><div><p>{SENTENCE}</p><p>{SENTENCE} Opet.</p></div><p><a href="/dalje">dalje</a></p></body></html>"""


def stage(page, method="web_am"):
    return Extract(method)(parse(decode(page)))


def test_extract_gives_text_paragraphs_and_title():
    found = corpulyzer.extract(HTML.encode(), url="https://a.example/x")
    assert found.paragraphs == (SENTENCE, f"{SENTENCE} Opet.")
    assert found.text == "\n".join(found.paragraphs)
    assert (found.title, found.language, found.charset) == ("Naslov stranice", "hr", "utf-8")
    assert (found.canonical, found.reason) == ("https://a.example/pravi", "")


def test_the_stage_fills_the_page_and_its_spans_are_its_paragraphs():
    page = stage(Page("https://a.example/x", body=HTML.encode()))
    assert [page.text[p.start : p.end] for p in page.paragraphs] == page.text.split("\n")
    assert [link.url for link in page.links] == ["https://a.example/pravi", "https://a.example/dalje"]
    assert page.declared_language == "hr"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "empty"),
        (b"<html><script>x()</script></html>", "no_visible_text"),
        (b"<p><a href=/>menu</a></p>", "no_content"),
    ],
)
def test_an_empty_result_says_why(body, reason):
    page = stage(Page("https://a.example/", body=body))
    assert (page.text, page.labels["no_text"]) == ("", reason)
    assert corpulyzer.extract(body, extractor="web_am").reason == reason


def test_plain_text_is_taken_as_it_is_line_by_line():
    page = stage(Page("https://a.example/", body=b"one < two\r\n\r\n  <b>three\x00</b>\n", mime="text/plain"))
    assert page.text == "one < two\n<b>three</b>"
    assert (page.tree, page.links) == (None, ())


def test_an_unknown_extractor_is_refused_with_the_names_there_are():
    with pytest.raises(UserError, match="web_am") as error:
        Extract("webam")
    assert "'webam'" in error.value.message


@pytest.mark.parametrize("name", EXTRACTORS.ours)
def test_every_extractor_in_the_table_exists(name):
    assert callable(extractor_named(name))


def test_no_stage_changes_the_tree():
    page = parse(decode(Page("https://a.example/", body=HTML.encode())))
    before = page.tree.html
    Extract("web_am")(page)
    assert page.tree.html == before


def test_links_that_are_left_out_leave_a_label():
    many = "".join(f"<a href=/{i}>{i}</a>" for i in range(MAX_LINKS + 1)).encode()
    assert stage(Page("https://a.example/", body=many)).labels["links_cut"] == f"after {MAX_LINKS}"
    assert "links_cut" not in stage(Page("https://a.example/", body=HTML.encode())).labels


STORY = tuple(f"{number}. dio priče: {SENTENCE} {SENTENCE} {SENTENCE}" for number in range(8))
ARTICLE = f"<article><h1>Priča</h1>{''.join(f'<p>{each}</p>' for each in STORY)}</article>"
OTHERS = tuple(f"Druga vijest broj {number}. {SENTENCE * 20}" for number in range(9))
MORE = "".join(f"<li><a href=/{n}>Vijest</a><p>{each}</p></li>" for n, each in enumerate(OTHERS))
SIDEBAR = (
    "<aside><ul>" + "".join(f"<li><a href=/s{n}>Najnovije {n}</a></li>" for n in range(20)) + "</ul></aside>"
)
DATA = json.dumps(
    {"props": {"story": {"articleBody": ARTICLE}, "related": [{"body": each} for each in OTHERS]}}
)
LD = json.dumps({"@type": "NewsArticle", "articleBody": "\n".join(STORY)})
UNSEEN = {
    "noscript": f"<noscript>{ARTICLE}{MORE}</noscript>",
    "template": f"<template>{ARTICLE}{MORE}</template>",
    "data of scripts": f"<script id=__NEXT_DATA__ type=application/json>{DATA}</script>",
    "metadata, ten times": f"<script type=application/ld+json>{LD}</script>" * 10,
    "not displayed": f"<div style='display:none'><ul>{MORE}</ul></div>",
    "hidden": f"<nav hidden><ul>{MORE}</ul></nav>",
    "a form": f"<textarea>{ARTICLE}{MORE}</textarea><select><option>{MORE}</option></select>",
    "a frame": f"<iframe>{MORE}</iframe><noembed>{MORE}</noembed>",
    "a comment": f"<!-- {ARTICLE}{MORE} -->",
    "an attribute": f"<div data-html='{MORE}'></div>",
    "noscript that does not end": f"<noscript>{ARTICLE}{MORE}",
}


@pytest.mark.parametrize("unseen", UNSEEN)
def test_what_a_page_does_not_show_adds_nothing_to_its_article(unseen):
    html = f"<title>Priča</title><body><main>{ARTICLE}</main>{SIDEBAR}{UNSEEN[unseen]}"
    assert len(html) > 10 * len(SENTENCE) + len(ARTICLE)
    found = corpulyzer.extract(html.encode(), url="https://a.example/x")
    assert found.paragraphs == ("Priča", *STORY)


@pytest.mark.parametrize("more", ["", *(key for key in UNSEEN if not key.startswith("noscript"))])
def test_an_article_in_noscript_beside_a_sidebar_is_taken_once_and_alone(more):
    shell = f"<title>Priča</title><body>{SIDEBAR}<div id=app></div><noscript>{ARTICLE}</noscript>"
    html = f"{shell}{UNSEEN.get(more, '')}<script src=/app.js></script>"
    found = corpulyzer.extract(html.encode(), url="https://a.example/x")
    assert found.paragraphs == ("Priča", *STORY)


def test_a_hundred_thousand_tags_that_never_end_are_no_work():
    """Each of them would be looked at to the end of the page, for minutes."""
    assert extract(b"<p>shadowrootmode</p>" + b"<template " * 100_000).text == "shadowrootmode"


def test_an_article_in_a_declared_shadow_root_is_taken_and_templates_are_not():
    text = "".join(
        f"<p>Sentence {n} of the article tells about rivers, bread and people of the town.</p>"
        for n in range(6)
    )
    root = f"<template shadowrootmode=open><article><template><p>never shown</template>{text}</article></template>"
    found = extract(
        f"<html lang=en><body><my-page>{root}</my-page><template>{text}</template></body>".encode()
    )
    assert found.text.count("Sentence") == 6 and "never" not in found.text
