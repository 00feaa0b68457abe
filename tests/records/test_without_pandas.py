"""Arrow without pandas: nothing of ours imports it, and whoever asks for a data frame still gets one."""

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
assert all(type(each).__name__ != "NoPandas" for each in sys.meta_path)
"""


def test_queries_and_batches_import_no_pandas():
    subprocess.run([sys.executable, "-c", OURS], check=True)


def test_a_data_frame_is_made_where_one_is_asked_for():
    pytest.importorskip("pandas")
    frame = "assert list(rows.to_pandas()['n']) == [1]\n"
    subprocess.run([sys.executable, "-c", OURS + frame], check=True)
