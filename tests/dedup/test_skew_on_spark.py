"""One page with twenty thousand copies and one site with a tenth of all pages: no task gets all of them."""

import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from made_corpora import bench

from corpulyzer.dedup.labels import label_documents, label_passages, written_alike
from corpulyzer.engine import Dataset
from corpulyzer.engine.spark import SparkEngine

pytestmark = pytest.mark.slow
DOCUMENTS, COPIES, ON_ONE_SITE, FILES = 50_000, 20_000, 5_000, 16
MOST = 6_000
"""Rows that a task may read: a fair share is 1,600 of 32 tasks, and what is cut up is not cut up evenly."""
AS_IF_LARGE = {
    "spark.sql.shuffle.partitions": "32",
    "spark.sql.files.maxPartitionBytes": "128k",
    "spark.sql.files.openCostInBytes": "64k",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.adaptive.autoBroadcastJoinThreshold": "-1",
    "spark.sql.adaptive.coalescePartitions.enabled": "false",
    "spark.sql.adaptive.advisoryPartitionSizeInBytes": "16k",
    "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes": "32k",
    "spark.sql.adaptive.skewJoin.skewedPartitionFactor": "2",
    "spark.sql.adaptive.forceOptimizeSkewedJoin": "true",
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder, chance = tmp_path_factory.mktemp("skew"), random.Random(5)
    ids = chance.sample(range(1 << 60), DOCUMENTS)
    number = range(DOCUMENTS)
    units = {
        "id": ids,
        "site_id": [7 if n % 10 == 0 else n % 900 for n in number],
        "kept": [1] * DOCUMENTS,
        "rank": [-500] * DOCUMENTS,
        "date": [n % 3 for n in number],
        "text_key": [-1 if n % 5 < 2 else n // 2 for n in number],
        "text_bytes": [500] * DOCUMENTS,
    }
    passages = {
        "document": ids, "number": [0] * DOCUMENTS, "begins": [0] * DOCUMENTS, "stops": [9] * DOCUMENTS,
        "words": [2] * DOCUMENTS, "scope_id": [0] * DOCUMENTS, "key": units["text_key"],
        "site_id": units["site_id"],
    }  # fmt: skip
    return {"units": written(folder, "units", units), "passages": written(folder, "passages", passages)}


def written(folder, name, columns):
    whole, paths = pa.table(columns), []
    for start in range(0, DOCUMENTS, DOCUMENTS // FILES):
        paths.append(str(folder / f"{name}.{start}.parquet"))
        pq.write_table(whole.slice(start, DOCUMENTS // FILES), paths[-1])
    return Dataset(tuple(paths), whole.schema)


def labels_of(engine, folder, tables):
    on = bench(engine, folder)
    members = written_alike(on, tables["units"])
    found = {
        "document": label_documents(on, "document", members, tables["units"]),
        "paragraph": label_passages(on, "paragraph", tables["passages"], tables["units"]),
    }
    return {level: sorted(rows_of(labels), key=lambda row: row["id"]) for level, labels in found.items()}


def rows_of(labels):
    return [row for file in labels.files for row in pq.read_table(file, partitioning=None).to_pylist()]


def most_rows(context, jobs_before):
    """The most rows that a task has read of what others have passed on, in the jobs since then."""
    store = context._jsc.sc().statusStore()
    jobs, most = store.jobsList(None), 0
    for number in range(jobs.size() - jobs_before):  # the last comes first
        stages = jobs.apply(number).stageIds()
        for stage in {stages.apply(n) for n in range(stages.size())}:
            tasks = store.taskList(stage, 0, 10_000)
            for task in (tasks.apply(n) for n in range(tasks.size())):
                if task.taskMetrics().isDefined():
                    most = max(most, task.taskMetrics().get().shuffleReadMetrics().recordsRead())
    return most


def test_no_task_gets_all_copies_of_a_page_and_labels_are_those_of_one_machine(
    engine, spark, tables, tmp_path
):
    with SparkEngine(spark.master) as there:
        for name, value in AS_IF_LARGE.items():
            there.spark.conf.set(name, value)
        context = there.spark.sparkContext
        before = context._jsc.sc().statusStore().jobsList(None).size()
        found = labels_of(there, tmp_path / "there", tables)
        most = most_rows(context, before)
    expected = labels_of(engine, tmp_path / "here", tables)
    assert found == expected
    assert max(row["size"] for row in expected["document"]) == COPIES
    assert sum(row["place"] == 1 for row in expected["document"]) > 1_000
    assert 0 < most <= MOST, f"a task had {most:,} rows"
