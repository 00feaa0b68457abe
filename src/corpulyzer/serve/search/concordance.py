"""The concordance in the browser; what is asked stands in the address, so that it can be cited."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, cast

from corpulyzer.errors import UserError
from corpulyzer.jobs.search.concordance import Matches, known_topics, matches_in
from corpulyzer.jobs.search.refresh import index_of, is_scored, must_fit, refresh, score, stale
from corpulyzer.search import measures
from corpulyzer.search.finding.only import Only
from corpulyzer.search.kwic import ORDERS
from corpulyzer.search.pattern import Near
from corpulyzer.search.spread import groups
from corpulyzer.search.units import is_spaceless
from corpulyzer.serve.explorer import whole
from corpulyzer.serve.languages import which
from corpulyzer.serve.takeaway import MOST_ROWS, Figure, taken, today

if TYPE_CHECKING:
    from starlette.responses import Response

    from corpulyzer.api.corpus import Corpus
    from corpulyzer.search.index import Index
    from corpulyzer.serve.explorer import Asked, Explorer

PER_PAGE = 50
WIDTH = 70
AT_ONCE_BYTES = 20_000_000
"""Up to this much is indexed while the reader waits; more is indexed in the background."""
SHOWS = ("lines", "collocations", "clusters", "sites", "distribution")
NAMES = (
    *("q", "show", "sort", "seed", "near", "by", "n", "window", "over"),
    *("site", "license", "since", "until", "min_quality"),
)
NOTHING: dict[str, Any] = {"found": None, "kwic": None, "rows": [], "problem": "", "spread": None, "note": ""}


def search(explorer: Explorer, asked: Asked) -> Response:
    """The form, and what was found."""
    corpus = explorer.corpus()
    if corpus.targets.only is None:
        return which(explorer, corpus, "search")
    query = {name: asked.query.get(name, "").strip() for name in NAMES}
    show = query["show"] if query["show"] in SHOWS else SHOWS[0]
    page = max(1, asked.number("page", 1))
    values = dict(NOTHING)
    index = up_to_date(explorer, corpus, refresh if not query["min_quality"] else score)
    if query["q"] and index is not None:
        try:
            if kind := asked.query.get("as", ""):
                rows = _rows(corpus, index, query, show)
                return taken(rows, kind, f"{corpus.name}-{show}", _figure(query, show))
            values |= _found(corpus, index, query, show, page)
        except UserError as error:
            values["problem"] = f"{error.message} {error.hint}"
    values |= {"query": query, "show": show, "shows": SHOWS, "orders": ORDERS, "page": page}
    values |= {
        "measures": measures.MEASURES,
        "overs": groups.OVER,
        "cited": today(),
        "desk": "search",
    }
    values |= {"per_page": PER_PAGE, "indexing": explorer.progress if index is None else None}
    return explorer.page("search.html", here="search", corpus=corpus, **values)


def _found(corpus: Corpus, index: Index, query: dict[str, str], show: str, page: int) -> dict[str, Any]:
    order = next((order for order in ORDERS if order == query["sort"]), ORDERS[0])
    last = page * PER_PAGE
    enough = last if show == "lines" and order == "document" else None
    met = _matches(corpus, index, query, enough)
    if missing := met.missing():
        note = f"The documents have no {missing}; `corpulyzer annotate` makes them."
        return {"found": met.found, "note": note}
    if show == "lines":
        kwic = met.lines(WIDTH, order, limit=PER_PAGE, offset=last - PER_PAGE, seed=_seed(query))
        return {"found": met.found, "kwic": kwic}
    if show == "sites":
        return {"found": met.found, "rows": met.sites(), "spread": met.dispersion()}
    if show == "distribution":
        return {"found": met.found, "rows": met.distribution(_over(query))}
    note = (
        "Words are not divided by spaces here, so these are characters." if is_spaceless(query["q"]) else ""
    )
    note = note or (met.estimated() if show == "collocations" else "")
    return {"found": met.found, "rows": _company(met, query, show), "note": note}


def _figure(query: dict[str, str], show: str) -> Figure | None:
    """What can be drawn of a result: all but lines."""
    word = query["q"]
    drawn = {
        "collocations": ("word", query["by"] or "log_dice", f"Collocates of {word}"),
        "clusters": ("words", "count", f"Clusters of {word}"),
        "sites": ("site", "hits", f"Sites of {word}"),
        "distribution": ("name", "per_million", f"Distribution of {word}"),
    }
    if show not in drawn:
        return None
    category, value, title = drawn[show]
    return Figure(title, category, value, value.replace("_", " "))


def _seed(query: dict[str, str]) -> int:
    return whole(query["seed"]) or 0


def _matches(corpus: Corpus, index: Index, query: dict[str, str], enough: int | None) -> Matches:
    near = Near(query["near"], small(query["window"], measures.WINDOW)) if query["near"] else None
    found = matches_in(index, query["q"], _only(query), near=near, enough=enough)
    return replace(found, topics=known_topics(corpus)) if query["over"] == "topic" else found


def _company(met: Matches, query: dict[str, str], show: str) -> list[Any]:
    if show == "clusters":
        return list(met.clusters(small(query["n"], 3))[:100])
    return list(_collocations(met, query)[:100])


def _collocations(met: Matches, query: dict[str, str]) -> list[measures.Collocate]:
    by = cast("measures.Measure", query["by"] or "log_dice")
    return met.collocations(small(query["window"], measures.WINDOW), by)


def _over(query: dict[str, str]) -> groups.Over:
    return cast("groups.Over", query["over"] or groups.OVER[0])


def _rows(corpus: Corpus, index: Index, query: dict[str, str], show: str) -> list[dict[str, Any]]:
    """All that was found, for a file."""
    if show == "lines":
        order = next((order for order in ORDERS if order == query["sort"]), ORDERS[0])
        lines = _matches(corpus, index, query, MOST_ROWS if order == "document" else None).lines(
            WIDTH, order, limit=MOST_ROWS, seed=_seed(query)
        )
        return [asdict(line) for line in lines]
    met = _matches(corpus, index, query, None)
    if show == "clusters":
        clusters = met.clusters(small(query["n"], 3))[:MOST_ROWS]
        return [{"words": words, "count": count} for words, count in clusters]
    ways: dict[str, Callable[[], list[Any]]] = {
        "sites": met.sites,
        "distribution": lambda: met.distribution(_over(query)),
        "collocations": lambda: _collocations(met, query),
    }
    rows = ways[show]()
    return [asdict(row) for row in rows[:MOST_ROWS]]


def small(text: str, default: int) -> int:
    """A number from 1 to 10 that a form has; the default where it has none."""
    found = whole(text)
    return default if found is None else min(10, max(1, found))


def _only(query: dict[str, str]) -> Only:
    try:
        quality = float(query["min_quality"]) if query["min_quality"] else None
    except ValueError:
        raise UserError(f"{query['min_quality']!r} is no quality.", "Give one from 0 to 1.") from None
    return Only(query["site"], query["license"], query["since"], query["until"], quality)


def up_to_date(explorer: Explorer, corpus: Corpus, renew: Callable[[Corpus], Index]) -> Index | None:
    """The index as the documents are now, with scores where `renew` makes them; None while it is made."""
    index = index_of(corpus)
    if explorer.indexing is not None and explorer.indexing.is_alive():
        return None
    waiting = stale(corpus)
    unscored = renew is score and not is_scored(corpus)
    size = index.path.stat().st_size if unscored and index.path.exists() else 0
    if waiting.bytes + size > AT_ONCE_BYTES:
        if waiting.parts or not index.path.exists():
            must_fit(corpus)
        explorer.progress = (0, waiting.parts)
        explorer.indexing = threading.Thread(target=_renew, args=(explorer, corpus, renew), daemon=True)
        explorer.indexing.start()
        return None
    return renew(corpus) if waiting.parts or unscored or not index.path.exists() else index


def _renew(explorer: Explorer, corpus: Corpus, renew: Callable[[Corpus], Index]) -> None:
    def show(_what: str, done: int, total: int) -> None:
        explorer.progress = (done, total)

    refresh(corpus, show)
    renew(corpus)
    explorer.progress = (0, 0)
