"""A crawl of the real web, measured against what was put in and against what the servers wrote down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import regex
from articles import TARGET, Article

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.lab.evaluate.text_metrics import Score, shingle
from corpulyzer.url import canonical

if TYPE_CHECKING:
    from web import RealWeb

MAPS = ("xml", "rss", "atom", "gzip")
# What no crawl has a reason to ask these programs for, written down apart from the rules of the crawler.
TRAPS = regex.compile(
    r"replytocom|cpage|comment-page|Special(?::|%3A)|Posebno(?::|%3A)|[?&](?:action|oldid|diff|rev|sectok)=|wp-login"
    r"|wp-json|rest_route|wp-admin|[?&]do=(?!sitemap)|_export/|_detail/|detail\.php|printable",
    regex.IGNORECASE,
)


@dataclass
class Scored:
    """What a crawl came to on one host, or on all.

    Requests are all but those for robots.txt; `content` are those for articles in any language and for talk about
    them, `maps` for sitemaps and feeds, `traps` for what never is a page, `wrong` for what robots.txt forbids.
    `repeated` are articles of which most paragraphs stand in a second document of the corpus.
    """

    articles: int = 0
    found: int = 0
    requests: int = 0
    content: int = 0
    maps: int = 0
    traps: int = 0
    wrong: int = 0
    documents: int = 0
    repeated: int = 0
    titles: int = 0
    dates: int = 0
    words: Score = field(default_factory=lambda: Score(0, 0, 0))
    outside: Counter[str] = field(default_factory=Counter)

    @property
    def waste(self) -> float:
        """The share of all requests that went to no article."""
        return 1 - self.content / self.requests if self.requests else 0.0


@dataclass(frozen=True)
class Crawled:
    """How a crawl ended, and what it came to on each host."""

    reason: str
    hosts: dict[str, Scored]

    @property
    def all(self) -> Scored:
        total = Scored()
        for scored in self.hosts.values():
            for name, value in vars(scored).items():
                before = getattr(total, name)
                setattr(total, name, _added(before, value) if isinstance(value, Score) else before + value)
        return total


def crawl(folder: Path, homepages: Iterable[str], proxy: str):
    """Crawl for the target language from the homepages on until nothing is left, and take copies out."""
    create(TARGET, folder)
    told = {"crawl.contact": "test@corpulyzer.example", "fetch.proxy": proxy, "fetch.allow_private": True}
    corpus = open_corpus(folder, told | {"fetch.delay_seconds": 0.0})
    corpus.add_seeds(*homepages)
    ended = corpus.crawl()
    corpus.dedup()
    return corpus, ended


def score(corpus, reason: str, web: RealWeb, requests: Iterable[tuple[str, str, int, str]]) -> Crawled:
    """What a crawl of ours came to, given what is where and what the servers were asked for."""
    places = {canonical(url): article for url, article in web.truth.items()}
    talk = {canonical(url) for url in web.talk}
    hosts = {article.host: Scored() for article in places.values()}
    for article in places.values():
        hosts[article.host].articles += is_wanted(article)
    for host, path, status, mime in requests:
        url = canonical(f"http://{host}{path}")
        if host in hosts and path != "/robots.txt":
            _count(hosts[host], places.get(url), url in talk, f"{status} {path}", mime)
    kept = {canonical(document.url): document for document in corpus.documents.kept()}
    for url in kept:
        if (host := url.split("/")[2]) in hosts:
            hosts[host].documents += 1
    texts = {url: _joined(document.text) for url, document in kept.items()}
    for url, article in places.items():
        if is_wanted(article) and url in kept:
            _compare(
                hosts[article.host],
                article,
                kept[url],
                [text for other, text in texts.items() if other != url],
            )
    return Crawled(reason, hosts)


def is_wanted(article: Article) -> bool:
    return article.language == TARGET and not article.closed


def _count(scored: Scored, article: Article | None, is_talk: bool, asked: str, mime: str) -> None:
    scored.requests += 1
    scored.content += article is not None or is_talk
    scored.maps += any(kind in mime for kind in MAPS)
    scored.traps += TRAPS.search(asked) is not None
    scored.wrong += article is not None and article.closed
    if article is None and not is_talk:
        scored.outside[asked] += 1


def _compare(scored: Scored, article: Article, document, others: list[str]) -> None:
    scored.found += 1
    paragraphs = [_joined(paragraph) for paragraph in article.paragraphs]
    scored.repeated += any(2 * sum(part in text for part in paragraphs) > len(paragraphs) for text in others)
    scored.titles += article.title.lower() in document.title.lower()
    told = document.published[:10]
    scored.dates += told == f"{article.date:%Y-%m-%d}" or (article.is_plain_page and not told)
    scored.words = _added(scored.words, shingle(f"{article.title}\n\n{article.text}", document.text))


def _joined(text: str) -> str:
    return " ".join(text.split())


def _added(one: Score, other: Score) -> Score:
    return Score(one.right + other.right, one.wrong + other.wrong, one.missed + other.missed)
