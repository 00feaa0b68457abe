"""How many units and copies a level has: several numbers by one query, since a query on a cluster is dear."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corpulyzer.engine.workbench import side_by_side

if TYPE_CHECKING:
    from corpulyzer.engine import Dataset
    from corpulyzer.engine.workbench import Workbench

WITH_PAYLOAD_SQL = """
select count(*) as units from units as u
anti join (select id from fetches where kind = 'conversion') as c on u.id = c.id where u.raw_bytes > 0
"""
CONVERTED_SQL = """
select count(*) as converted from units as u
semi join (select id from fetches where kind = 'conversion') as c on u.id = c.id
"""
WITH_TEXT_SQL = "select count(*) as units from units where kept = 1 and text_bytes > 0"
PASSAGES_SQL = "select count(*) as units, sum(words) as words from passages"
UNCUT_SQL = """
select count(*) as uncut from units as u anti join passages as p on u.id = p.document
where u.kept = 1 and u.text_bytes > 0
"""
WORDS_SQL = "select sum(words) as duplicate_words from labels where place > 1"


def counts_of(bench: Workbench, *queries: str, **tables: Dataset) -> dict[str, Any]:
    """The numbers of queries that give one row each."""
    (row,) = bench.rows(side_by_side(*queries), **tables)
    return {name: value or 0 for name, value in row.items()}
