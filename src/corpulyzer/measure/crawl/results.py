"""How the crawl went, as results: yield, discovery, assortativity, cost (CZ-29; XH-22, 23, 26; C4-19)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corpulyzer.measure.bench import Bench
from corpulyzer.measure.crawl.counts import Discovery, RoundYield, discovery, yield_rate
from corpulyzer.measure.crawl.stop_now import stop_now
from corpulyzer.measure.figures import bars, lines
from corpulyzer.measure.pages.funnel import percent
from corpulyzer.measure.pages.rows import described
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of

NEW_SITES_SHOWN = 50

LINKS_SQL = """
select source_target, target_target, place, count(*) as links
from (select case when s.target_bytes > 0 then 1 else 0 end as source_target,
             case when t.target_bytes > 0 then 1 else 0 end as target_target,
             case when s.site = t.site then 'site' when s.domain = t.domain then 'affiliated'
                  else 'other' end as place
      from links as l
      join pages as s on l.source_id = s.id
      join (select url_id, max(site) as site, max(domain) as domain, max(target_bytes) as target_bytes
            from pages group by url_id) as t on l.target_id = t.url_id) as pairs
group by source_target, target_target, place
order by source_target nulls last, target_target nulls last, place nulls last
"""
COST_SQL = """
select f.round, sum(case when f.purpose = 'rendered' then 0 else 1 end) as requests,
       sum(f.length) as stored_bytes, sum(f.payload_bytes) as received_bytes,
       sum(case when d.kept = 1 then 1 else 0 end) as documents,
       sum(case when d.kept = 1 then d.tokens else 0 end) as tokens
from fetches as f left join pages as d on f.id = d.id where f.round > 0
group by f.round order by f.round nulls last
"""
PER_REQUEST = "new and good, of requests"
PLACES = {"site": "within a site", "affiliated": "to another host of its domain", "other": "to other sites"}


def measure(bench: Bench) -> list[Result]:
    """The measures of a crawl; none where the corpus was imported."""
    rounds = yield_rate(bench.engine, bench.as_judged or bench.documents)
    if not rounds:
        return []
    found = discovery(bench.engine, bench.documents, bench.seed_sites)
    return [
        yield_result(rounds, bench.rounds),
        stop_now(bench),
        discovery_result(found, len(bench.seed_sites)),
        assortativity(bench),
        cost(bench),
    ]


def yield_result(rounds: list[RoundYield], notes: Sequence[Mapping[str, Any]] = ()) -> Result:
    """Pages with the language of all pages read, by round (CZ-29, XH-23), and new good ones per request."""
    rows = [
        {"round": each.round, "pages": each.pages, "of": of, "rate": rate}
        for of, pick in (("any of the language", "rate"), ("kept by the filters", "kept_rate"))
        for each in rounds
        for rate in (getattr(each, pick),)
    ]
    asked = [note for note in notes if note.get("requests")]
    rows += [
        {"round": n["round"], "pages": n["requests"], "of": PER_REQUEST, "rate": n["good"] / n["requests"]}
        for n in asked
    ]
    requests, good = sum(note["requests"] for note in asked), sum(note["good"] for note in asked)
    strict = f" {percent(good / requests)} of {requests:,} requests gave a new good page." if asked else ""
    pages = sum(each.pages for each in rounds)
    target, kept = sum(each.target_pages for each in rounds), sum(each.kept_pages for each in rounds)
    titles = {"round": "round", "rate": "of the pages read, or of the requests"}
    return Result(
        name="yield_rate",
        title="Yield by round",
        definition="Pages with any text of the language (Eq. 6), and pages that the filters keep, of all "
        "read in a round; over the whole crawl it is the harvest rate. Stricter is the third: pages that the "
        "filters kept and that were new when they came, of all requests, failed ones included.",
        citation="Tahir & Mehmood 2021, Eq. 6; Marquard & Suleman 2023",
        rows=table_of(rows, {"round": "int64", "pages": "int64", "of": "string", "rate": "double"}),
        summary=f"Of {pages:,} pages in {len(rounds):,} rounds {percent(target / pages)} have text of the "
        f"language and {percent(kept / pages)} were kept by the filters: the harvest rate.{strict}",
        spec=lines("round", "rate", series="of", percent=True, titles=titles),
        facts={
            "harvest": kept / pages,
            "pages": pages,
            "target_rate": target / pages,
            "good_per_request": good / requests if requests else None,
        },
    )


def discovery_result(found: Discovery, seeds: int) -> Result:
    """Sites of the corpus on which no seed was (XH-22)."""
    rows = [
        {"what": "sites in the corpus", "number": found.sites, "share": None},
        {"what": "of them found by the crawl", "number": len(found.new_sites), "share": found.site_share},
        {"what": "documents in the corpus", "number": found.documents, "share": None},
        {
            "what": "of them on sites found by the crawl",
            "number": found.new_documents,
            "share": found.document_share,
        },
    ]
    named = ", ".join(found.new_sites[:NEW_SITES_SHOWN])
    return Result(
        name="discovery",
        title="What the crawl found beyond its seeds",
        definition="Sites with documents in the corpus that no seed was on, and the documents from there.",
        citation="Marquard & Suleman 2023, Section 5",
        rows=table_of(rows, {"what": "string", "number": "int64", "share": "double"}),
        summary=f"{len(found.new_sites):,} of {found.sites:,} sites were found by the crawl, with "
        f"{percent(found.document_share)} of the documents; seeds were on {seeds:,} sites.",
        warnings=(f"Found: {named}{' …' if len(found.new_sites) > NEW_SITES_SHOWN else '.'}",)
        if found.new_sites
        else (),
        facts={"new_sites": len(found.new_sites), "site_share": found.site_share},
    )


def assortativity(bench: Bench) -> Result:
    """Whether pages in the language link to pages in the language, and how near (XH-26)."""
    pages = described(bench)["pages"]
    found = bench.engine.query(LINKS_SQL, {"links": bench.links, "pages": pages}).to_pylist()

    def share(rows: list[dict[str, Any]]) -> float | None:
        total = sum(row["links"] for row in rows)
        return sum(row["links"] for row in rows if row["target_target"]) / total if total else None

    groups = {
        "all links": found,
        "from pages in the language": [row for row in found if row["source_target"]],
        "from other pages": [row for row in found if not row["source_target"]],
        **{PLACES[place]: [row for row in found if row["place"] == place] for place in PLACES},
    }
    total = sum(row["links"] for row in found)
    rows = [
        {
            "links": name,
            "number": sum(row["links"] for row in group),
            "share": sum(row["links"] for row in group) / total if total else None,
            "lead_to_the_language_share": share(group),
        }
        for name, group in groups.items()
    ]
    base, own, other = (row["lead_to_the_language_share"] for row in rows[:3])
    kinds = {"links": "string", "number": "int64", "share": "double", "lead_to_the_language_share": "double"}
    return Result(
        name="assortativity",
        title="Links between pages in the language",
        definition="Of links between pages that were read: the share that leads to pages in the language, "
        "by the kind of page and place of the link, beside the same share of all links.",
        citation="Marquard & Suleman 2023, Section 2",
        rows=table_of(rows, kinds),
        summary=f"{percent(own)} of the links on pages in the language lead to such pages, "
        f"{percent(other)} of those on other pages; {percent(base)} of all."
        if base is not None
        else "No link between pages that were read is known.",
        spec=bars(
            "links",
            "lead_to_the_language_share",
            percent=True,
            titles={"lead_to_the_language_share": "lead to pages in the language"},
        ),
        warnings=("Only links to pages that the crawl chose to read are known: these are no random sample.",),
    )


def cost(bench: Bench) -> Result:
    """What the crawl cost: requests, bytes, time (C4-19)."""
    tables = {"fetches": bench.fetches, "pages": described(bench)["pages"]}
    seconds = {note["round"]: float(note.get("seconds", 0.0)) for note in bench.rounds}
    rows = bench.engine.query(COST_SQL, tables).to_pylist()
    for row in rows:
        row["seconds"] = seconds.get(row["round"])
        row["requests_per_document"] = row["requests"] / row["documents"] if row["documents"] else None
    requests, documents = sum(r["requests"] for r in rows), sum(r["documents"] for r in rows)
    received, spent = sum(r["received_bytes"] or 0 for r in rows), sum(seconds.values())
    kinds = {"round": "int64", "requests": "int64", "received_bytes": "int64", "stored_bytes": "int64"}
    kinds |= {"seconds": "double", "documents": "int64", "tokens": "int64", "requests_per_document": "double"}
    each = f", {requests / documents:.1f} requests for each document" if documents else ""
    return Result(
        name="cost",
        title="What the crawl cost",
        definition="Records written in each round (requests for pages, for robots.txt and redirects), bytes "
        "received and stored, seconds of fetching, and the documents that came of it.",
        citation="Habernal et al. 2016, Section 5",
        rows=table_of(rows, kinds),
        summary=f"{requests:,} records, {received / 1e6:,.1f} MB and {spent / 60:,.1f} minutes of fetching"
        f"{each}.",
        facts={"requests": requests, "received_bytes": received, "seconds": spent},
    )
