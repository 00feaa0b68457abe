"""Words by their company in the browser: the sketch of a word, its thesaurus, and two words compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from corpulyzer.errors import UserError
from corpulyzer.jobs.search.company import Compared, compared_in
from corpulyzer.jobs.search.concordance import matches_in
from corpulyzer.jobs.search.refresh import refresh
from corpulyzer.search.company.sketch import RELATIONS, Sketch
from corpulyzer.search.company.thesaurus import neighbours
from corpulyzer.search.finding.only import Only
from corpulyzer.search.measures import WINDOW
from corpulyzer.search.units import is_spaceless
from corpulyzer.serve.languages import which
from corpulyzer.serve.search.concordance import small, up_to_date
from corpulyzer.serve.search.words import quoted
from corpulyzer.serve.takeaway import Figure, taken, today

if TYPE_CHECKING:
    from starlette.responses import Response

    from corpulyzer.search.index import Index
    from corpulyzer.serve.explorer import Asked, Explorer

Rows = list[dict[str, Any]]
Answer = tuple[dict[str, Any], Rows, Figure]
MOST_NEIGHBOURS = 60
REACH = {relation.name: relation.reach for relation in RELATIONS}


def sketch(explorer: Explorer, asked: Asked) -> Response:
    """The collocates of a word by their relation to it."""
    return _page(explorer, asked, "sketch", ("q",), _sketched)


def thesaurus(explorer: Explorer, asked: Asked) -> Response:
    """The words of similar company."""
    return _page(explorer, asked, "thesaurus", ("q",), _neighbours)


def compare(explorer: Explorer, asked: Asked) -> Response:
    """The company of two words."""
    return _page(explorer, asked, "compare", ("q", "other"), _compared, more=("window",))


def _page(
    explorer: Explorer,
    asked: Asked,
    name: str,
    needed: tuple[str, ...],
    answer: Callable[[Index, dict[str, str]], Answer],
    more: tuple[str, ...] = (),
) -> Response:
    corpus = explorer.corpus()
    if corpus.targets.only is None:
        return which(explorer, corpus, "search")
    query = {each: asked.query.get(each, "").strip() for each in (*needed, *more)}
    index = up_to_date(explorer, corpus, refresh)
    values: dict[str, Any] = {"problem": "", "found": None, "note": ""}
    if index is not None and all(query[each] for each in needed):
        try:
            found, rows, figure = answer(index, query)
            if kind := asked.query.get("as", ""):
                return taken(rows, kind, f"{corpus.name}-{name}-{query['q']}", figure)
            values |= found
            if is_spaceless(query["q"]):
                values["note"] = "Words are not divided by spaces here, so these are characters."
        except UserError as error:
            values["problem"] = f"{error.message} {error.hint}"
    values |= {"query": query, "indexing": explorer.progress if index is None else None, "cited": today()}
    return explorer.page(f"{name}.html", here="search", corpus=corpus, desk=name, **values)


def _sketched(index: Index, query: dict[str, str]) -> Answer:
    met = matches_in(index, query["q"], Only(), tokens=True)
    sketch = met.sketch()
    found = {"found": met.found, "sketch": sketch, "lines_of": lambda row: _both(query["q"], sketch, row)}
    rows = [asdict(row) for row in sketch.rows]
    word = query["q"]
    figure = Figure(f"Collocates of {word}", "word", "log_dice", "logDice")
    return found, rows, figure


def _both(query: str, sketch: Sketch, row: Any) -> dict[str, str]:
    """The search that shows the lines of a row of a sketch."""
    if "[" in query or " " in query or "*" in query or "|" in query or ":" in query:
        return {"q": query, "near": row.word} if sketch.stream == "words" else {"q": query}
    node = f'[lc="{quoted(query.casefold())}"%l]'
    other = f'[{"lemma" if sketch.stream == "lemmas" else "lc"}="{quoted(row.word)}"%l]'
    distance, _, side = row.relation.rpartition(" ")
    most = int(distance) if distance.isdigit() else REACH.get(row.relation, 3)
    between = f"[]{{{most - 1}}}" if distance.isdigit() else f"[]{{0,{most - 1}}}"
    parts = (other, between, node) if side == "before" else (node, between, other)
    return {"q": " ".join(part for part in parts if part not in ("[]{0}", "[]{0,0}"))}


def _neighbours(index: Index, query: dict[str, str]) -> Answer:
    rows = neighbours(index, query["q"], MOST_NEIGHBOURS)
    plain = [{**asdict(row), "shared": "; ".join(row.shared)} for row in rows]
    word = query["q"]
    figure = Figure(f"Words of similar company to {word}", "word", "similarity", "similarity")
    return {"found": rows}, plain, figure


def _compared(index: Index, query: dict[str, str]) -> Answer:
    found: Compared = compared_in(index, query["q"], query["other"], small(query["window"], WINDOW), Only())
    rows = [{**asdict(row), "belongs": row.belongs} for row in found.rows]
    title = f"{query['q']} and {query['other']}: the strongest collocates of either"
    figure = Figure(title, "word", "difference", "difference of logDice")
    return {"found": found}, rows, figure
