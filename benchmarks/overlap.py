"""What it costs in yield that a list is made before the last round is worked in.

    python benchmarks/overlap.py [--language urd] [--seed 41] [--webs 6] [--pages 1000]

Crawls built-in webs in memory with `focus`, in the rounds that a crawl of so many pages has: one after the
other, and overlapping as a crawl does it.
"""

from __future__ import annotations

import argparse
from statistics import fmean, stdev

from corpulyzer.corpus.settings.config import Config
from corpulyzer.corpus.settings.tables import CorpusTable
from corpulyzer.jobs.crawl.choosing import may_be_missing, round_size
from corpulyzer.jobs.crawl.link_reader import reader_of
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.lab.demo.web.score import score_urls
from corpulyzer.lab.experiment.in_process import InProcessEngine
from corpulyzer.lab.experiment.walk import Walk
from corpulyzer.web.frontier.settings import FrontierSettings

MOST = 2_000
NEVER = 1 << 40


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--language", default="urd")
    parser.add_argument("--seed", type=int, default=41, help="of the first web")
    parser.add_argument("--webs", type=int, default=6)
    parser.add_argument("--pages", type=int, default=1_000)
    asked = parser.parse_args()
    sizes = sizes_of(asked.pages)
    ways = {"one after the other": NEVER, "overlapping": overlap_from(sizes)}
    rates: dict[str, list[float]] = {way: [] for way in ways}
    for seed in range(asked.seed, asked.seed + asked.webs):
        web = BuiltInWeb(asked.language, seed, sites=100 + asked.pages // 30, pages=10 * asked.pages)
        for way, first in ways.items():
            rates[way].append(yield_of(web, sizes, first))
        print(seed, *(f"{way}: {found[-1]:.3f}" for way, found in rates.items()), flush=True)
    base = rates["one after the other"]
    for way, found in rates.items():
        gained = [rate - before for rate, before in zip(found, base, strict=True)]
        error = stdev(gained) / len(gained) ** 0.5 if len(gained) > 1 else 0.0
        print(f"{way:28} {fmean(found):.4f}  {fmean(gained):+.4f}, standard error {error:.4f}")


def sizes_of(pages: int) -> list[int]:
    """The sizes of the rounds of a crawl."""
    sizes: list[int] = []
    while left := pages - sum(sizes):
        sizes.append(min(left, round_size(len(sizes) + 1, pages, MOST)))
    return sizes


def overlap_from(sizes: list[int]) -> int:
    """The first round whose list is made before the last round is worked in."""
    return next(
        number
        for number in range(2, len(sizes))
        if may_be_missing(sizes[number - 2], sum(sizes[: number - 1]))
    )


def yield_of(web: BuiltInWeb, sizes: list[int], first: int) -> float:
    """Distinct good pages per request."""
    reader = reader_of(Config(corpus=CorpusTable(language=web.target)))
    with InProcessEngine() as engine:
        walk = Walk(web, reader, FrontierSettings().scorer, engine, overlap_from=first)
        rounds = walk(web.seeds(24 + sum(sizes) // 250, 0.25), sizes)
    return score_urls(web, [url for urls in rounds for url in urls]).rate


if __name__ == "__main__":
    main()
