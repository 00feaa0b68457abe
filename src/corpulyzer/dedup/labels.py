"""Labels of copies: the cluster of a unit, its size, its representative, and whether copies share a site.

Only units that have a copy get a label. `place` numbers the copies of a cluster; the representative is 1.
`scope` is `kept` for the representative, `within` for a further copy on a site that has one already, and
`across` for the first copy on its site of something that another site has (CZ-52). `weight` is how many
documents the cluster stands for, including those whose text equals that of a member.
"""

from __future__ import annotations

from corpulyzer.engine import Dataset
from corpulyzer.engine.workbench import Workbench

# Imported text has no payload: its record is a conversion.
RAW_SQL = """
with received as (
  select u.id, u.raw_key, u.raw_bytes from units as u
  anti join (select id from fetches where kind = 'conversion') as c on u.id = c.id where u.raw_bytes > 0),
shared as (
  select raw_key, raw_bytes, min(id) as cluster from received group by raw_key, raw_bytes having count(*) > 1)
select r.id, s.cluster, 1 as weight from received as r
join shared as s on r.raw_key = s.raw_key and r.raw_bytes = s.raw_bytes
"""
DOCUMENT_SQL = """
with shared as (
  select text_key, text_bytes, min(id) as cluster from units where kept = 1 and text_bytes > 0
  group by text_key, text_bytes having count(*) > 1)
select u.id, s.cluster, 1 as weight from units as u
join shared as s on u.text_key = s.text_key and u.text_bytes = s.text_bytes where u.kept = 1
"""
LABELS_SQL = """
with shared as (
  select cluster, count(*) as size, sum(weight) as weight, min(id) as name from members group by cluster
  having count(*) > 1),
placed as (
  select m.id, m.cluster, s.name, s.size, s.weight,
         row_number() over (partition by m.cluster order by
           u.kept desc nulls last, u.rank nulls last, u.date nulls last, u.id nulls last) as place,
         row_number() over (partition by m.cluster, u.site_id order by
           u.kept desc nulls last, u.rank nulls last, u.date nulls last, u.id nulls last) as site_place
  from members as m join shared as s on m.cluster = s.cluster join units as u on u.id = m.id),
heads as (
  select cluster, max(case when place = 1 then id end) as representative,
         sum(case when site_place = 1 then 1 else 0 end) as sites
  from placed group by cluster)
select p.id, p.name as cluster, h.representative, p.size, p.weight, h.sites, p.place,
       case when p.place = 1 then 'kept' when p.site_place = 1 then 'across' else 'within' end as scope
from placed as p join heads as h on p.cluster = h.cluster
"""
PASSAGES_SQL = """
with repeated as (
  select scope_id, key, count(*) as size from passages group by scope_id, key having count(*) > 1),
placed as (
  select p.document, p.number, p.begins, p.stops, p.words, p.scope_id, p.key, r.size,
         row_number() over (partition by p.scope_id, p.key order by
           u.rank nulls last, u.date nulls last, u.id nulls last, p.number nulls last) as place,
         row_number() over (partition by p.scope_id, p.key, p.site_id order by
           u.rank nulls last, u.date nulls last, u.id nulls last, p.number nulls last) as site_place
  from passages as p join repeated as r on p.scope_id = r.scope_id and p.key = r.key
  join units as u on u.id = p.document),
heads as (
  select scope_id, key, max(case when place = 1 then document end) as representative,
         max(case when place = 1 then number end) as representative_number,
         sum(case when site_place = 1 then 1 else 0 end) as sites
  from placed group by scope_id, key)
select p.document as id, p.number, p.begins, p.stops, p.words, p.scope_id, p.key as cluster, h.representative,
       h.representative_number, p.size, p.size as weight, h.sites, p.place,
       case when p.place = 1 then 'kept' when p.site_place = 1 then 'across' else 'within' end as scope
from placed as p join heads as h on p.scope_id = h.scope_id and p.key = h.key
"""
SUMMARY_SQL = """
select sum(case when place > 1 then 1 else 0 end) as duplicates,
       sum(case when place = 1 then 1 else 0 end) as clusters, max(size) as largest,
       sum(case when scope = 'within' then 1 else 0 end) as within_site,
       sum(case when scope = 'across' then 1 else 0 end) as across_sites
from labels
"""
# Of documents with equal texts one takes part in the comparison of near-copies, and stands for all of them.
SIZES_SQL = """
select id, copies from (
  select d.id, coalesce(n.weight, d.weight) as copies
  from document as d left join near as n on n.id = d.representative
  union all select n.id, n.weight as copies from near as n anti join document as d on n.id = d.id) as s
order by id nulls last
"""
FOLDER = "duplicates/labels"


def labels_file(level: str) -> str:
    """Where the labels of a level stand in the corpus folder."""
    return f"{FOLDER}/{level}.parquet"


def label_documents(bench: Workbench, level: str, members: Dataset, units: Dataset) -> Dataset:
    """The labels of documents of which `members` (`id, cluster, weight`) knows the clusters."""
    return bench.spread_at(labels_file(level), LABELS_SQL, members=members, units=units)


def label_passages(bench: Workbench, level: str, passages: Dataset, units: Dataset) -> Dataset:
    """The labels of paragraphs or sentences; the first copy is that of the preferred document."""
    return bench.spread_at(labels_file(level), PASSAGES_SQL, passages=passages, units=units)
