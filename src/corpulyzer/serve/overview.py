"""The first page: what the corpus has come to, and the crawl as it goes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from corpulyzer.errors import UserError
from corpulyzer.jobs.advice import missing_to_crawl
from corpulyzer.jobs.status import funnel_of
from corpulyzer.serve.languages import table
from corpulyzer.serve.security import REPORT_POLICY
from corpulyzer.serve.work.crawling import frontier_by_site
from corpulyzer.serve.work.live import live

if TYPE_CHECKING:
    from starlette.responses import Response

    from corpulyzer.api.corpus import Corpus
    from corpulyzer.serve.explorer import Asked, Explorer

REPORT = "report/index.html"
MARK = b"<!--explorer-->"
"""Where the report has room for a way back, which a file that is mailed has not."""
BACK = '<p class="explorer"><a href="{place}">Search and read these documents in the explorer</a></p>'


def overview(explorer: Explorer, _asked: Asked) -> Response:
    """Numbers, funnel and live crawl."""
    corpus = explorer.corpus()
    languages = {} if corpus.targets.only else table(explorer, corpus)
    crawl = {"live": None} if corpus.whole else {"live": live(corpus), **_waiting(explorer, corpus)}
    funnel = explorer.remembered("funnel", corpus, partial(funnel_of, corpus))
    return explorer.page(
        "overview.html",
        here="overview",
        corpus=corpus,
        funnel=funnel,
        has_report=corpus.storage.exists(REPORT),
        **{"rows": [], **languages, **crawl},
    )


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
    page = storage.read(REPORT).replace(MARK, BACK.format(place=place).encode(), 1)
    return Plain(page, media_type="text/html; charset=utf-8", headers=headers)
