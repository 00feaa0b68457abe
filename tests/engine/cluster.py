"""A real standalone Spark cluster on loopback: a master and its workers, as processes of ours."""

import os
import signal
import subprocess
from pathlib import Path

from ports import answers, free_port
from processes import processes_below, wait_for

# Code that hardly runs is not optimised, classes of Spark are not checked, garbage is collected without other threads:
# a session starts with two thirds of the work.
QUICK_JAVA = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    " -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
)
SETTINGS = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.executor.memory": "512m",
    "spark.executor.cores": "1",
    "spark.executor.extraJavaOptions": QUICK_JAVA,
    "spark.ui.enabled": "false",
}


class Cluster:
    """A master and some workers as processes of ours."""

    def __init__(self, folder: Path, workers: int = 2) -> None:
        import pyspark

        self._folder = folder
        self._class = str(Path(pyspark.__file__).parent / "bin/spark-class")
        port = free_port()
        self.url = f"spark://127.0.0.1:{port}"
        place = ("--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
        self._master = self._start("master.Master", *place)
        wait_for(lambda: answers(port), 180)
        self.workers = [self._worker(number) for number in range(workers)]

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
        settings = {
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": QUICK_JAVA,
            "SPARK_LAUNCHER_OPTS": QUICK_JAVA,
        }
        with open(self._folder / f"{name}.{len(arguments)}.log", "ab") as log:
            command = [self._class, f"org.apache.spark.deploy.{name}", *arguments]
            return subprocess.Popen(command, env={**os.environ, **settings}, stdout=log, stderr=log)

    def revive(self) -> None:
        """Start the workers again that are gone."""
        for number, worker in enumerate(self.workers):
            if worker.poll() is not None:
                self.workers[number] = self._worker(number)

    def kill_worker(self, number: int = 0) -> None:
        """End a worker and all that it has started, as a machine that loses its power does."""
        worker = self.workers[number]
        for pid in (worker.pid, *processes_below(worker.pid)):
            with_luck(pid)
        worker.wait()

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
