"""Sites: how rich each is, how its yield went, what people say of it, and whether to go on with it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from corpulyzer.audit.sites import CATEGORIES, SiteLabel, read_sites, write_site
from corpulyzer.corpus import rounds
from corpulyzer.engine import Dataset
from corpulyzer.jobs.site_decisions import apply_decisions
from corpulyzer.records import int64_hash
from corpulyzer.serve.documents import Wanted, select
from corpulyzer.serve.explorer import NotFoundError
from corpulyzer.web import seeds

if TYPE_CHECKING:
    from starlette.responses import Response

    from corpulyzer.api.corpus import Corpus
    from corpulyzer.serve.explorer import Asked, Explorer

SITES_SQL = """
select site, count(*) as pages, sum(case when verdict.kept then 1 else 0 end) as kept,
       sum(case when target_bytes > 0 then 1 else 0 end) as target_pages, sum(target_bytes) as target_bytes,
       sum(text_bytes) as text_bytes, sum(tokens) as tokens
from documents group by site order by site nulls last
"""
ROUNDS_SQL = """
select site, round, count(*) as pages, sum(case when verdict.kept then 1 else 0 end) as kept
from documents where round > 0 group by site, round order by site nulls last, round nulls last
"""
BOOST_SQL = """
select url from frontier where site_id = {key} and refused = '' and fetches = 0
order by from_target desc nulls last, links desc nulls last, id nulls last limit {most}
"""
ORDERS = ("kept", "pages", "yield", "score", "richness", "target_bytes", "site")
PER_PAGE = 50
MOST_BOOSTED = 50


def sites(explorer: Explorer, asked: Asked) -> Response:
    """The table of sites."""
    corpus = explorer.corpus()
    labels = read_sites(corpus.storage)
    order = asked.query.get("sort", "kept")
    order = order if order in ORDERS else "kept"
    wanted = asked.query.get("q", "").strip().lower()
    rows = [row for row in _all(explorer, corpus) if wanted in row["site"]]
    rows.sort(key=lambda row: (row[order] if order == "site" else -row[order], row["site"]))
    page = max(1, asked.number("page", 1))
    shown = rows[(page - 1) * PER_PAGE : page * PER_PAGE]
    return explorer.page(
        "sites.html",
        here="sites",
        corpus=corpus,
        rows=shown,
        total=len(rows),
        labels=labels,
        order=order,
        orders=ORDERS,
        query={"q": wanted, "sort": order},
        page=page,
        pages=-(-len(rows) // PER_PAGE),
    )


def site(explorer: Explorer, asked: Asked) -> Response:
    """One site: numbers, yield by round, a sample of its documents, and what people say of it."""
    corpus, name = explorer.corpus(), asked.path["site"]
    rows = [row for row in _all(explorer, corpus) if row["site"] == name]
    if not rows:
        raise NotFoundError(f"No document is from {name!r}.", "See the list of sites.")
    by_round = explorer.remembered(
        "rounds", corpus, lambda engine: engine.query(ROUNDS_SQL, _tables(corpus)).to_pylist()
    )
    sample, total = select(corpus, Wanted(site=name), 0, 500)
    sample.sort(key=lambda row: int64_hash("sample", str(row["id"])))
    return explorer.page(
        "site.html",
        here="sites",
        corpus=corpus,
        row=rows[0],
        yields=[(r["round"], r["pages"], r["kept"] / r["pages"]) for r in by_round if r["site"] == name],
        sample=sample[:10],
        total=total,
        label=read_sites(corpus.storage).get(name, SiteLabel(name)),
        categories=CATEGORIES,
        can_boost=bool(rounds.rounds(corpus.storage)),
        done=asked.query.get("done", ""),
    )


def decide(explorer: Explorer, asked: Asked) -> Response:
    """Label a site, block or allow it, or put it first in the next round."""
    from starlette.responses import RedirectResponse

    corpus, name, form = explorer.corpus(), asked.path["site"], asked.form
    known = read_sites(corpus.storage).get(name, SiteLabel(name))
    what = form.get("what", "label")
    if what in ("block", "allow"):
        write_site(corpus.storage, replace(known, decision=what))
        apply_decisions(corpus)
    elif what == "boost":
        what = f"boost {_boost(corpus, name)}"
    else:
        given = {key: form.get(key, "").strip() for key in ("category", "machine_translated", "note")}
        write_site(corpus.storage, replace(known, **given))
    from corpulyzer.serve.explorer import link

    return RedirectResponse(link(f"/sites/{name}", done=what), 303)


def _boost(corpus: Corpus, name: str) -> int:
    """Make seeds of the next round out of the site's best URLs that wait; return how many."""
    frontier = rounds.frontier(corpus.storage).table("frontier")
    sql = BOOST_SQL.format(key=int64_hash(name), most=MOST_BOOSTED)
    with corpus.engine() as engine:
        urls = engine.query(sql, {"frontier": frontier}).column("url").to_pylist()
    wanted = [seeds.Candidate(str(url)) for url in (*urls, f"http://{name}/")]
    seeds.add(corpus.storage, wanted, "explorer", round=partial(rounds.open_for_seeds, corpus.storage))
    return len(wanted)


def _all(explorer: Explorer, corpus: Corpus) -> list[dict[str, Any]]:
    """Every site with its numbers: yield (kept of pages), score (CZ: target bytes a page), richness."""
    rows = explorer.remembered(
        "sites", corpus, lambda engine: engine.query(SITES_SQL, _tables(corpus)).to_pylist()
    )
    return [
        {
            **row,
            "yield": row["kept"] / row["pages"],
            "score": row["target_bytes"] / row["pages"],
            "richness": row["target_bytes"] / row["text_bytes"] if row["text_bytes"] else 0.0,
        }
        for row in rows
    ]


def _tables(corpus: Corpus) -> dict[str, Dataset]:
    return {"documents": corpus.table("documents")}
