"""Overlap, churn, combinations, numbers side by side (CZ-20, 21, 37, 38, 49)."""

import random
from dataclasses import replace

import pytest
from benches import bench, by_name, page, stored

from corpulyzer.measure.compare.distributions import distributions, language_presence
from corpulyzer.measure.compare.overlap import Overlap, overlap
from corpulyzer.measure.compare.side_by_side import churn, jaccard, overlaps, related, side_by_side
from corpulyzer.measure.compare.sites import say_what_sites_are, site_overlap
from corpulyzer.measure.pages.as_files import measure as web
from corpulyzer.measure.pages.language_richness import measure as richness
from corpulyzer.measure.pages.language_richness import presence
from corpulyzer.measure.sites.overview import measure as sites
from corpulyzer.records import KEEP, Document, drop
from corpulyzer.url import site_of


def sets_of(folder, **urls):
    """A set of documents for each name, of pages at these numbers."""
    return {
        name: (
            stored(folder, name, [page(f"http://s{n}.example/") for n in numbers], Document),
            "verdict.kept",
        )
        for name, numbers in urls.items()
    }


def test_the_printed_churn_of_the_paper_cz_21():
    """|A| = 100, |A ∩ B| = 70: 30 %; B has 20 more, so back it is 2 of 9."""
    found = Overlap(("a", "b"), {1: 30, 2: 20, 3: 70})
    assert found.churn(0, 1) == pytest.approx(0.3) and found.churn(1, 0) == pytest.approx(2 / 9)
    rows = churn(found).rows.to_pylist()
    assert rows[0]["dropped_share"] == pytest.approx(0.3) and rows[1]["dropped_share"] is None


def test_the_printed_overlap_of_the_paper_cz_38():
    """UrduWeb20 ∩ CC19 = 101 K = 31.2 % of CC19, so CC19 has about 323.7 K."""
    found = Overlap(("urduweb20", "cc19"), {1: 7_904_000, 2: 222_718, 3: 101_000})
    assert round(100 * (1 - found.churn(1, 0)), 1) == 31.2


def test_jaccard_is_of_the_union_and_nothing_of_nothing_cz_20(engine, tmp_path):
    found = overlap(engine, sets_of(tmp_path, a=[1, 2, 3], b=[2, 3, 4, 5], c=[]), "url_id")
    assert found.jaccard(0, 1) == pytest.approx(2 / 5) == found.jaccard(1, 0)
    assert (found.jaccard(0, 0), found.jaccard(0, 2), found.jaccard(2, 2)) == (1.0, 0.0, 0.0)
    rows = jaccard(found, "pages").rows.to_pylist()
    assert len(rows) == 9 and next(r["shared"] for r in rows if (r["a"], r["b"]) == ("a", "b")) == 2


def test_every_combination_has_its_inclusive_and_exclusive_count_cz_38(engine, tmp_path):
    sets = sets_of(tmp_path, a=[1, 2, 3, 4], b=[2, 3, 4], c=[3, 4, 5], d=[4])
    rows = overlaps(overlap(engine, sets, "url_id"), "pages").rows.to_pylist()
    counts = {each["combination"]: (each["inclusive"], each["exclusive"]) for each in rows}
    assert len(counts) == 11, "2^4 - 1 - 4 combinations of four sets, all of which share page 4"
    assert counts["a ∩ b"] == (3, 1) and counts["a ∩ b ∩ c"] == (2, 1) and counts["a ∩ b ∩ c ∩ d"] == (1, 1)
    assert counts["c ∩ d"] == (1, 0)


def test_sites_that_return_were_there_before_but_not_just_before_cz_37():
    found = Overlap(("1", "2", "3"), {0b101: 4, 0b110: 3, 0b111: 2, 0b100: 1})
    assert found.returned(2) == pytest.approx(0.4) and found.returned(1) is None
    assert churn(found).rows.to_pylist()[2]["returned_share"] == pytest.approx(0.4)


def test_hosts_are_not_compared_with_registered_domains(engine, tmp_path):
    """By hand: of a's domains two, by three hosts, and b's two one is shared; without a level in common none is."""
    hosts = [page(f"http://{host}/") for host in ("news.a.example.com", "blog.example.com", "c.example.org")]
    domains = [
        page("http://www.example.com/1"), page("http://x.example.net/"), page("http://example.edu/", verdict=drop("x"))
    ]  # fmt: skip
    domains = [replace(each, site=site_of(each.url, "registered")) for each in domains]
    benches = {
        "a": bench(engine, tmp_path / "a", hosts, site_level="host"),
        "b": bench(engine, tmp_path / "b", domains, site_level="registered"),
    }
    found = site_overlap(benches)
    assert (found.size(0), found.size(1), found.size(0, 1)) == (2, 2, 1)
    results = [churn(found), overlaps(found, "pages")]
    said = [each.definition for each in say_what_sites_are(results, benches, ["churn"])]
    assert "in a hosts, in b registered domains" in said[0] and said[1] == results[1].definition
    alike = {"a": benches["a"], "c": bench(engine, tmp_path / "c", hosts[:2], site_level="host")}
    assert (site_overlap(alike).size(0), site_overlap(alike).size(0, 1)) == (3, 2)
    assert say_what_sites_are(results, alike, ["churn"]) == results


def test_dropped_documents_and_copies_of_an_address_do_not_count(engine, tmp_path):
    documents = [
        page("http://a.example/"),
        page("http://a.example/", number=1),
        page("http://b.example/", verdict=drop("x")),
    ]
    sets = {"a": (stored(tmp_path, "a", documents, Document), "verdict.kept")}
    assert overlap(engine, sets, "url_id").masks == {1: 1}


def test_order_and_partition_make_no_difference(engine, tmp_path):
    numbers = list(range(40))
    one = overlap(engine, sets_of(tmp_path / "1", a=numbers, b=numbers[10:]), "site")
    shuffled = random.Random(6).sample(numbers, 40)
    documents = stored(
        tmp_path / "2", "a", [page(f"http://s{n}.example/") for n in shuffled], Document, parts=3
    )
    other = overlap(
        engine, {"a": (documents, "verdict.kept"), **sets_of(tmp_path / "2", b=numbers[10:])}, "site"
    )
    assert one == other


def test_numbers_stand_side_by_side_and_what_nobody_has_is_left_out():
    facts = {"a": {"funnel": {"documents": 3, "sites": 2}}, "b": {"funnel": {"documents": 5, "sites": 1}}}
    found = side_by_side(facts)
    assert found.rows.to_pylist()[0] == {"number": "documents", "a": 3.0, "b": 5.0}
    assert "yield" not in str(found.rows.to_pylist())


def results_of(engine, folder, documents):
    """The measures of a corpus that comparisons draw, by name, and the languages on its pages."""
    corpus = bench(engine, folder, documents)
    found = [*richness(corpus), *sites(corpus), *web(corpus)]
    rows, pages = presence(corpus)
    return by_name(found), ({row["language"]: row["pages"] for row in rows}, pages)


def made(site, number, size, share, **languages):
    known = {
        "raw_bytes": size,
        "text_bytes": 100,
        "target_bytes": share,
        "languages": languages or {"urd": share},
    }
    return page(
        f"http://{site}.example/{number}", **known, verdict=KEEP if share >= 50 else drop("content_size")
    )


@pytest.fixture
def compared(engine, tmp_path):
    """Two corpora. Of a: s1 has two pages of 100 % and 60 %, s2 one of 90 %, s3 one that is dropped. Of b: one."""
    a = [made("s1", 1, 1 << 10, 100), made("s1", 2, 1 << 20, 60, urd=60, eng=40)]
    a += [made("s2", 1, 1 << 12, 90, urd=90, ara=10), made("s3", 1, 10, 20, urd=20, eng=80)]
    b = [made("s1", 1, 1 << 11, 100)]
    both = {
        name: results_of(engine, tmp_path / name, documents) for name, documents in {"a": a, "b": b}.items()
    }
    found = {name: results for name, (results, _) in both.items()}
    return by_name(distributions(found, {name: counts for name, (_, counts) in both.items()}))


def test_sites_by_pages_stand_side_by_side_as_in_figure_6b(compared):
    rows = compared["compared_pages_per_site"].rows.to_pylist()
    shares = {(row["corpus"], row["pages"]): row["share"] for row in rows}
    assert (shares["a", "1"], shares["a", "2–9"], shares["b", "1"], shares["b", "2–9"]) == (
        0.5,
        0.5,
        1.0,
        0.0,
    )


def test_sizes_and_richness_are_drawn_over_each_other_as_in_figure_7(compared):
    """By hand: of a's three pages all have 1 KB, two 4 KB, one 1 MB; its sites have 80 % and 90 %, s3 20 % before."""
    sizes = [(r["corpus"], r["bytes"], r["share"]) for r in compared["compared_html_size"].rows.to_pylist()]
    assert sizes == [
        ("a", 1 << 10, 1.0), ("a", 1 << 12, pytest.approx(2 / 3)), ("a", 1 << 20, pytest.approx(1 / 3)), ("b", 1 << 11, 1.0)
    ]  # fmt: skip
    rows = compared["compared_site_richness"].rows.to_pylist()
    curves = {
        key: [(r["richness"], r["share"]) for r in rows if (r["corpus"], r["of"]) == key]
        for key in (("a", "corpus"), ("a", "read"), ("b", "corpus"))
    }
    assert curves["a", "corpus"] == [(0.8, 0.5), (0.9, 1.0)]
    assert curves["a", "read"] == [(0.2, pytest.approx(1 / 3)), (0.8, pytest.approx(2 / 3)), (0.9, 1.0)]
    assert curves["b", "corpus"] == [(1.0, 1.0)]
    for name in ("compared_pages_per_site", "compared_html_size", "compared_site_richness"):
        svg = compared[name].svg()
        assert svg.startswith("<svg") and ">a<" in svg and ">b<" in svg


def test_tables_7_and_8_have_columns_for_each_corpus_cz_42_cz_43(compared):
    table_7 = {row["language_share"]: row for row in compared["compared_language_share"].rows.to_pylist()}
    assert [row["a, read: pages"] for row in table_7.values()] == [1, 1, 0, 1, 1, 4]
    assert [row["a: pages"] for row in table_7.values()] == [0, 1, 0, 1, 1, 3]
    assert table_7["95–100%"]["b: share"] == 1.0 and table_7["total"]["a: share"] == pytest.approx(1)
    table_8 = {row["language"]: row for row in compared["compared_language_presence"].rows.to_pylist()}
    assert list(table_8) == ["Urdu", "Arabic", "English"]
    assert (table_8["English"]["a: pages"], table_8["English"]["a: share"]) == (1, pytest.approx(1 / 3))
    assert (table_8["English"]["b: pages"], table_8["Urdu"]["b: share"]) == (0, 1.0)


def test_languages_beyond_the_first_ten_are_added_up_as_other():
    pages = {f"q{letter}{other}": 1 for letter in "ab" for other in "abcdefg"}
    found = language_presence({"a": ({"urd": 9, **pages}, 9), "nothing": ({}, 0)}).rows.to_pylist()
    assert len(found) == 11 and found[-1]["language"] == "Other"
    assert (found[-1]["a: pages"], found[-1]["nothing: share"]) == (5, None)


def test_related_corpora_are_shown_as_they_were_written_down_cz_49():
    found = related([{"name": "COUNTER", "pages": 1200, "public": True, "analyses": ["Web", "NLP"]}])
    assert found.rows.to_pylist()[0] | {"purpose": ""} == {
        "name": "COUNTER", "purpose": "", "pages": "1,200", "tokens": "", "public": "yes", "urls": "", "analyses": "Web, NLP"
    }  # fmt: skip
