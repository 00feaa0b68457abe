"""The crawl from the explorer: watched, started, paused, stopped."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.corpus import rounds
from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl import control as files
from corpulyzer.serve.explorer import whole
from corpulyzer.serve.live import live
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
OUTPUT = "logs/explorer-crawl.txt"


def panel(explorer: Explorer, _asked: Asked) -> Response:
    """The part of the first page that is asked for again and again."""
    corpus = explorer.corpus()
    return explorer.page(
        "crawl.html",
        corpus=corpus,
        live=live(corpus),
        waiting=frontier_by_site(explorer, corpus),
        can_start=bool(corpus.config.crawl.contact),
    )


def start(explorer: Explorer, asked: Asked) -> Response:
    """Start a crawl in a process of its own, which goes on when the explorer ends."""
    corpus = explorer.corpus()
    if files.state(corpus.storage) != "ended":
        raise UserError("A crawl is under way.", "Wait for its end, or stop it.")
    pages = asked.form.get("pages", "").replace(",", "").strip()
    if pages and whole(pages) is None:
        raise UserError("This is no number of pages.", "Write a number, or nothing for the settings'.")
    command = [sys.executable, "-m", "corpulyzer", "crawl", "--json", "--project", corpus.storage.root]
    output = Path(corpus.storage.path(OUTPUT))
    output.parent.mkdir(parents=True, exist_ok=True)
    with output.open("wb") as file:
        explorer.crawl = subprocess.Popen(
            [*command, *(["--pages", pages] if pages else [])],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=file,
            start_new_session=True,
        )
    _wait_for_start(explorer, corpus, output)
    return _back()


def control(explorer: Explorer, asked: Asked) -> Response:
    """Pause, resume or stop the crawl that is under way."""
    files.wish(explorer.corpus().storage, {"resume": "run"}.get(asked.path["wish"], asked.path["wish"]))
    return _back()


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


def _wait_for_start(explorer: Explorer, corpus: Corpus, output: Path) -> None:
    """Wait until the crawl runs; UserError with its own words if it ends at once."""
    import time

    process = explorer.crawl
    assert process is not None
    for _ in range(100):
        if process.poll() not in (None, 0):
            said = output.read_text("utf-8", "replace").strip().splitlines()
            raise UserError(" ".join(said[-2:]) or "The crawl ended at once.", "")
        if files.state(corpus.storage) != "ended" or process.poll() == 0:
            return
        time.sleep(0.1)


def _back() -> Response:
    from starlette.responses import RedirectResponse

    return RedirectResponse("/", 303)
