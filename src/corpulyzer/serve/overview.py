"""The first page: what the corpus has come to, and the crawl as it goes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from corpulyzer.errors import UserError
from corpulyzer.interface.catalogue import chosen, translated
from corpulyzer.interface.messages import said
from corpulyzer.jobs.advice import missing_to_crawl
from corpulyzer.jobs.status.funnels import funnel_of
from corpulyzer.report import speaks, stored_page
from corpulyzer.serve.languages import table
from corpulyzer.serve.security import REPORT_POLICY
from corpulyzer.serve.takeaway import Figure, taken, today
from corpulyzer.serve.work.crawling import frontier_by_site
from corpulyzer.serve.work.live import live

if TYPE_CHECKING:
    from starlette.responses import Response

    from corpulyzer.api.corpus import Corpus
    from corpulyzer.serve.explorer import Asked, Explorer

REPORT = "report/index.html"
MARK = b"<!--explorer-->"
"""Where the report has room for a way back, which a file that is mailed has not."""
BACK = '<p class="explorer"><a href="{place}">{words}</a></p>'


def overview(explorer: Explorer, asked: Asked) -> Response:
    """Numbers, funnel and live crawl."""
    corpus = explorer.corpus()
    if kind := asked.query.get("as", ""):
        return _taken(explorer, corpus, asked.query.get("of", ""), kind)
    languages = {} if corpus.targets.only else table(explorer, corpus)
    crawl = {"live": None} if corpus.whole else {"live": live(corpus), **_waiting(explorer, corpus)}
    funnel = explorer.remembered("funnel", corpus, partial(funnel_of, corpus))
    return explorer.page(
        "overview.html",
        here="overview",
        corpus=corpus,
        funnel=funnel,
        cited=today(),
        has_report=corpus.storage.exists(REPORT),
        **{"rows": [], **languages, **crawl},
    )


def _taken(explorer: Explorer, corpus: Corpus, of: str, kind: str) -> Response:
    """A table of this page as a file: its funnel, its languages, or the yield of its rounds."""
    if of == "rounds":
        rows = [{"round": n, "yield": good} for n, good in enumerate(live(corpus).yields, 1)]
        return taken(
            [
                {**row, "target_yield": read}
                for row, read in zip(rows, live(corpus).target_yields, strict=True)
            ],
            kind,
            f"{corpus.name}-rounds",
            Figure(f"Yield of {corpus.name} by round", "round", "yield", "yield"),
        )
    if of == "languages":
        found = [each.to_json() for each, _ in table(explorer, corpus)["rows"]]
        counts = [{**row, "dropped": _listed(row["dropped"])} for row in found]
        figure = Figure(f"Languages of {corpus.name}", "language", "kept", "documents")
        return taken(counts, kind, f"{corpus.name}-languages", figure)
    funnel = explorer.remembered("funnel", corpus, partial(funnel_of, corpus))
    steps = [{**row, "dropped": _listed(row["dropped"])} for row in funnel.rows()]
    return taken(
        [{**row, "step": said(step.words)} for row, step in zip(steps, funnel.steps, strict=True)],
        kind,
        f"{corpus.name}-funnel",
        Figure(f"What each step kept of {corpus.name}", "step", "pages", "pages"),
    )


def _listed(dropped: Mapping[str, int]) -> str:
    return ", ".join(f"{reason} {count}" for reason, count in dropped.items())


def _waiting(explorer: Explorer, corpus: Corpus) -> dict[str, Any]:
    """What the panel of the crawl shows beside its numbers."""
    waiting = frontier_by_site(explorer, corpus)
    return {"waiting": waiting, "missing": missing_to_crawl(corpus)}


def report(explorer: Explorer, _asked: Asked) -> Response:
    """The report, in a sandbox of its own."""
    from starlette.responses import Response as Plain

    storage = explorer.corpus().storage
    if not storage.exists(REPORT):
        raise UserError("There is no report yet.", "`corpulyzer report` makes it.")
    headers = {"content-security-policy": REPORT_POLICY}
    place = explorer.base + (f"{explorer.desk}/search" if explorer.subcorpus else f"{explorer.root}/")
    back = BACK.format(place=place, words=translated("Search and read these documents in the explorer"))
    page = _in_the_chosen_language(explorer, storage.read(REPORT)).replace(MARK, back.encode(), 1)
    return Plain(page, media_type="text/html; charset=utf-8", headers=headers)


def _in_the_chosen_language(explorer: Explorer, written: bytes) -> bytes:
    """The report as it was written, or its results on a page in the language that the reader has chosen."""
    code = chosen().code
    if speaks(written, code):
        return written
    version = hash(written)
    if explorer.reports.get(code, (0, b""))[0] != version:
        explorer.reports[code] = version, stored_page(explorer.corpus(), code).encode()
    return explorer.reports[code][1]
