"""The default extractor: what it keeps, marks and leaves out, in any script, and what it costs."""

import time

import numpy as np
import pytest
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.page.extract import extract
from corpulyzer.page.extract.default.features import FEATURES, PageFeatures
from corpulyzer.page.extract.default.main_content import best_threshold, main_content
from corpulyzer.page.extract.default.network import networks
from corpulyzer.page.extract.walk import blocks_of

SENTENCES = {
    "hrv": "Stanovnici sela su prošle subote zajedno obnovili stari most, koji je godinama bio zatvoren za promet. ",
    "urd": "گاؤں کے لوگوں نے پچھلے ہفتے مل کر پرانے پل کی مرمت کی، جو کئی سال سے بند پڑا تھا۔ ",
    "zho": "村民们上个星期六一起修好了那座多年不能通行的老桥，现在孩子们上学不用再绕远路了。",
    "amh": "የመንደሩ ነዋሪዎች ባለፈው ቅዳሜ ለዓመታት ተዘግቶ የነበረውን አሮጌ ድልድይ አብረው ጠገኑት። ",
    "hin": "गाँव के लोगों ने पिछले शनिवार को मिलकर वह पुराना पुल ठीक किया जो कई साल से बंद था। ",
}
MENU = "".join(
    f'<li><a href="/{i}">{word}</a></li>'
    for i, word in enumerate("Alfa Beta Gama Delta Epsilon Zeta".split())
)


def page(body, title="Most"):
    return f"""<html><head><title>{title} - Portal</title></head><body>
<div id="header"><ul class="menu">{MENU}</ul></div>
<div id="content"><h1>{title}</h1><div class="article-body">{body}</div></div>
<div id="sidebar"><h3>Više</h3><ul>{MENU}</ul></div><div id="footer">© 2023 Portal</div></body></html>""".encode()


@pytest.mark.parametrize("language", SENTENCES)
def test_an_article_is_found_in_any_script_without_knowing_its_words(language):
    paragraphs = [SENTENCES[language].strip() * n for n in (2, 3, 2)]
    found = extract(page("".join(f"<p>{p}</p>" for p in paragraphs))).paragraphs
    assert set(paragraphs) <= set(found)
    assert not {"Alfa", "Zeta", "© 2023 Portal"} & set(found)


def test_headings_lists_and_quotes_are_marked():
    text = SENTENCES["hrv"].strip()
    html = page(
        f"<p>{text}</p><h2>Što je učinjeno na mostu</h2><p>{text * 2}</p><ul><li>{text}</li><li>{text} Opet.</li></ul>"
        f"<blockquote><p>{text}</p></blockquote><blockquote>{text} Rekao je.</blockquote><p>{text * 2}</p>"
    )
    found = extract(html)
    kinds = dict(zip(found.paragraphs, found.kinds, strict=True))
    assert kinds["Što je učinjeno na mostu"] == "h"
    assert (kinds[f"{text} Opet."], kinds[f"{text} Rekao je."]) == ("li", "quote")


def test_a_table_of_data_keeps_its_cells_and_a_table_of_layout_has_none():
    text = SENTENCES["hrv"].strip()
    layout = page(f"<table><tr><td>{text * 2}</td></tr><tr><td>{text * 3}</td></tr></table>")
    assert set(extract(layout).kinds) <= {"p", "h"}
    rows = "".join(f"<tr><td>Mjesto {i}</td><td>{i * 17} stanovnika</td></tr>" for i in range(4))
    data = f"<p>{text * 3}</p><table class='wikitable'>{rows}</table><p>{text * 3}</p>"
    blocks = [b for b in blocks_of(LexborHTMLParser(page(data))).blocks if b.kind == "td"]
    assert len(blocks) == 8
    found = extract(page(data))
    assert all(
        kind == "td"
        for text, kind in zip(found.paragraphs, found.kinds, strict=True)
        if text.startswith("Mjesto")
    )


def test_a_page_of_links_has_no_main_content_and_says_so():
    found = extract(f"<html><body><ul class=menu>{MENU * 5}</ul></body></html>".encode())
    assert (found.text, found.reason) == ("", "no_content")


def test_a_page_that_is_made_by_scripts_gives_the_body_that_it_declares():
    declared = '{"@graph": [{"@type": "NewsArticle", "articleBody": "Prvi odlomak.\\nDrugi odlomak."}]}'
    html = f'<html><head><script type="application/ld+json">{declared}</script></head><body><div id=app></div></body></html>'
    assert extract(html.encode()).paragraphs == ("Prvi odlomak.", "Drugi odlomak.")


def test_a_broken_declaration_is_no_text():
    html = '<script type="application/ld+json">{"articleBody": 7</script><div id=app></div>'
    assert extract(html.encode()).reason == "no_visible_text"


def test_the_threshold_is_half_where_all_is_clear_and_lower_where_it_is_not():
    words = np.full(4, 10.0)
    assert best_threshold(np.array([0.99, 0.98, 0.02, 0.01]), words) == pytest.approx(0.98)
    assert best_threshold(np.array([0.45, 0.40, 0.35, 0.05]), words) == pytest.approx(0.35)
    assert best_threshold(np.array([0.40, 0.10, 0.05, 0.001]), words) == pytest.approx(0.05)
    assert best_threshold(np.array([0.2, 0.1]), words[:2]) > 1, "nothing on the page is likely"


def test_every_block_has_every_feature_and_all_are_finite():
    blocks = blocks_of(LexborHTMLParser(page(f"<p>{SENTENCES['hrv']}</p>")))
    features = PageFeatures(blocks, "")
    matrix = features.matrix(0, len(features))
    assert matrix.shape == (len(FEATURES), len(blocks.blocks))
    assert np.isfinite(matrix).all()


def test_the_elements_around_a_block_are_spans_of_blocks_that_hold_it():
    blocks = blocks_of(LexborHTMLParser("<div>a<p>b</p>c<ul><li>d<li>e</ul></div><p>f"))
    first, last = PageFeatures(blocks, "").spans(0, 6)
    spans = [list(zip(first[:, i].tolist(), last[:, i].tolist(), strict=True))[:3] for i in range(6)]
    assert spans[0][:2] == [(0, 5), (0, 6)]
    assert spans[1] == [(1, 2), (0, 5), (0, 6)]
    assert spans[3] == [(3, 4), (3, 5), (0, 5)]


def test_a_long_page_is_judged_in_pieces_of_bounded_size(monkeypatch):
    text = SENTENCES["hrv"]
    blocks = blocks_of(LexborHTMLParser(page("".join(f"<p>{text}{i}</p>" for i in range(300)))))
    whole = networks()[0](PageFeatures(blocks, "Most"))
    monkeypatch.setattr("corpulyzer.page.extract.default.network.WINDOW_BLOCKS", 100)
    pieces = networks()[0](PageFeatures(blocks, "Most"))
    assert len(pieces) == len(whole) == len(blocks.blocks)
    assert ((pieces > 0.5) == (whole > 0.5)).mean() > 0.9


@pytest.mark.parametrize(
    "html",
    [lambda n: "<p>" + "word " * (20 * n), lambda n: "<table>" + "<tr><td>a<td>b" * n + "</table>"],
    ids=["prose", "table"],
)
def test_time_grows_with_the_page_and_no_faster(html):
    def seconds(n):
        blocks = blocks_of(LexborHTMLParser(html(n)))
        taken = []
        for _ in range(3):
            start = time.process_time()
            main_content(blocks)
            taken.append(time.process_time() - start)
        return min(taken)

    seconds(100)
    # A busy machine may take twice the time for one of both; if it grew with the square, it were a hundred times.
    assert seconds(50_000) < 40 * max(seconds(5_000), 0.002)
