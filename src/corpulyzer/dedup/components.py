"""Connected components in portable SQL; no machine needs to hold the whole graph.

Large-star and small-star operations by turns (Kiveris et al. 2014): each replaces a node's edges by edges to
its smallest neighbour, until every node has one edge, to the smallest id of its component. The number of
turns grows with the logarithm of the longest path.
"""

from __future__ import annotations

from corpulyzer.engine import Dataset
from corpulyzer.engine.workbench import Workbench

LARGE_STAR_SQL = """
with ways as (select a, b from edges union all select b as a, a as b from edges),
smallest as (select a, min(least(a, b)) as root from ways group by a)
select distinct s.root as a, t.b from ways as t join smallest as s on t.a = s.a where t.b > t.a
"""
SMALL_STAR_SQL = """
with smallest as (select b, min(a) as root from edges group by b)
select s.root as a, e.a as b from edges as e join smallest as s on e.b = s.b where e.a > s.root
union select root as a, b from smallest
"""
# 0 when finished: every node has exactly one root, and no root has a root itself.
UNFINISHED_SQL = """
select count(*) - count(distinct e.b) + sum(case when f.b is null then 0 else 1 end) as n
from edges as e left join (select distinct b from edges) as f on e.a = f.b
"""
STARS_SQL = "select b as id, a as root from edges"


def components(bench: Workbench, edges: Dataset) -> Dataset:
    """A row `id, root` for every node but the roots; a root is the smallest id of its component."""
    turn = 0
    while True:
        large = bench.spread(f"large.{turn}", LARGE_STAR_SQL, edges=edges)
        edges = bench.spread(f"small.{turn}", SMALL_STAR_SQL, edges=large)
        if not bench.number(UNFINISHED_SQL, edges=edges):
            return bench.spread("components", STARS_SQL, edges=edges)
        turn += 1
