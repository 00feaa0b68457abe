"""Licenses by language, macro and pooled shares (C4-13, C4-14)."""

import random
from dataclasses import replace

import pytest
from benches import bench, by_name, page

from corpulyzer.language import Language
from corpulyzer.measure.licenses.by_language import cc_shares, crosstab, measure
from corpulyzer.records import drop

DECLARED = {"license": "cc-by", "license_basis": "declared"}
LINKED = {"license": "cc-by-sa", "license_basis": "text"}
DOCUMENTS = [
    page("http://a.example/1", **DECLARED, text="one two\nthree  four five", tokens=5),
    page("http://a.example/2"),
    page("http://a.example/3", **LINKED),
    page(
        "http://b.example/1",
        language="eng",
        **DECLARED,
        text="six words in a foreign language",
        verdict=drop("content_size"),
        tokens=0,
    ),
    page("http://b.example/2", language="eng", verdict=drop("content_size"), tokens=0),
    page("http://b.example/3", language="eng", text_bytes=0, **DECLARED),
]


def test_documents_are_counted_by_language_and_license_after_the_vote_c4_13(engine, tmp_path):
    found = by_name(measure(bench(engine, tmp_path, DOCUMENTS)))
    rows = {each["language"]: each for each in found["licenses"].rows.to_pylist()}
    assert (rows["Urdu"]["cc_by"], rows["Urdu"]["licensed"], rows["Urdu"]["none"]) == (1, 1, 2)
    assert "cc_by_sa" not in rows["Urdu"], "one page that links to a license is not licensed by it"
    assert (rows["English"]["licensed"], rows["English"]["none"]) == (1, 1)
    assert (rows["Urdu"]["tokens_licensed"], rows["English"]["tokens_licensed"]) == (5, 6), (
        "of the same documents"
    )
    assert found["licenses"].facts["pooled_share"] == pytest.approx(1 / 3), "of what is kept"


def test_documents_of_unsure_language_are_in_none_and_kept_ones_have_a_column_c4_21(engine, tmp_path):
    """By hand: of three licensed pages that look like Urdu one is not sure enough, and one is a copy."""
    unsure = drop("main_language", "unk")
    documents = [
        page("http://a.example/1", **DECLARED, text="one two"),
        page("http://a.example/2", **DECLARED, text="one two", verdict=drop("duplicate")),
        page("http://a.example/3", **DECLARED, text="un deux trois", verdict=unsure),
        page("http://a.example/4", verdict=unsure),
        page("http://a.example/5", language="eng", **DECLARED, verdict=drop("main_language", "eng")),
    ]
    found = by_name(measure(bench(engine, tmp_path, documents)))["licenses"]
    names = ("licensed", "none", "tokens_licensed", "licensed_kept")
    rows = {each["language"]: tuple(each[name] for name in names) for each in found.rows.to_pylist()}
    assert rows == {"Urdu": (2, 0, 4, 1), "undetermined": (1, 1, 3, 0), "English": (1, 0, 1, 0)}


def test_of_several_languages_there_is_a_table_of_what_is_kept_as_table_7(engine, tmp_path):
    """By hand: of two licensed pages in Urdu one is a copy; the one in English is kept, with two tokens."""
    documents = [
        page("http://a.example/1", **DECLARED, text="one two three"),
        page("http://a.example/2", **DECLARED, text="one two three", verdict=drop("duplicate")),
        page("http://a.example/3", language="eng", license="cc0", license_basis="declared", text="one two"),
        page("http://a.example/4", language="eng", text="three"),
        page("http://a.example/5", language="hrv", **DECLARED, verdict=drop("other_language", "hrv")),
    ]
    of_one = bench(engine, tmp_path, documents)
    assert "licenses_kept" not in by_name(measure(of_one))
    found = by_name(measure(replace(of_one, language=Language("mul", "two languages"))))["licenses_kept"]
    names = ("cc_by", "cc0", "licensed", "none", "tokens_licensed")
    rows = {each["language"]: tuple(each[name] for name in names) for each in found.rows.to_pylist()}
    assert rows == {"Urdu": (1, 0, 1, 0, 3), "English": (0, 1, 1, 1, 2)}


def test_the_printed_row_of_table_4_adds_up():
    """English: 19195+4036+13911+18243+1550+101203+1469+658 = 160265."""
    kinds = (
        "cc0",
        "cc-by",
        "cc-by-sa",
        "cc-by-nd",
        "cc-by-nc",
        "cc-by-nc-sa",
        "cc-by-nc-nd",
        "cc-unspecified",
    )
    counts = (19195, 4036, 13911, 18243, 1550, 101203, 1469, 658)
    found = [
        {"site": "s", "language": "eng", "license": kind, "documents": n, "tokens": 0, "kept": 0}
        for kind, n in zip(kinds, counts, strict=True)
    ]
    totals = [{"language": "eng", "documents": 200_000, "kept": 0, "tokens": 0}]
    assert crosstab(found, totals, "urd").rows.to_pylist()[0]["licensed"] == 160_265


def test_the_macro_share_is_not_the_pooled_one_c4_14():
    found = cc_shares({"big": (10, 1000), "small": (5, 10)})
    assert found["macro"] == pytest.approx(0.255) and found["pooled"] == pytest.approx(15 / 1010)
    assert found["deviation"] == pytest.approx(0.3465, abs=1e-4), "of a sample, over n - 1"
    with_unknown = cc_shares({"big": (10, 1000), "und": (990, 1000)})
    assert (with_unknown["macro"], with_unknown["pooled"]) == (pytest.approx(0.01), pytest.approx(0.5))
    assert cc_shares({}) == {"pooled": None, "macro": None, "deviation": None}


def test_shuffled_documents_give_equal_rows(engine, tmp_path):
    one = measure(bench(engine, tmp_path / "1", DOCUMENTS))
    other = measure(bench(engine, tmp_path / "2", random.Random(7).sample(DOCUMENTS, 6), parts=3))
    assert [each.to_json() for each in one] == [each.to_json() for each in other]


def test_an_empty_corpus_and_one_without_licenses_say_so(engine, tmp_path):
    empty = by_name(measure(bench(engine, tmp_path / "1", [])))
    assert empty["licenses"].summary == "No document has text."
    bare = by_name(measure(bench(engine, tmp_path / "2", [page("http://a.example/")])))
    assert bare["site_licenses"].summary == "No page names a license." and bare["licenses"].spec is None
