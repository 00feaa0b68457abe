"""The settings that pages depend on: all of them, and no others."""

import pickle

from corpulyzer.corpus.settings.config import Config
from corpulyzer.page.maps import ProcessPages
from corpulyzer.page.pipeline import fingerprints
from corpulyzer.page.settings import page_tables
from corpulyzer.web.fetch.robots.rules import sitemaps_of


def test_pages_depend_on_nothing_else():
    assert fingerprints(page_tables(Config())) == fingerprints(Config())


def test_a_worker_loads_no_settings_of_other_stages():
    step = ProcessPages(page_tables(Config()), {}, sitemaps_of)
    assert b"corpulyzer.corpus" not in pickle.dumps(step)
    assert b"corpulyzer.corpus" in pickle.dumps(ProcessPages(Config(), {}, sitemaps_of))
