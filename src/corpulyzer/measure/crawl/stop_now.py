"""Whether a crawl is worth going on with: what each further thousand fetches bring that is new."""

from __future__ import annotations

from corpulyzer.engine import Dataset
from corpulyzer.engine.workbench import Workbench
from corpulyzer.measure.bench import Bench
from corpulyzer.measure.figures import lines
from corpulyzer.measure.pages.rows import described
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.storage import Storage

MOST_BLOCKS = 40
BLOCKS = (10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000)
STOP_BELOW, FALLING_BELOW = 0.1, 0.5

COUNT_SQL = "select count(*) as n from fetches where round > 0"
PLACED_SQL = """
select id, row_number() over (order by round nulls last, date nulls last, id nulls last) - 1 as place
from fetches where round > 0
"""
# The places of the fetches with which something came: each document, and the first of each site and sentence.
DOCUMENTS_SQL = "select p.place from placed as p join pages as d on p.id = d.id where d.kept = 1"
SITES_SQL = """
select min(p.place) as place from placed as p join pages as d on p.id = d.id where d.kept = 1 group by d.site
"""
SENTENCES_SQL = """
select min(p.place) as place from placed as p join sentences as s on p.id = s.document group by s.key
"""
BLOCKS_SQL = """
select block, count(*) as n from (select place - place % {block} as block from places) as blocks
group by block order by block nulls last
"""


def stop_now(bench: Bench) -> Result:
    """New documents, sites and unique sentences per 1,000 fetches along the crawl, with advice."""
    total = bench.engine.query(COUNT_SQL, {"fetches": bench.fetches}).to_pylist()[0]["n"]
    block = block_size(total)
    work = Workbench(bench.engine, Storage(bench.folder), "stop_now")
    placed = work.spread("placed", PLACED_SQL, fetches=bench.fetches)
    pages = described(bench)["pages"]
    places = {
        "documents": work.spread("documents", DOCUMENTS_SQL, placed=placed, pages=pages),
        "new sites": work.spread("sites", SITES_SQL, placed=placed, pages=pages),
    }
    if "sentences" in bench.labels:
        sentences = bench.labels["sentences"]
        places["new sentences"] = work.spread("sentences", SENTENCES_SQL, placed=placed, sentences=sentences)
    curves = {what: _curve(bench, each, block, total) for what, each in places.items()}
    work.clear()
    rows = [
        {"fetches": at, "what": what, "per_1000": rate, "of_the_best": rate / best if best else 0.0}
        for what, curve in curves.items()
        for best in (max((rate for _, rate in curve), default=0.0),)
        for at, rate in curve
    ]
    said = advice(curves)
    titles = {"fetches": "fetches so far", "of_the_best": "per fetch, of the best block"}
    spec = lines("fetches", "of_the_best", series="what", percent=True, titles=titles)
    return Result(
        name="stop_now",
        title="Is it worth going on?",
        definition="What came with each block of fetches, in the order in which they were made, per 1,000 of "
        "them: documents kept, sites with their first document, sentences not seen before. "
        "The figure shows each as a share of its best block.",
        citation="Corpulyzer",
        rows=table_of(
            rows, {"fetches": "int64", "what": "string", "per_1000": "double", "of_the_best": "double"}
        ),
        summary=said,
        parameters={"block": block},
        spec=spec,
        warnings=()
        if "sentences" in bench.labels
        else ("Unique sentences are known after `corpulyzer dedup`; without it, documents stand for them.",),
        facts={"advice": said},
    )


def block_size(fetches: int) -> int:
    """Fetches of a block: few enough for a curve to have points, 1,000 and more for a long crawl.

    >>> block_size(90), block_size(4_000), block_size(1_000_000)
    (10, 100, 25000)
    """
    known = next((size for size in BLOCKS if fetches <= size * MOST_BLOCKS), None)
    return known or -(-fetches // (MOST_BLOCKS * 1_000)) * 1_000


def _curve(bench: Bench, places: Dataset, block: int, total: int) -> list[tuple[int, float]]:
    """The end of each block and what is new in it per 1,000 fetches."""
    rows = bench.engine.query(BLOCKS_SQL.format(block=block), {"places": places}).to_pylist()
    found = {row["block"]: row["n"] for row in rows}
    starts = range(0, total, block)
    return [
        (min(start + block, total), 1_000 * found.get(start, 0) / min(block, total - start))
        for start in starts
    ]


def advice(curves: dict[str, list[tuple[int, float]]]) -> str:
    """What the end of the curves says, in words.

    >>> advice({"documents": [(10, 100.0), (20, 100.0), (30, 90.0), (40, 4.0)]})
    'Stop: per fetch, the last quarter of the crawl brought 4% of the documents that its best quarter did.'
    """
    what = "new sentences" if "new sentences" in curves else "documents"
    rates = [rate for _, rate in curves[what]]
    if len(rates) < 4 or not any(rates):
        return "Too little was fetched to say whether to go on."
    quarter = max(1, len(rates) // 4)
    quarters = [sum(rates[i : i + quarter]) / quarter for i in range(len(rates) - quarter + 1)]
    left = quarters[-1] / max(quarters)
    brought = (
        f"per fetch, the last quarter of the crawl brought {left:.0%} of the {what} that its best quarter did"
    )
    sites = curves.get("new sites", [])
    new_sites = sum(rate for _, rate in sites[-quarter:]) / quarter
    if left < STOP_BELOW:
        return f"Stop: {brought}."
    if left < FALLING_BELOW:
        return f"Returns are falling: {brought}, and {new_sites:,.1f} new sites per 1,000 fetches."
    return f"Go on: {brought}, and {new_sites:,.1f} new sites per 1,000 fetches."
