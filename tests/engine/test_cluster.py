"""A real standalone master with two workers on loopback gives what one machine gives, bad rows included."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from cluster import Cluster
from row_steps import PAGES, WORDS, Echo, rows, unit

from corpulyzer.engine import Dataset, Engine, Limits, Source
from corpulyzer.engine.local import LocalEngine
from corpulyzer.engine.spark import SparkEngine
from corpulyzer.storage import Storage

pytestmark = pytest.mark.slow
LIMITS = Limits(page_seconds=1, page_megabytes=300)
SQL = """
    select w.word, count(*) as pages, sum(p.id) as ids from words as w join pages as p on w.id = p.id
    group by w.word order by pages desc nulls last, w.word nulls last
"""


def work(engine: Engine, folder: Path) -> None:
    """Map and query, with a bad row in each unit."""
    deeds = ["a b", "crash", "b c", "sleep 0.3", "raise it", *(f"row {n}" for n in range(50))]
    units = [unit(folder, f"{n:02}", Source(table=rows(*deeds, start=100 * n))) for n in range(12)]
    engine.map(Echo(), units)
    storage = Storage(folder)
    pages, words = (
        Dataset([storage.path(file) for file in storage.list(name)], schema)
        for name, schema in (("pages", PAGES), ("words", WORDS))
    )
    engine.query(SQL, {"pages": pages, "words": words}, storage.path("out.parquet"))


def assert_equal(made: Path, expected: Path) -> None:
    files = Storage(expected).list()
    assert Storage(made).list() == files
    assert len(files) == 25
    for file in files:
        assert pq.read_table(made / file).equals(pq.read_table(expected / file)), file


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("local")
    work(LocalEngine(2, LIMITS), folder)
    return folder


def test_a_cluster_gives_the_rows_of_one_machine(cluster: Cluster, tmp_path: Path, expected: Path) -> None:
    work(SparkEngine(cluster.url, LIMITS), tmp_path / "corpus")
    assert_equal(tmp_path / "corpus", expected)
