"""The choice of what a round fetches: how many URLs, and of which state of the frontier."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import corpulyzer
from corpulyzer.corpus.rounds import Round
from corpulyzer.corpus.settings.plugins import without_sources
from corpulyzer.jobs.crawl.pace import TIMES_AS_PLANNED, begins, in_time, pauses
from corpulyzer.jobs.crawl.phases import bring_forward, has_seeds, inject, is_to_be_injected, note_forward
from corpulyzer.jobs.crawl.round_archive import DAMAGED
from corpulyzer.records import Fetch, int64_hash
from corpulyzer.web.frontier import Situation
from corpulyzer.web.frontier.generate import Generate
from corpulyzer.web.frontier.store.arrays import ints, read

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.corpus.rounds import Round
    from corpulyzer.engine import Engine
    from corpulyzer.jobs.crawl.resume import Memory
    from corpulyzer.web.frontier.store.versions import Frontier

ROUNDS_OF_A_BUDGET = 16
FIRST_ROUND_OF_A_BUDGET = 80
FIRST_ROUND_PAGES = 100

PARTS_KNOWN = 5
"""A list may be made without the last round if that is no more than one part in so many of all requests."""

TOO_SOON = "the last round is not worked in"


@dataclass(frozen=True, slots=True)
class Choosing:
    """Makes the fetch lists of a crawl. `tell` is called with an event and its numbers."""

    corpus: CorpusFolder
    engine: Engine
    memory: Memory
    tell: Callable[[str, dict[str, Any]], None]

    def __call__(self, now: Round, pages: int) -> str:
        """Inject and generate after so many requests; returns why there is nothing to fetch, if so."""
        frontier = inject(self.corpus, self.engine, now)
        choice = self._choice(now, pages)
        listed = choice(frontier)
        before = times = now.read("inject").get("forward", [])
        # What is held back may fill the front, so a short list looks behind it once, an empty one again.
        while not listed.num_rows or (2 * listed.num_rows < choice.size and times == before):
            deeper = bring_forward(self.corpus, self.engine, now, frontier, [*times, choice.at])
            if deeper is None:
                break
            frontier, times = deeper, [*times, choice.at]
            listed = choice(frontier)
        if not listed.num_rows and not has_seeds(self.corpus, now.next):
            return nothing_left(choice.generate.held_back(frontier, choice.at, choice.situation))
        if times != before:
            note_forward(self.corpus, now, frontier, times)
        self._write(now, listed, now.number - 1)
        return ""

    def ahead(self, now: Round, last: Round, pages: int) -> str:
        """Generate before the last round, which is fetched, is worked in; returns why that must wait, if so.

        It must where too much of what is known would be missing, where the frontier has to change first, and
        where what it knows does not fill the list.
        """
        is_small = may_be_missing(last.read("fetched")["requests"], pages)
        if not self.corpus.config.crawl.overlap or not is_small:
            return TOO_SOON
        if is_to_be_injected(self.corpus, now, last):
            return TOO_SOON
        choice = self._choice(now, pages)
        generate = replace(choice.generate, taken=tuple(sorted(taken(last))))
        listed = replace(choice, generate=generate)(last.frontier())
        if listed.num_rows < choice.size:
            return TOO_SOON
        self._write(now, listed, last.number - 1)
        return ""

    def _choice(self, now: Round, pages: int) -> Choice:
        config, at = self.corpus.config, time.time()
        budget = config.crawl.pages
        size = round_size(now.number, budget, config.crawl.round_pages)
        generate = Generate(
            config.frontier.scorer,
            self.engine,
            per_site=config.frontier.per_site,
            traps=config.frontier.traps,
            shut=tuple(int64_hash(site) for site in self.memory.shut(at)),
            even=config.crawl.balance == "even",
        )
        situation = Situation(now.number, pages / budget if budget else 0.0)
        return Choice(generate, min(size, budget - pages) if budget else size, int(at), situation)

    def _write(self, now: Round, listed: pa.Table, after: int) -> None:
        """Write what can be asked for in time, and of which round the frontier was that it was made of."""
        listed = self._in_time(listed)
        config = asdict(without_sources(self.corpus.config))
        notes = {"version": corpulyzer.__version__, "listed_after": after, "config": config}
        now.write("settings", notes)
        now.write_list(listed)
        self.tell("round", {"round": now.number, "urls": listed.num_rows})

    def _in_time(self, listed: pa.Table) -> pa.Table:
        """A list without those URLs of a site that would hold up all others; they are due another time."""
        import pyarrow as pa

        config = self.corpus.config
        pause = pauses(config.fetch, self.memory.robots)
        begin = begins([str(url) for url in listed.column("url").to_pylist()], pause)
        asked_for = in_time(begin, config.crawl.round_minutes * 60 / TIMES_AS_PLANNED)
        return listed.filter(pa.array(asked_for, pa.bool_()))


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice: how many URLs, when, and in which situation of the crawl."""

    generate: Generate
    size: int
    at: int
    situation: Situation

    def __call__(self, frontier: Frontier) -> pa.Table:
        """The list that it makes of a frontier."""
        return self.generate(frontier, self.size, self.at, self.situation)


def taken(last: Round) -> set[int]:
    """The ids of all URLs that a round has on its list, or was led to."""
    return {*ints(read(last.listed(), ("id",)), "id").tolist(), *visited(last)}


def visited(last: Round) -> set[int]:
    """The ids of the pages that a round has asked for, or would have if robots.txt had let it."""
    rows = read(last.table("fetches", Fetch), ("url_id", "purpose", "outcome")).to_pylist()
    return {row["url_id"] for row in rows if row["purpose"] == "page" and row["outcome"] != DAMAGED}


def round_size(number: int, budget: int, most: int) -> int:
    """URLs of a round: small at first, so that learning begins early, and at least ten rounds of any budget.

    >>> [round_size(number, 4000, 2000) for number in range(1, 6)]
    [50, 100, 200, 250, 250]
    """
    if not budget:
        return min(most, FIRST_ROUND_PAGES << min(number - 1, 20))
    first = max(1, min(FIRST_ROUND_PAGES, budget // FIRST_ROUND_OF_A_BUDGET))
    return min(most, -(-budget // ROUNDS_OF_A_BUDGET), first << min(number - 1, 20))


def may_be_missing(requests: int, pages: int) -> bool:
    """Whether a choice can do without a round of so many requests, of all pages that were asked for so far.

    >>> may_be_missing(250, 1_000), may_be_missing(250, 1_250)
    (False, True)
    """
    return requests * PARTS_KNOWN <= pages


def nothing_left(held_back: Mapping[str, int]) -> str:
    """Why a crawl ends whose list is empty, with what it knows of and does not fetch.

    >>> nothing_left({"of patterns that brought no new text": 1381})
    'nothing worth fetching is left; URLs held back: 1,381 of patterns that brought no new text'
    """
    if not held_back:
        return "nothing is left to fetch"
    counts = ", ".join(f"{count:,} {why}" for why, count in held_back.items())
    return f"nothing worth fetching is left; URLs held back: {counts}"
