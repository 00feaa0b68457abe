"""Top sites, concentration, pages per site, noise by site, categories (CZ-39, 46, 50, 52; C4-16; XH-13, 27)."""

import math
import random

import pytest
from benches import bench, by_name, page

from corpulyzer.measure.sites.labels import labelled_sites
from corpulyzer.measure.sites.overview import (
    binned,
    concentration,
    gini,
    measure,
    noise_by_site,
    pages_per_site,
    top_sites,
    uneven,
)
from corpulyzer.measure.sites.rows import SiteRow, label_of
from corpulyzer.measure.sites.very_large import large_sites
from corpulyzer.records import drop

NOISE = drop("content_size")
DOCUMENTS = [
    page("http://news.example/1", target_bytes=100),
    page("http://news.example/2", target_bytes=50, languages={"urd": 50, "und": 50}),
    page("http://news.example/3", target_bytes=10, verdict=NOISE),
    page("http://ur.blogs.co.uk/1", target_bytes=100, text_bytes=400),
    page("http://www.blogs.co.uk/2", target_bytes=0, verdict=NOISE),
    page("http://shop.test/", target_bytes=0, verdict=NOISE),
]


def row(site, kept, pages=None, target=1):
    return SiteRow(site, pages or kept, kept, 0, 0, 0, target, 0, kept, int(target > 0), pages or kept, 0)


def test_top_sites_count_what_is_kept_with_shares_and_richness_cz_46(engine, tmp_path):
    found = by_name(measure(bench(engine, tmp_path, DOCUMENTS)))
    first, second = found["top_sites"].rows.to_pylist()
    assert (first["site"], first["pages"], first["target_bytes"]) == ("news.example", 2, 150)
    assert first["pages_share"] == pytest.approx(2 / 3) and first["bytes_share"] == pytest.approx(0.6)
    assert first["richness"] == pytest.approx(0.75), "the mean of 100 % and 50 %"
    assert (second["site"], second["richness"], second["richness_rank"]) == ("ur.blogs.co.uk", 0.25, 2)


def test_registered_domains_follow_the_public_suffix_list_c4_16(engine, tmp_path):
    found = by_name(measure(bench(engine, tmp_path, DOCUMENTS)))["top_domains"].rows.to_pylist()
    assert [each["site"] for each in found] == ["news.example", "blogs.co.uk"]


def test_the_order_by_bytes_differs_from_that_by_pages(engine, tmp_path):
    documents = [
        page("http://a.example/1"),
        page("http://a.example/2"),
        page("http://b.example/1", target_bytes=900),
    ]
    found = by_name(measure(bench(engine, tmp_path, documents)))
    assert [each["site"] for each in found["top_sites"].rows.to_pylist()] == ["a.example", "b.example"]
    assert [each["site"] for each in found["top_sites_by_bytes"].rows.to_pylist()] == [
        "b.example",
        "a.example",
    ]


def test_the_printed_shares_of_corpulyzer_table_9():
    """908,287 of 8,005,000 pages are 11.35 %, 648,737 are 8.1 %: shares are of all pages of the corpus."""
    from corpulyzer.measure.sites.overview import top_sites

    sites = [row("first", 908_287), row("second", 648_737), row("rest", 8_005_000 - 908_287 - 648_737)]
    shares = {each["site"]: each["pages_share"] for each in top_sites(sites, {}).rows.to_pylist()}
    assert round(100 * shares["first"], 2) == 11.35 and round(100 * shares["second"], 1) == 8.1


def test_the_printed_concentration_of_the_isixhosa_corpus():
    """XH-13: five sites hold 95.9 % of 202,646 pages."""
    top_5 = round(0.959 * 202_646)
    sizes = [top_5 - 4_000, 1_000, 1_000, 1_000, 1_000, *[97] * 85, 202_646 - top_5 - 85 * 97]
    found = uneven(sizes)
    assert found["share of the top 5"] == pytest.approx(0.959, abs=5e-4)


def test_equal_sites_are_not_concentrated_and_one_site_is_all():
    equal = uneven([7] * 8)
    assert equal["effective number of sites"] == pytest.approx(8) and equal["HHI"] == pytest.approx(1 / 8)
    assert equal["Gini coefficient"] == pytest.approx(0)
    alone = concentration([row("a.example", 9)])
    assert (
        alone.facts["effective_sites"] == pytest.approx(1)
        and "single site" in alone.summary
        and alone.warnings
    )


def test_the_effective_number_is_the_exponential_of_the_entropy():
    shares = [0.5, 0.25, 0.25]
    wanted = math.exp(-sum(p * math.log(p) for p in shares))
    assert uneven([2, 1, 1])["effective number of sites"] == pytest.approx(wanted)
    assert gini([1, 3]) == pytest.approx(0.25)


def test_concentration_does_not_depend_on_order_or_on_a_doubled_corpus():
    sizes = [1, 5, 9, 30]
    shuffled = random.Random(1).sample(sizes, 4)
    assert uneven(sizes) == uneven(shuffled)
    doubled = uneven([2 * size for size in sizes])
    assert doubled == pytest.approx(uneven(sizes))


def test_sites_fall_into_the_bins_of_the_paper_and_ten_thousand_is_not_over_cz_39():
    assert binned([1, 2, 9, 10, 999, 1_000, 10_000, 10_001]) == {
        "1": 1, "2–9": 2, "10–99": 1, "100–999": 1, "1k–10k": 2, "over 10k": 1
    }  # fmt: skip
    found = pages_per_site([row("a", 0, pages=3), row("b", 1, pages=1)]).rows.to_pylist()
    shares = {(each["of"], each["pages"]): each["share"] for each in found}
    assert shares["read", "2–9"] == 0.5 and shares["corpus", "1"] == 1.0


def test_the_printed_share_of_sites_over_ten_thousand_pages():
    """CZ-39: 229 of 6,590 sites are 3.47 %."""
    sites = [row(f"s{n}", 10_001 if n < 229 else 5) for n in range(6_590)]
    found = {(each["of"], each["pages"]): each["share"] for each in pages_per_site(sites).rows.to_pylist()}
    assert round(100 * found["corpus", "over 10k"], 2) == 3.47


def test_noise_is_told_by_site_and_by_page_cz_52(engine, tmp_path):
    found = by_name(measure(bench(engine, tmp_path, DOCUMENTS)))["noise_by_site"]
    counts = {each["sites_where"]: each["sites"] for each in found.rows.to_pylist()}
    assert list(counts.values()) == [1, 1, 0, 2]
    assert found.facts["noise_sites_share"] == 0.5 and "50.0% of all pages read" in found.summary
    with_some = noise_by_site([row("a", 0, pages=2, target=5)]).rows.to_pylist()
    assert with_some[2]["sites"] == 1, "noise that has some of the language is told apart"


def test_labels_by_hand_stand_beside_sites_and_sum_up_by_category_xh_27(engine, tmp_path):
    labels = {"blogs.co.uk": {"category": "literature", "machine_translated": "no"}}
    found = by_name(measure(bench(engine, tmp_path, DOCUMENTS, site_labels=labels)))
    rows = {each["site"]: each for each in found["top_sites"].rows.to_pylist()}
    assert rows["ur.blogs.co.uk"]["category"] == "literature", "a label of the domain holds for its hosts"
    assert rows["news.example"]["category"] == ""
    shares = {each["category"]: each["share"] for each in found["categories"].rows.to_pylist()}
    assert shares == {"not labelled": pytest.approx(2 / 3), "literature": pytest.approx(1 / 3)}
    assert label_of(labels, "other.uk", "category") == ""


def test_noise_is_told_by_the_labels_that_people_gave_xh_27(engine, tmp_path):
    assert "labelled_sites" not in by_name(measure(bench(engine, tmp_path / "none", DOCUMENTS)))
    labels = {"b": {"category": "news", "machine_translated": "yes"}, "c": {"machine_translated": "yes"}}
    sites = [row("a", 3, pages=4), row("b", 1, pages=2), row("c", 0, pages=5)]
    found = labelled_sites(sites, labels)
    rows = {(each["label"], each["value"]): each for each in found.rows.to_pylist()}
    assert list(rows) == [
        *(("category", "news"), ("category", "not labelled")),
        *(("machine translated", "yes"), ("machine translated", "not labelled")),
    ], "a label that nobody gave is not shown"
    translated = rows["machine translated", "yes"]
    assert (translated["sites"], translated["noise_sites"], translated["pages"]) == (2, 1, 7)
    assert translated["kept"] == 1 and translated["noise_share"] == pytest.approx(6 / 7)
    assert found.facts["kept_machine_translated"] == 1 and "audit apply" in found.warnings[0]
    assert not labelled_sites(sites, {"c": {"machine_translated": "yes"}}).warnings, "none of it is kept"


def test_shuffled_documents_in_several_files_give_equal_rows(engine, tmp_path):
    shuffled = random.Random(2).sample(DOCUMENTS, len(DOCUMENTS))
    one = measure(bench(engine, tmp_path / "one", DOCUMENTS))
    other = measure(bench(engine, tmp_path / "other", shuffled, parts=3))
    assert [each.to_json() for each in one] == [each.to_json() for each in other]


@pytest.mark.parametrize(
    "documents", [[], [page("http://a.example/", verdict=NOISE)], [page("http://a.example/")]]
)
def test_empty_corpora_and_single_pages_are_measured_without_an_error(engine, tmp_path, documents):
    for result in measure(bench(engine, tmp_path, documents)):
        assert result.summary and result.to_csv() and result.to_json()


def test_where_all_sites_are_shown_the_largest_is_named():
    few = top_sites([row("a", 3), row("b", 1)], {})
    assert few.summary == "a, the largest of 2 sites, holds 75.0% of all pages."
    many = top_sites([row(f"s{n}", 1) for n in range(40)], {})
    assert many.summary == "The 20 largest of 40 sites hold 50.0% of all pages."


def test_very_large_sites_are_placed_by_their_richness_cz_52(engine, tmp_path):
    def of(site, kept, share):
        return SiteRow(site, kept, kept, 0, kept * share, 0, 1, 0, kept, 1, kept, 0)

    sites = [of("poor", 20_000, 100_000), of("rich", 5, 900_000), of("even", 10_000, 500_000)]
    found = large_sites(sites)
    (only,) = found.rows.to_pylist()
    assert (only["site"], only["pages"], only["richness_rank"]) == ("poor", 20_000, 3), "10,000 is not more"
    assert only["richness"] == pytest.approx(0.1) and "1 of 3 sites" in found.summary
    assert large_sites([of("a", 3, 1)]) is None
    assert "large_sites" not in by_name(measure(bench(engine, tmp_path, DOCUMENTS)))
