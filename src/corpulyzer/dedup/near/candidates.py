"""Similar pairs: documents that share a bucket are compared, in time linear in the size of large buckets.

In a bucket of up to `SMALL` documents all pairs are compared. In a larger one each document is compared with
the `LEADERS` best only; those similar to none of them go through another round with other leaders, `ROUNDS`
times at most. What is left then was not compared with the whole bucket, and its number is reported.
"""

from __future__ import annotations

from dataclasses import dataclass

from corpulyzer.dedup.near.method import ComparePairs, Method
from corpulyzer.dedup.slices import MANY, in_slices, slices
from corpulyzer.engine import Dataset
from corpulyzer.engine.workbench import Workbench, together

SMALL, LEADERS, ROUNDS = 32, 4, 8

# The members of every bucket that holds at least two of the nodes, and their places; in a very large one (cut
# into slices, `slices.py`) only the places of the leaders, behind whom are all others.
MEETINGS_SQL = """
with live as ({live}),
shared as (select key, count(*) as members from live group by key having count(*) > 1),
large as (select s.key, n.slice from shared as s cross join slices as n where s.members > {many}),
known as (
  select s.key, s.members, coalesce(l.slice, 0) as slice
  from shared as s left join large as l on s.key = l.key),
sliced as (
  select v.key, v.id, coalesce(l.slice, 0) as slice from live as v
  left join large as l on v.key = l.key and l.slice = (v.id % {slices} + {slices}) % {slices}),
placed as (
  select v.key, v.slice, v.id, n.rank, n.date, s.members, row_number() over (
    partition by v.key, v.slice order by n.rank nulls last, n.date nulls last, v.id nulls last) as place
  from sliced as v join known as s on v.key = s.key and v.slice = s.slice join nodes as n on n.id = v.id),
heads as (
  select key, id, row_number() over (
    partition by key order by rank nulls last, date nulls last, id nulls last) as place
  from placed where members > {many} and place <= {leaders})
select p.key, p.slice, p.id, p.members,
       case when p.members <= {many} then p.place else coalesce(l.place, {leaders} + 1) end as place
from placed as p
left join (select key, id, place from heads where place <= {leaders}) as l on l.key = p.key and l.id = p.id
"""
LIVE_SQL = "select b.key, b.id from buckets as b semi join nodes as n on b.id = n.id"
REST_LIVE_SQL = "select key, id from rest"
PAIRS_SQL = """
with heads as (
  select key, slice, id, place from meetings
  where members <= {small} or (place <= {leaders} and members <= {many})
  union all select m.key, n.slice, m.id, m.place from meetings as m cross join slices as n
  where m.place <= {leaders} and m.members > {many}),
pairs as (
  select distinct l.id as a, r.id as b from heads as l
  join meetings as r on l.key = r.key and l.slice = r.slice where l.place < r.place)
select p.a, p.b, x.value as value_a, y.value as value_b
from pairs as p join signatures as x on p.a = x.id join signatures as y on p.b = y.id
"""
LARGE_SQL = "select count(*) as n from meetings where members > {small}"
# The members of large buckets that are similar to none of the leaders they were compared with.
REST_SQL = """
with heads as (
  select key, slice, id from meetings
  where members > {small} and members <= {many} and place <= {leaders}
  union all select m.key, n.slice, m.id from meetings as m cross join slices as n
  where m.members > {many} and m.place <= {leaders}),
matched as (
  select distinct r.key, r.id from meetings as r join heads as l on r.key = l.key and r.slice = l.slice
  join edges as e on e.a = l.id and e.b = r.id)
select r.key, r.id from meetings as r
anti join matched as m on r.key = m.key and r.id = m.id
where r.members > {small} and r.place > {leaders}
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
    cut, first = slices(), _bounded(MEETINGS_SQL, live=LIVE_SQL)
    again = _bounded(MEETINGS_SQL, live=REST_LIVE_SQL)
    pairing, resting = _bounded(PAIRS_SQL), _bounded(REST_SQL)
    meetings = bench.spread("meetings", first, buckets=buckets, nodes=nodes, slices=cut)
    found = []
    for turn in range(ROUNDS):
        pairs = bench.spread(f"pairs.{turn}", pairing, meetings=meetings, signatures=signatures, slices=cut)
        found.append(bench.map(f"edges.{turn}", ComparePairs(method), pairs))
        if not bench.number(_bounded(LARGE_SQL), meetings=meetings):
            return Similar(together(*found), complete=turn == 0)
        rest = bench.spread(f"rest.{turn}", resting, meetings=meetings, edges=found[-1], slices=cut)
        meetings = bench.spread(f"meetings.{turn}", again, rest=rest, nodes=nodes, slices=cut)
        if not bench.number(COUNT_SQL, rest=meetings):
            return Similar(together(*found))
    return Similar(together(*found), bench.number(COUNT_SQL, rest=meetings))


def _bounded(sql: str, **more: object) -> str:
    """A query with what is a small bucket, and what is one that is cut into slices."""
    return in_slices(sql, **{"small": SMALL, "leaders": LEADERS, "many": max(MANY, SMALL), **more})
