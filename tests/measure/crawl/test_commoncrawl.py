"""Releases of Common Crawl from index rows (CZ-33, 35 to 37; HR-12)."""

from datetime import UTC, datetime

import pytest
from benches import bench, by_name, stored

from corpulyzer.measure.crawl.commoncrawl import language_shares, measure, release_results, release_table
from corpulyzer.web.commoncrawl import IndexRow
from corpulyzer.web.commoncrawl.counts import LanguageCount

DAY = datetime(2018, 8, 14, tzinfo=UTC)


def row(release, url, site, mime="text/html"):
    return IndexRow(release, url, site, "urd,eng", mime, 1000, time=DAY)


ROWS = [
    row("CC-MAIN-2018-34", "http://a.pk/1", "a.pk"),
    row("CC-MAIN-2018-34", "http://a.pk/2", "a.pk"),
    row("CC-MAIN-2018-34", "http://b.com/", "b.com", "application/pdf"),
    row("CC-MAIN-2018-39", "http://a.pk/1", "a.pk"),
]
TOTALS = [
    LanguageCount("CC-MAIN-2018-34", "eng", 60, 600),
    LanguageCount("CC-MAIN-2018-34", "urd,eng", 3, 30),
    LanguageCount("CC-MAIN-2018-34", "", 37, 370),
    LanguageCount("CC-MAIN-2018-39", "eng,urd", 100, 900),
]


def results(engine, folder, rows=ROWS, totals=TOTALS):
    given = stored(folder, "totals", totals, LanguageCount) if totals else None
    return by_name(release_results(engine, stored(folder, "index", rows, IndexRow), given, "urd"))


def test_releases_are_summed_up_and_pages_counted_once_cz_33(engine, tmp_path):
    rows = results(engine, tmp_path)["releases"].rows.to_pylist()
    assert [each["release"] for each in rows] == ["CC-MAIN-2018-34", "CC-MAIN-2018-39", "Total", "Unique"]
    assert rows[0] == {
        "release": "CC-MAIN-2018-34", "from": "2018-08-14", "to": "2018-08-14", "all_pages": 100, "all_bytes": 1000,
        "pages": 3, "bytes": 3000, "sites": 2,
    }  # fmt: skip
    assert (rows[2]["pages"], rows[2]["sites"]) == (4, 3) and (rows[3]["pages"], rows[3]["sites"]) == (3, 2)


def test_the_printed_sums_of_table_5_are_sums_of_releases():
    """369 GB, 209 K domains, 57.6 K once; eleven releases of equal size stand for those of the table."""
    each = {
        "pages": 1,
        "urls": 1,
        "sites": 19_000,
        "bytes": 33_545_454_545,
        "first_time": DAY,
        "last_time": DAY,
    }
    rows = [{"release": f"r{n}", **each} for n in range(11)]
    table = release_table(rows, {"urls": 5_200_000, "sites": 57_600}, []).rows.to_pylist()
    assert round(table[-2]["bytes"] / 1e9) == 369 and round(table[-2]["sites"] / 1e3) == 209
    assert table[-1]["sites"] == 57_600


def test_the_share_of_a_language_is_the_mean_over_releases_of_its_first_places_cz_35(engine, tmp_path):
    found = results(engine, tmp_path)["release_languages"]
    rows = {each["code"]: each["share"] for each in found.rows.to_pylist()}
    assert rows == {"eng": pytest.approx(0.8), "und": pytest.approx(0.185), "urd": pytest.approx(0.015)}


def test_the_printed_shares_of_figure_4_come_out_of_such_counts():
    shares = {"eng": 0.4392, "ara": 0.0066, "fas": 0.0064, "urd": 0.00022}
    counted = [
        {"release": release, "languages": code, "pages": round(share * 1e7), "bytes": 1}
        for release in ("a", "b")
        for code, share in {**shares, "": 1 - sum(shares.values())}.items()
    ]
    found = {each["code"]: each["share"] for each in language_shares(counted, "urd").rows.to_pylist()}
    assert {code: round(found[code], 5) for code in shares} == shares


def test_types_have_a_mean_and_a_range_over_releases_cz_36(engine, tmp_path):
    rows = results(engine, tmp_path)["release_mime"].rows.to_pylist()
    assert rows[0] == {
        "mime": "text/html", "mean_share": pytest.approx(5 / 6), "lowest_share": pytest.approx(2 / 3), "highest_share": 1.0
    }  # fmt: skip
    assert rows[1]["lowest_share"] == 0.0


def test_releases_overlap_in_addresses_and_churn_in_sites_cz_37(engine, tmp_path):
    found = results(engine, tmp_path)
    values = {
        (each["a"][-2:], each["b"][-2:]): each["jaccard"] for each in found["jaccard_urls"].rows.to_pylist()
    }
    assert values["34", "39"] == pytest.approx(1 / 3)
    assert found["churn"].rows.to_pylist()[0]["dropped_share"] == pytest.approx(0.5)


def test_the_web_of_the_language_is_sized_by_top_level_domain_hr_12(engine, tmp_path):
    more = [row("CC-MAIN-2018-39", f"http://10.0.0.1/{n}", "10.0.0.1") for n in range(2)]
    found = results(engine, tmp_path, [*ROWS, *more, row("CC-MAIN-2018-39", "http://c.net.pk/", "c.net.pk")])[
        "web_size"
    ]
    assert found.rows.to_pylist() == [
        {"domain": ".pk", "pages": 3, "share": 0.5},
        {"domain": ".address", "pages": 2, "share": pytest.approx(1 / 3)},
        {"domain": ".com", "pages": 1, "share": pytest.approx(1 / 6)},
    ]
    assert found.summary == "6 pages are known, 50.0% of them below .pk."


def test_rows_of_a_part_of_the_web_say_so(engine, tmp_path):
    index, totals = (
        stored(tmp_path, "index", ROWS, IndexRow),
        stored(tmp_path, "totals", TOTALS, LanguageCount),
    )
    given = bench(engine, tmp_path, index=index, index_totals=totals, index_restriction="below .pk")
    found = by_name(measure(given))
    for name in ("releases", "web_size", "release_mime", "churn"):
        assert "Only pages below .pk" in found[name].definition and "below .pk" in found[name].summary
    assert "Only" not in found["release_languages"].definition


def test_no_rows_are_no_error(engine, tmp_path):
    found = results(engine, tmp_path, [], [])
    assert found["releases"].summary == "No rows of the index are here." and "churn" not in found
