"""The crawl from the explorer: watched, started, paused, stopped."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from corpulyzer.corpus import rounds
from corpulyzer.errors import UserError
from corpulyzer.jobs.advice import missing_to_crawl
from corpulyzer.jobs.crawl import control as files
from corpulyzer.serve.explorer import whole
from corpulyzer.serve.work import steps
from corpulyzer.serve.work.live import live
from corpulyzer.url import site_of

if TYPE_CHECKING:
    from starlette.responses import Response

    from corpulyzer.api.corpus import Corpus
    from corpulyzer.engine import Engine
    from corpulyzer.serve.explorer import Asked, Explorer

WAITING_SQL = """
select site_id, count(*) as urls, min(url) as url from frontier where refused = '' and fetches = 0
group by site_id order by site_id nulls last
"""
MOST_SITES = 12


def panel(explorer: Explorer, _asked: Asked) -> Response:
    """The part of the first page that is asked for again and again."""
    corpus = explorer.corpus()
    return explorer.page(
        "crawl.html",
        corpus=corpus,
        live=live(corpus),
        waiting=frontier_by_site(explorer, corpus),
        missing=missing_to_crawl(corpus),
    )


def start(explorer: Explorer, asked: Asked) -> Response:
    """Start a crawl in a process of its own, which goes on when the explorer ends."""
    corpus = explorer.corpus()
    if files.state(corpus.storage) != "ended":
        raise UserError("A crawl is under way.", "Wait for its end, or stop it.")
    pages = asked.form.get("pages", "").replace(",", "").strip()
    if pages and whole(pages) is None:
        raise UserError("This is no number of pages.", "Write a number, or nothing for the settings'.")
    steps.begin(corpus.storage, [("crawl", *(["--pages", pages] if pages else []))])
    _wait_for_start(corpus)
    return _back()


def control(explorer: Explorer, asked: Asked) -> Response:
    """Pause, resume or stop the crawl that is under way; what waits to be done after it is left out."""
    storage, wished = explorer.corpus().storage, asked.path["wish"]
    files.wish(storage, {"resume": "run"}.get(wished, wished))
    if wished == "stop" and steps.is_running(storage):
        steps.stop(storage)
    return _back("/work" if asked.form.get("back") == "work" else "/")


def frontier_by_site(explorer: Explorer, corpus: Corpus) -> list[tuple[str, int]]:
    """The sites with most URLs in front that wait to be fetched."""
    if not rounds.frontier(corpus.storage).version:
        return []

    def count(engine: Engine) -> list[tuple[str, int]]:
        rows = rounds.ask_frontier(
            corpus.storage,
            lambda found: engine.query(WAITING_SQL, {"frontier": found.at_hand()}).to_pylist(),
        )
        rows.sort(key=lambda row: (-row["urls"], row["url"]))
        return [(site_of(row["url"]), row["urls"]) for row in rows[:MOST_SITES]]

    return explorer.remembered("frontier", corpus, count)


def _wait_for_start(corpus: Corpus) -> None:
    """Wait until the crawl runs; UserError with its own words if it ends at once."""
    end = time.monotonic() + steps.STARTING_SECONDS
    while steps.is_running(corpus.storage) and files.state(corpus.storage) == "ended":
        if time.monotonic() > end:
            return
        time.sleep(0.1)
    last = steps.read(corpus.storage)[-1]
    if last.state == "failed":
        raise UserError(" ".join(last.said.splitlines()[-2:]) or "The crawl ended at once.", "")


def _back(path: str = "/") -> Response:
    from starlette.responses import RedirectResponse

    return RedirectResponse(path, 303)
