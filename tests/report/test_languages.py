"""The report in the languages of the interface, and in the direction in which each is written."""

from marks import CODE, marking, unmarked

from corpulyzer.report import stored_page


def test_every_word_of_a_report_is_in_the_catalogue(corpora):
    with marking():
        page = stored_page(corpora["one_site"], CODE)
    assert f'<html lang="{CODE}" dir="rtl">' in page
    found = sorted(unmarked(page))
    assert not found, "\n".join(found)
