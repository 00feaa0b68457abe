"""Who asks where a corpus stands starts no cluster: there each job counts, once, what it has changed."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from corpulyzer.api.corpus import Corpus, create, open_corpus
from corpulyzer.engine import Dataset, Engine
from corpulyzer.engine.spark import SparkEngine
from corpulyzer.jobs.status.funnels import FUNNEL, LANGUAGES
from corpulyzer.measure.pages.funnel import OUTCOMES_SQL

TEXTS = {
    "hrv": "Ovo je rečenica na hrvatskom jeziku koja govori o vijestima i o tome što ljudi u gradu misle. ",
    "eng": "This is a sentence about the news of the day, and about what people in the city think of it. ",
}


class Watched:
    """An engine that notes the queries that it is asked; with a driver it stands for a cluster."""

    def __init__(self, engine: Engine, driver: "Watched | None" = None) -> None:
        self.engine, self.driver, self.asked = engine, driver, list[str]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)

    @property
    def here(self) -> "Watched":
        return self.driver or self

    def query(self, sql: str, tables: Mapping[str, Dataset], target: str | None = None) -> object:
        self.asked.append(sql)
        return self.engine.query(sql, tables, target)


@pytest.fixture
def watched(engine: Engine) -> Watched:
    return Watched(engine)


@pytest.fixture
def nowhere() -> SparkEngine:
    """The engine of a cluster that does not answer, for which no table is small."""
    return SparkEngine("spark://127.0.0.1:1", few_bytes=0)


def written(place: Path, numbers: range) -> str:
    rows = [
        {"url": f"https://{code}.example/{n % 3}/{n}", "text": f"{text * 8}{'abcdefghij'[n % 10]}"}
        for code, text in TEXTS.items()
        for n in numbers
    ]
    place.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return str(place)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    create(languages=("hrv", "eng"), folder=tmp_path / "c")
    return open_corpus(tmp_path / "c", {"engine.workers": 1})


def test_each_job_on_a_cluster_that_changes_verdicts_counts_once_and_one_that_changes_nothing_does_not(
    corpus: Corpus, watched: Watched, nowhere: SparkEngine, tmp_path: Path
) -> None:
    cluster = Watched(watched.engine, driver=watched)
    given = written(tmp_path / "a.jsonl", range(6))
    stricter = open_corpus(corpus.storage.root, {"engine.workers": 1, "filter.length.min_words": 20})
    jobs: list[tuple[Corpus, Callable[[], object]]] = [
        (corpus, lambda: corpus.import_(given, engine=cluster)),
        (stricter, lambda: stricter.process(engine=cluster)),
        (stricter, lambda: stricter.dedup(engine=cluster)),
        (stricter, lambda: stricter.remove("https://eng.example/0/0", engine=cluster)),
    ]
    for of, job in jobs:
        counted = []
        for _ in range(2):
            cluster.asked.clear()
            job()
            counted.append(cluster.asked.count(OUTCOMES_SQL))
        assert counted == [1, 0]
        cluster.asked.clear()
        found = of.status(engine=cluster)
        assert watched.asked == cluster.asked == [] and found.funnel.steps[0].pages in (12, 11)
        assert of.status(engine=nowhere).to_json() == found.to_json()


def test_on_one_machine_nothing_is_counted_before_somebody_asks(
    corpus: Corpus, watched: Watched, tmp_path: Path
) -> None:
    corpus.import_(written(tmp_path / "a.jsonl", range(6)), engine=watched)
    assert OUTCOMES_SQL not in watched.asked
    corpus.status(engine=watched)
    corpus.status(engine=watched)
    assert watched.asked.count(OUTCOMES_SQL) == 1


@pytest.mark.parametrize(
    "change", [lambda kept: kept.pop("tokens"), lambda kept: kept["steps"][0].update(new=1)]
)
def test_what_another_version_has_counted_is_counted_again(
    corpus: Corpus, engine: Engine, tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    corpus.import_(written(tmp_path / "a.jsonl", range(6)), engine=engine)
    counted = corpus.status(engine=engine)
    change(kept := json.loads(corpus.storage.read(FUNNEL)))
    corpus.storage.write(FUNNEL, json.dumps(kept).encode())
    assert corpus.status(engine=engine) == counted


def test_a_part_that_somebody_replaced_is_counted_once(
    corpus: Corpus, watched: Watched, tmp_path: Path
) -> None:
    corpus.import_(written(tmp_path / "a.jsonl", range(6)), engine=watched)
    corpus.status(engine=watched)
    (part, *_) = corpus.table("documents").files
    rows = pq.read_table(part, partitioning=None)
    pq.write_table(rows, part, compression="none")
    watched.asked.clear()
    for _ in range(2):
        corpus.status(engine=watched)
    assert watched.asked.count(OUTCOMES_SQL) == 1


def test_status_needs_no_cluster_where_nothing_was_counted(
    corpus: Corpus, engine: Engine, nowhere: SparkEngine, tmp_path: Path
) -> None:
    corpus.import_(written(tmp_path / "a.jsonl", range(6)), engine=engine)
    counted = corpus.status(engine=engine)
    for file in (FUNNEL, LANGUAGES):
        corpus.storage.delete(file)
    assert corpus.status(engine=nowhere) == counted


def test_the_funnel_of_a_language_is_counted_without_a_cluster_and_kept_until_documents_or_settings_change(
    corpus: Corpus, watched: Watched, nowhere: SparkEngine, tmp_path: Path
) -> None:
    corpus.import_(written(tmp_path / "a.jsonl", range(6)), engine=watched)
    counted = corpus.funnel("hrv", engine=nowhere)
    assert counted.steps[0].pages == 6
    watched.asked.clear()
    assert corpus.funnel("hrv", engine=watched) == counted and watched.asked == []
    assert corpus.funnel("eng", engine=watched) != counted and watched.asked
    corpus.import_(written(tmp_path / "b.jsonl", range(6, 10)), engine=watched)
    assert corpus.funnel("hrv", engine=nowhere).steps[0].pages == 10
    other = open_corpus(corpus.storage.root, {"filter.document": ["length"]})
    assert "content_size" not in [step.name for step in other.funnel("hrv", engine=nowhere).steps]
