"""Large clusters are put in order slice by slice, with the labels that they would have as a whole."""

import random

import pyarrow.parquet as pq
import pytest
from made_corpora import bench, table

from corpulyzer.dedup import labels, policy, slices
from corpulyzer.dedup.cluster import NODES_SQL
from corpulyzer.dedup.components import components
from corpulyzer.dedup.greedy import greedy
from corpulyzer.dedup.near import candidates
from corpulyzer.dedup.near.minhash import MinHash
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
    linked = [sorted((ids[(number - 1) // 9], ids[number])) for number in range(1, len(ids))]
    edges = [{"a": a, "b": b} for a, b in linked]
    beats = [{"a": ids[number % 9], "b": ids[number]} for number in range(9, len(ids))]
    found = {
        "units": units,
        "members": members,
        "passages": passages,
        "signatures": signatures,
        "edges": edges,
        "beats": beats,
    }
    return {name: table(folder, name, rows, files=3) for name, rows in found.items()}


def asked(engine, folder, monkeypatch, large, make):
    """The rows that a query gives with what is taken for large, in an order of their own."""
    monkeypatch.setattr(slices, "MANY", large[0])
    monkeypatch.setattr(slices, "SLICES", large[1])
    monkeypatch.setattr(candidates, "MANY", large[0])
    made = make(bench(engine, folder / f"{large[0]}"))
    rows = [row for file in made.files for row in pq.read_table(file, partitioning=None).to_pylist()]
    return sorted(({**row, "place": min(row.get("place", 0), 2), "slice": 0} for row in rows), key=str)


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
            slices.in_slices(policy.PARAGRAPHS_SQL),
            units=tables["units"],
            copies=none,
            passages=tables["passages"],
            slices=slices.slices(),
        ),
    )


def test_the_paragraphs_that_a_site_repeats_are_the_same(engine, tables, tmp_path, monkeypatch):
    given = {"units": tables["units"], "copies": Dataset((), tables["members"].schema)}
    of_all(
        *(engine, tmp_path, monkeypatch),
        lambda on: on.spread(
            "gone", policy.site_memory_sql(2, 1), **given, passages=tables["passages"], slices=slices.slices()
        ),
    )


def test_what_very_many_edges_of_one_node_link_is_the_same(engine, tables, tmp_path, monkeypatch):
    found = of_all(engine, tmp_path, monkeypatch, lambda on: components(on, tables["edges"]))
    assert len(found) == 399 and len({row["root"] for row in found}) == 1


def test_the_greedy_choice_is_the_same_where_one_beats_very_many(engine, tables, tmp_path, monkeypatch):
    def chosen(on):
        made = greedy(on, tables["beats"], tables["units"])
        return on.spread("chosen", "select id, root from gone", gone=made)

    assert len(of_all(engine, tmp_path, monkeypatch, chosen)) > 300


def test_documents_with_one_signature_have_the_same_first(engine, tables, tmp_path, monkeypatch):
    equal = table(tmp_path, "equal", [{"id": 0, "place": 2}])
    given = {"units": tables["units"], "signatures": tables["signatures"], "equal": equal}
    found = of_all(
        *(engine, tmp_path, monkeypatch),
        lambda on: on.spread("nodes", slices.in_slices(NODES_SQL), **given, slices=slices.slices()),
    )
    assert len({row["node"] for row in found}) < len(found) / 2


def test_the_pairs_of_very_large_buckets_are_the_same(engine, tmp_path, monkeypatch):
    """A bucket of ninety, cut into slices or not: all meet its best four."""
    chance = random.Random(4)
    nodes = [
        {"id": chance.randrange(-(1 << 60), 1 << 60), "rank": number % 3, "date": 1} for number in range(150)
    ]
    buckets = [
        {"id": node["id"], "key": 7 if number < 90 else number // 3} for number, node in enumerate(nodes)
    ]
    signatures = [{"id": node["id"], "value": b"same"} for node in nodes]
    given = [
        table(tmp_path, name, rows, 3) for name, rows in (("nodes", nodes), ("s", signatures), ("b", buckets))
    ]
    method = MinHash(similarity=0.5, permutations=4, bands=1, rows=4)
    found = of_all(
        *(engine, tmp_path, monkeypatch),
        lambda on: candidates.similar_pairs(on, method, *given).edges,
    )
    assert len(found) == 6 + 4 * 86 + 3 * 20
