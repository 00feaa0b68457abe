"""The yield experiment: what is counted, and that strategies differ as they should."""

import csv
import json
from collections import Counter
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import ClassVar

import pytest
from command_line import attempt

from corpulyzer.corpus.settings.config import Config
from corpulyzer.corpus.settings.tables import CorpusTable
from corpulyzer.jobs.crawl.link_reader import reader_of
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.lab.demo.web.score import score_urls
from corpulyzer.lab.experiment.figure import yield_figure
from corpulyzer.lab.experiment.in_process import InProcessEngine
from corpulyzer.lab.experiment.walk import Walk
from corpulyzer.lab.experiment.yield_rate import Run, Yields, as_csv, rows, yield_rates
from corpulyzer.web.frontier.settings import FrontierSettings

SIZES = [60] * 5


@pytest.fixture(scope="module")
def web():
    return BuiltInWeb("urd", seed=2, sites=60, pages=5_000)


def walk(web, strategy, seeds, sizes=SIZES, per_site=100):
    reader = reader_of(Config(corpus=CorpusTable(language=web.target)))
    with InProcessEngine() as engine:
        return Walk(web, reader, FrontierSettings(strategy).scorer, engine, per_site)(seeds, sizes)


def walk_wide(web, seeds, sizes, strategy):
    return walk(web, strategy, seeds, sizes, per_site=max(sizes))


def test_a_walk_asks_for_each_url_once_and_for_nothing_disallowed(web):
    rounds = walk(web, "breadth", web.seeds(12), SIZES[:3])
    urls = [url for each in rounds for url in each]
    assert len(set(urls)) == len(urls) > 120
    score = score_urls(web, urls)
    assert score.robots_breaches == 0
    assert set(web.seeds(12)) <= set(rounds[0])


def test_a_walk_is_the_same_each_time(web):
    assert walk(web, "lrl", web.seeds(12), SIZES[:2]) == walk(web, "lrl", web.seeds(12), SIZES[:2])


@pytest.mark.slow
def test_focus_beats_breadth_on_the_built_in_web(web):
    scores = {
        name: score_urls(web, [url for urls in walk(web, name, web.seeds(12)) for url in urls]).rate
        for name in ("breadth", "focus")
    }
    assert scores["focus"] > 1.3 * scores["breadth"] > 0


class TinyWeb:
    """Two good pages, a copy of one, a short page in the target, one of another language, and a dead one."""

    PAGES: ClassVar = {
        "a": (True, "a", 200, 900),
        "b": (True, "b", 200, 256),
        "copy": (True, "a", 200, 900),
        "short": (False, "short", 200, 255),
        "no": (False, "no", 200, 0),
        "dead": (False, "dead", 404, 0),
    }

    def truth(self, url):
        return TinyTruth(*self.PAGES[url][:3])

    def target_bytes(self, url):
        return self.PAGES[url][3]

    def seeds(self, count, rich):
        return ("a",) if rich else ("no",)


@dataclass
class TinyTruth:
    good: bool
    page: str
    status: int


def test_yield_by_round_is_eq_6_with_and_without_the_filter_and_beside_it_what_is_new_and_good():
    """By hand. Eq. 6 leaves the dead page out and counts the copy and the short page; good pages count once."""
    crawls = {"all": lambda web, seeds, sizes: [[*seeds, "no", "short", "dead"], ["copy", "b"]]}
    (rich, poor) = yield_rates([TinyWeb()], crawls, mixes=(1.0, 0.0), sizes=[4, 2], seeds=1)
    assert rich.yields == (Yields(2 / 3, 1 / 3, 1 / 4), Yields(1.0, 1.0, 1 / 2))
    assert poor.yields == (Yields(1 / 3, 0.0, 0.0), Yields(1.0, 1.0, 1.0))
    assert (rich.total, poor.total) == (2 / 6, 2 / 6)


def test_a_round_of_dead_pages_has_no_yield_by_eq_6():
    crawls = {"all": lambda web, seeds, sizes: [["dead"], ["a"]]}
    (run,) = yield_rates([TinyWeb()], crawls, mixes=(1.0,), sizes=[1, 1], seeds=1)
    (row,) = rows([run])
    assert (row["rounds"], row["mean"]) == ([None, 1.0], 1.0)
    assert as_csv([row]).splitlines()[1] == "all,1,1,,,0.000000"


def test_rows_are_means_over_webs_and_a_crawl_that_ended_early_does_not_count_as_zero():
    long = tuple(Yields(eq_6, 0.1, 0.1) for eq_6 in (0.2, 0.4))
    (row,) = rows([Run("lrl", 0.5, 0, long, 0.3), Run("lrl", 0.5, 1, (Yields(0.4, 0.3, 0.1),), 0.4)])
    assert row["rounds"] == pytest.approx([0.3, 0.4])
    assert row["mean"] == pytest.approx(0.35) and row["webs"] == 2
    assert row["rounds_after_csf"] == pytest.approx([0.2, 0.1])
    assert row["mean_good_per_request"] == pytest.approx(0.35)


def test_the_figure_is_svg_with_a_panel_for_each_mix_and_measure():
    crawls = {name: lambda web, seeds, sizes: [["a", "short"], ["b"]] for name in ("opic", "lrl")}
    svg = yield_figure(rows(yield_rates([TinyWeb()], crawls, mixes=(0.5, 0.0), sizes=[2, 1], seeds=1)))
    assert svg.startswith("<svg") and "50% / 50%" in svg and "0% / 100%" in svg
    assert all(words in svg for words in ("lrl + CSF", "Eq. 6", "distinct good pages per request"))


def test_with_more_strangers_the_target_is_rarer():
    """The shares by hand: 29 % English sites and 3 % hubs, of 2 and 4 times the size, ten times as many."""
    plain, rare = BuiltInWeb("urd", 3, 1000, 100_000), BuiltInWeb("urd", 3, 1000, 100_000, strangers=10)
    counts = Counter(site.kind for site in rare.plan)
    assert counts["english"] == pytest.approx(1000 * 2.9 / (1 + 9 * 0.32), abs=1)
    assert 0.1 < plain.target_share < 0.3 and rare.target_share < plain.target_share / 4


@pytest.mark.slow
def test_lrl_rises_and_the_default_falls_as_in_figure_3(web):
    """Eq. 6 of the last rounds against the first, where both have the same seeds; and LRL far above the default."""
    wide = {name: partial(walk_wide, strategy=name) for name in ("opic", "lrl")}
    table = rows(yield_rates([web], wide, mixes=(0.5,), sizes=SIZES, seeds=60))
    opic, lrl = (row["rounds"] for row in table)
    assert opic[0] == lrl[0]
    assert fmean(lrl[2:]) > lrl[0] > fmean(opic[1:])
    assert all(row["mean_after_csf"] <= row["mean"] for row in table)


def run(*arguments, cwd):
    return attempt("experiment", "yield", *arguments, cwd=cwd)


def test_the_command_prints_json_and_writes_a_table(tmp_path):
    small = ("--sites", 30, "--articles", 600, "--pages", 60, "--rounds", 3, "--seeds", 8)
    done = run(
        "xh",
        *small,
        "--strategy",
        "breadth",
        "--strategy",
        "oracle",
        "--json",
        "--csv",
        "y.csv",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["language"] == "xho" and len(answer["rows"]) == 6
    assert all(len(row["rounds"]) == 3 and 0 <= row["mean"] <= 1 for row in answer["rows"])
    with (tmp_path / "y.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 18


def test_a_language_without_prose_is_refused_with_those_there_are(tmp_path):
    done = run("de", cwd=tmp_path)
    assert done.returncode == 1 and "urd" in done.stderr and "Traceback" not in done.stderr
    done = run("ur", "--strategy", "luck", cwd=tmp_path)
    assert done.returncode == 1 and "focus" in done.stderr
