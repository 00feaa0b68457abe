"""Common Crawl: what it has of a language, as seeds for a crawl of our own or as pages for the corpus.

Its index names for every page up to three languages and the place of its record in an archive. The rows that
a filter lets through are kept in the corpus folder, so that estimate, seeds and fetch share one download.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from annotated_types import Ge, Gt

from corpulyzer.records import EPOCH

FOLDER = "commoncrawl"
TOTALS = "commoncrawl-totals"
TOTALS_WITHIN = "commoncrawl-totals-within"
"""Counts of the pages of some hosts and top-level domains, for shares within them."""
DATA = "https://data.commoncrawl.org"
API = "https://index.commoncrawl.org"


@dataclass(frozen=True, slots=True)
class CommonCrawlSettings:
    """Where Common Crawl is read from, and how politely."""

    mirror: Annotated[
        str, "Where the releases are: a web address, s3://commoncrawl, or a folder in the same layout."
    ] = DATA
    api: Annotated[str, "The index server, for lists of releases and for small jobs."] = API
    connections: Annotated[int, "Records that are read at the same time.", Ge(1)] = 4
    pause_seconds: Annotated[float, "Time between the starts of two requests.", Ge(0)] = 0.05
    longest_pause_seconds: Annotated[float, "Longest wait between two tries of a busy server.", Gt(0)] = 60.0


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A page of a release: what the index says of it, and where its record is.

    `languages` are codes joined by commas, the one with most text first. `length` is that of the packed
    record. `problem` is empty, or says why a part of the index could not be read.
    """

    release: str
    url: str
    site: str
    languages: str
    mime: str
    length: int
    status: int = 200
    truncated: str = ""
    charset: str = ""
    digest: str = ""
    time: datetime = EPOCH
    filename: str = ""
    offset: int = 0
    problem: str = ""
