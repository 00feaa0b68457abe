"""Queries over little are done by the driver of a cluster: no Spark is started for them, and the rows are the same."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from s3_server import environment, make_bucket

from corpulyzer.engine import Dataset
from corpulyzer.engine.local import LocalEngine
from corpulyzer.engine.spark import FILES_ASKED, SparkEngine
from corpulyzer.errors import UserError
from corpulyzer.storage import ParquetSink, Storage
from corpulyzer.storage.location import sizes_of

NOWHERE = "spark://127.0.0.1:1"
SQL = "select site, count(*) as pages, sum(id) as ids from urls group by site order by site nulls last"
URLS = pa.schema([("id", pa.int64()), ("site", pa.string())])
ROWS = pa.table({"id": range(100), "site": [f"s{n % 7}.pk" for n in range(100)]}, URLS)


@pytest.fixture
def urls(tmp_path: Path) -> Dataset:
    pq.write_table(ROWS, tmp_path / "urls.parquet")
    return Dataset((str(tmp_path / "urls.parquet"),), URLS)


def test_a_small_query_starts_no_spark(urls: Dataset, tmp_path: Path) -> None:
    expected = LocalEngine(1).query(SQL, {"urls": urls})
    with SparkEngine(NOWHERE, few_bytes=1 << 20) as engine:
        assert engine.query(SQL, {"urls": urls}).equals(expected)
        assert not engine.query(SQL, {"urls": urls}, str(tmp_path / "out.parquet")).num_rows
        spread = engine.spread(SQL, {"urls": urls}, str(tmp_path / "spread.parquet"))
    assert pq.read_table(tmp_path / "out.parquet").equals(expected)
    assert pq.read_table(spread.files[0]).equals(expected)


@pytest.mark.parametrize("few", [0, 100])
def test_a_larger_one_is_for_the_cluster(urls: Dataset, few: int) -> None:
    assert sum(sizes_of(urls.files)) > few
    with SparkEngine(NOWHERE, few_bytes=few) as engine, pytest.raises(UserError):
        engine.query(SQL, {"urls": urls})


def test_what_is_known_of_a_table_is_not_asked_again(urls: Dataset) -> None:
    with SparkEngine(NOWHERE, few_bytes=1 << 20) as engine, pytest.raises(UserError):
        engine.query(SQL, {"urls": Dataset(urls.files, URLS, sizes=[2 << 20])})


def test_many_files_of_unknown_size_are_for_the_cluster(urls: Dataset) -> None:
    with SparkEngine(NOWHERE, few_bytes=1 << 20) as engine:
        assert engine.query(SQL, {"urls": Dataset(urls.files * FILES_ASKED, URLS)}).num_rows == 7
        with pytest.raises(UserError):
            engine.query(SQL, {"urls": Dataset(urls.files * (FILES_ASKED + 1), URLS)})


@pytest.fixture
def bucket(object_store: Mapping[str, str]) -> Iterator[str]:
    with environment(object_store):
        yield make_bucket(object_store, "few")


def test_the_files_may_be_in_an_object_store(bucket: str) -> None:
    storage = Storage(bucket)
    with ParquetSink(storage.path("urls.parquet"), URLS) as sink:
        for batch in ROWS.to_batches():
            sink.write(batch)
    urls = Dataset((storage.path("urls.parquet"),), URLS)
    with SparkEngine(NOWHERE, few_bytes=1 << 20) as engine:
        assert engine.query(SQL, {"urls": urls}).num_rows == 7
    with SparkEngine(NOWHERE, few_bytes=sum(sizes_of(urls.files))) as engine, pytest.raises(UserError):
        engine.query(SQL, {"urls": urls})


def test_a_table_has_a_size_for_each_file_or_none(urls: Dataset) -> None:
    with pytest.raises(ValueError, match="1 files has 2 sizes"):
        Dataset(urls.files, URLS, sizes=[1, 2])
