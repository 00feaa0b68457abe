"""A batch on a cluster over an object store, of which executors and the driver are killed, has the rows of one machine."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import zstandard
from cluster import Cluster
from s3_server import environment, make_bucket
from sparks import STEPS as IMPORTED

sys.path.append(str(Path(__file__).parent))
import steps_on_cluster

from corpulyzer.engine.local import LocalEngine
from corpulyzer.lab.demo.archive import write_archive
from corpulyzer.storage import Storage

PROGRAM = Path(steps_on_cluster.__file__)
TABLES = ("documents", "corpus", "duplicates/labels", "annotations")


@pytest.fixture
def own_cluster(object_store, tmp_path):
    """A cluster on which no other session holds the cores."""
    with environment({**object_store, "PYTHONPATH": IMPORTED}):
        cluster = Cluster(tmp_path, workers=2)
        try:
            yield cluster
        finally:
            cluster.close()


def rows_of(place):
    """All rows of tables, whatever files they are in, the measures, and the lines of the export."""
    storage, found = Storage(place), {}
    for table in TABLES:
        rows = []
        for file in storage.list(table, ".parquet"):
            with storage.open_input(file) as content:
                name = file.rpartition("/")[2].partition(".")[0]
                rows += [f"{name} {row}" for row in pq.read_table(content).to_pylist()]
        found[table] = sorted(rows)
    measured = [json.loads(storage.read(file)) for file in storage.list("analysis", ".json")]
    found["analysis"] = sorted(json.dumps(each["results"]) for each in measured if "results" in each)
    exported = [file for file in storage.list("exports") if file.endswith(".jsonl.zst")]
    lines = [_unpacked(storage.read(file)).splitlines() for file in exported]
    found["exports"] = sorted(line for each in lines for line in each)
    return found


def _unpacked(content):
    with zstandard.ZstdDecompressor().stream_reader(content, read_across_frames=True) as reader:
        return reader.read().decode()


@pytest.mark.endurance
def test_a_batch_whose_executors_and_driver_are_killed_goes_on_to_the_rows_of_one_machine(
    own_cluster, object_store, tmp_path, scale
):
    archives, place = tmp_path / "in", f"{make_bucket(object_store, 'killed')}/c"
    archives.mkdir()
    for seed in range(2):
        write_archive(archives / f"web-{seed}.warc.gz", seed)
    asked = {"place": place, "archives": str(archives), "master": own_cluster.url}
    asked |= {"workers": [worker.pid for worker in own_cluster.workers], "log": str(tmp_path / "killed")}
    for dies_in in (*scale((), ("dedup",), tuple(steps_on_cluster.STEPS)), ""):
        command = [sys.executable, str(PROGRAM), json.dumps({**asked, "dies_in": dies_in})]
        variables = {**os.environ, "PYTHONPATH": IMPORTED}
        done = subprocess.run(
            command, env=variables, capture_output=True, text=True, timeout=600, check=False
        )
        assert done.returncode == (-signal.SIGKILL if dies_in else 0), done.stderr[-2000:]
    assert set((tmp_path / "killed").read_text().split()) == set(steps_on_cluster.STEPS)
    with LocalEngine() as engine:
        steps_on_cluster.run(str(tmp_path / "here"), str(archives), engine)
    expected, found = rows_of(tmp_path / "here"), rows_of(place)
    assert {name: len(rows) for name, rows in expected.items() if len(rows) < 2} == {}
    for name, rows in expected.items():
        assert found[name] == rows, name
