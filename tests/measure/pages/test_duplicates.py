"""Copies at every level as results (CZ-25, CZ-26, HR-4, XH-15)."""

import pytest

from corpulyzer.measure.pages.duplicates import Duplicates, LevelCount, cluster_result, duplicates_result


def test_the_rate_is_of_units_that_are_not_the_first_of_their_cluster():
    found = duplicates_result(
        Duplicates((LevelCount("document", "md5", 200, 24, 10, 5, 20, 4),), ("document",))
    )
    (row,) = found.rows.to_pylist()
    assert row["rate"] == pytest.approx(0.12) and (row["within_site"], row["across_sites"]) == (20, 4)
    assert "leaves out copies of texts of documents" in found.summary and found.facts == {
        "document": pytest.approx(0.12)
    }


def test_the_printed_share_of_unique_sentences_xh_15():
    """1,002,714 of 4,663,036 sentences are unique, 21.5 %, so the others repeat one."""
    count = LevelCount("sentence", "equal but for case", 4_663_036, 4_663_036 - 1_002_714)
    assert 1 - duplicates_result(Duplicates((count,))).facts["sentence"] == pytest.approx(0.215, abs=5e-4)


def test_the_removal_of_hrwac_from_its_own_table_hr_4():
    """Slovene: 9,247,341 files, 9,022,716 after removal, 2.43 % (the text says 2.3)."""
    count = LevelCount("raw", "sha224", 9_247_341, 9_247_341 - 9_022_716)
    assert round(100 * count.rate, 2) == 2.43


def test_a_corpus_whose_copies_nobody_looked_for_says_so():
    found = duplicates_result(Duplicates(()))
    assert "corpulyzer dedup" in found.summary and found.warnings and found.vega_lite() is None


def test_clusters_are_counted_by_size():
    found = cluster_result({"near": {2: 5, 9: 1}, "raw": {2: 1}})
    assert [(each["level"], each["size"], each["clusters"]) for each in found.rows.to_pylist()] == [
        ("payloads", 2, 1), ("documents (nearly)", 2, 5), ("documents (nearly)", 9, 1)
    ]  # fmt: skip
    assert [each["bin"] for each in found.rows.to_pylist()] == ["2", "2", "5–9"]
    assert "9 documents" in found.summary
