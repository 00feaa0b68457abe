"""Import, process and status give equal rows on one machine and on Spark, whoever dies and wherever the corpus is."""

import json
import shutil
import sys
import threading
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent / "engine"))

from cluster import cluster
from processes import processes_below, wait_for
from s3_server import environment, s3_server

from corpulyzer.corpus import create, open_corpus
from corpulyzer.demo.archive import write_archive
from corpulyzer.engine import Limits
from corpulyzer.engine.spark import SparkEngine

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java")]
LIMITS = Limits(page_seconds=10, page_megabytes=1024)


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """Four archives, so that there is work for two workers."""
    folder = tmp_path_factory.mktemp("web")
    for seed in range(4):
        write_archive(folder / f"web-{seed}.warc.gz", seed=seed)
    return folder


def worked(engine, place, archives, flags=None):
    """What import, process and status leave: the rows of every table, and the funnel."""
    corpus = open_corpus(create("urd", place).storage.root, flags)
    corpus.import_paths([str(archives)], engine)
    corpus.process(engine, "filter")
    tables = {name: rows(engine, corpus, name) for name in ("fetches", "documents", "links")}
    return tables, corpus.funnel(engine).to_json()


def rows(engine, corpus, name):
    found = engine.query(f"select * from {name}", {name: corpus.table(name)}).to_pylist()
    return sorted(json.dumps(row, default=str, sort_keys=True) for row in found)


@pytest.fixture(scope="module")
def expected(archives, tmp_path_factory):
    corpus = create("urd", tmp_path_factory.mktemp("local") / "c")
    with corpus.engine() as engine:
        return worked(engine, tmp_path_factory.mktemp("local") / "d", archives)


def test_a_cluster_gives_the_rows_of_one_machine(tmp_path, archives, expected):
    with cluster(tmp_path, LIMITS) as (_, engine):
        assert worked(engine, tmp_path / "corpus", archives) == expected
        found = engine.spark.read.parquet(str(tmp_path / "corpus" / "corpus"))
        assert found.count() == found.where("verdict.kept").count() == expected[1]["kept"]


def test_a_worker_killed_in_the_middle_changes_nothing(tmp_path, archives, expected):
    with cluster(tmp_path, LIMITS) as (made, engine):

        def kill():
            wait_for(lambda: len(processes_below(made.workers[0].pid)) > 3, 120)
            made.kill_worker()

        thread = threading.Thread(target=kill)
        thread.start()
        found = worked(engine, tmp_path / "corpus", archives)
        thread.join()
        assert made.workers[0].poll() is not None, "the worker is gone"
    assert found == expected


def test_a_corpus_in_an_object_store_has_the_same_rows(archives, expected):
    with (
        s3_server("corpora") as variables,
        environment(variables),
        SparkEngine("local[2]", LIMITS) as engine,
    ):
        assert worked(engine, "s3://corpora/urduweb", archives) == expected
