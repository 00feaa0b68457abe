"""The queries of an update, each for both engines."""

from __future__ import annotations

SCORES_SQL = "select id, scores from documents"
LINKS_SQL = """
select l.target_id, l.target, l.target_site, l.spelling, l.anchor, l.rel, l.hreflang, l.element,
       l.source_url_id, coalesce(f.site, '') as source_site, coalesce(d.target_bytes, 0) as target_bytes,
       coalesce(c.target_sentences, d.target_bytes, 0) as target_text,
       coalesce(d.text_bytes, 0) as text_bytes, coalesce(t.hops, 0) as hops, coalesce(t.cash, 0) as cash,
       count(*) over (partition by l.source_id) as outlinks
from links as l
left join fetches as f on l.source_id = f.id
left join documents as d on l.source_id = d.id
left join counted as c on l.source_id = c.id
left join listed as t on l.source_url_id = t.id
"""
# What a browser made of a page stands for the page.
FETCHES_SQL = """
select f.url_id, f.url, f.site, f.date, f.outcome, f.status, f.location, f.attempts,
       d.kept, d.target_bytes, d.text_bytes, d.text, d.paragraphs, t.site_id, t.section_id, t.prefix_id,
       t.stem, t.evidence, t.hops, t.seed, t.cash, t.fetches, t.failures, t.pause, k.digest,
       k.from_target, k.anchors_target, k.anchors_script, k.anchors_other, k.anchors_named
from (select id, url_id, url, site, date, outcome, status, location,
             row_number() over (partition by url_id order by date desc nulls last, id nulls last) as place,
             count(*) over (partition by url_id) as attempts
      from fetches where purpose = 'page') as f
left join (select id, url_id, row_number() over (partition by url_id order by date desc nulls last,
                                                 id nulls last) as place
           from fetches where purpose = 'rendered' and outcome = 'ok') as r
     on f.url_id = r.url_id and r.place = 1
left join (select id, target_bytes, text_bytes, text, paragraphs,
                  case when verdict.kept or verdict.reason = 'gone' then 1 else 0 end as kept
           from documents) as d on coalesce(r.id, f.id) = d.id
left join listed as t on f.url_id = t.id
left join frontier as k on f.url_id = k.id
where f.place = 1
order by f.url_id nulls last
"""
# Whether a page's paragraphs are new, and whether a redirect led to a page, can be told only from all pages
# together. Of copies in one round the lowest id counts as the original, so that timing changes nothing.
JUDGED_SQL = """
with mine as (
    select id, digest from states where digest <> 0 and digest <> id
    union all
    select id, digest_2 as digest from states where digest_2 <> 0
    union all
    select id, digest_3 as digest from states where digest_3 <> 0
    union all
    select id, digest_4 as digest from states where digest_4 <> 0
), known as (
    select a.digest
    from (select digest from frontier
          union all
          select digest_2 as digest from frontier
          union all
          select digest_3 as digest from frontier
          union all
          select digest_4 as digest from frontier) as a
    join (select digest from mine group by digest) as m on a.digest = m.digest
    group by a.digest
), novelty as (
    select p.id, count(*) as total, sum(case when p.place = 1 and k.digest is null then 1 else 0 end) as new
    from (select id, digest, row_number() over (partition by digest order by id nulls last) as place
          from mine) as p
    left join known as k on p.digest = k.digest
    group by p.id
)
select s.id, s.site_id, s.section_id, s.prefix_id, s.stem, s.evidence, s.site, s.leads_to, s.fetches,
       s.fetched, s.status, s.failures, s.pause, s.due, s.digest, s.digest_2, s.digest_3, s.digest_4, s.kept,
       case when t.id is null then s.tries else 0 end as tries, s.pages,
       case when s.kept = 1 and s.pages = 1 and 2 * n.new >= n.total then 1 else 0 end as good, s.errors,
       case when s.pages = 1 and 2 * n.new < n.total then 1 else 0 end as copies, s.thin, s.target_bytes
from states as s
left join novelty as n on s.id = n.id
left join (select id from states where pages = 1) as t on s.leads_to = t.id
order by s.id nulls last
"""
CELLS_SQL = """
select prefix_id, evidence, round, max(site_id) as site_id, max(section_id) as section_id,
       sum(tries) as tries, sum(pages) as pages, sum(good) as good, sum(errors) as errors,
       sum(copies) as copies, sum(thin) as thin, sum(target_bytes) as target_bytes
from (select prefix_id, evidence, case when round > {apart} then round else 0 end as round, site_id,
             section_id, tries, pages, good, errors, copies, thin, target_bytes
      from cells
      union all
      select prefix_id, evidence, {round} as round, site_id,
             section_id, tries, pages, good, errors, copies, thin, target_bytes
      from states) as c
group by prefix_id, evidence, round
order by prefix_id nulls last, evidence nulls last, round nulls last
"""
SITES_SQL = """
select site_id, max(site) as site, min(round) as round, sum(tries) as tries, sum(pages) as pages,
       sum(good) as good, sum(errors) as errors, sum(copies) as copies, sum(thin) as thin,
       sum(target_bytes) as target_bytes
from (select site_id, site, round, tries, pages, good, errors, copies, thin, target_bytes from sites
      union all
      select site_id, site, {round} as round, tries, pages, good, errors, copies, thin, target_bytes
      from states) as s
group by site_id
order by site_id nulls last
"""
NEW_SITES_SQL = "select count(*) as new_sites from sites where round = {round}"
CLUES_SQL = """
select id, max(url) as url, max(site_id) as site_id, max(section_id) as section_id,
       max(prefix_id) as prefix_id, max(stem) as stem, min(hops) as hops, max(seed) as seed,
       max(words) as words, sum(links) as links, sum(outside) as outside, sum(from_target) as from_target,
       sum(share) as share, sum(anchors_target) as anchors_target, sum(anchors_script) as anchors_script,
       sum(anchors_other) as anchors_other, sum(anchors_named) as anchors_named,
       sum(alternates_target) as alternates_target, sum(alternates_other) as alternates_other,
       sum(listed) as listed, sum(maps) as maps,
       max(case when place = 1 then referrer else null end) as referrer,
       max(referrer_bytes) as referrer_bytes,
       sum(cash) as cash, min(refused) as refused,
       min(case when hops = nearest then spelling else null end) as spelling
from (select c.*, min(hops) over (partition by id) as nearest,
             row_number() over (partition by id order by share desc nulls last, referrer nulls last) as place
      from clues as c) as c
group by id
order by id nulls last
"""
MERGE_SQL = """
select coalesce(f.id, c.id) as id, coalesce(f.url, c.url) as url,
       case when f.id is null then c.spelling
            when f.round = {round} and (c.hops < f.hops or (c.hops = f.hops and c.spelling < f.spelling))
            then c.spelling else f.spelling end as spelling,
       coalesce(f.site_id, c.site_id) as site_id,
       coalesce(f.section_id, c.section_id) as section_id, coalesce(f.prefix_id, c.prefix_id) as prefix_id,
       coalesce(f.stem, c.stem) as stem,
       case when k.lowest <> coalesce(f.id, c.id) or k.highest <> coalesce(f.id, c.id) then 1
            else 0 end as sibling,
       coalesce(f.round, {round}) as round,
       least(coalesce(f.hops, c.hops), coalesce(c.hops, f.hops)) as hops,
       greatest(coalesce(f.seed, 0), coalesce(c.seed, 0)) as seed, coalesce(f.words, c.words) as words,
       coalesce(f.links, 0) + coalesce(c.links, 0) as links,
       coalesce(f.outside, 0) + coalesce(c.outside, 0) as outside,
       coalesce(f.from_target, 0) + coalesce(c.from_target, 0) as from_target,
       coalesce(f.share, 0) + coalesce(c.share, 0) as share,
       coalesce(f.anchors_target, 0) + coalesce(c.anchors_target, 0) as anchors_target,
       coalesce(f.anchors_script, 0) + coalesce(c.anchors_script, 0) as anchors_script,
       coalesce(f.anchors_other, 0) + coalesce(c.anchors_other, 0) as anchors_other,
       coalesce(f.anchors_named, 0) + coalesce(c.anchors_named, 0) as anchors_named,
       coalesce(f.alternates_target, 0) + coalesce(c.alternates_target, 0) as alternates_target,
       coalesce(f.alternates_other, 0) + coalesce(c.alternates_other, 0) as alternates_other,
       coalesce(f.listed, 0) + coalesce(c.listed, 0) as listed,
       coalesce(f.maps, 0) + coalesce(c.maps, 0) as maps, coalesce(f.referrer, c.referrer) as referrer,
       greatest(coalesce(f.referrer_bytes, 0), coalesce(c.referrer_bytes, 0)) as referrer_bytes,
       coalesce(c.cash, 0) + case when s.id is null then coalesce(f.cash, 0) else 0 end as cash,
       least(coalesce(f.refused, c.refused), coalesce(c.refused, f.refused)) as refused,
       coalesce(s.fetches, f.fetches, 0) as fetches, coalesce(s.fetched, f.fetched, 0) as fetched,
       coalesce(s.status, f.status, 0) as status, coalesce(s.failures, f.failures, 0) as failures,
       coalesce(s.pause, f.pause, 0) as pause, coalesce(s.due, f.due, 0) as due,
       coalesce(s.kept, f.kept, 0) as kept, coalesce(s.digest, f.digest, 0) as digest,
       coalesce(s.digest_2, f.digest_2, 0) as digest_2, coalesce(s.digest_3, f.digest_3, 0) as digest_3,
       coalesce(s.digest_4, f.digest_4, 0) as digest_4
from (select * from frontier where (stem % {buckets} + {buckets}) % {buckets} = {bucket}) as f
full outer join (select * from clues where (stem % {buckets} + {buckets}) % {buckets} = {bucket}) as c
     on f.id = c.id
left join states as s on coalesce(f.id, c.id) = s.id
left join (select stem, min(id) as lowest, max(id) as highest
           from (select stem, id from frontier where digest <> 0 and digest <> id
                 union all
                 select stem, id from states where digest <> 0 and digest <> id) as r
           group by stem) as k on coalesce(f.stem, c.stem) = k.stem
"""
# Eq. 6 of Corpulyzer (2021): all pages that a round read, and those with any text of the target (CZ-29).
READ_SQL = """
select count(*) as read_pages, sum(case when target_bytes > 0 then 1 else 0 end) as target_pages
from documents
"""
SUMMARY_SQL = """
select count(*) as urls, sum(tries) as tries, sum(pages) as pages, sum(kept) as kept, sum(good) as good,
       sum(errors) as errors, sum(copies) as copies, sum(target_bytes) as target_bytes
from states
"""
