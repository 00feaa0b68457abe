"""The article is taken out of the data that a page carries for its scripts."""

import html as escapes
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.page.extract import Extract, extract
from corpulyzer.page.extract.decode import decode
from corpulyzer.page.extract.parse import parse
from corpulyzer.page.extract.unrendered.article import article_in
from corpulyzer.page.extract.unrendered.state import states_of
from corpulyzer.records import Page

FIRST = "Danas je u gradu otvoren novi most, koji spaja dvije obale rijeke i skraćuje put do škole. " * 2
SECOND = "Gradonačelnica je rekla da se na njega čekalo trideset godina, i da će ih služiti barem sto. " * 2
WANTED = (FIRST.strip(), SECOND.strip())
HTML = f"<p>{FIRST}</p><p>{SECOND}</p>"
PLAIN = f"{FIRST}\n\n{SECOND}"
TITLE = "Otvoren novi most u gradu"
OTHER = "Druga vijest, o nečem sasvim drugom, što se dogodilo jučer u susjednom selu uz rijeku. " * 12
STATE = {"site": {"menu": ["Naslovnica", "Vijesti"]}, "post": {"title": TITLE, "slug": "most", "body": HTML}}


def shell(data, title=TITLE):
    return f"<html><head><title>{title} | Novine</title></head><body><div id=root></div>{data}<script src=/a.js></script></body></html>"


def script(value, attributes="type=application/json"):
    return f"<script {attributes}>{json.dumps(value).replace('</', '<' + chr(92) + '/')}</script>"


def leaves(text):
    words = text.split(" ")
    return [
        {"type": "text", "text": " ".join(words[:5]) + " "},
        {"type": "text", "marks": [], "text": " ".join(words[5:])},
    ]


RICH = {
    "type": "doc",
    "content": [{"type": "paragraph", "content": leaves(text)} for text in (FIRST, SECOND)],
}
BLOCKS = [{"type": "paragraph", "data": {"text": text}} for text in (FIRST, SECOND)]
NUXT_2 = f'window.__NUXT__=(function(a,b){{return {{data:[{{post:{{title:a,body:{json.dumps(HTML)}}}}}],x:void 0}}}}("{TITLE}",false));'
NUXT_3 = [
    ["ShallowReactive", 1],
    {"data": 2},
    {"post": 3},
    {"title": 4, "body": 5, "tags": 6},
    TITLE,
    HTML,
    [7],
    "most",
]
FLIGHT = f'1:HL["/a.css"]\n2:T{len(HTML.encode()):x},{HTML}3:["$","div",null,{{}}]\n'

PAGES = {
    "json_ld": script(
        {"@graph": [{"@type": "NewsArticle", "articleBody": PLAIN}]}, "type=application/ld+json"
    ),
    "json_ld, html": script(
        {"@type": "Article", "articleBody": escapes.escape(HTML)}, "type=application/ld+json"
    ),
    "__NEXT_DATA__": script({"props": {"pageProps": STATE}}, "id=__NEXT_DATA__ type=application/json"),
    "__NEXT_DATA__, rich": script(
        {"props": {"post": {"title": TITLE, "doc": RICH}}}, "id=__NEXT_DATA__ type=application/json"
    ),
    "__NEXT_DATA__, blocks": script(
        {"props": {"post": {"title": TITLE, "blocks": BLOCKS}}}, "id=__NEXT_DATA__ type=application/json"
    ),
    "__NEXT_DATA__, lines": script(
        {"post": {"title": TITLE, "paragraphs": [FIRST, SECOND]}}, "id=__NEXT_DATA__ type=application/json"
    ),
    "__NUXT__": f"<script>{NUXT_2}</script>",
    "__NUXT_DATA__": script(NUXT_3, "id=__NUXT_DATA__ type=application/json"),
    "__INITIAL_STATE__": f"<script>window.__INITIAL_STATE__ = {json.dumps(STATE)};(function(){{}}())</script>",
    "__APOLLO_STATE__": f"<script>window.__APOLLO_STATE__=JSON.parse({json.dumps(json.dumps(STATE))});</script>",
    "sveltekit": script(
        {"status": 200, "body": json.dumps(STATE)},
        "type=application/json data-sveltekit-fetched data-url=/api",
    ),
    "data-page": f'<div id=app2 data-page="{escapes.escape(json.dumps(STATE))}"></div>',
    "__next_f": f"<script>self.__next_f.push([1,{json.dumps(FLIGHT)}])</script>",
}


def extracted(html):
    return Extract()(parse(decode(Page("http://a.example/", body=html.encode(), mime="text/html"))))


@pytest.mark.parametrize("name", PAGES)
def test_the_article_is_found_with_its_paragraphs_and_where_it_is_from(name):
    page = extracted(shell(PAGES[name]))
    assert tuple(page.text[p.start : p.end] for p in page.paragraphs) == WANTED
    assert page.labels == {"text_from": name.partition(",")[0]}


def test_of_several_texts_the_one_beside_the_title_of_the_page_is_the_article():
    posts = [{"title": "Nešto drugo", "slug": "b", "body": f"<p>{OTHER}</p><p>{OTHER}</p>"}, STATE["post"]]
    page = extracted(shell(script({"posts": posts})))
    assert page.text.split("\n") == list(WANTED)


@pytest.mark.parametrize("key", ["related", "i18n", "cookieConsent", "comments"])
def test_what_stands_beside_the_article_is_none(key):
    page = extracted(shell(script({key: {"items": [{"body": f"<p>{OTHER}</p><p>{OTHER}</p>"}]}})))
    assert (page.text, page.labels["needs_browser"]) == ("", "div#root is empty")


@pytest.mark.parametrize(
    "text",
    [
        "x{color:red;}" * 200,
        "eyJhbGciOiJIUzI1NiJ9" * 90,
        "query { post(id: 1) { title body } } " * 60,
        "https://a.example/b?c=d&e=f " * 60,
        "M10 10L20.5 30 Z " * 80,
    ],
    ids=["css", "token", "query", "addresses", "path"],
)
def test_what_is_no_prose_is_no_article(text):
    assert extracted(shell(script({"post": {"title": TITLE, "body": text}}))).text == ""


@pytest.mark.parametrize(
    "text",
    [
        "今日は町に新しい橋が開通しました。川の両岸を結びます。" * 12,
        "آج شہر میں ایک نیا پل کھولا گیا جو دریا کے دونوں کناروں کو ملاتا ہے۔ " * 9,
    ],
)
def test_prose_is_told_in_every_script(text):
    assert extracted(shell(script({"post": {"title": TITLE, "body": f"<p>{text}</p>"}}))).text == text.strip()


def test_a_page_that_shows_its_text_keeps_it():
    shown = f"<article><h1>Most</h1><p>{OTHER}</p></article>"
    page = extracted(f"<body>{shown}{PAGES['__NEXT_DATA__']}")
    assert OTHER.strip() in page.text
    assert "text_from" not in page.labels


def test_paragraphs_are_called_by_kind_or_by_tag():
    page = shell(script({"post": {"title": TITLE, "body": f"<h3>Most</h3>{HTML}<ul><li>{FIRST}</li></ul>"}}))
    kinds = [p.kind for p in extracted(page).paragraphs]
    assert kinds == ["h", "p", "p", "li"]
    assert extract(page.encode()).kinds == ("h", "p", "p", "li")


@pytest.mark.parametrize(
    "data",
    [
        "[" * 100_000,
        '{"a":' * 50_000,
        "[" + "1" * 10_000 + "]",
        json.dumps(["x" * 50] * 20_000),
        json.dumps({"a": [[[["word and word. " * 20] * 30] * 30] * 4]}),
        '"' + "\\" * 300_000,
    ],
    ids=["lists", "objects", "number", "texts", "nested", "backslashes"],
)
def test_hostile_data_cost_little_and_give_nothing(data):
    page = LexborHTMLParser(
        shell(f"<script type=application/json>{data}</script><script>window.__STATE__ = {data}</script>")
    )
    begun = time.process_time()
    article_in(states_of(page), "")
    assert time.process_time() - begun < 8, "the guard of a page gives it ten seconds"


@given(
    st.recursive(
        st.text() | st.integers() | st.none(),
        lambda v: st.lists(v) | st.dictionaries(st.text(), v),
        max_leaves=20,
    ),
    st.text(),
)
def test_no_data_make_it_fail(value, noise):
    page = LexborHTMLParser(
        shell(
            script(value)
            + f"<script>window.__S__ = {noise}</script>"
            + script(value, "id=__NUXT_DATA__ type=application/json")
        )
    )
    article_in(states_of(page), noise)
