"""Components and greedy choices in SQL are those of the textbook, whatever the order and the files."""

import random
from itertools import pairwise

import pytest
from made_corpora import OneBucket, bench, prose, table

from corpulyzer.dedup.components import components
from corpulyzer.dedup.greedy import greedy
from corpulyzer.dedup.near.candidates import similar_pairs
from corpulyzer.dedup.near.method import SignDocuments
from corpulyzer.dedup.near.minhash import MinHash
from corpulyzer.engine import Dataset


def roots(edges):
    """The smallest id of each node's component, by union and find."""
    parent = {}

    def find(node):
        parent.setdefault(node, node)
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for a, b in edges:
        low, high = sorted((find(a), find(b)))
        parent[high] = low
    return {node: find(node) for node in parent if find(node) != node}


def answer(engine, folder, edges, files=1):
    folder.mkdir(exist_ok=True)
    rows = table(folder, "edges", [{"a": a, "b": b} for a, b in edges], files)
    import pyarrow.parquet as pq

    made = components(bench(engine, folder), rows)
    return {row["id"]: row["root"] for file in made.files for row in pq.read_table(file).to_pylist()}


@pytest.mark.parametrize("seed", range(4))
def test_components_of_random_graphs(engine, tmp_path, seed):
    chance = random.Random(seed)
    nodes = [chance.randrange(-(1 << 63), 1 << 63) for _ in range(300)]
    edges = [tuple(chance.sample(nodes, 2)) for _ in range(chance.choice([60, 150, 400]))]
    expected = roots(edges)
    assert answer(engine, tmp_path / "once", edges) == expected
    chance.shuffle(edges)
    turned = [(b, a) for a, b in edges]
    assert answer(engine, tmp_path / "again", turned, files=3) == expected


def test_a_long_chain_needs_few_turns(engine, tmp_path):
    chance = random.Random(1)
    nodes = chance.sample(range(10**6), 3000)
    edges = list(pairwise(nodes))
    assert answer(engine, tmp_path, edges) == roots(edges)
    turns = len(list((tmp_path / "work").glob("large.*.parquet")))
    assert turns <= 15


@pytest.mark.parametrize("seed", range(3))
def test_the_greedy_choice_is_that_of_one_pass_from_best_to_worst(engine, tmp_path, seed):
    import pyarrow.parquet as pq

    chance = random.Random(seed)
    nodes = [{"id": n, "rank": chance.randrange(5), "date": chance.randrange(3)} for n in range(120)]
    order = {row["id"]: (row["rank"], row["date"], row["id"]) for row in nodes}
    pairs = {tuple(sorted(chance.sample(range(120), 2), key=order.get)) for _ in range(200)}
    kept, gone = set(), set()
    for node in sorted(order, key=order.get):
        (gone if any((better, node) in pairs for better in kept) else kept).add(node)
    edges = table(tmp_path, "edges", [{"a": a, "b": b} for a, b in sorted(pairs)], 2)
    made = greedy(bench(engine, tmp_path), edges, table(tmp_path, "nodes", nodes))
    rows = [row for file in made.files for row in pq.read_table(file).to_pylist()]
    assert {row["id"] for row in rows} == gone and len(rows) == len(gone)
    assert all(row["root"] in kept and (row["root"], row["id"]) in pairs for row in rows)


def test_without_pairs_nobody_goes(engine, tmp_path):
    import pyarrow as pa

    none = Dataset((), pa.schema([("a", pa.int64()), ("b", pa.int64())]))
    nodes = table(tmp_path, "nodes", [{"id": 1, "rank": 0, "date": 0}])
    for made in (components(bench(engine, tmp_path), none), greedy(bench(engine, tmp_path), none, nodes)):
        assert engine.query("select count(*) as n from t", {"t": made}).to_pylist() == [{"n": 0}]


def signed(folder, method, texts):
    """The tables that a method makes of texts, and the nodes."""
    rows = [(number, method.sign(text)) for number, text in enumerate(texts)]
    values = [{"id": n, "key": s.key, "value": s.value} for n, s in rows]
    buckets = [{"id": n, "key": key} for n, s in rows for key in s.buckets]
    assert set(SignDocuments(method).outputs) == {"signatures", "buckets"}
    nodes = [{"id": n, "rank": 0, "date": 0} for n, _ in rows]
    return (
        table(folder, "nodes", nodes),
        table(folder, "signatures", values),
        table(folder, "buckets", buckets),
    )


def test_in_a_hot_bucket_the_bound_is_kept_and_what_it_left_out_is_reported(engine, tmp_path):
    texts = [f"text {number}" for number in range(300)]
    found = similar_pairs(bench(engine, tmp_path), OneBucket(), *signed(tmp_path, OneBucket(), texts))
    compared = sum(
        engine.query("select count(*) as n from t", {"t": Dataset((str(file),), _pairs(file))}).to_pylist()[
            0
        ]["n"]
        for file in (tmp_path / "work").glob("pairs.*.parquet")
    )
    # In eight rounds four leaders each: 300 + 296 + … + 272 documents, each met by four before it.
    assert compared == sum(4 * (300 - 4 * turn) - 10 for turn in range(8))
    assert found.unresolved == 300 - 8 * 4
    assert not found.complete


def _pairs(file):
    import pyarrow.parquet as pq

    return pq.read_schema(file)


def test_many_that_are_alike_meet_in_hot_buckets_and_are_all_found(engine, tmp_path):
    base = prose(1, words=300)
    texts = [f"{base} page {number}" for number in range(400)] + [prose(n, words=300) for n in range(2, 40)]
    found = similar_pairs(bench(engine, tmp_path), MinHash(), *signed(tmp_path, MinHash(), texts))
    groups = components(bench(engine, tmp_path), found.edges)
    rows = engine.query(
        "select count(*) as n, min(root) as low, max(root) as high, max(id) as last from t", {"t": groups}
    )
    assert rows.to_pylist() == [{"n": 399, "low": 0, "high": 0, "last": 399}]
    assert found.unresolved == 0
    edges = engine.query("select count(*) as n from t", {"t": found.edges}).to_pylist()[0]["n"]
    assert edges < 400 * 40, "no more than a few comparisons for each"
