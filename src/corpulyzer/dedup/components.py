"""Connected components in portable SQL; no machine needs to hold the whole graph.

Large-star and small-star operations by turns (Kiveris et al. 2014): each replaces a node's edges by edges to
its smallest neighbour, until every node has one edge, to the smallest id of its component. The number of
turns grows with the logarithm of the longest path.
"""

from __future__ import annotations

from corpulyzer.dedup.slices import in_slices, slices
from corpulyzer.engine import Dataset
from corpulyzer.engine.workbench import Workbench

LARGE_STAR_SQL = """
with ways as (select a, b from edges union all select b as a, a as b from edges),
smallest as (select a, min(least(a, b)) as root, count(*) as size from ways group by a),
large as (select s.a, n.slice from smallest as s cross join slices as n where s.size > {many}),
known as (
  select s.a, s.root, coalesce(l.slice, 0) as slice
  from smallest as s left join large as l on s.a = l.a),
sliced as (
  select w.a, w.b, coalesce(l.slice, 0) as slice from ways as w
  left join large as l on w.a = l.a and l.slice = (w.b % {slices} + {slices}) % {slices} where w.b > w.a)
select distinct s.root as a, t.b from sliced as t join known as s on t.a = s.a and t.slice = s.slice
"""
SMALL_STAR_SQL = """
with smallest as (select b, min(a) as root, count(*) as size from edges group by b),
large as (select s.b, n.slice from smallest as s cross join slices as n where s.size > {many}),
known as (
  select s.b, s.root, coalesce(l.slice, 0) as slice
  from smallest as s left join large as l on s.b = l.b),
sliced as (
  select e.a, e.b, coalesce(l.slice, 0) as slice from edges as e
  left join large as l on e.b = l.b and l.slice = (e.a % {slices} + {slices}) % {slices})
select s.root as a, e.a as b from sliced as e join known as s on e.b = s.b and e.slice = s.slice
where e.a > s.root
union select root as a, b from smallest
"""
# 0 when finished: every node has exactly one root, and no root has a root itself.
UNFINISHED_SQL = """
select sum(more) as n from (
  select b as node, count(*) - 1 as more from edges group by b
  union all select r.a as node, r.edges as more from (
    select a, count(*) as edges from edges group by a) as r
  semi join (select distinct b from edges) as f on r.a = f.b) as c
"""
STARS_SQL = "select b as id, a as root from edges"


def components(bench: Workbench, edges: Dataset) -> Dataset:
    """A row `id, root` for every node but the roots; a root is the smallest id of its component."""
    turn, cut = 0, slices()
    while True:
        large = bench.spread(f"large.{turn}", in_slices(LARGE_STAR_SQL), edges=edges, slices=cut)
        edges = bench.spread(f"small.{turn}", in_slices(SMALL_STAR_SQL), edges=large, slices=cut)
        if not bench.number(UNFINISHED_SQL, edges=edges):
            return bench.spread("components", STARS_SQL, edges=edges)
        turn += 1
