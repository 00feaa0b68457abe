"""Keywords in the browser: the words that a corpus has more often than another."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

from corpulyzer.errors import UserError
from corpulyzer.jobs.search.company import reference_counts, references
from corpulyzer.jobs.search.refresh import refresh
from corpulyzer.search.keywords import BY, By, keywords
from corpulyzer.serve.languages import which
from corpulyzer.serve.search.concordance import up_to_date
from corpulyzer.serve.takeaway import Figure, taken, today

if TYPE_CHECKING:
    from starlette.responses import Response

    from corpulyzer.serve.explorer import Asked, Explorer

NAMES = ("against", "by")
SHOWN = 200


def keyness(explorer: Explorer, asked: Asked) -> Response:
    """The form, and the words by how much more often they come here."""
    corpus = explorer.corpus()
    if corpus.targets.only is None:
        return which(explorer, corpus, "words")
    query = {name: asked.query.get(name, "").strip() for name in NAMES}
    known = references(corpus)
    if explorer.gate.token and not explorer.base:
        # Who is let in to this corpus from elsewhere is not let in to those that stand beside it.
        known = {name: each for name, each in known.items() if not name.startswith("corpus ")}
    index = up_to_date(explorer, corpus, refresh)
    values: dict[str, Any] = {"rows": None, "problem": ""}
    if index is not None and query["against"]:
        try:
            if query["against"] not in known:
                raise UserError(f"There is nothing called {query['against']!r} to compare with.", "")
            counts = reference_counts(corpus, known[query["against"]])
            kind = asked.query.get("as", "")
            most = None if kind else SHOWN
            rows = keywords(index, counts, by=cast("By", query["by"] or BY[0]), most=most)
            if kind:
                title = f"Keywords of {corpus.name} against {query['against']}"
                figure = Figure(title, "word", query["by"] or BY[0], (query["by"] or BY[0]).replace("_", "-"))
                return taken([asdict(row) for row in rows], kind, f"{corpus.name}-keywords", figure)
            values["rows"] = rows
        except UserError as error:
            values["problem"] = f"{error.message} {error.hint}"
    values |= {"query": query, "references": list(known), "bys": BY, "cited": today()}
    values |= {"indexing": explorer.progress if index is None else None, "desk": "keywords"}
    return explorer.page("keywords.html", here="search", corpus=corpus, **values)
