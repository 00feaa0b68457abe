"""Greedy choice in portable SQL: no two kept documents are similar, a dropped one is similar to a kept one.

The same result as one pass over the documents from best to worst (C4-9), whatever the partitioning: in each
turn, documents without a better neighbour are kept, and their neighbours are dropped.
"""

from __future__ import annotations

from corpulyzer.engine import Dataset
from corpulyzer.engine.workbench import Workbench, together

BEATS_SQL = "select distinct a as winner, b as loser from edges"
FALLEN_SQL = """
with best as (select distinct e.winner as id from beats as e anti join beats as f on e.winner = f.loser),
placed as (
  select e.loser as id, e.winner as root, row_number() over (
    partition by e.loser order by n.rank nulls last, n.date nulls last, n.id nulls last) as place
  from beats as e semi join best as b on e.winner = b.id join nodes as n on n.id = e.winner)
select id, root from placed where place = 1
"""
LEFT_SQL = """
select e.winner, e.loser from beats as e
anti join fallen as f on e.loser = f.id anti join fallen as g on e.winner = g.id
"""
COUNT_SQL = "select count(*) as n from beats"


def greedy(bench: Workbench, edges: Dataset, nodes: Dataset) -> Dataset:
    """A row `id, root` for every dropped node: `root` is kept and similar to it.

    In `edges` `a` is better than `b`, by the columns `rank, date, id` of `nodes`.
    """
    beats = bench.spread("beats", BEATS_SQL, edges=edges)
    gone, turn = [], 0
    while bench.number(COUNT_SQL, beats=beats):
        fallen = bench.spread(f"fallen.{turn}", FALLEN_SQL, beats=beats, nodes=nodes)
        beats = bench.spread(f"beats.{turn}", LEFT_SQL, beats=beats, fallen=fallen)
        gone.append(fallen)
        turn += 1
    if not gone:
        gone.append(bench.spread("fallen", FALLEN_SQL, beats=beats, nodes=nodes))
    return together(*gone)
