"""A site put first: its best waiting URLs as seeds of the next round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpulyzer.corpus import rounds
from corpulyzer.jobs.seeds import add_seeds
from corpulyzer.records import int64_hash
from corpulyzer.web.seeds import Candidate

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.web.frontier.store.versions import Frontier

SOURCE = "explorer"


def boost(corpus: CorpusFolder, engine: Engine, site: str, most: int = 50) -> int:
    """Make seeds of the next round out of a site's best waiting URLs and its home page; return how many."""
    key = int64_hash(site)
    urls = rounds.ask_frontier(corpus.storage, lambda found: best_waiting(engine, found, key, most))
    wanted = [Candidate(url) for url in (*urls, f"http://{site}/")]
    add_seeds(corpus, wanted, SOURCE)
    return len(wanted)


def best_waiting(engine: Engine, frontier: Frontier, site_id: int, most: int) -> list[str]:
    """The URLs of a site that were never fetched: those that most pages with target text link to."""
    from corpulyzer.web.frontier.store.asked import site_known

    names = ["url", "refused", "fetches", "from_target", "links", "id"]
    rows = site_known(engine, frontier, site_id).select(names).to_pylist()
    waiting = [row for row in rows if not row["refused"] and not row["fetches"]]
    waiting.sort(key=lambda row: (-row["from_target"], -row["links"], row["id"]))
    return [row["url"] for row in waiting[:most]]
