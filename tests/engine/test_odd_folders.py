"""A folder may have any name: none is taken for a pattern, which would bring rows of other folders too."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpulyzer.engine import Dataset, Engine
from corpulyzer.engine.local import LocalEngine

NAMES = ("c*", "cc", "a[1]", "a1", "k?l", "kxl", "b{x}", "bx", "o\\p", "it's", "f:g", "m#n", "d %20")
NAMES += ("o\\p[1]", "op1", "o\\*x", "oyx", "\\[", "\\")


def sums(engine: Engine, folder: Path) -> dict[str, int]:
    """What a query finds in a table in each of the folders."""
    found = {}
    for number, name in enumerate(NAMES):
        (folder / name).mkdir()
        table = pa.table({"k": pa.array([number], pa.int64())})
        pq.write_table(table, folder / name / "x.parquet")
    for name in NAMES:
        dataset = Dataset((str(folder / name / "x.parquet"),), table.schema)
        found[name] = engine.query("select sum(k) as n from t", {"t": dataset}).column("n")[0].as_py()
    return found


def test_one_machine_reads_the_folder_that_is_named(tmp_path: Path) -> None:
    with LocalEngine(1) as engine:
        assert sums(engine, tmp_path) == {name: number for number, name in enumerate(NAMES)}


@pytest.mark.slow
def test_a_cluster_reads_the_folder_that_is_named(tmp_path: Path, spark: Engine) -> None:
    assert sums(spark, tmp_path) == {name: number for number, name in enumerate(NAMES)}
