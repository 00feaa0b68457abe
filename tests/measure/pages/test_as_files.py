"""Depth, types, charsets and sizes of pages (CZ-19, 36, 40, 52; C4-17)."""

import random

import pytest
from benches import bench, by_name, fetch_of, page

from corpulyzer.measure.pages.as_files import measure
from corpulyzer.measure.pages.rows import size_step, step_size
from corpulyzer.records import drop

DOCUMENTS = [
    page("http://a.example/", raw_bytes=1_000),
    page("http://a.example/x/y.html?q=/z", raw_bytes=2_000),
    page("http://a.example/x/z.html", raw_bytes=4_000, verdict=drop("length"), charset="windows-1256"),
    page("http://b.example/long", raw_bytes=2_000_000, target_bytes=7),
]


def test_depth_is_the_number_of_segments_and_the_deepest_is_told_cz_19(engine, tmp_path):
    found = by_name(measure(bench(engine, tmp_path, DOCUMENTS)))["url_depth"]
    rows = {each["depth"]: (each["pages"], each["kept"]) for each in found.rows.to_pylist()}
    assert rows == {0: (1, 1), 1: (1, 1), 2: (2, 1)}
    assert found.facts["deepest"] == 2 and "(3 by counting slashes" in found.summary


def test_types_come_with_sizes_and_robots_txt_is_no_page_c4_17(engine, tmp_path):
    fetches = [
        *map(fetch_of, DOCUMENTS),
        fetch_of(page("http://a.example/robots.txt", mime="text/plain"), purpose="robots"),
        fetch_of(page("http://a.example/p.png", mime="image/png", raw_bytes=500)),
        fetch_of(page("http://a.example/gone", mime="text/html"), outcome="http_error"),
    ]
    rows = by_name(measure(bench(engine, tmp_path, DOCUMENTS, fetches)))["mime"].rows.to_pylist()
    assert [(each["mime"], each["pages"]) for each in rows] == [("text/html", 4), ("image/png", 1)]
    assert rows[0]["share"] == 0.8 and rows[1]["bytes"] == 500


def test_charsets_are_those_that_pages_were_decoded_from(engine, tmp_path):
    rows = by_name(measure(bench(engine, tmp_path, DOCUMENTS)))["charset"].rows.to_pylist()
    assert {each["charset"]: each["pages"] for each in rows} == {"utf-8": 3, "windows-1256": 1}


def test_the_curve_of_sizes_falls_from_one_cz_40(engine, tmp_path):
    found = by_name(measure(bench(engine, tmp_path, DOCUMENTS)))["html_size"]
    curve = [(each["bytes"], each["share"]) for each in found.rows.to_pylist() if each["of"] == "read"]
    assert [share for _, share in curve] == [1.0, 0.75, 0.5, 0.25]
    for (edge, _), size in zip(curve, [1_000, 2_000, 4_000, 2_000_000], strict=True):
        assert edge <= size < edge * 2 ** (1 / 8) + 1, (
            "each point stands at most an eighth of a doubling below"
        )


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1023, 1024, 1025, 10**6, 2**40 - 1])
def test_a_size_is_never_below_its_step(size):
    assert step_size(size_step(size)) <= size < step_size(size_step(size) + 1)


def test_pages_above_a_megabyte_are_listed_cz_52(engine, tmp_path):
    found = by_name(measure(bench(engine, tmp_path, DOCUMENTS)))["large_pages"]
    assert [each["url"] for each in found.rows.to_pylist()] == ["http://b.example/long"]
    assert found.facts["pages"] == 1


def test_shuffled_documents_give_equal_rows(engine, tmp_path):
    one = measure(bench(engine, tmp_path / "one", DOCUMENTS))
    other = measure(bench(engine, tmp_path / "two", random.Random(3).sample(DOCUMENTS, 4), parts=2))
    assert [each.to_json() for each in one] == [each.to_json() for each in other]


@pytest.mark.parametrize("documents", [[], [page("http://a.example/", verdict=drop("length"))]])
def test_corpora_without_kept_pages_say_so(engine, tmp_path, documents):
    found = by_name(measure(bench(engine, tmp_path, documents)))
    assert found["url_depth"].summary == "No page is kept."
    assert all(result.summary for result in found.values())
