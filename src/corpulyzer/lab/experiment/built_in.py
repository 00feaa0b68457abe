"""The yield experiment on built-in webs: every strategy from every mix of seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from corpulyzer.corpus.settings.config import Config, CorpusTable
from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.link_reader import reader_of
from corpulyzer.lab.demo.prose import LANGUAGES
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.lab.demo.web.oracle import NewInTarget, Oracle
from corpulyzer.lab.experiment.in_process import InProcessEngine
from corpulyzer.lab.experiment.walk import Walk
from corpulyzer.lab.experiment.yield_rate import MIXES, Crawl, Run, yield_rates
from corpulyzer.language import Language
from corpulyzer.web.frontier.settings import FrontierSettings

STRATEGIES = ("breadth", "opic", "anchor", "lrl", "focus", "oracle", "seer")


@dataclass(frozen=True, slots=True)
class Experiment:
    """Crawls for a target, of so many pages in so many rounds.

    Without `strategies` or `mixes`, which are shares of rich seeds, all that there are.
    """

    target: str
    strategies: tuple[str, ...] = ()
    mixes: tuple[float, ...] = ()
    rounds: int = 11
    pages: int = 4000
    seeds: int = 40

    def run(self, webs: int, sites: int, articles: int, told: Callable[[Run], None]) -> Iterator[Run]:
        """Crawl so many webs of a size; `told` is called with each run as it ends."""
        crawls = {name: _crawl(self.target, name) for name in self.strategies or STRATEGIES}
        sizes = [self.pages // self.rounds + (n < self.pages % self.rounds) for n in range(self.rounds)]
        made = [BuiltInWeb(self.target, seed, sites, articles) for seed in range(webs)]
        for run in yield_rates(made, crawls, mixes=self.mixes or MIXES, sizes=sizes, seeds=self.seeds):
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
        reader = reader_of(Config(corpus=CorpusTable(language=self.target)))
        with InProcessEngine() as engine:
            return Walk(web, reader, FrontierSettings(self.name).scorer, engine)(seeds, sizes)


def _oracle(web: BuiltInWeb, seeds: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    return _by_round(Oracle(web)(seeds, sum(sizes)), sizes)


def _seer(web: BuiltInWeb, seeds: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    return _by_round(Oracle(web, NewInTarget(web.target))(seeds, sum(sizes)), sizes)


def _by_round(requests: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    left = iter(requests)
    return [list(islice(left, size)) for size in sizes]
