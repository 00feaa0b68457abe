"""Labels of copies: the cluster of a unit, its size, its representative, and whether copies share a site.

Only units that have a copy get a label. `place` numbers the copies of a cluster; the representative is 1. Of
more than `MANY` copies, only the representative is told from the others, which are all 2.
`scope` is `kept` for the representative, `within` for a further copy on a site that has one already, and
`across` for the first copy on its site of something that another site has (CZ-52). `weight` is how many
documents the cluster stands for, including those whose text equals that of a member.
"""

from __future__ import annotations

from corpulyzer.dedup.slices import in_slices, slices
from corpulyzer.engine import Dataset
from corpulyzer.engine.workbench import Workbench

# Imported text has no payload: its record is a conversion.
RAW_SQL = """
with received as (
  select u.id, u.raw_key, u.raw_bytes from units as u
  anti join (select id from fetches where kind = 'conversion') as c on u.id = c.id where u.raw_bytes > 0),
shared as (
  select raw_key, raw_bytes, min(id) as cluster, count(*) as size from received
  group by raw_key, raw_bytes having count(*) > 1),
large as (
  select s.raw_key, s.raw_bytes, n.slice from shared as s cross join slices as n where s.size > {many}),
known as (
  select s.raw_key, s.raw_bytes, s.cluster, coalesce(l.slice, 0) as slice from shared as s
  left join large as l on s.raw_key = l.raw_key and s.raw_bytes = l.raw_bytes),
sliced as (
  select r.id, r.raw_key, r.raw_bytes, coalesce(l.slice, 0) as slice from received as r
  left join large as l on r.raw_key = l.raw_key and r.raw_bytes = l.raw_bytes
  and l.slice = (r.id % {slices} + {slices}) % {slices})
select r.id, s.cluster, 1 as weight from sliced as r
join known as s on r.raw_key = s.raw_key and r.raw_bytes = s.raw_bytes and r.slice = s.slice
"""
DOCUMENT_SQL = """
with shared as (
  select text_key, text_bytes, min(id) as cluster, count(*) as size from units
  where kept = 1 and text_bytes > 0 group by text_key, text_bytes having count(*) > 1),
large as (
  select s.text_key, s.text_bytes, n.slice from shared as s cross join slices as n
  where s.size > {many}),
known as (
  select s.text_key, s.text_bytes, s.cluster, coalesce(l.slice, 0) as slice from shared as s
  left join large as l on s.text_key = l.text_key and s.text_bytes = l.text_bytes),
sliced as (
  select u.id, u.text_key, u.text_bytes, coalesce(l.slice, 0) as slice from units as u
  left join large as l on u.text_key = l.text_key and u.text_bytes = l.text_bytes
  and l.slice = (u.id % {slices} + {slices}) % {slices} where u.kept = 1)
select u.id, s.cluster, 1 as weight from sliced as u
join known as s on u.text_key = s.text_key and u.text_bytes = s.text_bytes and u.slice = s.slice
"""
# Of a large cluster the first is found slice by slice (`slices.py`).
LABELS_SQL = """
with shared as (
  select cluster, count(*) as size, sum(weight) as weight, min(id) as name from members group by cluster
  having count(*) > 1),
large as (select s.cluster, n.slice from shared as s cross join slices as n where s.size > {many}),
known as (
  select s.cluster, s.size, s.weight, s.name, coalesce(l.slice, 0) as slice
  from shared as s left join large as l on s.cluster = l.cluster),
sliced as (
  select m.id, m.cluster, coalesce(l.slice, 0) as slice from members as m
  left join large as l on m.cluster = l.cluster and l.slice = (m.id % {slices} + {slices}) % {slices}),
found as (
  select m.id, m.cluster, m.slice, s.name, s.size, s.weight, u.site_id, u.kept, u.rank, u.date
  from sliced as m join known as s on m.cluster = s.cluster and m.slice = s.slice
  join units as u on u.id = m.id),
placed as (
  select id, cluster, slice, name, size, weight, site_id, kept, rank, date,
         row_number() over (partition by cluster, slice order by
           kept desc nulls last, rank nulls last, date nulls last, id nulls last) as place,
         row_number() over (partition by cluster, site_id, slice order by
           kept desc nulls last, rank nulls last, date nulls last, id nulls last) as site_place
  from found),
firsts as (
  select id, cluster, row_number() over (partition by cluster, site_id order by
           kept desc nulls last, rank nulls last, date nulls last, id nulls last) as site_place
  from placed where size > {many} and site_place = 1),
bests as (
  select id, cluster, row_number() over (partition by cluster order by
           kept desc nulls last, rank nulls last, date nulls last, id nulls last) as place
  from placed where size > {many} and place = 1),
heads as (
  select cluster, max(case when place = 1 then id end) as representative,
         sum(case when site_place = 1 then 1 else 0 end) as sites
  from placed where size <= {many} group by cluster
  union all select b.cluster, b.id as representative, s.sites from bests as b
  join (select cluster, count(*) as sites from firsts where site_place = 1 group by cluster) as s
  on b.cluster = s.cluster where b.place = 1),
headed as (
  select h.cluster, h.representative, h.sites, coalesce(l.slice, 0) as slice
  from heads as h left join large as l on h.cluster = l.cluster)
select p.id, p.name as cluster, h.representative, p.size, p.weight, h.sites,
       case when p.id = h.representative then 1 when p.size > {many} then 2 else p.place end as place,
       case when p.id = h.representative then 'kept'
            when f.id is not null or (p.size <= {many} and p.site_place = 1) then 'across'
            else 'within' end as scope
from placed as p join headed as h on p.cluster = h.cluster and p.slice = h.slice
left join (select id from firsts where site_place = 1) as f on f.id = p.id
"""
PASSAGES_SQL = """
with repeated as (
  select scope_id, key, count(*) as size from passages group by scope_id, key having count(*) > 1),
large as (
  select r.scope_id, r.key, n.slice from repeated as r cross join slices as n where r.size > {many}),
known as (
  select r.scope_id, r.key, r.size, coalesce(l.slice, 0) as slice
  from repeated as r left join large as l on r.scope_id = l.scope_id and r.key = l.key),
sliced as (
  select p.document, p.number, p.begins, p.stops, p.words, p.scope_id, p.key, p.site_id,
         coalesce(l.slice, 0) as slice
  from passages as p left join large as l on p.scope_id = l.scope_id and p.key = l.key
  and l.slice = (p.document % {slices} + {slices}) % {slices}),
found as (
  select p.document, p.number, p.begins, p.stops, p.words, p.scope_id, p.key, p.site_id, p.slice, r.size,
         u.rank, u.date
  from sliced as p
  join known as r on p.scope_id = r.scope_id and p.key = r.key and p.slice = r.slice
  join units as u on u.id = p.document),
placed as (
  select slice, document, number, begins, stops, words, scope_id, key, site_id, size, rank, date,
         row_number() over (partition by scope_id, key, slice order by
           rank nulls last, date nulls last, document nulls last, number nulls last) as place,
         row_number() over (partition by scope_id, key, site_id, slice order by
           rank nulls last, date nulls last, document nulls last, number nulls last) as site_place
  from found),
firsts as (
  select document, number, scope_id, key, row_number() over (
           partition by scope_id, key, site_id
           order by rank nulls last, date nulls last, document nulls last, number nulls last) as site_place
  from placed where size > {many} and site_place = 1),
bests as (
  select document, number, scope_id, key, row_number() over (partition by scope_id, key order by
           rank nulls last, date nulls last, document nulls last, number nulls last) as place
  from placed where size > {many} and place = 1),
heads as (
  select scope_id, key, max(case when place = 1 then document end) as representative,
         max(case when place = 1 then number end) as representative_number,
         sum(case when site_place = 1 then 1 else 0 end) as sites
  from placed where size <= {many} group by scope_id, key
  union all
  select b.scope_id, b.key, b.document as representative, b.number as representative_number, s.sites
  from bests as b
  join (select scope_id, key, count(*) as sites from firsts where site_place = 1 group by scope_id, key) as s
  on b.scope_id = s.scope_id and b.key = s.key where b.place = 1),
headed as (
  select h.scope_id, h.key, h.representative, h.representative_number, h.sites,
         coalesce(l.slice, 0) as slice
  from heads as h left join large as l on h.scope_id = l.scope_id and h.key = l.key),
labelled as (
  select p.document, p.number, p.begins, p.stops, p.words, p.scope_id, p.key, p.size, p.place, p.site_place,
         h.representative, h.representative_number, h.sites,
         case when p.document = h.representative and p.number = h.representative_number then 1 else 0 end
           as stays,
         case when f.document is null then 0 else 1 end as opens_site
  from placed as p
  join headed as h on p.scope_id = h.scope_id and p.key = h.key and p.slice = h.slice
  left join (select document, number from firsts where site_place = 1) as f
  on f.document = p.document and f.number = p.number)
select document as id, number, begins, stops, words, scope_id, key as cluster, representative,
       representative_number, size, size as weight, sites,
       case when stays = 1 then 1 when size > {many} then 2 else place end as place,
       case when stays = 1 then 'kept'
            when opens_site = 1 or (size <= {many} and site_place = 1) then 'across'
            else 'within' end as scope
from labelled
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
with sizes as (
  select d.id, coalesce(n.weight, d.weight) as copies
  from document as d left join near as n on n.id = d.representative
  union all select n.id, n.weight as copies from near as n anti join document as d on n.id = d.id)
select u.archive_id, s.id, s.copies from sizes as s join units as u on u.id = s.id
order by u.archive_id nulls last, s.id nulls last
"""
FOLDER = "duplicates/labels"


def labels_file(level: str) -> str:
    """Where the labels of a level stand in the corpus folder."""
    return f"{FOLDER}/{level}.parquet"


def label_documents(bench: Workbench, level: str, members: Dataset, units: Dataset) -> Dataset:
    """The labels of documents of which `members` (`id, cluster, weight`) knows the clusters."""
    return bench.spread_at(
        labels_file(level), in_slices(LABELS_SQL), members=members, units=units, slices=slices()
    )


def label_passages(bench: Workbench, level: str, passages: Dataset, units: Dataset) -> Dataset:
    """The labels of paragraphs or sentences; the first copy is that of the preferred document."""
    return bench.spread_at(
        labels_file(level), in_slices(PASSAGES_SQL), passages=passages, units=units, slices=slices()
    )
