"""Sites: how rich each is, how its yield went, what people say of it, and whether to go on with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from corpulyzer.audit.sites import CATEGORIES, SiteLabel, read_sites, write_site
from corpulyzer.corpus import rounds
from corpulyzer.engine import Dataset
from corpulyzer.records import int64_hash
from corpulyzer.serve.documents import Wanted, select
from corpulyzer.serve.explorer import NotFoundError
from corpulyzer.serve.takeaway import MOST_ROWS, Figure, taken, today
from corpulyzer.storage import open_input

if TYPE_CHECKING:
    import pyarrow as pa
    from starlette.responses import Response

    from corpulyzer.api.corpus import Corpus
    from corpulyzer.serve.explorer import Asked, Explorer

SITES_SQL = """
select site, count(*) as pages, sum(case when verdict.kept then 1 else 0 end) as kept,
       sum(case when target_bytes > 0 then 1 else 0 end) as target_pages, sum(target_bytes) as target_bytes,
       sum(tokens) as tokens
from documents group by site order by site nulls last
"""
ROUNDS_SQL = """
select site, round, count(*) as pages, sum(case when verdict.kept then 1 else 0 end) as kept
from documents where round > 0 group by site, round order by site nulls last, round nulls last
"""
ORDERS = ("kept", "pages", "yield", "score", "richness", "target_bytes", "site")
PER_PAGE = 50
ROWS_AT_ONCE = 20_000


def sites(explorer: Explorer, asked: Asked) -> Response:
    """The table of sites."""
    corpus = explorer.corpus()
    labels = read_sites(corpus.home)
    order = asked.query.get("sort", "kept")
    order = order if order in ORDERS else "kept"
    wanted = asked.query.get("q", "").strip().lower()
    rows = [row for row in _all(explorer, corpus) if wanted in row["site"]]
    rows.sort(key=lambda row: (row[order] if order == "site" else -row[order], row["site"]))
    query = {"q": wanted, "sort": order}
    if kind := asked.query.get("as", ""):
        figure = Figure(f"Documents of {corpus.name} by site", "site", "kept", "kept documents")
        return taken(
            [_with_label(row, labels) for row in rows[:MOST_ROWS]], kind, f"{corpus.name}-sites", figure
        )
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
        query=query,
        cited=today(),
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
    yields = [{**row, "yield": row["kept"] / row["pages"]} for row in by_round if row["site"] == name]
    if kind := asked.query.get("as", ""):
        figure = Figure(f"Yield of {name} by round", "round", "yield", "yield")
        return taken(yields, kind, f"{corpus.name}-{name}", figure)
    sample, total = select(corpus, Wanted(site=name), 0, 500)
    sample.sort(key=lambda row: int64_hash("sample", str(row["id"])))
    return explorer.page(
        "site.html",
        here="sites",
        corpus=corpus,
        row=rows[0],
        yields=[(row["round"], row["pages"], row["yield"]) for row in yields],
        cited=today(),
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
        corpus.audit.label_site(name, decision=what)
        corpus.audit.apply()
    elif what == "boost":
        what = f"boost {corpus.seeds.boost(name)}"
    else:
        given = {key: form.get(key, "").strip() for key in ("category", "machine_translated", "note")}
        write_site(corpus.storage, replace(known, **given))
    from corpulyzer.serve.pages import link

    return RedirectResponse(link(f"/sites/{name}", done=what), 303)


def _all(explorer: Explorer, corpus: Corpus) -> list[dict[str, Any]]:
    """Every site with its numbers: yield (kept of pages), score (CZ: target bytes a page), richness."""
    rows, identified = explorer.remembered(
        "sites",
        corpus,
        lambda engine: (
            engine.query(SITES_SQL, _tables(corpus)).to_pylist(),
            identified_bytes(corpus.table("documents")),
        ),
    )
    return [
        {
            **row,
            "yield": row["kept"] / row["pages"],
            "score": row["target_bytes"] / row["pages"],
            "richness": row["target_bytes"] / max(1, identified.get(row["site"], 0)),
        }
        for row in rows
    ]


def identified_bytes(documents: Dataset) -> dict[str, int]:
    """By site the bytes of all languages, `und` among them; documents are read some at a time.

    Target bytes are counted in paragraphs, so all bytes are too: those between paragraphs are of no language.
    """
    import pyarrow.parquet as pq

    found: Counter[str] = Counter()
    for path in documents.files:
        with open_input(path) as file, pq.ParquetFile(file) as parquet:
            for batch in parquet.iter_batches(ROWS_AT_ONCE, columns=["site", "languages"]):
                found.update(_bytes_by_site(batch))
    return found


def _bytes_by_site(documents: pa.RecordBatch) -> dict[str, int]:
    import pyarrow as pa
    import pyarrow.compute as pc

    languages = documents.column("languages")
    sites = documents.column("site").take(pc.list_parent_indices(languages))
    sizes = pa.table({"site": sites, "bytes": pc.struct_field(pc.list_flatten(languages), "value")})
    rows = sizes.group_by("site").aggregate([("bytes", "sum")]).to_pylist()
    return {row["site"]: row["bytes_sum"] for row in rows}


def _with_label(row: dict[str, Any], labels: Mapping[str, SiteLabel]) -> dict[str, Any]:
    """A site with its numbers, and what people say of it."""
    label = labels.get(row["site"], SiteLabel(row["site"]))
    return {**row, "category": label.category, "machine_translated": label.machine_translated}


def _tables(corpus: Corpus) -> dict[str, Dataset]:
    return {"documents": corpus.table("documents")}
