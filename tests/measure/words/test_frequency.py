"""The word list: uses, documents, sites, dispersion, and what in it is no word."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent))

from made_corpus import Made, bench_of

from corpulyzer.measure.text.counts import text_counts
from corpulyzer.measure.words.frequency import measure, no_words, top_words

PAGES = [
    Made(["kuća je kuća je kuća", "more je more"], site="a.hr"),
    Made(["kuća je more i more i more"], site="b.hr"),
    Made(["selo selo selo selo"], site="c.hr"),
]


def deviation_of_proportions(uses, sizes):
    """Gries' DP of a word with `uses` in parts of these `sizes`, as it is defined."""
    used, size = sum(uses), sum(sizes)
    return sum(abs(here / used - part / size) for here, part in zip(uses, sizes, strict=True)) / 2


def test_uses_documents_and_sites_of_a_word(engine, tmp_path):
    bench = bench_of(tmp_path, engine, PAGES)
    rows = {row["word"]: row for row in top_words(bench, text_counts(bench))}
    more = rows["more"]
    assert (more["tokens"], more["documents"], more["sites"]) == (5, 2, 2)
    assert more["per_million"] == 5e6 / 19
    assert [row["rank"] for row in rows.values()] == list(range(1, 6))


def test_dispersion_is_gries_dp_over_sites(engine, tmp_path):
    bench = bench_of(tmp_path, engine, PAGES)
    rows = {row["word"]: row["dispersion"] for row in top_words(bench, text_counts(bench))}
    sizes = [8, 7, 4]
    assert rows["more"] == pytest.approx(deviation_of_proportions([2, 3, 0], sizes))
    assert rows["je"] == pytest.approx(deviation_of_proportions([3, 1, 0], sizes))
    assert rows["selo"] == pytest.approx(1 - 4 / 19)


def test_a_word_spread_like_the_text_has_no_dispersion(engine, tmp_path):
    pages = [Made(["riječ ovo ono"], site=f"{n}.hr") for n in range(5)]
    bench = bench_of(tmp_path, engine, pages)
    assert {row["dispersion"] for row in top_words(bench, text_counts(bench))} == {0.0}


def test_sums_of_sites_are_kept_when_pages_come_and_made_anew_when_words_do(engine, tmp_path):
    """The spread of words is as if all had been summed now, whether an earlier sum holds or not."""
    lasting, files = str(tmp_path / "lasting"), []
    some = [Made(["kuća kuća kuća je more"], site="a.hr", name="more")]
    steps = [PAGES * 4, PAGES * 4 + some, [*PAGES * 4, *some, Made(["novo " * 40], site="d.hr", name="new")]]
    for number, pages in enumerate(steps):
        own = [replace(page, name=f"{place}") for place, page in enumerate(pages)]
        bench = bench_of(tmp_path / f"{number}", engine, own, files=len(own), lasting=lasting)
        fresh = bench_of(tmp_path / f"fresh{number}", engine, own, files=len(own))
        assert top_words(bench, text_counts(bench), 2) == top_words(fresh, text_counts(fresh), 2)
        files.append({file.name for file in (tmp_path / "lasting" / "text" / "by_site").glob("*.parquet")})
    assert files[0] == files[1] != files[2] and all(len(each) == 1 for each in files)


def test_numbers_and_markup_among_frequent_words_are_listed(engine, tmp_path):
    words, none = measure(bench_of(tmp_path, engine, ["2021 2021 2021 nbsp nbsp kuća вода"]))
    found = {row["kind"]: row["examples"] for row in none.rows.to_pylist()}
    assert found == {"number": ["2021"], "markup": ["nbsp"], "foreign letters": ["вода"]}
    assert none.rows.column("tokens_share").to_pylist()[:1] != [0.0]
    assert words.svg() and none.svg()
    assert "75.0%" in none.summary


def test_the_share_of_no_words_is_of_the_words_looked_at():
    rows = [{"word": str(n), "tokens": 10, "no_word": "number" if n < 2 else ""} for n in range(8)]
    (found,) = no_words(rows, [4])
    assert (found["types_share"], found["tokens_share"]) == (0.5, 0.5)


def test_order_of_documents_changes_nothing(engine, tmp_path):
    named = [Made(page.paragraphs, page.site, name=f"p{n}") for n, page in enumerate(PAGES)]
    one = measure(bench_of(tmp_path / "1", engine, named))[0].rows
    two = measure(bench_of(tmp_path / "2", engine, named[::-1], files=2))[0].rows
    assert one.equals(two)


def test_an_empty_corpus_has_an_empty_list(engine, tmp_path):
    words, none = measure(bench_of(tmp_path, engine, []))
    assert words.rows.num_rows == none.rows.num_rows == 0
    assert words.svg() is None
