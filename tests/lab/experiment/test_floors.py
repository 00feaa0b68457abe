"""What the strategies must reach on two small webs: their order, their distance from an oracle, and manners."""

from collections import Counter
from statistics import fmean

import pytest

from corpulyzer.corpus.settings.config import Config
from corpulyzer.corpus.settings.tables import CorpusTable
from corpulyzer.jobs.crawl.link_reader import reader_of
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.lab.demo.web.oracle import Oracle
from corpulyzer.lab.demo.web.score import score_urls
from corpulyzer.lab.experiment.in_process import InProcessEngine
from corpulyzer.lab.experiment.walk import Walk
from corpulyzer.web.frontier.settings import FrontierSettings

STRATEGIES = ("breadth", "opic", "anchor", "lrl", "focus")
# The strategies that have floors are walked on both webs, the others on the first.
WEBS = (("urd", 21, STRATEGIES), ("xho", 22, STRATEGIES[3:]))
SIZES = [40, 80, *[110] * 8]
# Measured .622 for focus and .595 for the oracle, a ratio of 1.05; on twenty webs of 240 sites it is 1.17.
FOCUS_TO_ORACLE, FOCUS, LRL = 0.98, 0.58, 0.37
# A calendar or a filter without end: 25 pages of a pattern show what it is, and a site has several patterns.
MOST_IN_A_TRAP = 100


def walk(web, strategy, seeds):
    reader = reader_of(Config(corpus=CorpusTable(language=web.target)))
    with InProcessEngine() as engine:
        rounds = Walk(web, reader, FrontierSettings(strategy).scorer, engine)(seeds, SIZES)
    return [url for urls in rounds for url in urls]


@pytest.fixture(scope="module")
def crawls():
    """For each web the requests of strategies, and of the oracle."""
    found = []
    for language, seed, strategies in WEBS:
        web = BuiltInWeb(language, seed, sites=100, pages=10_000)
        seeds = web.seeds(24, 0.25)
        requests = {strategy: walk(web, strategy, seeds) for strategy in strategies}
        found.append((web, requests | {"oracle": Oracle(web)(seeds, sum(SIZES))}))
    return found


@pytest.mark.slow
def test_focus_is_near_the_oracle_and_strategies_come_in_their_order(crawls):
    first, second = (
        {name: score_urls(web, urls).rate for name, urls in requests.items()} for web, requests in crawls
    )
    rate = {name: fmean((first[name], second[name])) for name in second}
    assert rate["focus"] >= FOCUS and rate["focus"] >= FOCUS_TO_ORACLE * rate["oracle"], rate
    assert rate["lrl"] >= LRL and rate["focus"] > rate["lrl"], rate
    assert first["focus"] > first["lrl"] > max(first[name] for name in STRATEGIES[:3]), first


@pytest.mark.slow
def test_no_strategy_asks_for_what_is_disallowed_or_is_lost_in_a_trap(crawls):
    for web, requests in crawls:
        for name in requests.keys() - {"oracle"}:
            assert score_urls(web, requests[name]).robots_breaches == 0
            traps = Counter(url.split("/")[2] for url in requests[name] if web.truth(url).trap)
            assert max(traps.values(), default=0) <= MOST_IN_A_TRAP, (name, traps)
