"""Lists for several languages: what each URL is expected in, and how many places each language gets."""

from dataclasses import replace

import numpy as np
import pytest
from rounds_by_hand import READER, Made

from corpulyzer.records import int64_hash
from corpulyzer.records.targets import targets
from corpulyzer.web.frontier.strategies.balance import UNKNOWN, Expected, expected, level
from corpulyzer.web.frontier.tables import OTHER_LANGUAGE as OTHER

HRV, SLV, XHO = (int64_hash(code) for code in ("hrv", "slv", "xho"))


def columns(rows, names):
    return {name: np.array([row[place] for row in rows], np.int64) for place, name in enumerate(names)}


def spoken(*rows):
    """Requests by pattern, section, site and language."""
    return columns(rows, ("prefix_id", "section_id", "site_id", "language", "tries"))


def cells(*rows):
    return columns(rows, ("prefix_id", "section_id", "site_id"))


def test_a_url_is_expected_in_what_most_of_its_pattern_brought_else_its_section_else_its_site():
    past = spoken((11, 1, 100, HRV, 5), (11, 1, 100, SLV, 3), (12, 1, 100, SLV, 9), (21, 2, 100, OTHER, 4))
    asked = cells((11, 1, 100), (12, 1, 100), (13, 1, 100), (21, 2, 100), (31, 3, 100), (41, 4, 200))
    assert expected(asked, past).tolist() == [HRV, SLV, SLV, UNKNOWN, SLV, UNKNOWN]


def test_a_request_that_brought_nothing_counts_for_the_language_that_is_expected_there():
    past = spoken(
        (11, 1, 100, HRV, 5), (11, 1, 100, UNKNOWN, 2), (11, 1, 100, OTHER, 1), (21, 1, 200, OTHER, 7)
    )
    assert Expected.of(cells(), cells(), past).requests == {HRV: 8, UNKNOWN: 7}


def test_a_new_site_is_expected_in_the_language_of_a_page_that_links_there():
    past = spoken((11, 1, 100, HRV, 5), (21, 2, 200, OTHER, 4), (61, 6, 600, UNKNOWN, 1))
    asked = cells((31, 3, 300), (41, 4, 400), (51, 5, 500), (22, 2, 200), (62, 6, 600))
    referrers = cells((11, 1, 100), (21, 2, 200), (0, 0, 0), (11, 1, 100), (11, 1, 100))
    found = Expected.of(asked, referrers, past).language.tolist()
    assert found == [HRV, UNKNOWN, UNKNOWN, UNKNOWN, HRV], "a home page may say nothing of its language"


def test_languages_come_level_as_far_as_there_are_urls():
    had, supply = {1: 50, 2: 10, 3: 30}, {1: 100, 2: 15, 3: 100, 4: 0}
    for places in range(0, 140, 7):
        given = level(had, supply, places)
        assert sum(given.values()) == min(places, 215)
        counts = {code: had.get(code, 0) + given.get(code, 0) for code in (1, 2, 3)}
        open_ones = [code for code in counts if given.get(code, 0) < supply[code]]
        given_to = [counts[code] for code in counts if given.get(code)]
        assert all(most <= counts[code] + 1 for code in open_ones for most in given_to), (places, counts)


def test_an_even_list_is_full_and_no_better_url_of_a_language_is_left_out():
    rng = np.random.default_rng(7)
    languages = np.array([UNKNOWN, HRV, SLV, XHO])
    for size in (0, 1, 9, 40, 90, 200):
        shown = Expected(languages, {HRV: 30, SLV: 10, UNKNOWN: 99})
        rows = rng.choice(4, 100, p=(0.3, 0.5, 0.15, 0.05))
        taken = shown.evenly(rows, size).tolist()
        assert len(taken) == min(size, len(rows)) and taken == sorted(set(taken))
        for kind in range(4):
            of_kind = np.flatnonzero(rows == kind).tolist()
            here = [row for row in taken if rows[row] == kind]
            assert here == of_kind[: len(here)]


def test_without_languages_an_even_list_is_the_list():
    some = cells(*((n, n, n) for n in range(5)))
    nothing = Expected.of(some, some, spoken())
    assert nothing.evenly(np.array([3, 1, 4, 2, 0, 3]), 4).tolist() == [0, 1, 2, 3]


@pytest.fixture
def several(tmp_path):
    """Three sites that were read once: two in Croatian, one in Slovenian, each with twenty links to itself."""
    sites = {"a.hr": "hrv", "b.hr": "hrv", "c.si": "slv"}
    reader = replace(READER, targets=targets("", ("hrv", "slv")))
    made = Made(tmp_path / "c", [f"http://{site}/" for site in sites], reader=reader)
    pages = {
        f"http://{site}/": (900, 800, [(f"http://{site}/{n}", "x") for n in range(20)], site, None, code)
        for site, code in sites.items()
    }
    made.list()
    made.fetch(pages)
    return made


def test_an_even_list_gives_a_small_language_its_part(several):
    usual, even = several.list(size=12), several.list(size=12, even=True)
    # The first round went to two pages in Croatian and one in Slovenian: now they come level, at 7 and 8.
    assert sum("c.si" in url for url in usual) < 6 <= sum("c.si" in url for url in even) <= 7
    assert len(usual) == len(even) == 12


def test_bytes_and_shares_are_sums_over_the_set(tmp_path):
    def share_and_bytes(*codes):
        reader = replace(READER, targets=targets("", codes) if len(codes) > 1 else targets(*codes))
        made = Made(tmp_path / "+".join(codes), ["http://a.hr/"], reader=reader)
        made.list()
        made.fetch({"http://a.hr/": (1000, 600, [("http://a.hr/1", "x")], "a", None, "slv")})
        return made.rows()["http://a.hr/1"]["share"], made.site("a.hr")["target_bytes"]

    assert share_and_bytes("hrv", "slv") == share_and_bytes("slv") == (600_000, 600)
    assert share_and_bytes("hrv", "xho") == (0, 0)


def test_a_frontier_of_one_language_keeps_no_sums_of_languages(tmp_path):
    made = Made(tmp_path / "c", ["http://a.pk/"])
    made.list()
    made.fetch({"http://a.pk/": (900, 800, [])})
    assert not made.frontier.manifest.spoken and not (tmp_path / "c" / "spoken").exists()
    assert len(made.frontier.spoken()["tries"]) == 0
