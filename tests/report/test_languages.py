"""The report in the languages of the interface, and in the direction in which each is written."""

import pytest
from marks import CODE, marking, unmarked

from corpulyzer.report import stored_page

# In the process that has the corpora already.
pytestmark = pytest.mark.xdist_group("tests/report/test_report.py")


def test_every_word_of_a_report_is_in_the_catalogue(corpora):
    with marking():
        page = stored_page(corpora["one_site"], CODE)
    assert f'<html lang="{CODE}" dir="rtl">' in page
    found = sorted(unmarked(page))
    assert not found, "\n".join(found)
