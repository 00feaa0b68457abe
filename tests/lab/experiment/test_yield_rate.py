"""The yield experiment: what is counted, and that strategies differ as they should."""

import csv
import json
import os
import subprocess
import sys

import pytest

from corpulyzer.corpus.settings.config import Config, CorpusTable
from corpulyzer.jobs.crawl.link_reader import reader_of
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.lab.demo.web.score import score_urls
from corpulyzer.lab.experiment.figure import yield_figure
from corpulyzer.lab.experiment.in_process import InProcessEngine
from corpulyzer.lab.experiment.walk import Walk
from corpulyzer.lab.experiment.yield_rate import Run, rows, yield_rates
from corpulyzer.web.frontier.settings import FrontierSettings

SIZES = [60] * 5


@pytest.fixture(scope="module")
def web():
    return BuiltInWeb("urd", seed=2, sites=60, pages=5_000)


def walk(web, strategy, seeds, sizes=SIZES):
    reader = reader_of(Config(corpus=CorpusTable(language=web.target)))
    with InProcessEngine() as engine:
        return Walk(web, reader, FrontierSettings(strategy).scorer, engine)(seeds, sizes)


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
    """Four pages: two good ones, a copy, and one that is not good."""

    def truth(self, url):
        return TinyTruth(*{"a": (True, "a"), "b": (True, "b"), "copy": (True, "a"), "no": (False, "no")}[url])

    def seeds(self, count, rich):
        return ("a",) if rich else ("no",)


class TinyTruth:
    def __init__(self, good, page):
        self.good, self.page = good, page


def test_yield_by_round_counts_a_page_once_in_the_whole_crawl():
    crawls = {"all": lambda web, seeds, sizes: [[*seeds, "no"], ["copy", "b"]]}
    (rich, poor) = yield_rates([TinyWeb()], crawls, mixes=(1.0, 0.0), sizes=[2, 2], seeds=1)
    assert (rich.yields, rich.total) == ((0.5, 0.5), 0.5)
    assert (poor.yields, poor.total) == ((0.0, 1.0), 0.5)


def test_rows_are_means_over_webs_and_a_crawl_that_ended_early_does_not_count_as_zero():
    runs = [Run("lrl", 0.5, 0, (0.2, 0.4), 0.3), Run("lrl", 0.5, 1, (0.4,), 0.4)]
    (row,) = rows(runs)
    assert row["rounds"] == pytest.approx([0.3, 0.4])
    assert row["mean"] == pytest.approx(0.35) and row["webs"] == 2


def test_the_figure_is_svg_with_a_panel_for_each_mix():
    table = [
        {"strategy": name, "rich_seeds": rich, "rounds": [0.1, 0.2]}
        for name in ("lrl", "focus")
        for rich in (0.5, 0.0)
    ]
    svg = yield_figure(table)
    assert svg.startswith("<svg") and "50% / 50%" in svg and "0% / 100%" in svg and "focus" in svg


def run(*arguments, cwd):
    command = [sys.executable, "-m", "corpulyzer", "experiment", "yield", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=os.environ, check=False)


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
