"""The rendering of a round: pages that need a browser are loaded in one, after the round's list is fetched.

Which pages these are, the documents say, so a crawl that was killed goes on with those that have no record.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from corpulyzer.corpus.archives import CrawlPlaces
from corpulyzer.jobs.crawl.fetching import Visit, archive_info
from corpulyzer.jobs.crawl.outage import Outage
from corpulyzer.jobs.crawl.round_archive import OnSkip, RoundArchive, recorded
from corpulyzer.records import RENDERED, Document, Fetch
from corpulyzer.warc import ArchiveReader, BrokenRecordError

if TYPE_CHECKING:
    from corpulyzer.corpus.rounds import Round
    from corpulyzer.engine import Engine
    from corpulyzer.web.fetch.render.gate import Answer

NEEDED_SQL = "select id from documents where verdict.reason = 'needs_browser' order by id nulls last"


@dataclass(frozen=True, slots=True)
class Rendering:
    """The rendering of a round, through outages of the network.

    It ends at a time of the monotonic clock, and takes at most `seconds` between two outages.
    """

    visit: Visit
    outage: Outage
    engine: Engine
    ends: float
    seconds: float
    on_skip: OnSkip

    def __call__(self, now: Round) -> dict[str, int | float] | None:
        """Render what is to be; return how many pages were and were not, or None if it has to go on later."""
        from corpulyzer.web.fetch.http.network import NETWORK

        begun = time.monotonic()
        left = self._once(now)
        while NETWORK in left and self.outage.is_over(self.ends - time.monotonic()):
            left = self._once(now)
        if left and (self.visit.interrupt.wishes or time.monotonic() >= self.ends):
            return None
        done = [fetch.outcome for fetch in recorded(now) if fetch.purpose == RENDERED]
        good, took = done.count("ok"), round(time.monotonic() - begun, 1)
        return {"pages": good, "failed": len(done) - good, "left": len(left), "seconds": took}

    def wanted(self, now: Round) -> list[Fetch]:
        """The pages of a round that need a browser and have not been in one."""
        needed = self.engine.query(NEEDED_SQL, {"documents": now.table("documents", Document)})
        ids = set(needed.column("id").to_pylist())
        done = recorded(now)
        rendered = {fetch.url_id for fetch in done if fetch.purpose == RENDERED}
        return [fetch for fetch in done if fetch.id in ids and fetch.url_id not in rendered]

    def _once(self, now: Round) -> list[str]:
        """Render what has no record yet; return the reasons why pages are left."""
        pages = self.wanted(now)
        if not pages:
            return []
        self.outage.tell("rendering", {"round": now.number, "pages": len(pages)})
        settings = self.visit.settings
        seconds = max(1.0, min(self.seconds, self.ends - time.monotonic()))
        with (
            RoundArchive(now, archive_info(settings)) as archive,
            ArchiveReader(CrawlPlaces(now.storage), settings.max_bytes) as reader,
        ):
            read = partial(self._received, reader)
            left = asyncio.run(self.visit.render(pages, read, archive, now.number, seconds))
        if self.visit.interrupt.wishes > 1:
            raise KeyboardInterrupt
        return [each.reason for each in left]

    def _received(self, reader: ArchiveReader, page: Fetch) -> Answer | None:
        from corpulyzer.web.fetch.render.gate import Answer

        try:
            record = reader.read(page)
        except BrokenRecordError as broken:
            self.on_skip(page.url, str(broken))
            return None
        return Answer(record.status, record.http_headers, record.body)
