"""Which copies are dropped: documents by their labels, then paragraphs of the documents that stay."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from corpulyzer.dedup.slices import in_slices, slices
from corpulyzer.engine import Dataset
from corpulyzer.engine.workbench import Workbench, together

# Each dropped copy names the document that is kept in the end, followed through all levels.
COPIES_SQL = """
with copies as (
  select u.id, u.archive_id, coalesce(r.size, d.size, n.size) as size,
         coalesce(r.representative, u.id) as received_as,
         case when r.id is not null then 'duplicate_raw' when d.id is not null then 'duplicate'
              else 'near_duplicate' end as reason
  from units as u
  left join (select id, representative, size from raw where place > 1) as r on u.id = r.id
  left join (select id, size from document where place > 1) as d on u.id = d.id
  left join (select id, size from near where place > 1) as n on u.id = n.id
  where (u.kept = 1 or {raw_too}) and (r.id is not null or d.id is not null or n.id is not null)),
same_text as (
  select c.id, c.archive_id, c.reason, c.size, coalesce(d.representative, c.received_as) as text_of
  from copies as c
  left join (select id, representative from document where place > 1) as d on c.received_as = d.id),
named as (
  select s.id, s.archive_id, s.reason, s.size, coalesce(n.representative, s.text_of) as copy_of
  from same_text as s
  left join (select id, representative from near where place > 1) as n on s.text_of = n.id)
select t.archive_id, t.id, t.reason, t.size, t.copy_of, o.url
from named as t join documents as o on o.id = t.copy_of
order by t.archive_id nulls last, t.id nulls last
"""
# What was not accepted as received is not compared: nothing goes as a copy of it.
RECEIVED_RAW_SQL = """
with accepted as (
  select r.id, r.cluster, u.kept, u.rank, u.date from raw as r join documents as d on d.id = r.id
  join units as u on u.id = r.id where {accepted}),
sizes as (select cluster, count(*) as size from accepted group by cluster),
large as (select s.cluster, n.slice from sizes as s cross join slices as n where s.size > {many}),
sliced as (
  select a.id, a.cluster, a.kept, a.rank, a.date, coalesce(l.slice, 0) as slice from accepted as a
  left join large as l on a.cluster = l.cluster and l.slice = (a.id % {slices} + {slices}) % {slices}),
placed as (
  select id, cluster, kept, rank, date, row_number() over (partition by cluster, slice
    order by kept desc nulls last, rank nulls last, date nulls last, id nulls last) as place
  from sliced),
firsts as (
  select id, cluster, row_number() over (partition by cluster order by
           kept desc nulls last, rank nulls last, date nulls last, id nulls last) as place
  from placed where place = 1),
heads as (
  select f.cluster, s.size, f.id as representative, coalesce(l.slice, 0) as slice
  from firsts as f join sizes as s on f.cluster = s.cluster left join large as l on f.cluster = l.cluster
  where f.place = 1)
select a.id, h.representative, h.size, case when a.id = h.representative then 1 else 2 end as place
from sliced as a join heads as h on a.cluster = h.cluster and a.slice = h.slice
"""
PARAGRAPHS_SQL = """
with staying as (
  select u.id, u.archive_id, u.rank, u.date from units as u anti join copies as c on u.id = c.id
  where u.kept = 1),
repeated as (
  select p.scope_id, p.key, count(*) as size from passages as p semi join staying as s on s.id = p.document
  group by p.scope_id, p.key having count(*) > 1),
large as (
  select r.scope_id, r.key, n.slice from repeated as r cross join slices as n where r.size > {many}),
known as (
  select r.scope_id, r.key, coalesce(l.slice, 0) as slice
  from repeated as r left join large as l on r.scope_id = l.scope_id and r.key = l.key),
sliced as (
  select p.document, p.number, p.scope_id, p.key, coalesce(l.slice, 0) as slice
  from passages as p left join large as l on p.scope_id = l.scope_id and p.key = l.key
  and l.slice = (p.document % {slices} + {slices}) % {slices}),
placed as (
  select s.archive_id, s.id, s.rank, s.date, p.number, p.scope_id, p.key, row_number() over (
    partition by p.scope_id, p.key, p.slice
    order by s.rank nulls last, s.date nulls last, s.id nulls last, p.number nulls last) as place
  from sliced as p
  semi join known as r on p.scope_id = r.scope_id and p.key = r.key and p.slice = r.slice
  join staying as s on s.id = p.document),
firsts as (
  select archive_id, id, number, row_number() over (partition by scope_id, key order by
           rank nulls last, date nulls last, id nulls last, number nulls last) as place
  from placed where place = 1)
select archive_id, id, number, 0 as of_site from placed where place > 1
union all select archive_id, id, number, 0 as of_site from firsts where place > 1
"""
# One page cannot tell a notice under every article from the article's last paragraph; its site's pages can.
SITE_MEMORY_SQL = """
with standing as (
  select u.archive_id, u.id, p.number, p.site_id, p.key
  from passages as p join units as u on u.id = p.document anti join copies as c on u.id = c.id
  where u.kept = 1),
sites as (
  select site_id, count(*) as pages from (select distinct site_id, id from standing) as d group by site_id),
large_sites as (
  select s.site_id, n.slice from sites as s cross join slices as n where s.pages > {many}),
known_sites as (
  select s.site_id, s.pages, coalesce(l.slice, 0) as slice
  from sites as s left join large_sites as l on s.site_id = l.site_id),
said as (
  select site_id, key, count(*) as pages from (select distinct site_id, key, id from standing) as k
  group by site_id, key having count(*) >= {min_pages}),
sliced_said as (
  select r.site_id, r.key, r.pages, coalesce(l.slice, 0) as slice from said as r
  left join large_sites as l on r.site_id = l.site_id
  and l.slice = (r.key % {slices} + {slices}) % {slices}),
repeated as (
  select r.site_id, r.key, r.pages from sliced_said as r
  join known_sites as a on r.site_id = a.site_id and r.slice = a.slice
  where r.pages * 100 >= a.pages * {min_percent}),
large as (
  select r.site_id, r.key, n.slice from repeated as r cross join slices as n where r.pages > {many}),
known as (
  select r.site_id, r.key, coalesce(l.slice, 0) as slice
  from repeated as r left join large as l on r.site_id = l.site_id and r.key = l.key),
sliced as (
  select s.archive_id, s.id, s.number, s.site_id, s.key, coalesce(l.slice, 0) as slice
  from standing as s left join large as l on s.site_id = l.site_id and s.key = l.key
  and l.slice = (s.id % {slices} + {slices}) % {slices})
select s.archive_id, s.id, s.number, 1 as of_site
from sliced as s semi join known as r on s.site_id = r.site_id and s.key = r.key and s.slice = r.slice
"""
GONE_SQL = """
select archive_id, id, number, max(of_site) as of_site from found group by archive_id, id, number
order by archive_id nulls last, id nulls last, number nulls last
"""
MIN_PAGES = 3
MIN_PERCENT = 20
NO_LABELS = pa.schema([(name, pa.int64()) for name in ("id", "representative", "size", "place")])


def copies_dropped(
    bench: Workbench, name: str, units: Dataset, labels: dict[str, Dataset], documents: Dataset
) -> Dataset:
    """The kept documents that go, with reason and the copy that stays, sorted by archive and id.

    A level without labels drops nothing. A copy at several levels gets the first of raw, document and near.
    """
    return _dropped(bench, name, "u.kept = 1", units=units, documents=documents, **labels)


def copies_dropped_as_received(
    bench: Workbench,
    name: str,
    units: Dataset,
    labels: dict[str, Dataset],
    documents: Dataset,
    received: Sequence[str],
) -> Dataset:
    """As `copies_dropped`; but of payloads, copies of all that the filters `received` let pass go (HR-4)."""
    accepted = " and ".join(f"d.verdict.reason <> '{reason}'" for reason in received) or "d.id is not null"
    sql = in_slices(RECEIVED_RAW_SQL, accepted=accepted)
    raw = bench.spread(
        f"{name}.raw", sql, raw=labels["raw"], documents=documents, units=units, slices=slices()
    )
    tables = {**labels, "raw": raw, "units": units, "documents": documents}
    return _dropped(bench, name, "r.id is not null", **tables)


def _dropped(bench: Workbench, name: str, raw_too: str, **tables: Dataset) -> Dataset:
    none = Dataset((), NO_LABELS)
    labels = {level: tables.pop(level, none) for level in ("raw", "document", "near")}
    return bench.spread_at(
        f"{bench.folder}/{name}.parquet", COPIES_SQL.format(raw_too=raw_too), **tables, **labels
    )


def paragraphs_dropped(bench: Workbench, name: str, queries: Sequence[str], **tables: Dataset) -> Dataset:
    """The paragraphs of staying documents that one of the queries finds, sorted by archive and id.

    `PARAGRAPHS_SQL` finds those that stand in a preferred document already, `site_memory_sql` those that a
    site repeats, with `of_site` 1. Dropped documents are left out first, so that no paragraph is dropped
    for a copy of it that goes too.
    """
    tables["slices"] = slices()
    found = [bench.spread(f"{name}.{number}", sql, **tables) for number, sql in enumerate(queries)]
    return bench.spread_at(f"{bench.folder}/{name}.parquet", GONE_SQL, found=together(*found))


def site_memory_sql(min_pages: int = MIN_PAGES, min_percent: int = MIN_PERCENT) -> str:
    """SQL for paragraphs on at least `min_pages` pages and `min_percent` of all pages of a site."""
    return in_slices(SITE_MEMORY_SQL, min_pages=min_pages, min_percent=min_percent)
