"""A run: seeds, crawl, and the rest where there is nothing to mend."""

import corpulyzer
from corpulyzer.jobs.crawl.loop import Ended
from corpulyzer.jobs.run import run

SEEDS = ("https://a.example/", "no address")


def test_what_needs_mending_is_not_reported_on_and_the_rest_is(tmp_path):
    corpulyzer.create("urd", tmp_path / "run")
    corpus = corpulyzer.open(tmp_path / "run", {"engine.workers": 1})
    heard = []

    def crawl_to(ended):
        def crawl(added):
            heard.append(([seed.url for seed in added.new], [url for url, _ in added.refused]))
            return ended

        return crawl

    def write_report(of, _engine, _progress):
        heard.append(of)
        return "page"

    stopped = Ended("the disk is full", False, 0, 0, 0, "Make room.")
    assert run(corpus, SEEDS, crawl_to(stopped), write_report).finished is None
    assert heard == [(["https://a.example/"], ["no address"])]
    ran = run(corpus, (), crawl_to(Ended("rounds", True, 1, 0, 0)), write_report)
    assert heard[1:] == [([], []), corpus]
    assert (ran.finished.report, ran.finished.funnel.kept) == ("page", 0)
