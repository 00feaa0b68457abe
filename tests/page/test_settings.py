"""The settings that pages depend on: all of them, and no others."""

import pickle

from corpulyzer.corpus.settings.config import merge
from corpulyzer.page.maps import ProcessPages
from corpulyzer.page.pipeline import fingerprints
from corpulyzer.page.settings import page_tables
from corpulyzer.web.fetch.robots.rules import sitemaps_of

TEXT = """
corpus.languages = ["hrv", "slv"]
[language.slv]
filter.length.min_words = 9
"""
CONFIG, _ = merge(TEXT, "x.toml", {}, {})


def test_pages_depend_on_nothing_else():
    assert fingerprints(page_tables(CONFIG)) == fingerprints(CONFIG)
    assert page_tables(CONFIG).filters_of("slv") == CONFIG.filters_of("slv") != CONFIG.filters_of("hrv")


def test_a_worker_loads_no_settings_of_other_stages():
    step = ProcessPages(page_tables(CONFIG), {}, sitemaps_of)
    assert b"corpulyzer.corpus" not in pickle.dumps(step)
    assert b"corpulyzer.corpus" in pickle.dumps(ProcessPages(CONFIG, {}, sitemaps_of))
