"""How often an object store is asked: by commands that find nothing to do, as often in a large corpus as in a small one."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping

import pyarrow as pa
import pytest
from s3_server import environment, make_bucket, requests

from corpulyzer.api.corpus import Corpus
from corpulyzer.corpus.without_copies import read_state
from corpulyzer.engine import Dataset
from corpulyzer.engine.derived.table import Table
from corpulyzer.engine.local import LocalEngine
from corpulyzer.engine.spark import SparkEngine
from corpulyzer.storage import ParquetSink, Storage
from corpulyzer.storage.content import DamagedError
from corpulyzer.storage.location import sizes_of
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


@pytest.fixture(scope="module")
def larger(bucket: str, engine: LocalEngine) -> Corpus:
    return corpus_of(bucket, 9, engine)


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
    corpus.status(engine=engine)
    return corpus


@pytest.mark.slow
def test_commands_that_find_nothing_to_do_ask_for_each_table_and_not_for_each_part(
    small: Corpus, larger: Corpus, engine: LocalEngine, object_store: Mapping[str, str]
) -> None:
    counts: dict[str, list[int]] = {}
    for place in (small.storage.root, larger.storage.root):
        for verb in ("process", "dedup", "annotate", "status"):
            corpus = Corpus.open(place)
            with requests(object_store) as asked:
                getattr(corpus, verb)(engine=engine)
            counts.setdefault(verb, []).append(len(asked))
    assert all(few == many <= MOST for few, many in counts.values()), counts


def test_an_import_of_what_is_in_reads_each_note_twice(
    bucket: str, engine: LocalEngine, object_store: Mapping[str, str]
) -> None:
    store = Storage(f"{bucket}/rows")
    for number in range(4):
        store.write(f"{number}.jsonl", json.dumps({"text": SAID.format(number)}).encode())
    corpus = Corpus.create("eng", f"{bucket}/of-rows")
    corpus.import_(store.root, engine=engine)
    with requests(object_store) as asked:
        assert all(source.known for source in corpus.import_(store.root, engine=engine).sources)
    notes = Counter(each.split()[1] for each in asked if ".json " in each and "/imports/" in each)
    assert len(notes) == 4 and set(notes.values()) == {4}, "each time its size and its content"


@pytest.mark.slow
def test_what_is_noted_of_copies_does_not_grow_with_archives(small: Corpus, larger: Corpus) -> None:
    few, many = (read_state(corpus.storage) for corpus in (small, larger))
    assert names_in(few) == names_in(many) and few["levels"]


def names_in(value: object) -> object:
    """The names in a value of JSON and in those that it holds, and how long each list is."""
    if isinstance(value, dict):
        return {name: names_in(each) for name, each in value.items()}
    return list(map(names_in, value)) if isinstance(value, list) else ""


@pytest.mark.slow
def test_status_starts_no_spark(small: Corpus) -> None:
    with SparkEngine("spark://127.0.0.1:1") as nowhere:
        assert Corpus.open(small.storage.root).status(engine=nowhere).funnel.kept == 1


@pytest.mark.parametrize("size", [0, 1, 100_000])
def test_a_small_file_is_written_with_one_request(
    bucket: str, object_store: Mapping[str, str], size: int
) -> None:
    store = Storage(f"{bucket}/small")
    with requests(object_store) as asked:
        store.write(f"{size}", b"x" * size)
    assert len(asked) == 1, asked
    assert store.read(f"{size}") == b"x" * size


def test_whether_a_file_is_there_is_one_request(bucket: str, object_store: Mapping[str, str]) -> None:
    store = Storage(f"{bucket}/there")
    store.write("folder/file", b"x")
    for name, is_there in (("folder/file", True), ("folder/none", False), ("folder", False)):
        with requests(object_store) as asked:
            assert store.exists(name) is is_there
        assert len(asked) == 1 and asked[0].startswith("HEAD"), asked


def test_a_large_file_is_written_in_pieces_and_read_whole(
    bucket: str, object_store: Mapping[str, str]
) -> None:
    store, content = Storage(f"{bucket}/large"), bytes(range(256)) * (100 << 10)
    with requests(object_store) as asked:
        store.write("large", content)
    assert any("partNumber=2" in each for each in asked)
    assert store.read("large") == content


def test_a_query_asks_for_no_size_that_is_known(
    bucket: str, engine: LocalEngine, object_store: Mapping[str, str]
) -> None:
    rows = pa.table({"name": ["a", "b"]})
    files = [f"{bucket}/sized/{number}.parquet" for number in range(3)]
    for file in files:
        with ParquetSink(file, rows.schema) as sink:
            sink.write(rows.to_batches()[0])
    for sizes, heads in ((sizes_of(files), 0), (None, len(files))):
        with requests(object_store) as asked:
            found = engine.query("select count(*) as n from t", {"t": Dataset(files, rows.schema, sizes)})
        assert found.to_pylist() == [{"n": 6}]
        assert sum(each.startswith("HEAD") for each in asked) == heads


def test_a_query_asks_again_for_the_size_of_a_file_that_was_replaced(
    bucket: str, engine: LocalEngine, object_store: Mapping[str, str]
) -> None:
    table = Table(Storage(f"{bucket}/replaced"), "t")
    few, many = (pa.table({"name": [f"n{number}" for number in range(rows)]}) for rows in (9, 9_000))
    for before, after in ((few, many), (many, few)):
        for name in ("a.parquet", "b.parquet"):
            write(table.path(name), before)
        table.note(["a.parquet", "b.parquet"])
        dataset = table.dataset(few.schema)
        write(table.path("b.parquet"), after)
        sql = "select count(distinct name) as n from t"
        with requests(object_store) as asked:
            assert engine.query(sql, {"t": dataset}).to_pylist() == [{"n": 9_000}]
        assert sum(each.startswith("HEAD") for each in asked) == len(dataset.files)
        engine.query(sql, {"t": dataset}, table.path("found.parquet"))
        assert sizes_of([table.path("found.parquet")]) > [0]


def test_a_query_names_a_file_that_went_after_its_size_was_noted(bucket: str, engine: LocalEngine) -> None:
    table, rows = Table(Storage(f"{bucket}/gone"), "t"), pa.table({"name": ["one"]})
    write(table.path("a.parquet"), rows)
    table.note(["a.parquet"])
    table.storage.delete("t/a.parquet")
    with pytest.raises(DamagedError, match=r"a\.parquet is missing"):
        engine.query("select count(name) as n from t", {"t": table.dataset(rows.schema)})


def write(file: str, rows: pa.Table) -> None:
    with ParquetSink(file, rows.schema) as sink:
        for batch in rows.to_batches():
            sink.write(batch)
