"""How much of a cluster a corpus may take: `[engine.spark]` of its settings, as Spark takes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge

from corpulyzer.errors import UserError


@dataclass(frozen=True, slots=True)
class SparkSettings:
    """How much of a Spark cluster may be taken; 0 leaves it to the cluster, but for `driver_megabytes`."""

    executors: Annotated[int, "Executors to ask for.", Ge(0)] = 0
    executor_cores: Annotated[int, "Cores of an executor, each of which runs a task at a time.", Ge(0)] = 0
    executor_memory_gigabytes: Annotated[
        float, "Memory of an executor for Java; what Python takes comes on top.", Ge(0)
    ] = 0.0
    python_memory_gigabytes: Annotated[
        float, "Memory of an executor for Python, whose tasks may take `page_megabytes` each.", Ge(0)
    ] = 0.0
    driver_memory_gigabytes: Annotated[float, "Memory of the driver for Java.", Ge(0)] = 0.0
    driver_megabytes: Annotated[
        int, "Queries over so much of Parquet, or less, are done by the driver; 0: none are.", Ge(0)
    ] = 256
    shuffle_partitions: Annotated[int, "Into how many parts joins and groups are split at first.", Ge(0)] = 0
    more: Annotated[
        tuple[str, ...], "Settings of Spark itself, as `spark.name=value`; they win over the others."
    ] = ()

    def for_master(self, master: str) -> dict[str, str]:
        """The same as Spark takes it; UserError for one that Spark cannot take.

        >>> SparkSettings(executors=4, executor_cores=2).for_master("spark://a:7077")
        {'spark.executor.cores': '2', 'spark.cores.max': '8'}
        """
        counts = {"spark.executor.cores": self.executor_cores, **self._executors(master)}
        counts["spark.sql.shuffle.partitions"] = self.shuffle_partitions
        gigabytes = {
            "spark.executor.memory": self.executor_memory_gigabytes,
            "spark.executor.memoryOverhead": self.python_memory_gigabytes,
            "spark.driver.memory": self.driver_memory_gigabytes,
        }
        asked = {name: str(count) for name, count in counts.items() if count}
        asked |= {name: f"{round(size * 1024)}m" for name, size in gigabytes.items() if size}
        return asked | dict(map(_pair, self.more))

    def _executors(self, master: str) -> dict[str, int]:
        """A standalone master starts executors until all cores are taken; others are told their number."""
        if master.startswith("spark://"):
            return {"spark.cores.max": self.executors * max(1, self.executor_cores)}
        return {"spark.executor.instances": self.executors}


def _pair(text: str) -> tuple[str, str]:
    name, mark, value = text.partition("=")
    if not mark or not name.startswith("spark."):
        raise UserError(
            f"engine.spark.more has {text!r}, which is no setting of Spark.",
            'Write it as in `more = ["spark.executor.memory=4g"]`.',
        )
    return name.strip(), value.strip()
