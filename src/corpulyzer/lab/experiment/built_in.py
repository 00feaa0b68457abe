"""The yield experiment on built-in webs: every strategy from every mix of seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from corpulyzer.corpus.settings.config import Config
from corpulyzer.corpus.settings.tables import CorpusTable
from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.link_reader import reader_of
from corpulyzer.lab.demo.prose import LANGUAGES
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.lab.demo.web.oracle import NewInTarget, Oracle
from corpulyzer.lab.experiment.in_process import InProcessEngine
from corpulyzer.lab.experiment.walk import Walk
from corpulyzer.lab.experiment.yield_rate import FIGURE_3, MIXES, Crawl, Run, yield_rates
from corpulyzer.language import Language
from corpulyzer.web.frontier.settings import FrontierSettings

STRATEGIES = ("breadth", "opic", "anchor", "lrl", "focus", "oracle", "seer")


@dataclass(frozen=True, slots=True)
class Experiment:
    """Crawls for a target, of so many pages in so many rounds.

    Without `strategies`, those of the paper's figure; without `mixes`, which are shares of rich seeds, all
    that there are; without `seeds`, as many as a round has requests.
    """

    target: str
    strategies: tuple[str, ...] = ()
    mixes: tuple[float, ...] = ()
    rounds: int = 11
    pages: int = 4000
    seeds: int = 0

    def webs(self, count: int, sites: int, articles: int, strangers: int) -> list[BuiltInWeb]:
        """So many webs of a size, each of its own seed."""
        return [BuiltInWeb(self.target, seed, sites, articles, strangers) for seed in range(count)]

    def run(self, webs: Sequence[BuiltInWeb], told: Callable[[Run], None]) -> Iterator[Run]:
        """Crawl the webs; `told` is called with each run as it ends."""
        crawls = {name: _crawl(self.target, name) for name in self.strategies or FIGURE_3}
        sizes = [self.pages // self.rounds + (n < self.pages % self.rounds) for n in range(self.rounds)]
        mixes, seeds = self.mixes or MIXES, self.seeds or sizes[0]
        for run in yield_rates(webs, crawls, mixes=mixes, sizes=sizes, seeds=seeds):
            told(run)
            yield run


def target_of(language: str) -> str:
    """The code of a language that the built-in web speaks."""
    code = Language.find(language).code
    if code not in LANGUAGES:
        raise UserError(f"The built-in web has no text in {language}.", f"It has: {', '.join(LANGUAGES)}.")
    return code


def _crawl(target: str, name: str) -> Crawl:
    """A crawl by the name of its strategy."""
    if name not in STRATEGIES:
        raise UserError(f"There is no strategy {name!r}.", f"Strategies: {', '.join(STRATEGIES)}.")
    knowing: dict[str, Crawl] = {"oracle": _oracle, "seer": _seer}
    return knowing.get(name) or _Walker(target, name)


@dataclass(frozen=True, slots=True)
class _Walker:
    """A crawl in memory with one of the real strategies."""

    target: str
    name: Any

    def __call__(self, web: BuiltInWeb, seeds: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
        settings = FrontierSettings(self.name)
        # The paper takes the best URLs of a round whatever their site.
        per_site = max(sizes) if self.name in FIGURE_3 else settings.per_site
        reader = reader_of(Config(corpus=CorpusTable(language=self.target), frontier=settings))
        with InProcessEngine() as engine:
            return Walk(web, reader, settings.scorer, engine, per_site)(seeds, sizes)


def _oracle(web: BuiltInWeb, seeds: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    return _by_round(Oracle(web)(seeds, sum(sizes)), sizes)


def _seer(web: BuiltInWeb, seeds: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    return _by_round(Oracle(web, NewInTarget(web.target))(seeds, sum(sizes)), sizes)


def _by_round(requests: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    left = iter(requests)
    return [list(islice(left, size)) for size in sizes]
