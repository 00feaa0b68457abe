"""The whole web: three programs, each under two names that spell addresses in different ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from articles import Article, articles
from dokuwiki import dokuwiki
from mediawiki import Wiki, mediawiki
from servers import Host, Servers
from wordpress import wordpress

DATED = "/%year%/%monthnum%/%day%/%postname%/"
WIKIS = (
    Wiki("wiki.example", "sl", "vector", "/w", "/wiki/$1"),
    Wiki("znanje.example", "en", "monobook", "", "/index.php?title=$1"),
)
SOFTWARE = {
    "novice.example": "WordPress, dated addresses",
    "zapiski.example": "WordPress, ?p=",
    "wiki.example": "MediaWiki, /wiki/",
    "znanje.example": "MediaWiki, ?title=",
    "prirocnik.example": "DokuWiki, folders",
    "doku.example": "DokuWiki, ?id=",
}
Made = tuple[Host, dict[str, Article]]


@dataclass(frozen=True)
class RealWeb:
    """The running web, and the truth: which article is at which address, and where people talk of them."""

    servers: Servers
    truth: dict[str, Article]
    talk: frozenset[str]

    @property
    def homepages(self) -> list[str]:
        return [f"http://{name}/" for name in SOFTWARE]


@contextmanager
def real_web(folder: Path, lid: Path, of_target: int, of_others: int) -> Iterator[RealWeb]:
    """Set the web up below `folder`, with so many articles of each language on each host, and serve it."""
    written = articles(lid, tuple(SOFTWARE), of_target, of_others)
    with Servers(folder) as servers, ThreadPoolExecutor(2) as workers:
        servers.start_database()
        made = [workers.submit(make) for make in _makers(servers, written)]
        hosts, truth = [], {}
        for each in made:
            host, addresses = each.result()
            hosts.append(host)
            truth |= addresses
        servers.start_web(hosts)
        yield RealWeb(servers, truth, frozenset(url for host in hosts for url in host.talk))


def _makers(servers: Servers, written: list[Article]) -> Iterator[Callable[[], Made]]:
    of = {name: [article for article in written if article.host == name] for name in SOFTWARE}
    for wiki in WIKIS:
        yield lambda wiki=wiki: mediawiki(servers, wiki, of[wiki.name])
    yield lambda: wordpress(servers, "novice.example", of["novice.example"], "twentytwentyone", DATED)
    yield lambda: wordpress(servers, "zapiski.example", of["zapiski.example"], "twentytwentythree", "")
    yield lambda: dokuwiki(servers, "prirocnik.example", of["prirocnik.example"], 1)
    yield lambda: dokuwiki(servers, "doku.example", of["doku.example"], 0)
