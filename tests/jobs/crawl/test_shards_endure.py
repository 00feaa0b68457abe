"""A crawl of the built-in web by four fetchers, some of which are killed, beside that of one."""

import importlib.util
import sys
from collections import Counter
from pathlib import Path

import pytest

from corpulyzer.web.fetch.shards.segments import SEAL_SECONDS

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "fetchers.py"


@pytest.fixture
def benchmark():
    spec = importlib.util.spec_from_file_location("fetchers", BENCHMARK)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.mark.endurance
def test_fetchers_that_are_killed_fetch_what_one_would(benchmark, scale):
    sites, pages, kills = scale((40, 200, 1), (60, 400, 4), (2_000, 40_000, 10))
    asked = benchmark.Asked(sites, pages, delay=0.2, kills=kills)
    one, four = benchmark.crawled(asked, 1), benchmark.crawled(asked, 4, kills)
    assert len(four.kills) == kills
    assert four.recorded == one.recorded
    assert set(four.recorded.values()) == {1}
    assert abs(four.good - one.good) <= 0.01 * pages
    for crawl in (one, four):
        manners = benchmark.Manners.of(crawl.log, asked.web, asked.delay)
        assert (manners.too_short, manners.at_once) == (0, 0)
    assert max(Counter(line.url for line in one.log).values()) == 1
    lost = benchmark.lost_seconds(four)
    assert max(lost, default=0.0) <= 2 * SEAL_SECONDS, (
        "asked again is what was not sealed when a fetcher died"
    )
