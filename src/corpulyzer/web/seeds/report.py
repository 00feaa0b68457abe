"""What each source of seeds was worth: how many live, are in the language, and what their sites gave."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpulyzer.engine import Dataset, Engine
from corpulyzer.records import UNDETERMINED
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.storage import ParquetSink
from corpulyzer.storage.temporary import temporary_folder
from corpulyzer.url import site_of, url_id
from corpulyzer.web.seeds import Seed

SOURCES_SQL = """
    with fetched as (
        select f.url_id,
            max(case when f.outcome = 'ok' or f.status between 300 and 399 then 1 else 0 end) as live
        from fetches as f where f.round > 0 group by f.url_id
    ), spoken as (
        select d.url_id, max(case when {spoken} then 1 else 0 end) as spoken
        from documents as d where d.round > 0 group by d.url_id
    )
    select s.source, count(*) as seeds, count(distinct s.site) as sites, count(f.url_id) as fetched,
        coalesce(sum(f.live), 0) as live, coalesce(sum(p.spoken), 0) as in_language
    from seen as s left join fetched as f on s.url_id = f.url_id left join spoken as p on s.url_id = p.url_id
    group by s.source order by s.source nulls last
"""
YIELD_SQL = """
    with places as (select distinct s.source, s.site from seen as s), pages as (
        select f.site, sum(case when f.purpose = 'page' then 1 else 0 end) as fetched,
            sum(case when d.kept = 1 then 1 else 0 end) as kept,
            sum(case when d.kept = 1 then d.target_bytes else 0 end) as target_bytes
        from fetches as f left join (
            select e.id, e.target_bytes, case when e.verdict.kept then 1 else 0 end as kept
            from documents as e
        ) as d on f.id = d.id
        where f.round > 0 and f.purpose in ('page', 'rendered') group by f.site
    )
    select p.source, coalesce(sum(g.fetched), 0) as pages_fetched, coalesce(sum(g.kept), 0) as pages_kept,
        coalesce(sum(g.target_bytes), 0) as target_bytes
    from places as p left join pages as g on p.site = g.site group by p.source order by p.source nulls last
"""
AGREED_SQL = """
    select s.site, count(distinct s.source) as sources, count(distinct s.url_id) as seeds
    from seen as s group by s.site having count(distinct s.source) > 1
    order by sources desc nulls last, seeds desc nulls last, s.site nulls last limit {limit}
"""


@dataclass(frozen=True, slots=True)
class Seen:
    """A sighting, as queries need it."""

    source: str
    url_id: int
    site: str


@dataclass(frozen=True, slots=True)
class SeedReport:
    """A row for each source, and the sites that several sources agree on, most sources first.

    Of a source: its seeds and their sites; how many seeds were fetched, were live, and were in the language;
    and of all pages that the crawl fetched from those sites how many are in the corpus, with their bytes.
    """

    sources: tuple[dict[str, Any], ...]
    agreed: tuple[dict[str, Any], ...]


def seed_report(
    engine: Engine,
    sightings: Iterable[Seed],
    tables: tuple[Dataset, Dataset],
    languages: Collection[str],
    limit: int = 100,
) -> SeedReport:
    """The report for the sightings of a corpus, with its tables of fetches and documents.

    Without `languages` a page may be in any that was recognised. Without sightings no table is read.
    """
    seeds = list(sightings)
    if not seeds:
        return SeedReport((), ())
    quoted = ", ".join(f"'{code}'" for code in languages)
    spoken = f"d.language in ({quoted})" if languages else f"d.language <> '{UNDETERMINED}'"
    fetches, documents = tables
    with temporary_folder() as folder:
        seen = _table(seeds, Path(folder) / "seen.parquet")
        given = {"seen": seen, "fetches": fetches, "documents": documents}
        sources = engine.query(SOURCES_SQL.format(spoken=spoken), given).to_pylist()
        yields = engine.query(YIELD_SQL, given).to_pylist()
        agreed = engine.query(AGREED_SQL.format(limit=limit), {"seen": seen}).to_pylist()
    rows = [{**row, **more} for row, more in zip(sources, yields, strict=True)]
    for row in rows:
        row["yield"] = row["pages_kept"] / row["pages_fetched"] if row["pages_fetched"] else 0.0
    return SeedReport(tuple(rows), tuple(agreed))


def _table(sightings: Iterable[Seed], path: Path) -> Dataset:
    rows = [Seen(seed.source, url_id(seed.url), site_of(seed.url)) for seed in sightings]
    with ParquetSink(str(path), schema_of(Seen)) as sink:
        sink.write(batch_of(rows, Seen))
    return Dataset((str(path),), schema_of(Seen))
