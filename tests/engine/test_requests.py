"""How often an object store is asked by commands that find nothing to do: as often in a large corpus as in a small one."""

from collections.abc import Iterator, Mapping

import pytest
from s3_server import environment, make_bucket, requests

from corpulyzer.api.corpus import Corpus
from corpulyzer.engine.local import LocalEngine
from corpulyzer.engine.spark import SparkEngine
from corpulyzer.storage import Storage
from corpulyzer.warc.compose import resource, stable_record_id

MOST = 250
SAID = "The farmers of the valley bring their wheat to the market of town number {} today. "


@pytest.fixture(scope="module")
def bucket(object_store: Mapping[str, str]) -> Iterator[str]:
    with environment(object_store):
        yield make_bucket(object_store, "counted")


@pytest.fixture(scope="module")
def engine() -> Iterator[LocalEngine]:
    with LocalEngine(1) as made:
        yield made


@pytest.fixture(scope="module")
def small(bucket: str, engine: LocalEngine) -> Corpus:
    return corpus_of(bucket, 3, engine)


def corpus_of(bucket: str, archives: int, engine: LocalEngine) -> Corpus:
    """A corpus of so many archives of one page, with its copies found."""
    store = Storage(f"{bucket}/in{archives}")
    for number in range(archives):
        page = f"<html><body><p>{SAID.format(number) * 6}</p></body></html>".encode()
        url, identity = f"https://a{number}.example/", stable_record_id("a", number)
        store.write(f"{number}.warc.gz", resource(url, page, "text/html", record_id=identity).packed())
    corpus = Corpus.create("eng", f"{bucket}/c{archives}")
    corpus.import_(f"{store.root}/*.warc.gz", engine=engine)
    corpus.dedup(engine=engine)
    corpus.annotate(engine=engine)
    corpus.funnel(engine=engine)
    return corpus


@pytest.mark.slow
def test_commands_that_find_nothing_to_do_ask_for_each_table_and_not_for_each_part(
    small: Corpus, bucket: str, engine: LocalEngine, object_store: Mapping[str, str]
) -> None:
    counts: dict[str, list[int]] = {}
    for place in (small.storage.root, corpus_of(bucket, 9, engine).storage.root):
        for verb in ("process", "dedup", "annotate", "status"):
            corpus = Corpus.open(place)
            with requests(object_store) as asked:
                getattr(corpus, verb)(engine=engine)
            counts.setdefault(verb, []).append(len(asked))
    assert all(few == many <= MOST for few, many in counts.values()), counts


@pytest.mark.slow
def test_status_starts_no_spark(small: Corpus) -> None:
    with SparkEngine("spark://127.0.0.1:1") as nowhere:
        assert Corpus.open(small.storage.root).status(engine=nowhere).funnel.kept == 1
