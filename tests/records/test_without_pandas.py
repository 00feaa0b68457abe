"""Arrow without pandas: nothing of ours imports it, and whoever uses it finds all as ever."""

import subprocess
import sys

import pytest

OURS = """
import sys
from corpulyzer.engine.local import LocalEngine
from corpulyzer.records import Document
from corpulyzer.records.columns import batch_of
rows = LocalEngine(workers=1).query("select 1 as n", {})
batch_of([], Document)
assert rows.to_pylist() == [{"n": 1}]
assert "pandas" not in sys.modules
"""
A_FRAME = "assert list(rows.to_pandas()['n']) == [1]\n"
A_SERIES = """
import pandas as pd
import pyarrow as pa
assert pa.array(pd.Series([1.0, None])).null_count == 1
assert not [each for each in sys.meta_path if "Pandas" in type(each).__name__]
"""


def test_queries_and_batches_import_no_pandas():
    subprocess.run([sys.executable, "-c", OURS], check=True)


@pytest.mark.parametrize("use", [A_FRAME, A_SERIES, A_FRAME + A_SERIES])
def test_whoever_uses_pandas_afterwards_finds_all_as_ever(use):
    pytest.importorskip("pandas")
    subprocess.run([sys.executable, "-c", OURS + use], check=True)
