"""The report in the languages of the interface, and in the direction in which each is written."""

import pyarrow as pa
import pytest
from marks import CODE, marking, unmarked

from corpulyzer.interface.catalogue import speaking
from corpulyzer.measure.result import Result
from corpulyzer.report import stored_page
from corpulyzer.report.figure import page_figure

# In the process that has the corpora already.
pytestmark = pytest.mark.xdist_group("tests/report/test_report.py")


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
