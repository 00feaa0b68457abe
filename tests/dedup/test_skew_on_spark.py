"""One page with twenty thousand copies and one site with a tenth of all pages are labelled as on one machine."""

import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from made_corpora import bench

from corpulyzer.dedup.labels import DOCUMENT_SQL, MANY, label_documents, label_passages
from corpulyzer.engine import Dataset
from corpulyzer.engine.spark import SparkEngine

pytestmark = pytest.mark.slow
DOCUMENTS, COPIES, FILES = 50_000, 20_000, 16
AS_IF_LARGE = {
    "spark.sql.shuffle.partitions": "32",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.adaptive.autoBroadcastJoinThreshold": "-1",
}
"""Tables that do not fit into one task, nor into all of them."""


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
    members = on.spread("members", DOCUMENT_SQL, units=tables["units"])
    found = {
        "document": label_documents(on, "document", members, tables["units"]),
        "paragraph": label_passages(on, "paragraph", tables["passages"], tables["units"]),
    }
    return {level: sorted(rows_of(labels), key=lambda row: row["id"]) for level, labels in found.items()}


def rows_of(labels):
    return [row for file in labels.files for row in pq.read_table(file, partitioning=None).to_pylist()]


def test_labels_of_very_many_copies_are_those_of_one_machine(engine, spark, tables, tmp_path):
    with SparkEngine(spark.master) as there:
        for name, value in AS_IF_LARGE.items():
            there.spark.conf.set(name, value)
        found = labels_of(there, tmp_path / "there", tables)
    expected = labels_of(engine, tmp_path / "here", tables)
    assert found == expected
    assert max(row["size"] for row in expected["document"]) == COPIES > MANY
    assert sum(row["place"] == 1 for row in expected["document"]) > 1_000
