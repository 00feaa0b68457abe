"""Which URLs the crawl may want at all: by top-level domain, host, path and kind of file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated

from corpulyzer.url import BlockList, blocked_by, host_of
from corpulyzer.web.frontier.pattern import parts_of

WIKIMEDIA = (
    *("wikipedia.org", "wiktionary.org", "wikimedia.org", "wikibooks.org", "wikiquote.org", "wikisource.org"),
    *(
        "wikinews.org",
        "wikiversity.org",
        "wikivoyage.org",
        "wikidata.org",
        "mediawiki.org",
        "wikifunctions.org",
    ),
    "wikimediafoundation.org",
)
# Files that hold no page. What a server calls them is seen only after the request, which this saves.
NO_PAGES = """
3gp 7z aac apk avi avif bin bmp bz2 cab css csv dat deb dmg doc eot exe flac flv gif
gz ico ics img iso jar jpeg jpg js json m4a m4v mid midi mkv mobi mov mp3 mp4 mpeg mpg msi odp
ods odt ogg ogv opus otf pkg png ppt pptx ps psd rar rpm rtf sql svg swf tar tgz tif tiff
torrent ttf vcf wasm wav webm webmanifest webp wma wmv woff woff2 xls xlsx xz z zip
"""
_NO_PAGES = frozenset(NO_PAGES.split())


@dataclass(frozen=True)
class Scope:
    """The reason why a URL is out of bounds, or an empty string.

    A host is matched by any domain that it ends in, so `xh.example.com` and `example.com` both can be named.
    """

    tlds: Annotated[tuple[str, ...], "Top-level domains to stay in, such as pk; empty: all."] = ()
    hosts: Annotated[tuple[str, ...], "Hosts and domains to stay in; empty: all."] = ()
    paths: Annotated[tuple[str, ...], "Beginnings of paths to stay in, such as /urdu; empty: all."] = ()
    block: Annotated[tuple[str, ...], "Hosts and domains to stay out of."] = ()
    lists: Annotated[
        tuple[BlockList, ...], "Block lists that ship with the package, beside `block`: isixhosa."
    ] = ()
    removed: Annotated[
        tuple[str, ...], "Sites and addresses never to be fetched again; `corpulyzer remove` adds its own."
    ] = ()
    wikimedia: Annotated[bool, "Whether the Wikimedia projects may be crawled; they offer dumps."] = False

    def __call__(self, url: str) -> str:
        host = host_of(url)
        above = _suffixes(host)
        if not host:
            return "scope: no host"
        if self.removed and (above & self._removed or _bare(url) in self._removed):
            return "removed"
        if not above.isdisjoint(self._blocked):
            return "scope: blocked host"
        if self.tlds and host.rpartition(".")[2] not in self._tlds:
            return "scope: top-level domain"
        if self.hosts and above.isdisjoint(self._hosts):
            return "scope: host"
        path = parts_of(url)[1]
        if self.paths and not path.startswith(self.paths):
            return "scope: path"
        return "scope: kind of file" if path.rpartition(".")[2].lower() in _NO_PAGES else ""

    @cached_property
    def _blocked(self) -> frozenset[str]:
        return _names((*self.block, *blocked_by(self.lists), *(() if self.wikimedia else WIKIMEDIA)))

    @cached_property
    def _removed(self) -> frozenset[str]:
        return frozenset(self.removed)

    @cached_property
    def _tlds(self) -> frozenset[str]:
        return _names(self.tlds)

    @cached_property
    def _hosts(self) -> frozenset[str]:
        return _names(self.hosts)


def _bare(url: str) -> str:
    """An address as `removed` has it: without scheme and `www.`."""
    return url.partition("://")[2].removeprefix("www.")


def _names(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(name.lower().strip(".") for name in names)


@lru_cache(maxsize=1 << 12)
def _suffixes(host: str) -> frozenset[str]:
    labels = host.split(".")
    return frozenset(".".join(labels[number:]) for number in range(len(labels)))
