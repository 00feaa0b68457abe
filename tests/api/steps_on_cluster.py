"""The steps of a batch on a cluster as a program of their own, of which executors are killed, and itself.

    python steps_on_cluster.py '{"place": …, "archives": …, "master": …, "workers": [PID, …], "log": …, "dies_in": STEP}'

In each step an executor is killed while a job is under way, and the log gets a line; in the step `dies_in` the program
kills itself, the driver.
"""

import json
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import psutil

sys.path.append(str(Path(__file__).parent.parent / "engine"))
from cluster import SETTINGS
from sparks import FEW

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.engine.spark import SparkEngine
from corpulyzer.storage import Storage

PANELS = ("basics", "vocabulary")
STEPS = {
    "import": lambda corpus, engine, archives: corpus.import_(archives, engine=engine),
    "dedup": lambda corpus, engine, archives: corpus.dedup("document", engine=engine),
    "annotate": lambda corpus, engine, archives: corpus.annotate(engine=engine),
    "analyze": lambda corpus, engine, archives: corpus.analyze(*PANELS, engine=engine),
    "export": lambda corpus, engine, archives: corpus.export("jsonl", engine=engine),
}
FLAGS = {"annotate.morphs": "never"}
DIES_AT = {"dedup": 6}
"""The job of a step at which the driver is killed, where it is not the first."""
ON_DRIVER = 64 << 20
"""Bytes of tables up to which queries of the other steps are done by the driver, as they are by default."""


def run(place, archives, engine, begin=lambda name: None):
    """All steps, those that are done too."""
    if not Storage(place).exists("corpulyzer.toml"):
        create("urd", place)
    for name, step in STEPS.items():
        begin(name)
        if isinstance(engine, SparkEngine):
            engine.few_bytes = 0 if name in ("dedup", "export") else ON_DRIVER
        step(open_corpus(place, FLAGS), engine, archives)


class Killer:
    """Looks at the jobs of Spark, and kills when one of the step is under way."""

    def __init__(self, spark, asked):
        self._tracker, self._log = spark.sparkContext.statusTracker(), Path(asked["log"])
        self._workers, self._dies_in = asked["workers"], asked["dies_in"]
        self._step, self._jobs, self._killed = "", set(), set()
        threading.Thread(target=self._watch, daemon=True).start()

    def begin(self, name):
        self._jobs, self._step = set(), name

    def _watch(self):
        while True:
            time.sleep(0.05)
            self._jobs |= set(self._tracker.getActiveJobsIds())
            if self._step == self._dies_in and len(self._jobs) >= DIES_AT.get(self._step, 1):
                os.kill(os.getpid(), signal.SIGKILL)
            if self._jobs and self._step not in self._killed and self._executor():
                self._killed.add(self._step)
                with self._log.open("a") as log:
                    log.write(f"{self._step}\n")

    def _executor(self):
        """Kill an executor with its Python processes, as a machine that loses its power does; False if there is none."""
        for worker in self._workers:
            for process in psutil.Process(worker).children():
                with suppress(psutil.Error):  # one that was killed before may still be there as a zombie
                    if "CoarseGrainedExecutorBackend" in " ".join(process.cmdline()):
                        for each in (process, *process.children(recursive=True)):
                            each.kill()
                        return True
        return False


def main():
    asked = json.loads(sys.argv[1])
    with SparkEngine(asked["master"], settings={**SETTINGS, **FEW}) as engine:
        run(asked["place"], asked["archives"], engine, Killer(engine.spark, asked).begin)


if __name__ == "__main__":
    main()
