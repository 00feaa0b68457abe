"""A crawl for several languages over real sockets: what it keeps, how it shares, and that it is made again."""

import json
from collections import Counter

import pyarrow.parquet as pq
import pytest
from lasting import engine_of
from test_crawl import tables_of

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.corpus import rounds
from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.loop import Crawl
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.records import int64_hash
from corpulyzer.web.frontier import Situation
from corpulyzer.web.frontier.generate import Generate
from corpulyzer.web.seeds import Candidate, add

LANGUAGES = ("hrv", "urd", "xho")
WEB = BuiltInWeb("urd", seed=5, sites=40, pages=900, also=("urd", "urd", "hrv", "hrv", "xho"))
PAGES = 90


def crawl(folder, languages, **flags):
    """A crawl of the built-in web, within flags; returns the corpus and how the crawl ended."""
    create(languages=languages, folder=folder)
    good = [url for url in WEB.seeds(60, 1.0) if WEB.truth(url).good]
    of_each = [[url for url in good if WEB.truth(url).language == code][:3] for code in LANGUAGES]
    with WEB.serve(slowness=0.0) as server:
        named = {name.replace("__", "."): value for name, value in flags.items()}
        corpus = open_corpus(folder, settings(server.proxy_url) | named)
        add(corpus.storage, [Candidate(url) for urls in of_each for url in urls], "command", round=1)
        return corpus, Crawl(corpus, engine_of(corpus)).run()


def settings(proxy):
    return {
        "crawl.contact": "me@example.org",
        "crawl.pages": PAGES,
        "fetch.proxy": proxy,
        "fetch.delay_seconds": 0.0,
        "fetch.allow_private": True,
        "engine.workers": 1,
    }


def next_list(corpus):
    """What the next round would fetch."""
    config, frontier = corpus.config, rounds.frontier(corpus.storage)
    generate = Generate(config.frontier.scorer, engine_of(corpus), even=config.crawl.balance == "even")
    return generate(frontier, 40, 1 << 40, Situation(99, 0.5))


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    return crawl(tmp_path_factory.mktemp("several") / "c", LANGUAGES, crawl__balance="even")


def test_a_page_is_good_if_it_is_kept_in_any_of_the_languages(crawled):
    corpus, ended = crawled
    kept = Counter(document.language for document in corpus.documents.kept())
    assert kept.keys() == set(LANGUAGES) and ended.pages >= PAGES
    notes = [each.read("commit") for each in rounds.rounds(corpus.storage)]
    assert sum(note["kept"] for note in notes) == kept.total()
    assert 0.7 * kept.total() < ended.good <= kept.total(), "some are copies"


def test_the_sums_of_languages_are_those_of_the_documents(crawled):
    corpus, _ = crawled
    spoken = rounds.frontier(corpus.storage).spoken()
    found = Counter()
    for language, tries in zip(spoken["language"].tolist(), spoken["tries"].tolist(), strict=True):
        found[language] += tries
    documents = Counter(
        int64_hash(document.language) for document in corpus.documents if document.language in LANGUAGES
    )
    assert {code: found[code] for code in documents} == documents
    assert sum(found.values()) == sum(each.read("commit")["tries"] for each in rounds.rounds(corpus.storage))


def test_a_frontier_made_again_is_the_same_and_gives_the_same_list(crawled):
    corpus, _ = crawled
    made, following = tables_of(corpus), next_list(corpus)
    sums = [pq.read_table(corpus.storage.path(file)) for file in corpus.storage.list("spoken", ".parquet")]
    assert sums and following.num_rows == 40
    for name in ("frontier", "prefixes", "sites", "spoken"):
        for file in corpus.storage.list(name):
            corpus.storage.delete(file)
    corpus.process(engine=engine_of(corpus))
    assert tables_of(corpus) == made and next_list(corpus).equals(following)
    again = [pq.read_table(corpus.storage.path(file)) for file in corpus.storage.list("spoken", ".parquet")]
    assert again == sums


def test_a_crawl_for_all_languages_is_refused_unless_the_strategy_needs_none(tmp_path):
    with pytest.raises(UserError, match="for all") as told:
        crawl(tmp_path / "c", ["all"])
    assert "breadth" in told.value.hint


def test_a_crawl_for_all_languages_keeps_every_one(tmp_path):
    corpus, _ = crawl(tmp_path / "c", ["all"], frontier__strategy="breadth", crawl__pages=30)
    assert {document.language for document in corpus.documents.kept()} > set(LANGUAGES)
    assert "eng" in json.dumps([each.language for each in corpus.status().languages])
