"""Greedy choice in portable SQL: no two kept documents are similar, a dropped one is similar to a kept one.

The same result as one pass over the documents from best to worst (C4-9), whatever the partitioning: in each
turn, documents without a better neighbour are kept, and their neighbours are dropped.
"""

from __future__ import annotations

from corpulyzer.dedup.slices import in_slices, slices
from corpulyzer.engine import Dataset
from corpulyzer.engine.workbench import Workbench, together

BEATS_SQL = "select distinct a as winner, b as loser from edges"
FALLEN_SQL = """
with winners as (select winner, count(*) as size from beats group by winner),
large as (select w.winner, n.slice from winners as w cross join slices as n where w.size > {many}),
best as (
  select n.id, n.rank, n.date from winners as w
  anti join (select distinct loser from beats) as f on w.winner = f.loser join nodes as n on n.id = w.winner),
known as (
  select b.id, b.rank, b.date, coalesce(l.slice, 0) as slice
  from best as b left join large as l on b.id = l.winner),
sliced as (
  select e.winner, e.loser, coalesce(l.slice, 0) as slice from beats as e
  left join large as l on e.winner = l.winner and l.slice = (e.loser % {slices} + {slices}) % {slices}),
placed as (
  select e.loser as id, e.winner as root, row_number() over (
    partition by e.loser order by b.rank nulls last, b.date nulls last, b.id nulls last) as place
  from sliced as e join known as b on e.winner = b.id and e.slice = b.slice)
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
    falling, given = in_slices(FALLEN_SQL), {"nodes": nodes, "slices": slices()}
    gone, turn = [], 0
    while bench.number(COUNT_SQL, beats=beats):
        fallen = bench.spread(f"fallen.{turn}", falling, beats=beats, **given)
        beats = bench.spread(f"beats.{turn}", LEFT_SQL, beats=beats, fallen=fallen)
        gone.append(fallen)
        turn += 1
    if not gone:
        gone.append(bench.spread("fallen", falling, beats=beats, **given))
    return together(*gone)
