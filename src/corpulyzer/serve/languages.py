"""The languages of a corpus of several: what there is of each, and the choice of one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.without_copies import current_parts
from corpulyzer.jobs.analyze.run import as_stored
from corpulyzer.jobs.status.funnels import languages_of

if TYPE_CHECKING:
    from starlette.responses import Response

    from corpulyzer.api.corpus import Corpus
    from corpulyzer.measure.pages.by_language import LanguageCount
    from corpulyzer.serve.explorer import Asked, Explorer

TOP_PAIRS = 40
BY_LANGUAGE = {
    "overview": "",
    "sites": "sites",
    "documents": "documents",
    "search": "search",
    "words": "words",
    "audit": "audit",
}
"""The pages that each language has, and where they are below its own address."""


def choose(_explorer: Explorer, asked: Asked) -> Response:
    """From a choice of a language to the page that one was at, in that language."""
    from starlette.responses import RedirectResponse

    from corpulyzer.language import Language

    page = BY_LANGUAGE.get(asked.query.get("here", ""), "")
    wanted = asked.query.get("language", "").strip()
    root = f"/languages/{Language.find(wanted).code}" if wanted else ""
    return RedirectResponse(f"{root}/{page}", 303)


def which(explorer: Explorer, corpus: Corpus, here: str) -> Response:
    """A page that asks for a language, instead of one that each language has of its own."""
    values = {**table(explorer, corpus, here), "pairs": []}
    return explorer.page("languages.html", here=here, corpus=corpus, **values)


def counts(explorer: Explorer, corpus: Corpus) -> list[LanguageCount]:
    """What a corpus of several languages has of each; of one, nothing."""
    return explorer.remembered("languages", corpus, partial(languages_of, corpus))


def table(explorer: Explorer, corpus: Corpus, here: str = "overview") -> dict[str, Any]:
    """The table of languages: numbers as they are now, and those that the last report has measured."""
    found = counts(explorer, corpus)
    measured = {result.name: result.rows.to_pylist() for result in as_stored(corpus, "languages")}
    more = {row["code"]: row for row in measured.get("languages", ())}
    return {
        "rows": [(each, more.get(each.language, {})) for each in found],
        "pages": sum(part.rows for part in current_parts(corpus.storage)),
        "measured": bool(more),
        "pairs": measured.get("look_alike_pairs", [])[:TOP_PAIRS],
        "into": BY_LANGUAGE[here],
    }
