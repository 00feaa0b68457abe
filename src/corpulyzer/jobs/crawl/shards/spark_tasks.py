"""Tasks of a Spark cluster that have effects, one job each: whoever starts them sees to what one has done.

Unlike a map, such a task may not be done twice at once, and Spark is no help there: it may start a task again
whose machine it cannot reach. So the task itself must find out whether its work is still its own.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from corpulyzer.engine.spark import SparkEngine


class Work(Protocol):
    """What a task does; it is pickled, and its words are kept if it fails."""

    def __call__(self) -> None: ...


class RunningTask:
    """A task on its way."""

    def __init__(self, context: Any, work: Work) -> None:
        self.error = ""
        self._context = context
        self._group = uuid.uuid4().hex
        self._thread = threading.Thread(target=self._run, args=(work,), daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """Whether it has ended, for better or worse; `error` tells."""
        return not self._thread.is_alive()

    @property
    def has_begun(self) -> bool:
        """Whether a machine works on it, as far as Spark knows."""
        tracker = self._context.statusTracker()
        jobs = map(tracker.getJobInfo, tracker.getJobIdsForGroup(self._group))
        stages = [tracker.getStageInfo(stage) for job in jobs if job for stage in job.stageIds]
        return any(stage.numActiveTasks for stage in stages if stage)

    def cancel(self) -> None:
        """Have it end, wherever it runs."""
        if not self.is_over:
            self._context.cancelJobGroup(self._group)

    def wait(self) -> None:
        """Wait for its end."""
        self._thread.join()

    def _run(self, work: Work) -> None:
        try:
            self._context.setJobGroup(self._group, "corpulyzer", interruptOnCancel=True)
            self._context.parallelize([work], 1).foreachPartition(_do)
        except Exception as error:  # noqa: BLE001 - whatever it was, the task has ended
            self.error = str(error)


def _do(works: Iterator[Work]) -> None:
    for work in works:
        work()


def starter_on(engine: SparkEngine) -> Callable[[Work], RunningTask]:
    """A function that starts tasks on the cluster of an engine; Spark is started now, in this thread."""
    context = engine.spark.sparkContext
    return lambda work: RunningTask(context, work)
