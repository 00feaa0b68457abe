"""Lists of words, lemmas and tags in the browser."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

from corpulyzer.errors import UserError
from corpulyzer.jobs.search.refresh import refresh
from corpulyzer.search.lists import LISTED, LONGEST, Items, Listed, Wanted, listed
from corpulyzer.serve.explorer import whole
from corpulyzer.serve.languages import which
from corpulyzer.serve.search.concordance import up_to_date
from corpulyzer.serve.takeaway import MOST_ROWS, Figure, taken, today

if TYPE_CHECKING:
    from starlette.responses import Response

    from corpulyzer.search.index import Index
    from corpulyzer.serve.explorer import Asked, Explorer

PER_PAGE = 100
NAMES = ("list", "n", "like", "least")
CQL = {"lemmas": "lemma", "tags": "tag", "xtags": "xpos"}


def words(explorer: Explorer, asked: Asked) -> Response:
    """The form, and a page of the list."""
    corpus = explorer.corpus()
    if corpus.targets.only is None:
        return which(explorer, corpus, "words")
    query = {name: asked.query.get(name, "").strip() for name in NAMES}
    page = max(1, asked.number("page", 1))
    index = up_to_date(explorer, corpus, refresh)
    values: dict[str, Any] = {"items": None, "problem": "", "wanted": Wanted()}
    if index is not None:
        try:
            values["wanted"] = wanted = _wanted(query)
            if kind := asked.query.get("as", ""):
                rows = listed(index, wanted, MOST_ROWS).rows
                figure = Figure(
                    f"The most frequent {wanted.stream} of {corpus.name}", "value", "count", "count"
                )
                return taken([asdict(row) for row in rows], kind, f"{corpus.name}-{wanted.stream}", figure)
            values["items"] = _page(index, wanted, page)
        except UserError as error:
            values["problem"] = f"{error.message} {error.hint}"
    values |= {"query": query, "page": page, "per_page": PER_PAGE, "lists": LISTED, "longest": LONGEST}
    values |= {"desk": "words", "cited": today()}
    values |= {"lines_with": lines_with, "indexing": explorer.progress if index is None else None}
    return explorer.page("words.html", here="words", corpus=corpus, **values)


def _page(index: Index, wanted: Wanted, page: int) -> Items:
    return listed(index, wanted, PER_PAGE, (page - 1) * PER_PAGE)


def _wanted(query: dict[str, str]) -> Wanted:
    stream = cast("Listed", query["list"] or "words")
    return Wanted(stream, whole(query["n"]) or 1, query["like"], max(1, whole(query["least"]) or 1))


def lines_with(stream: str, value: str) -> str:
    """The query that finds an item of a list.

    >>> lines_with("words", "abantu base"), lines_with("tags", "NOUN VERB")
    ('abantu base', '[tag="NOUN"%l] [tag="VERB"%l]')
    """
    if stream == "words":
        return value
    return " ".join(f'[{CQL[stream]}="{quoted(place)}"%l]' for place in value.split(" "))


def quoted(value: str) -> str:
    """A value as it stands between the quotes of a pattern."""
    return value.replace("\\", "\\\\").replace('"', '\\"')
