"""One page with thousands of copies, one site with a tenth of all pages: no task gets more than its share of rows.

Labels are those of one machine, and the tables are taken for so large that nothing fits into one task: what is large
for a group, for a task and for a table is a tenth of what it is, or less.
"""

import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from made_corpora import bench

from corpulyzer.dedup import slices
from corpulyzer.dedup.cluster import near_clusters
from corpulyzer.dedup.labels import DOCUMENT_SQL, label_documents, label_passages
from corpulyzer.dedup.near import candidates
from corpulyzer.dedup.near.minhash import MinHash
from corpulyzer.dedup.policy import PARAGRAPHS_SQL, copies_dropped, paragraphs_dropped, site_memory_sql
from corpulyzer.dedup.slices import in_slices
from corpulyzer.engine import Dataset
from corpulyzer.engine.spark import SparkEngine

pytestmark = pytest.mark.slow
DOCUMENTS, COPIES, NEAR, FILES = 20_000, 8_000, 4_000, 16
"""All documents, those with one text, and those with texts of their own that share a bucket."""
LARGE, MOST_ROWS = 1_000, 2_500
AS_IF_LARGE = {
    "spark.sql.shuffle.partitions": "24",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.adaptive.autoBroadcastJoinThreshold": "-1",
    "spark.sql.adaptive.coalescePartitions.enabled": "false",
    "spark.sql.adaptive.advisoryPartitionSizeInBytes": "16k",
    "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes": "16k",
    "spark.sql.files.maxPartitionBytes": "64k",
    "spark.sql.files.openCostInBytes": "64k",
}
"""Tables that do not fit into one task, nor into all of them."""
METHOD = MinHash(similarity=0.5, permutations=4, bands=1, rows=4)


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder, chance = tmp_path_factory.mktemp("skew"), random.Random(5)
    ids = chance.sample(range(1 << 60), DOCUMENTS)
    number = range(DOCUMENTS)
    units = {
        "id": ids,
        "archive_id": [n % 40 for n in number],
        "site_id": [7 if n % 10 == 0 else n % 900 for n in number],
        "kept": [1] * DOCUMENTS,
        "rank": [-500] * DOCUMENTS,
        "date": [n % 3 for n in number],
        "text_key": [-1 if n % 5 < 2 else n - n % 5 // 4 for n in number],
        "text_bytes": [500] * DOCUMENTS,
    }
    passages = {
        "document": ids, "number": [0] * DOCUMENTS, "begins": [0] * DOCUMENTS, "stops": [9] * DOCUMENTS,
        "words": [2] * DOCUMENTS, "scope_id": [0] * DOCUMENTS, "key": units["text_key"],
        "site_id": units["site_id"],
    }  # fmt: skip
    made = {
        "units": units,
        "passages": passages,
        "documents": {"id": ids, "url": [f"http://x/{n}" for n in number]},
        "signatures": {"id": ids, "key": ids, "value": [b"same"] * DOCUMENTS},
        "buckets": {"id": ids, "key": [-1 if n % 5 == 2 else n for n in number]},
    }
    return {name: written(folder, name, columns) for name, columns in made.items()}


def written(folder, name, columns):
    whole, paths = pa.table(columns), []
    for start in range(0, DOCUMENTS, DOCUMENTS // FILES):
        paths.append(str(folder / f"{name}.{start}.parquet"))
        pq.write_table(whole.slice(start, DOCUMENTS // FILES), paths[-1])
    return Dataset(tuple(paths), whole.schema)


@pytest.fixture(autouse=True)
def smaller_groups_are_large(monkeypatch):
    for module in (slices, candidates):
        monkeypatch.setattr(module, "MANY", LARGE)


def labelled(on, tables):
    """Labels of equal texts."""
    units = tables["units"]
    members = on.spread("members", in_slices(DOCUMENT_SQL), units=units, slices=slices.slices())
    return {"document": label_documents(on, "document", members, units)}


def judged(on, tables):
    """Labels of near-copies and of paragraphs, and what goes."""
    units, passages = tables["units"], tables["passages"]
    equal = labelled(on, tables)["document"]
    signed = {name: tables[name] for name in ("signatures", "buckets")}
    near = label_documents(on, "near", near_clusters(on, METHOD, units, signed, equal).members, units)
    copies = copies_dropped(on, "copies", units, {"document": equal, "near": near}, tables["documents"])
    none, queries = Dataset((), copies.schema), [in_slices(PARAGRAPHS_SQL), site_memory_sql()]
    gone = paragraphs_dropped(on, "gone", queries, units=units, copies=none, passages=passages)
    paragraphs = label_passages(on, "paragraph", passages, units)
    return {"near": near, "copies": copies, "gone": gone, "paragraph": paragraphs}


def on_both(engine, spark, folder, tables, make):
    """What is made here; it must be the same on Spark, where no task reads more than its share."""
    with SparkEngine(spark.master) as there:
        for name, value in AS_IF_LARGE.items():
            there.spark.conf.set(name, value)
        before = rows_of_tasks(there.spark)
        found = sorted_rows(make(bench(there, folder / "there"), tables))
        most = {stage: rows for stage, rows in rows_of_tasks(there.spark).items() if stage not in before}
    expected = sorted_rows(make(bench(engine, folder / "here"), tables))
    assert found == expected
    assert len(most) > 20 and 1_000 <= max(most.values()) <= MOST_ROWS, most
    return expected


def sorted_rows(made):
    return {level: sorted(map(str, rows_of(labels))) for level, labels in made.items()}


def rows_of(labels):
    return [row for file in labels.files for row in pq.read_table(file, partitioning=None).to_pylist()]


def rows_of_tasks(session):
    """The most rows that a task of each stage has read, from files or from other tasks, by the number of the stage."""
    store = session.sparkContext._jsc.sc().statusStore()
    highest = session.sparkContext._gateway.new_array(session._jvm.double, 1)
    highest[0] = 1.0
    jobs = store.jobsList(None)
    ids = {
        jobs.apply(n).stageIds().apply(m)
        for n in range(jobs.size())
        for m in range(jobs.apply(n).stageIds().size())
    }
    most = {}
    for stage in ids:
        told = store.taskSummary(stage, 0, highest)
        if told.isDefined():
            each = told.get()
            read = (
                each.inputMetrics().recordsRead().apply(0),
                each.shuffleReadMetrics().readRecords().apply(0),
            )
            most[stage] = int(sum(read))
    return most


def test_no_task_gets_all_of_very_many_copies(engine, spark, tables, tmp_path):
    found = on_both(engine, spark, tmp_path, tables, labelled)
    assert sum(f"'size': {COPIES}," in row for row in found["document"]) == COPIES
    assert len(found["document"]) > COPIES + 1_000


@pytest.mark.endurance
def test_no_task_gets_all_documents_of_a_bucket_or_all_that_go_for_one(engine, spark, tables, tmp_path):
    found = on_both(engine, spark, tmp_path, tables, judged)
    assert sum(f"'size': {NEAR}," in row for row in found["near"]) == NEAR
    assert len(found["copies"]) > COPIES + NEAR - 3
    assert sum(f"'size': {COPIES}," in row for row in found["paragraph"]) == COPIES
    assert len(found["gone"]) > COPIES
