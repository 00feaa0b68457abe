"""The one Spark of a test process: a session on this machine or on a cluster of ours, started once for all tests."""

import os
from collections.abc import Mapping
from pathlib import Path

from cluster import QUICK_JAVA, SETTINGS, Cluster
from processes import wait_for
from s3_server import environment

import corpulyzer
from corpulyzer.engine.spark import SparkEngine

TESTS = Path(__file__).parent.parent
# Steps of tests that Spark's Python processes import by name, and the package from where this process has it.
SOURCE = Path(corpulyzer.__file__).parent.parent
STEPS = os.pathsep.join(map(str, [*(TESTS / name for name in ("engine", "dedup", "measure")), SOURCE]))
# Tables of tests are small: several parts, but few, and queries that are run as they are instead of compiled.
FEW = {
    "spark.sql.shuffle.partitions": "3",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.driver.extraJavaOptions": QUICK_JAVA,
}


class Sparks:
    """Holds a session, so that every `SparkEngine` of the process is a guest of it; a process can have only one."""

    def __init__(self, folder: Path, store: Mapping[str, str]) -> None:
        self._folder, self._store = folder, store
        self._host: SparkEngine | None = None
        self._cluster: Cluster | None = None

    def use_this_machine(self) -> None:
        self._use("local[2]", FEW)

    def use_cluster(self) -> Cluster:
        """The cluster with both its workers; one that a test has ended is replaced."""
        if self._cluster is None:
            with environment(self._variables()):
                self._cluster = Cluster(self._folder)
        with environment(self._variables()):
            self._cluster.revive()
        host = self._use(self._cluster.url, {**SETTINGS, **FEW})
        wait_for(lambda: host.spark.sparkContext.defaultParallelism >= 2, 180)
        return self._cluster

    def close(self) -> None:
        if self._host is not None:
            self._host.close()
        if self._cluster is not None:
            self._cluster.close()

    def _use(self, master: str, settings: Mapping[str, str]) -> SparkEngine:
        if self._host is not None and self._host.master != master:
            self._host.close()
            self._host = None
        if self._host is None:
            self._host = SparkEngine(master, settings=settings)
            with environment(self._variables()):
                self._host.spark.range(1).count()
        return self._host

    def _variables(self) -> dict[str, str]:
        ours = {"PYTHONPATH": STEPS, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LAUNCHER_OPTS": QUICK_JAVA}
        return {**self._store, **ours}
