"""Large clusters are put in order slice by slice, with the labels that they would have as a whole."""

import random

import pyarrow.parquet as pq
import pytest
from made_corpora import bench, table

from corpulyzer.dedup import labels, policy
from corpulyzer.dedup.cluster import NODES_SQL
from corpulyzer.engine import Dataset

LARGE = [(10_000, 64), (3, 2), (0, 7)]


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Units in clusters of one to two hundred, with ranks and dates that are often equal, and passages."""
    chance, folder = random.Random(3), tmp_path_factory.mktemp("slices")
    ids = chance.sample(range(-(1 << 60), 1 << 60), 400)
    units = [
        {
            "id": each, "archive_id": each % 3, "site_id": chance.choice([5, 5, 5, 6, -7, each]),
            "kept": int(chance.random() < 0.9), "rank": chance.choice([-9, -9, -9, -8]),
            "date": chance.choice([1, 1, 2]),
        }
        for each in ids
    ]  # fmt: skip
    members = [{"id": each, "cluster": int(chance.random() ** 3 * 60), "weight": 1} for each in ids]
    passages = [
        {
            "document": unit["id"], "number": number, "begins": 0, "stops": 9, "words": 2,
            "scope_id": chance.choice([0, 0, 1]), "key": int(chance.random() ** 4 * 90),
            "site_id": unit["site_id"],
        }
        for unit in units
        for number in range(4)
    ]  # fmt: skip
    signatures = [{"id": row["id"], "key": row["cluster"]} for row in members]
    found = {"units": units, "members": members, "passages": passages, "signatures": signatures}
    return {name: table(folder, name, rows, files=3) for name, rows in found.items()}


def asked(engine, folder, monkeypatch, large, make):
    """The rows that a query gives with what is taken for large, in an order of their own."""
    for module in (labels, policy):
        monkeypatch.setattr(module, "MANY", large[0])
        monkeypatch.setattr(module, "SLICES", large[1])
    made = make(bench(engine, folder / f"{large[0]}"))
    rows = [row for file in made.files for row in pq.read_table(file, partitioning=None).to_pylist()]
    return sorted(({**row, "place": min(row.get("place", 0), 2)} for row in rows), key=str)


def of_all(engine, tmp_path, monkeypatch, make):
    whole, *others = (asked(engine, tmp_path, monkeypatch, large, make) for large in LARGE)
    assert len(whole) > 100
    for each in others:
        assert each == whole
    return whole


def test_labels_of_documents_are_the_same(engine, tables, tmp_path, monkeypatch):
    found = of_all(
        *(engine, tmp_path, monkeypatch),
        lambda on: labels.label_documents(on, "document", tables["members"], tables["units"]),
    )
    assert {row["scope"] for row in found} == {"kept", "within", "across"}
    assert max(row["size"] for row in found) > 60


def test_labels_of_passages_are_the_same(engine, tables, tmp_path, monkeypatch):
    found = of_all(
        *(engine, tmp_path, monkeypatch),
        lambda on: labels.label_passages(on, "paragraph", tables["passages"], tables["units"]),
    )
    assert {row["scope"] for row in found} == {"kept", "within", "across"}


def test_the_paragraphs_that_go_are_the_same(engine, tables, tmp_path, monkeypatch):
    none = Dataset((), tables["members"].schema)
    of_all(
        *(engine, tmp_path, monkeypatch),
        lambda on: on.spread(
            "gone",
            labels.in_slices(policy.PARAGRAPHS_SQL),
            units=tables["units"],
            copies=none,
            passages=tables["passages"],
        ),
    )


def test_documents_with_one_signature_have_the_same_first(engine, tables, tmp_path, monkeypatch):
    equal = table(tmp_path, "equal", [{"id": 0, "place": 2}])
    given = {"units": tables["units"], "signatures": tables["signatures"], "equal": equal}
    found = of_all(
        *(engine, tmp_path, monkeypatch),
        lambda on: on.spread("nodes", labels.in_slices(NODES_SQL), **given),
    )
    assert len({row["node"] for row in found}) < len(found) / 2
