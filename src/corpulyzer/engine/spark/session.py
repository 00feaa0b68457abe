"""A Spark session whose settings give the same rows as DuckDB, with Spark's log kept off the terminal."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING, Any

import regex

from corpulyzer.errors import UserError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# What makes Spark's answers those of DuckDB.
SQL_SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.ansi.enabled": "true",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
}
# Where very many rows of a join have one key, several tasks share them from some million rows on.
SPREAD_SETTINGS = {"spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes": "64m"}
LOCAL_SETTINGS = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.sql.shuffle.partitions": "16",
    "spark.ui.enabled": "false",
}


class Session:
    """A session of our own, or a view of the one that the user's program has started already."""

    def __init__(self, master: str, settings: Mapping[str, str]) -> None:
        _require_parts()
        _require_master(master)
        from pyspark import SparkContext
        from pyspark.sql import SparkSession

        self._log: IO[bytes] | None = None
        self._ours = SparkContext._active_spark_context is None
        if self._ours:
            context = self._start(master, settings)
            session = SparkSession(context)
        else:
            session = SparkSession.builder.getOrCreate().newSession()
        for name, value in SQL_SETTINGS.items():
            session.conf.set(name, value)
        self.spark: SparkSession = session

    def close(self) -> None:
        """Stop what was started here, the Java process included."""
        if self._ours:
            self.spark.stop()
            self._end_java()

    def _end_java(self) -> None:
        from pyspark import SparkContext

        gateway: Any = SparkContext._gateway
        if gateway is not None:
            gateway.shutdown()
            if gateway.proc is not None:
                gateway.proc.stdin.close()  # on which the Java process ends
                _wait(gateway.proc)
            SparkContext._gateway = SparkContext._jvm = None
        if self._log is not None:
            self._log.close()

    def _start(self, master: str, settings: Mapping[str, str]) -> Any:
        from pyspark import SparkConf, SparkContext, java_gateway

        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        local = LOCAL_SETTINGS if master.startswith("local") else {}
        quiet = {"spark.log.level": "ERROR", "spark.ui.showConsoleProgress": "false"}
        asked = {**quiet, **SPREAD_SETTINGS, **local, **settings}
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close()
        try:
            if SparkContext._gateway is None:
                conf = SparkConf(loadDefaults=False).setAll(list(asked.items()))
                launch: Any = java_gateway.launch_gateway
                SparkContext._gateway = gateway = launch(conf, {"stdout": self._log, "stderr": self._log})
                SparkContext._jvm = gateway.jvm
            # Keys of a store go to executors by the context, for a command line would show them.
            keys = {f"spark.executorEnv.{k}": v for k, v in os.environ.items() if k.startswith("AWS_")}
            conf = SparkConf().setAll(list({**keys, **asked}.items()))
            return SparkContext(retrying(master), "corpulyzer", conf=conf)
        except Exception as error:
            hint = self._complaint(error)
            self._end_java()
            raise UserError(f"Spark does not start with the master {master!r}.", hint) from error

    def _complaint(self, error: Exception) -> str:
        """What Spark's log complains of, without the traces of its stack."""
        assert self._log is not None
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").splitlines()
        found = [
            line
            for line in lines
            if regex.match(r"(?:\w+\.)+\w*(?:Exception|Error): |Error|Unsupported", line)
        ]
        return found[0] if found else str(error).partition("\n")[0]


def _wait(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def retrying(master: str) -> str:
    """A master that tries a lost task again; a local one gives up at the first loss unless told.

    >>> retrying("local[2]"), retrying("local"), retrying("spark://a:7077")
    ('local[2,4]', 'local[1,4]', 'spark://a:7077')
    """
    if master == "local":
        return "local[1,4]"
    return regex.sub(r"^local\[([^,\]]+)\]$", r"local[\1,4]", master)


def _require_parts() -> None:
    """UserError if pyspark or Java is missing, which Spark would report less clearly."""
    for part in ("pyspark", "pandas"):
        if importlib.util.find_spec(part) is None:
            raise UserError(
                f"The Spark engine needs {part}.", "Install it with: pip install 'corpulyzer[spark]'"
            )
    home = os.environ.get("JAVA_HOME", "")
    if not shutil.which(os.path.join(home, "bin", "java") if home else "java"):
        raise UserError(
            f"Spark needs Java 17 or newer, and there is none{f' in JAVA_HOME ({home})' if home else ''}.",
            "On Debian: apt install default-jre-headless",
        )


def _require_master(master: str) -> None:
    """UserError if a standalone master takes no connection; Spark itself would try for a minute."""
    if master == "yarn" and not ("HADOOP_CONF_DIR" in os.environ or "YARN_CONF_DIR" in os.environ):
        raise UserError("The master yarn needs HADOOP_CONF_DIR or YARN_CONF_DIR in the environment.")
    if not master.startswith("spark://"):
        return
    for address in master.removeprefix("spark://").split(","):
        host, _, port = address.rpartition(":")
        try:
            socket.create_connection((host, int(port)), timeout=5).close()
        except (OSError, ValueError):
            continue
        return
    raise UserError(
        f"No Spark master answers at {master}.", "Check the address that its log gives: spark://HOST:PORT."
    )
