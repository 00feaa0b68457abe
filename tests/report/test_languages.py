"""The report in the languages of the interface, and in the direction in which each is written."""

import pyarrow as pa
import pytest
from marks import CODE, marking, unmarked

from corpulyzer.interface.catalogue import speaking
from corpulyzer.jobs.analyze.run import Measured
from corpulyzer.measure.panels import Panel
from corpulyzer.measure.result import Result
from corpulyzer.report import stored_page
from corpulyzer.report.about import About
from corpulyzer.report.figure import page_figure
from corpulyzer.report.page import page

# In the process that has the corpora already.
pytestmark = pytest.mark.xdist_group("tests/report/test_report.py")
ABOUT = About("spletni", "slv", "Slovenian", "slovenščina", "ltr", "0.1.0", "1 May 2026", tag="sl")


def test_every_word_of_a_report_is_in_the_catalogue(corpora):
    with marking():
        page = stored_page(corpora["one_site"], CODE)
    assert f'<html lang="{CODE}" dir="rtl">' in page
    found = sorted(unmarked(page))
    assert not found, "\n".join(found)


def test_categories_of_a_figure_are_translated_and_keep_their_order():
    texts = ["whole pages", "target paragraphs"]
    axis = {"field": "text", "type": "nominal", "sort": texts}
    rows = pa.table({"text": texts, "words": [2, 1]})
    result = Result("vocabulary", "Vocabulary", "", "", rows, spec={"mark": "bar", "encoding": {"x": axis}})
    with speaking("de"):
        figure = page_figure(result)
    told = ["ganze Seiten", "Absätze der Sprache"]
    assert figure["encoding"]["x"] == {"field": "text", "type": "nominal", "sort": told}
    assert [row["text"] for row in figure["data"]["values"]] == told


def test_words_of_the_corpus_are_not_translated():
    """Slovene has a word `to`, which is one of ours, too."""
    rows = pa.table({"word": ["to", "in"], "kind": ["word", "word"], "count": [2, 1]})
    axis = {"field": "word", "type": "nominal", "sort": ["to", "in"]}
    result = Result("frequent", "Frequent", "", "", rows, spec={"mark": "bar", "encoding": {"x": axis}})
    with speaking("de"):
        figure = page_figure(result)
        text = page(ABOUT, [Measured(Panel("p", "Section", ""), (result,))], script=str)
    assert [row["word"] for row in figure["data"]["values"]] == ["to", "in"]
    assert {row["kind"] for row in figure["data"]["values"]} == {"Wort"}
    assert figure["encoding"]["x"]["sort"] == ["to", "in"]
    assert '<td dir="auto">to</td>' in text and '<td dir="auto">bis</td>' not in text
