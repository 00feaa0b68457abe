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

SOURCE = "explorer"
BOOST_SQL = """
select url from frontier where site_id = {key} and refused = '' and fetches = 0
order by from_target desc nulls last, links desc nulls last, id nulls last limit {most}
"""


def boost(corpus: CorpusFolder, engine: Engine, site: str, most: int = 50) -> int:
    """Make seeds of the next round out of a site's best waiting URLs and its home page; return how many."""
    sql = BOOST_SQL.format(key=int64_hash(site), most=most)
    found = rounds.ask_frontier(corpus.storage, lambda urls: engine.query(sql, {"frontier": urls}))
    wanted = [Candidate(str(url)) for url in (*found.column("url").to_pylist(), f"http://{site}/")]
    add_seeds(corpus, wanted, SOURCE)
    return len(wanted)
