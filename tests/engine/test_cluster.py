"""A real standalone master with two workers on loopback gives what one machine gives, whoever dies."""

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from ports import answers, free_port
from processes import processes_below, wait_for
from row_steps import PAGES, WORDS, Echo, rows, unit
from s3_server import environment

from corpulyzer.engine import Dataset, Engine, Limits, Source
from corpulyzer.engine.local import LocalEngine
from corpulyzer.engine.spark import SparkEngine
from corpulyzer.storage import Storage

pytestmark = pytest.mark.slow
LIMITS = Limits(page_seconds=1, page_megabytes=300)
SETTINGS = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.executor.memory": "512m",
    "spark.executor.cores": "1",
    "spark.sql.shuffle.partitions": "4",
    "spark.ui.enabled": "false",
}
SQL = """
    select w.word, count(*) as pages, sum(p.id) as ids from words as w join pages as p on w.id = p.id
    group by w.word order by pages desc nulls last, w.word nulls last
"""


class Cluster:
    """A master and two workers as processes of ours."""

    def __init__(self, folder: Path) -> None:
        import pyspark

        self._folder = folder
        self._class = str(Path(pyspark.__file__).parent / "bin/spark-class")
        port = free_port()
        self.url = f"spark://127.0.0.1:{port}"
        place = ("--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
        self._master = self._start("master.Master", *place)
        wait_for(lambda: answers(port), 60)
        self.workers = [self._worker(number) for number in range(2)]

    def _worker(self, number: int) -> "subprocess.Popen[bytes]":
        place = [
            "--host",
            "127.0.0.1",
            "--webui-port",
            "0",
            "--work-dir",
            str(self._folder / f"worker{number}"),
        ]
        return self._start("worker.Worker", "--cores", "1", "--memory", "1g", *place, self.url)

    def _start(self, name: str, *arguments: str) -> "subprocess.Popen[bytes]":
        settings = {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_DAEMON_MEMORY": "256m"}
        with open(self._folder / f"{name}.{len(arguments)}.log", "ab") as log:
            command = [self._class, f"org.apache.spark.deploy.{name}", *arguments]
            return subprocess.Popen(command, env={**os.environ, **settings}, stdout=log, stderr=log)

    def kill_worker(self) -> None:
        """End a worker and all that it has started, as a machine that loses its power does."""
        pids = [self.workers[0].pid, *processes_below(self.workers[0].pid)]
        for pid in pids:
            with_luck(pid)

    def close(self) -> None:
        for process in (*self.workers, self._master):
            for pid in (*processes_below(process.pid), process.pid):
                with_luck(pid)
            process.wait()


def with_luck(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[Cluster, SparkEngine]]:
    variables = {"PYTHONPATH": str(Path(__file__).parent), "SPARK_LOCAL_IP": "127.0.0.1"}
    with environment(variables):
        made = Cluster(folder)
        try:
            with SparkEngine(made.url, LIMITS, SETTINGS) as engine:
                wait_for(lambda: engine.spark.sparkContext.defaultParallelism >= 2, 60)
                yield made, engine
        finally:
            made.close()


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


@pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java")
def test_a_cluster_gives_the_rows_of_one_machine(tmp_path: Path, expected: Path) -> None:
    with cluster(tmp_path) as (_, engine):
        work(engine, tmp_path / "corpus")
    assert_equal(tmp_path / "corpus", expected)


@pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java")
def test_a_worker_killed_in_the_middle_changes_nothing(tmp_path: Path, expected: Path) -> None:
    with cluster(tmp_path) as (made, engine):
        ran: list[int] = []

        def kill() -> None:
            wait_for(
                lambda: len(processes_below(made.workers[0].pid)) > 3, 60
            )  # executor, Python, guard, child
            ran.append(len(Storage(tmp_path / "corpus").list("pages")))
            made.kill_worker()

        thread = threading.Thread(target=kill)
        thread.start()
        work(engine, tmp_path / "corpus")
        thread.join()
        assert ran and ran[0] < 12, "it died while there was work to do"
    assert_equal(tmp_path / "corpus", expected)
