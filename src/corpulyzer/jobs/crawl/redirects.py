"""Which redirects a round follows: those within its scope that lead to pages it does not know."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from corpulyzer.corpus import rounds
from corpulyzer.jobs.crawl.choosing import visited
from corpulyzer.jobs.crawl.link_reader import reader_of
from corpulyzer.web.frontier.store.keys import Of

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.corpus.rounds import Round
    from corpulyzer.records import Fetch


def scope_of(corpus: CorpusFolder, now: Round, done: Iterable[Fetch] = ()) -> Callable[[str], str]:
    """A function from a redirect's target to why it is not followed: refused, known; empty if it is.

    What the round has fetched before is known, by its table, and by `done`, what that does not have yet.
    """
    from corpulyzer.url import url_id
    from corpulyzer.web.fetch.lanes import KNOWN

    reader, keys = reader_of(corpus.config), now.frontier().keys()
    begun = [each for each in rounds.opened(now.storage) if each.number <= now.number]
    new = {fetch.url_id for fetch in done if fetch.purpose == "page"}.union(*map(visited, begun))

    def refusal(url: str) -> str:
        key = url_id(url)
        known = key in new or keys.has_one(Of.FETCHED, key)
        return reader.refusal(url, 0) or (KNOWN if known else "")

    return refusal
