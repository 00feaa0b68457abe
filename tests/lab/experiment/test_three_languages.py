"""A crawl for three languages at once, beside three crawls for one each with a third of the requests."""

from collections import Counter
from statistics import fmean

import pytest

from corpulyzer.corpus.settings.config import Config
from corpulyzer.corpus.settings.tables import CorpusTable
from corpulyzer.jobs.crawl.choosing import round_size
from corpulyzer.jobs.crawl.link_reader import reader_of
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.lab.experiment.in_process import InProcessEngine
from corpulyzer.lab.experiment.walk import Walk
from corpulyzer.lab.experiment.yield_rate import first_good
from corpulyzer.web.frontier.settings import FrontierSettings

LANGUAGES = ("hrv", "urd", "xho")
REQUESTS = 450


def sizes(requests):
    """The rounds of a crawl of so many requests, as a real one has them."""
    found = []
    while sum(found) < requests:
        size = round_size(len(found) + 1, requests, 2000)
        found.append(min(size, requests - sum(found)))
    return found


def walk(web, languages, requests, even=False):
    """The yield of a crawl for these languages, and its requests by the language of what is there."""
    several = {"languages": languages} if len(languages) > 1 else {"language": languages[0]}
    settings = FrontierSettings("focus")
    reader = reader_of(Config(corpus=CorpusTable(**several), frontier=settings))
    with InProcessEngine() as engine:
        rounds = Walk(web, reader, settings.scorer, engine, even=even)(web.seeds(24, 0.25), sizes(requests))
    urls = [url for each in rounds for url in each]
    truths = [web.truth(url) for url in urls]
    good = sum(
        new and truth.language in languages for truth, new in zip(truths, first_good(truths), strict=True)
    )
    places = [web.addresses.place(url) for url in urls]
    spoken = Counter(
        truth.language or (place.edition.text if place else "")
        for truth, place in zip(truths, places, strict=True)
    )
    return good / len(urls), {language: spoken[language] / len(urls) for language in languages}


@pytest.mark.slow
def test_the_sum_yields_no_less_than_three_crawls_and_even_gives_the_smallest_its_part():
    """Measured .657 for the sum and .626 for the three; with twice the requests, the smallest gets .32."""
    together, apart, even = [], [], []
    for seed in (1, 2):
        web = BuiltInWeb("urd", seed, sites=120, pages=12_000, also=("urd", "urd", "hrv", "hrv", "xho"))
        apart.append(fmean(walk(web, (language,), REQUESTS // 3)[0] for language in LANGUAGES))
        together.append(walk(web, LANGUAGES, REQUESTS)[0])
        rate, shares = walk(web, LANGUAGES, REQUESTS, even=True)
        assert min(shares.values()) >= 0.25, shares
        even.append(rate)
    assert fmean(together) >= fmean(apart), (together, apart)
    assert fmean(even) >= 0.95 * fmean(apart), (even, apart)
