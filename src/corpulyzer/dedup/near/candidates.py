"""Similar pairs: documents that share a bucket are compared, in time linear in the size of large buckets.

In a bucket of up to `SMALL` documents all pairs are compared. In a larger one each document is compared with
the `LEADERS` best only; those similar to none of them go through another round with other leaders, `ROUNDS`
times at most. What is left then was not compared with the whole bucket, and its number is reported.
"""

from __future__ import annotations

from dataclasses import dataclass

from corpulyzer.dedup.near.method import ComparePairs, Method
from corpulyzer.engine import Dataset
from corpulyzer.engine.workbench import Workbench, together

SMALL, LEADERS, ROUNDS = 32, 4, 8

# The members of every bucket that holds at least two of the nodes.
MEETINGS_SQL = """
with live as (select b.key, n.id, n.rank, n.date from buckets as b join nodes as n on b.id = n.id),
shared as (select key from live group by key having count(*) > 1)
select l.key, l.id, l.rank, l.date from live as l semi join shared as s on l.key = s.key
"""
STILL_SHARED_SQL = """
with shared as (select key from rest group by key having count(*) > 1)
select r.key, r.id, r.rank, r.date from rest as r semi join shared as s on r.key = s.key
"""
PAIRS_SQL = """
with placed as (
  select key, id, count(*) over (partition by key) as members, row_number() over (
    partition by key order by rank nulls last, date nulls last, id nulls last) as place
  from meetings),
pairs as (
  select distinct l.id as a, r.id as b
  from (select key, id, place from placed where members <= {small} or place <= {leaders}) as l
  join placed as r on l.key = r.key where l.place < r.place)
select p.a, p.b, x.value as value_a, y.value as value_b
from pairs as p join signatures as x on p.a = x.id join signatures as y on p.b = y.id
"""
LARGE_SQL = """
select count(*) as buckets from (select key from meetings group by key having count(*) > {small}) as b
"""
# The members of large buckets that are similar to none of the leaders they were compared with.
REST_SQL = """
with placed as (
  select key, id, rank, date, count(*) over (partition by key) as members, row_number() over (
    partition by key order by rank nulls last, date nulls last, id nulls last) as place
  from meetings),
large as (select key, id, rank, date, place from placed where members > {small}),
matched as (
  select distinct r.key, r.id from large as r
  join (select key, id from large where place <= {leaders}) as l on r.key = l.key
  join edges as e on e.a = l.id and e.b = r.id)
select r.key, r.id, r.rank, r.date from large as r anti join matched as m on r.key = m.key and r.id = m.id
where r.place > {leaders}
"""
COUNT_SQL = "select count(*) as n from rest"


@dataclass(frozen=True, slots=True)
class Similar:
    """Similar pairs, `a` the preferred one.

    `unresolved` counts members of large buckets that were not compared with the whole bucket. `complete`: no
    bucket was large, so every pair that shares one was compared.
    """

    edges: Dataset
    unresolved: int = 0
    complete: bool = False


def similar_pairs(
    bench: Workbench, method: Method, nodes: Dataset, signatures: Dataset, buckets: Dataset
) -> Similar:
    """The similar pairs among the documents of `nodes` (columns `id, rank, date`)."""
    bounds = {"small": SMALL, "leaders": LEADERS}
    meetings = bench.spread("meetings", MEETINGS_SQL, buckets=buckets, nodes=nodes)
    found = []
    for turn in range(ROUNDS):
        pairs = bench.spread(
            f"pairs.{turn}", PAIRS_SQL.format(**bounds), meetings=meetings, signatures=signatures
        )
        found.append(bench.map(f"edges.{turn}", ComparePairs(method), pairs))
        if not bench.number(LARGE_SQL.format(small=SMALL), meetings=meetings):
            return Similar(together(*found), complete=turn == 0)
        rest = bench.spread(f"rest.{turn}", REST_SQL.format(**bounds), meetings=meetings, edges=found[-1])
        meetings = bench.spread(f"meetings.{turn}", STILL_SHARED_SQL, rest=rest)
        if not bench.number(COUNT_SQL, rest=meetings):
            return Similar(together(*found))
    return Similar(together(*found), bench.number(COUNT_SQL, rest=meetings))
