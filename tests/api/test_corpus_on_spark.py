"""Import, process and status give equal rows on one machine and on Spark, whoever dies and wherever the corpus is."""

import json
import threading

import pytest
from processes import wait_for
from s3_server import environment, make_bucket

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.engine import Limits
from corpulyzer.engine.local import LocalEngine
from corpulyzer.engine.spark import SparkEngine
from corpulyzer.lab.demo.archive import write_archive
from corpulyzer.storage import Storage
from corpulyzer.warc import index

pytestmark = pytest.mark.slow
LIMITS = Limits(page_seconds=10, page_megabytes=1024)


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """Four archives, so that there is work for two workers, of half the small web."""
    folder, whole = tmp_path_factory.mktemp("web"), tmp_path_factory.mktemp("whole") / "web.warc.gz"
    write_archive(whole)
    content, entries = whole.read_bytes(), list(index(str(whole)))
    for part in range(4):
        records = [content[entry.offset : entry.offset + entry.length] for entry in entries[part::8]]
        (folder / f"web-{part}.warc.gz").write_bytes(b"".join(records))
    return folder


def worked(engine, place, archives, flags=None):
    """What import, process and status leave: the rows of every table, and the funnel."""
    corpus = open_corpus(create("urd", place).storage.root, flags)
    told = set()
    corpus.import_(str(archives), engine=engine, progress=lambda what, *_: told.add(what))
    assert told == {"megabytes read"}, "each archive is read once"
    corpus.process("filter", engine=engine)
    tables = {name: rows(engine, corpus, name) for name in ("fetches", "documents", "links")}
    return tables, corpus.funnel(engine=engine).to_json()


def rows(engine, corpus, name):
    found = engine.query(f"select * from {name}", {name: corpus.table(name)}).to_pylist()
    return sorted(json.dumps(row, default=str, sort_keys=True) for row in found)


@pytest.fixture(scope="module")
def expected(archives, tmp_path_factory):
    corpus = create("urd", tmp_path_factory.mktemp("local") / "c")
    with corpus.engine() as engine:
        return worked(engine, tmp_path_factory.mktemp("local") / "d", archives)


def test_a_cluster_of_which_a_worker_is_killed_gives_the_rows_of_one_machine(
    cluster, tmp_path, archives, expected
):
    def kill():
        wait_for(lambda: Storage(tmp_path / "corpus").list("fetches"))
        cluster.kill_worker()

    thread = threading.Thread(target=kill)
    thread.start()
    engine = SparkEngine(cluster.url, LIMITS)
    found = worked(engine, tmp_path / "corpus", archives)
    thread.join()
    assert cluster.workers[0].poll() is not None, "the worker is gone"
    assert found == expected
    kept = engine.spark.read.parquet(str(tmp_path / "corpus" / "corpus"))
    assert kept.count() == kept.where("verdict.kept").count() == expected[1]["kept"]


def test_a_corpus_in_an_object_store_has_the_same_rows(spark, object_store, archives, expected):
    place = make_bucket(object_store, "corpora")
    with environment(object_store):
        assert worked(SparkEngine("local[2]", LIMITS), f"{place}/urduweb", archives) == expected


def test_archives_in_an_object_store_are_read_by_tasks_to_the_same_rows(
    spark, object_store, archives, tmp_path
):
    shelf = make_bucket(object_store, "archives")
    with environment(object_store):
        for file in sorted(archives.iterdir()):
            Storage(shelf).write(f"in/{file.name}", file.read_bytes())
        with LocalEngine(1) as engine:
            expected = worked(engine, tmp_path / "local", f"{shelf}/in")
        assert expected[0]["documents"]
        assert worked(SparkEngine("local[2]", LIMITS), f"{shelf}/urduweb", f"{shelf}/in") == expected
