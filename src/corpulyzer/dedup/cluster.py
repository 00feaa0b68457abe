"""Clusters of near-duplicate documents, by any method, among documents whose texts differ (CZ-26)."""

from __future__ import annotations

from dataclasses import dataclass

from corpulyzer.dedup.components import components
from corpulyzer.dedup.greedy import greedy
from corpulyzer.dedup.near.candidates import ROUNDS, similar_pairs
from corpulyzer.dedup.near.method import Method
from corpulyzer.dedup.slices import in_slices, slices
from corpulyzer.engine import Dataset
from corpulyzer.engine.workbench import Workbench

# Documents with the same signature are one node: a million equal pages cost no more than one.
NODES_SQL = """
with eligible as (
  select u.id, u.rank, u.date, s.key from units as u join signatures as s on u.id = s.id
  anti join (select id from equal where place > 1) as e on u.id = e.id where u.kept = 1),
shared as (select key, count(*) as size from eligible group by key having count(*) > 1),
large as (select s.key, n.slice from shared as s cross join slices as n where s.size > {many}),
known as (
  select s.key, coalesce(l.slice, 0) as slice from shared as s left join large as l on s.key = l.key),
sliced as (
  select e.id, e.rank, e.date, e.key, coalesce(l.slice, 0) as slice from eligible as e
  left join large as l on e.key = l.key and l.slice = (e.id % {slices} + {slices}) % {slices}),
placed as (
  select e.id, e.rank, e.date, e.key, row_number() over (
    partition by e.key, e.slice order by e.rank nulls last, e.date nulls last, e.id nulls last) as place
  from sliced as e semi join known as s on e.key = s.key and e.slice = s.slice),
firsts as (
  select id, key, row_number() over (
    partition by key order by rank nulls last, date nulls last, id nulls last) as place
  from placed where place = 1),
heads as (
  select f.id, f.key, coalesce(l.slice, 0) as slice
  from firsts as f left join large as l on f.key = l.key where f.place = 1)
select e.id, coalesce(h.id, e.id) as node, e.slice, e.rank, e.date
from sliced as e left join heads as h on e.key = h.key and e.slice = h.slice
"""
HEADS_SQL = "select id, rank, date from nodes where id = node"
STAYING_SQL = "select n.id, n.rank, n.date from nodes as n anti join fallen as f on n.id = f.id"
FALLEN_SQL = "select id, root from fallen"
FOLLOWED_SQL = """
select g.id, coalesce(f.root, g.root) as root from gone as g left join fallen as f on g.root = f.id
union all select f.id, f.root from fallen as f
"""
MEMBERS_SQL = """
with known as (
  select n.node, n.slice, coalesce(g.root, n.node) as cluster
  from (select distinct node, slice from nodes) as n left join grouped as g on g.id = n.node)
select n.id, k.cluster, coalesce(e.size, 1) as weight from nodes as n
join known as k on k.node = n.node and k.slice = n.slice left join equal as e on e.id = n.id
"""
COUNT_SQL = "select count(*) as n from counted"


@dataclass(frozen=True, slots=True)
class Clusters:
    """The cluster of each document (`id, cluster, weight`), and how many comparisons a bound left out."""

    members: Dataset
    documents: int
    unresolved: int


def near_clusters(
    bench: Workbench, method: Method, units: Dataset, signed: dict[str, Dataset], equal: Dataset
) -> Clusters:
    """The clusters of near-duplicates; of documents with equal texts (labels `equal`) only one takes part."""
    signatures, buckets = signed["signatures"], signed["buckets"]
    given = {"units": units, "signatures": signatures, "equal": equal, "slices": slices()}
    nodes = bench.spread("nodes", in_slices(NODES_SQL), **given)
    heads = bench.spread("heads", HEADS_SQL, nodes=nodes)
    group = _chosen if method.grouping == "greedy" else _linked
    grouped, unresolved = group(bench, method, heads, signatures, buckets)
    members = bench.spread("members", MEMBERS_SQL, nodes=nodes, grouped=grouped, equal=equal)
    return Clusters(members, bench.number(COUNT_SQL, counted=nodes), unresolved)


def _linked(
    bench: Workbench, method: Method, heads: Dataset, signatures: Dataset, buckets: Dataset
) -> tuple[Dataset, int]:
    found = similar_pairs(bench, method, heads, signatures, buckets)
    return components(bench, found.edges), found.unresolved


def _chosen(
    bench: Workbench, method: Method, heads: Dataset, signatures: Dataset, buckets: Dataset
) -> tuple[Dataset, int]:
    """Greedy choice, repeated until no similar pair is left: in large buckets not all pairs are compared."""
    gone: Dataset | None = None
    for turn in range(ROUNDS):
        found = similar_pairs(bench, method, heads, signatures, buckets)
        fallen = greedy(bench, found.edges, heads)
        if gone is None:
            gone = bench.spread(f"gone.{turn}", FALLEN_SQL, fallen=fallen)
        else:
            gone = bench.spread(f"gone.{turn}", FOLLOWED_SQL, gone=gone, fallen=fallen)
        edges = bench.number(COUNT_SQL, counted=found.edges)
        if found.complete or not edges:
            return gone, found.unresolved
        heads = bench.spread(f"staying.{turn}", STAYING_SQL, nodes=heads, fallen=fallen)
    assert gone is not None
    return gone, found.unresolved + edges
