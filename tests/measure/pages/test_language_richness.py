"""Language share, richness of sites, other languages, coverage (CZ-27, 28, 41 to 44)."""

import random

import pytest
from benches import bench, by_name, page

from corpulyzer.measure.pages.language_richness import coverage, measure, median, site_richness
from corpulyzer.measure.pages.rows import MICRO
from corpulyzer.measure.sites.rows import SiteRow, by_richness
from corpulyzer.records import Paragraph, drop


def site(name, richness, kept=1, size=100, pages=None, read=None):
    shares = round(richness * MICRO) * kept
    read_shares = shares if read is None else round(read * MICRO) * (pages or kept)
    read_pages = pages or kept
    return SiteRow(name, read_pages, kept, read_shares, shares, *[size] * 4, kept, read_pages, shares)


def shares_of(engine, folder, shares):
    documents = [
        page(
            f"http://a.example/{n}",
            text_bytes=1500,  # five hundred lines in two columns: their breaks are no content
            languages={
                "urd": round(10 * share),
                "eng": 600 - round(6 * share),
                "und": 400 - round(4 * share),
            },
            target_bytes=round(10 * share),
        )
        for n, share in enumerate(shares)
    ]
    rows = by_name(measure(bench(engine, folder, documents)))["language_share"].rows.to_pylist()
    return [each["pages"] for each in rows if each["of"] == "corpus"]


def test_shares_fall_into_bins_that_end_where_the_next_begins_cz_42(engine, tmp_path):
    assert shares_of(engine, tmp_path, [0, 49.9, 50, 79.9, 80, 89.9, 90, 94.9, 95, 100]) == [2, 2, 2, 2, 2]


def test_a_page_without_text_has_no_share(engine, tmp_path):
    documents = [page("http://a.example/", text_bytes=0, target_bytes=0)]
    rows = by_name(measure(bench(engine, tmp_path, documents)))["language_share"].rows.to_pylist()
    assert sum(each["pages"] for each in rows) == 0


def test_paragraphs_that_were_taken_out_count_in_the_share_hr_8(engine, tmp_path):
    """By hand: 60 of 100 bytes, all of 100, and none of 50 on a page of which nothing is left."""
    documents = [
        page("http://a.example/1", languages={"urd": 60}, target_bytes=60, scores={"other_bytes": 40.0}),
        page("http://a.example/2", languages={"urd": 100}),
        page("http://b.example/", languages={}, text_bytes=0, target_bytes=0, scores={"other_bytes": 50.0},
             verdict=drop("main_language", "eng")),
    ]  # fmt: skip
    found = by_name(measure(bench(engine, tmp_path, documents)))
    rows = found["language_share"].rows.to_pylist()
    for name in ("pages", "pages_by_tokens"):
        assert [each[name] for each in rows if each["of"] == "read"] == [1, 1, 0, 0, 1]
    assert found["site_richness"].facts["median"] == pytest.approx(0.8)
    assert found["site_richness"].facts["read_median"] == pytest.approx(0.4)


def two_languages(url, *paragraphs, **more):
    """A page of paragraphs in Urdu, English, or both with so many bytes of each."""
    text = "\n".join(words for words, _ in paragraphs)
    spans, start = [], 0
    for words, languages in paragraphs:
        main = max(languages, key=languages.get)
        spans.append(Paragraph(start, start + len(words), "p", main, 1.0, languages))
        start += len(words) + 1
    sizes = {code: sum(each.get(code, 0) for _, each in paragraphs) for code in ("urd", "eng")}
    known = {"text": text, "paragraphs": tuple(spans), "languages": sizes}
    return page(url, **known, text_bytes=sum(sizes.values()), target_bytes=sizes["urd"], **more)


def test_the_share_by_tokens_counts_words_where_that_by_bytes_counts_letters_cz_27(engine, tmp_path):
    """By hand: 3 of 6 words, but 12 of 15 bytes; a paragraph of 4 words, half of it Urdu, has 2 Urdu words."""
    documents = [
        two_languages("http://a.example/1", ("اب پج تث", {"urd": 12}), ("a b c", {"eng": 3})),
        two_languages("http://a.example/2", ("one two تین چار", {"urd": 10, "eng": 10})),
        two_languages("http://a.example/3", ("ایک دو", {"urd": 9})),
        page("http://a.example/4", text="", text_bytes=0, target_bytes=0, tokens=0, verdict=drop("no_text")),
    ]
    found = by_name(measure(bench(engine, tmp_path, documents)))
    rows = [each for each in found["language_share"].rows.to_pylist() if each["of"] == "read"]
    assert [each["pages"] for each in rows] == [0, 1, 1, 0, 1]
    assert [each["pages_by_tokens"] for each in rows] == [0, 2, 0, 0, 1]
    values = {each["of"]: each["richness"] for each in found["site_richness"].rows.to_pylist()}
    assert values["corpus, shares by tokens"] == pytest.approx((0.5 + 0.5 + 1) / 3)
    assert values["read"] == pytest.approx((0.8 + 0.5 + 1) / 3) == values["corpus"]


def test_pages_without_text_are_in_neither_table_of_what_was_read(engine, tmp_path):
    empty = {"text_bytes": 0, "target_bytes": 0, "verdict": drop("no_text")}
    documents = [
        page("http://a.example/1"),
        page("http://a.example/2", **empty),
        page("http://b.example/", **empty),
    ]
    found = by_name(measure(bench(engine, tmp_path, documents)))
    shares = [each for each in found["language_share"].rows.to_pylist() if each["of"] == "read"]
    assert sum(each["pages"] for each in shares) == 1
    read = [each for each in found["site_richness"].rows.to_pylist() if each["of"] == "read"]
    assert [(each["richness"], each["share"]) for each in read] == [(1.0, 1.0)]


def test_richness_is_the_unweighted_mean_of_the_pages_shares_cz_28(engine, tmp_path):
    documents = [
        page("http://a.example/1", text_bytes=10, target_bytes=10),
        page("http://a.example/2", text_bytes=990, target_bytes=495),
        page("http://a.example/3", text_bytes=100, target_bytes=0, verdict=drop("content_size")),
    ]
    found = by_name(measure(bench(engine, tmp_path, documents)))["site_richness"]
    values = {each["of"]: each["richness"] for each in found.rows.to_pylist()}
    assert values["corpus"] == pytest.approx(0.75)
    assert values["read"] == pytest.approx(0.5)
    assert values["corpus, weighted by bytes"] == pytest.approx(505 / 1000)


def test_the_curve_ends_at_one_and_the_median_of_the_paper_is_found_cz_41():
    """Medians of 8 % before and 70 % after the filters, as Fig. 7b has them."""
    sites = [site(f"s{n}", after, read=before, pages=1) for n, (before, after) in enumerate(
        [(0.01, 0.2), (0.05, 0.6), (0.08, 0.7), (0.4, 0.9), (0.9, 0.99)])]  # fmt: skip
    found = site_richness(sites)
    assert found.facts["read_median"] == pytest.approx(0.08) and found.facts["median"] == pytest.approx(0.7)
    assert [each["share"] for each in found.rows.to_pylist() if each["of"] == "corpus"] == [
        0.2,
        0.4,
        0.6,
        0.8,
        1.0,
    ]
    assert median([]) is None


def test_a_page_counts_for_every_language_that_is_on_it_cz_43(engine, tmp_path):
    documents = [
        page("http://a.example/1", languages={"urd": 90, "eng": 10}),
        page("http://a.example/2", languages={"urd": 100}),
        page("http://a.example/3", languages={"eng": 100}, verdict=drop("content_size")),
    ]
    found = by_name(measure(bench(engine, tmp_path, documents)))["language_presence"]
    rows = {
        each["language"]: (each["pages"], each["share"], each["bytes"]) for each in found.rows.to_pylist()
    }
    assert rows == {"urd": (2, 1.0, 190), "eng": (1, 0.5, 10)}
    assert "English" in found.summary


def test_text_of_no_known_language_is_no_language_and_rare_ones_are_added_up_cz_43(engine, tmp_path):
    rare = [f"q{first}{second}" for first in "ab" for second in "abcdefgh"]
    documents = [
        page("http://a.example/1", languages={"urd": 90, "und": 30, "eng": 10}),
        page("http://a.example/2", languages={"urd": 80, "und": 20}),
        page("http://a.example/3", languages={"urd": 84, **dict.fromkeys(rare, 1)}),
    ]
    found = by_name(measure(bench(engine, tmp_path, documents)))["language_presence"]
    rows = found.rows.to_pylist()
    assert "English" in found.summary and found.facts["languages"] == 2 + len(rare)
    assert "und" not in {each["language"] for each in rows} and len(rows) == 16
    assert (rows[-1]["name"], rows[-1]["pages"], rows[-1]["bytes"]) == ("Other", 3, 3)
    assert sum(each["bytes_share"] for each in rows) == pytest.approx(1)


def test_coverage_follows_richness_and_breaks_ties_by_bytes_and_name_cz_44():
    sites = [
        site("poor", 0.2, size=700),
        site("b", 0.9, size=100),
        site("a", 0.9, size=100),
        site("c", 0.9, size=200),
    ]
    assert [each.site for each in by_richness(sites)] == ["c", "a", "b", "poor"]
    rows = coverage(sites).rows.to_pylist()
    size = {each["sites"]: each["coverage"] for each in rows if each["of"] == "bytes of the language"}
    assert size == {1: pytest.approx(2 / 11), 2: pytest.approx(3 / 11), 3: pytest.approx(4 / 11), 4: 1.0}


def test_the_printed_coverage_points_of_the_paper_are_among_the_points():
    """Fig. 8a: 500 sites 87 % of bytes, 1,000 95 %, 3,000 97 %."""
    sizes = {500: 0.87, 1_000: 0.95, 3_000: 0.97, 6_590: 1.0}
    sites, before = [], (0, 0.0)
    for last, share in sizes.items():
        each = (share - before[1]) / (last - before[0])
        sites += [site(f"{n:05d}", 1 - n / 10_000, size=round(each * 10**9)) for n in range(before[0], last)]
        before = (last, share)
    rows = coverage(sites).rows.to_pylist()
    found = {each["sites"]: each["coverage"] for each in rows if each["of"] != "pages"}
    assert {n: round(found[n], 2) for n in sizes} == sizes


def test_shuffled_documents_give_equal_rows(engine, tmp_path):
    documents = [
        page(f"http://s{n % 3}.example/{n}", target_bytes=n, languages={"urd": n + 1, "eng": 3})
        for n in range(9)
    ]
    one = measure(bench(engine, tmp_path / "one", documents))
    other = measure(bench(engine, tmp_path / "two", random.Random(5).sample(documents, 9), parts=2))
    assert [each.to_json() for each in one] == [each.to_json() for each in other]


def test_a_doubled_corpus_has_the_same_shares(engine, tmp_path):
    documents = [page(f"http://s{n % 2}.example/{n}", target_bytes=10 * n) for n in range(8)]
    again = [page(each.url + "?again", target_bytes=each.target_bytes) for each in documents]
    one = by_name(measure(bench(engine, tmp_path / "one", documents)))
    two = by_name(measure(bench(engine, tmp_path / "two", [*documents, *again])))
    for name in ("language_share", "site_richness", "coverage"):
        key = "coverage" if name == "coverage" else "share"
        assert one[name].rows.column(key).to_pylist() == pytest.approx(two[name].rows.column(key).to_pylist())


@pytest.mark.parametrize("documents", [[], [page("http://a.example/", verdict=drop("length"))]])
def test_corpora_without_kept_pages_say_so(engine, tmp_path, documents):
    found = by_name(measure(bench(engine, tmp_path, documents)))
    assert found["site_richness"].summary == "No site has a page in the corpus."
    assert all(result.summary for result in found.values())
